/* Memory as measurements want it: on whole pages that the system has given already. */
#ifndef TRAINER_BASE_PAGES_H
#define TRAINER_BASE_PAGES_H

#include <stddef.h>

/* At least so many bytes from the beginning of a page on, each of that value: pages that nobody has
   written would share one page of zeros. Release with free(). Ends all ranks where there is no
   memory. */
char *pages_new(size_t bytes, int value);

/* The same of no value: for simulated machines, which have no pages. */
char *pages_unwritten(size_t bytes);

#endif
