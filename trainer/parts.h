/* What a run consists of, in the order of measuring: what a prediction needs first comes first. */
#ifndef TRAINER_PARTS_H
#define TRAINER_PARTS_H

#include "trainer/engine/run.h"
#include "trainer/suites.h"

#include <stddef.h>

/* A utility, or a suite of other means, or what comes last. */
struct part {
    const struct suite *suite; /* NULL: the later passes (curve/later_passes.h) */
    int utility;               /* -1: none */
};

struct parts {
    struct part *items;
    size_t count;
};

/* Those that the options select and that suit the run; to be freed by parts_free(). */
struct parts parts_of(const struct run *run);
void parts_free(struct parts *parts);

/* Of a utility, of a suite of other means, or what the table calls the later passes. */
const char *part_name(const struct part *part);

/* Whether any utility is among them. */
bool parts_have_utility(const struct parts *parts);

/* Of each of utilities[], whether it is among them; to be freed. */
bool *parts_utilities(const struct parts *parts);

#endif
