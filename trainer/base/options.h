/* The trainer's command line. */
#ifndef TRAINER_BASE_OPTIONS_H
#define TRAINER_BASE_OPTIONS_H

#include "model/base/error.h"
#include "model/base/number.h"
#include "model/cost/cost.h"

#include <stdbool.h>
#include <stddef.h>

enum { DEFINITIONS_MOST = 64 };

struct options {
    const char *output;       /* the table's path */
    const char *output_given; /* -o as it was given, which a rehearsal's times or a validation's
                                 points go to; NULL: standard output, or nowhere */
    const char *name;         /* the machine's name; NULL: from the output */
    const char *validate;     /* a table to compare with the machine; NULL: calibrate */
    double tolerance;         /* of the 95th percentile of its relative errors */
    const char *rehearse;     /* a description to be run; NULL: calibrate */
    const char *loops;        /* an object of loops to be measured; NULL: calibrate */
    const char *candidate;    /* the only one to be run; NULL: all */
    const char *definitions[DEFINITIONS_MOST]; /* "NAME=VALUE" of its parameters */
    size_t definition_count;
    const char *described[DEFINITIONS_MOST]; /* "WHAT=TEXT" of the machine */
    size_t described_count;
    const char *cflags[DEFINITIONS_MOST]; /* lists of a compiler's flags, for loops of the node */
    size_t cflags_count;
    const char *suites; /* names, separated by commas; NULL: all */
    double patience_s;  /* with ranks that do not answer; 0: endless */
    double budget_s, accuracy, confidence;
    enum statistic statistic; /* of the repetitions, that the models are fitted to */
    double bytes_least, bytes_most;
    bool quick;             /* coarser and shorter in everything */
    double points;          /* start sizes of a sweep: fewer with --quick, more with --thorough */
    double launches, ranks; /* several launches, of so many ranks, merged */
    struct number_list processors; /* counts to measure at; empty: a spread up to all */
    double swap_cache_bytes;       /* read to empty the caches; NAN: as the caches are */
    double swap_messages[2], swap_dominant[2]; /* as struct swap_choice; NAN: no bound */
    const char *swap_only;             /* names, separated by commas (swap_only.h); NULL: all */
    double overlap_base, overlap_stop; /* thresholds (overlap.h); base NAN: by the scatter */
    double overlap_iterations;         /* of a loop; NAN: by what one takes */
    unsigned long seed;
    bool oversubscribe, progress, list;
    bool dry_run;      /* say how long it would take, and end */
    bool resume;       /* go on with what was cut off */
    bool add, replace; /* of the table that is there: keep the rest of it; or nothing */
    bool is_answered;  /* --help, --usage or --version was asked for, and there is nothing to do */
    struct error *error;
};

/* Every rank parses the same arguments; only a rank that speaks answers --help, --usage and
   --version. Returns 0, or -1 with *error. */
int options_parse(struct options *options, int argc, char **argv, bool speaks, struct error *error);

#endif
