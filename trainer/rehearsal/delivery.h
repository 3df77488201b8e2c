/* What a utility brings where: for filling buffers before, and looking at them afterwards. */
#ifndef TRAINER_REHEARSAL_DELIVERY_H
#define TRAINER_REHEARSAL_DELIVERY_H

#include "trainer/utilities/utility.h"

struct delivery {
    void (*fill)(const struct site *site); /* the buffers before */
    bool (*right)(const struct site *site, int root);
    /* In place of the utility's own run, which times what programs do not wait for; NULL: none. */
    void (*run)(struct site *site, int root);
};

/* NULL: what arrives is not known. */
const struct delivery *delivery_of(const struct pattern *pattern);

#endif
