/* The unit of a number of a machine table: keys end with it. */
#ifndef ESTIMATOR_EXPORT_KEY_UNIT_H
#define ESTIMATOR_EXPORT_KEY_UNIT_H

/* As text: "us", "MB/s", "cycle"; "" where the key names none. */
const char *key_unit(const char *key);

#endif
