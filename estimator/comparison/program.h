/* A program on several machines: what each part of it takes there, and which parts make the
   difference. */
#ifndef ESTIMATOR_COMPARISON_PROGRAM_H
#define ESTIMATOR_COMPARISON_PROGRAM_H

#include "estimator/comparison/comparison.h"
#include "forecast/predict/study.h"

/* The predictions of one candidate among so many processors. */
struct program_comparison {
    const struct comparison *machines; /* borrowed */
    const struct candidate *candidate; /* borrowed from the program */
    double processors;
    struct study *studies;          /* owned, one a machine */
    struct prediction *predictions; /* owned, one a machine */
    size_t count;                   /* of them that are made */
    size_t fastest, slowest;        /* numbers of machines, by the least and the largest total */
};

/* Predicts the candidate on each machine, whose tables were read for predictions. definitions:
   "NAME=VALUE" of parameters. Errors: those of study_predict; a candidate that does not fit so many
   processors is one. Release with program_comparison_free, whatever is returned. */
int program_comparison_make(struct program_comparison *it, const struct comparison *machines,
                            const struct program *program, const struct candidate *candidate,
                            double processors, const char *const *definitions,
                            size_t definition_count, struct error *error);
void program_comparison_free(struct program_comparison *it);

/* A report for program_comparison_add; release with report_free. */
struct report *program_comparison_report(const struct comparison *machines);

/* Adds a row a part, those of each segment first, then the whole. */
void program_comparison_add(const struct program_comparison *it, struct report *report);

/* Prints to standard output which machine is the fastest and by how much, within its errors, and of
   each slower one the parts that make most of the difference, with what takes longest in them. */
void program_comparison_explain(const struct program_comparison *it);

#endif
