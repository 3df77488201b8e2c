/* The interface of everything that is timed between processors. A utility is one file in utilities/
   and one row in model/cost/patterns.h; the engine, which knows no utility, does the clock, the
   repetitions, the sizes and the fit. */
#ifndef TRAINER_UTILITIES_UTILITY_H
#define TRAINER_UTILITIES_UTILITY_H

#include "model/cost/cost.h"
#include "model/cost/pattern.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Where a utility runs: the processors that take part, one message size, and memory. */
struct site {
    MPI_Comm comm;          /* of the participants alone; rank 0 is the conductor */
    MPI_Comm mirrored;      /* the same, ranks in the opposite order */
    int rank, processors;   /* in comm */
    int bytes;              /* n */
    int part_bytes;         /* of a utility that sends in parts */
    char *send, *receive;   /* page-aligned, touched, each of messages(processors) x bytes */
    double excluded_s;      /* run() adds here what of its time is not the utility's */
    double reading_s;       /* what one reading of the clock costs */
    bool is_exact;          /* the clock of a simulation: nothing differs from time to time */
    int together;           /* the ranks before this one are near to rank 0; 0: none is far */
    double near_us, far_us; /* an empty message between rank 0 and near and far ranks */
    int uses_per_run;       /* the utility's; setup() may say otherwise */
    void *state;            /* of setup() */
};

/* Whether a utility can be measured with so many processors, and whether it then takes the form
   that it has with more. */
enum suits { SUITS_NOT, SUITS, SUITS_WELL };

struct utility {
    const struct pattern *pattern; /* its row of the catalogue */
    const char *does;
    const char *suite;                   /* that it is measured with (suites.h) */
    enum suits (*suits)(int processors); /* NULL: all well */
    /* Of one on a grid: with so long a shorter side or a longer one there is every kind of place;
       0: on no grid. */
    int grid_side_full;
    double bytes_most;     /* longest message; 0: as long as there is room */
    double granule_bytes;  /* sizes are multiples of it; 0: there is no size */
    bool empty_is_nothing; /* libraries skip it when n = 0: sizes begin at one granule */
    bool in_parts;         /* long messages are sent in parts; the best size is sought */
    bool rooted;           /* one processor alone has room for messages of all */
    int piles_up;     /* so many are under way at once: uses, or one in parts or of all to all */
    int uses_per_run; /* of the utility in one repetition of run(); 0: setup() says */
    int tree;         /* enum cost_tree: who sends to whom, or may */
    enum measures measures;
    enum across across;
    int (*messages)(int processors);  /* room in each buffer, in messages; NULL: one */
    void (*setup)(struct site *site); /* untimed; NULL: nothing to do */
    void (*run)(struct site *site, long times);
    void (*teardown)(struct site *site); /* untimed; NULL: nothing to do */
};

/* Processors that take part when the table's p is `counted`, and the reverse. */
int utility_participants(const struct utility *utility, int counted);
int utility_counted(const struct utility *utility, int participants);

/* Room for a message of every participant, for utility.messages. */
static inline int one_message_of_each(int processors)
{
    return processors;
}

#endif
