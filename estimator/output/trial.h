/* Whether a description can be ranked at all: every candidate is derived and priced at several
   processor counts as rank does, on a machine of which everything is known. */
#ifndef ESTIMATOR_OUTPUT_TRIAL_H
#define ESTIMATOR_OUTPUT_TRIAL_H

#include "estimator/output/options.h"
#include "model/segment/program/program.h"

struct trial {
    size_t candidates;
    struct tried {
        bool fits;        /* some of the processor counts */
        bool has_why;     /* else */
        struct error why; /* the first reason */
    } * tried;            /* owned; in the program's order */
    size_t fitting;       /* how many do */
};

/* Tries at the processor counts of the options, otherwise at those of the description's sweep,
   otherwise at some; and with the options' parameters. Errors are those of rank that are not
   about the table: a description that is wrong, or that nothing can be predicted of though it
   fits. Release with trial_free. */
int trial_make(struct trial *trial, const struct program *program, const struct options *options,
               struct error *error);

void trial_free(struct trial *trial);

#endif
