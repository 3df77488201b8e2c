/* From a description to what is derived of its first segment under its first candidate, and all
   that it lies in. Shared by the tests that write descriptions and enumerate them. */
#ifndef TEST_DERIVED_H
#define TEST_DERIVED_H

#include "model/segment/traffic/analysis.h"

struct derived {
    struct program program;
    struct scope *scope;
    struct layout layout;
    struct subject subject;
    struct analysis analysis;
};

/* Fails the test, with what is wrong, where the description is refused. Release with derived_free.
 */
void derived_make(struct derived *derived, const char *path, double processors);
void derived_free(struct derived *derived);

#endif
