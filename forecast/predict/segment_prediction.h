/* What a segment is predicted to cost: the lines of its breakdown and their sums. */
#ifndef FORECAST_PREDICT_SEGMENT_PREDICTION_H
#define FORECAST_PREDICT_SEGMENT_PREDICTION_H

#include "forecast/predict/uncertainty.h"
#include "forecast/price/price.h"
#include "model/micro/waiting.h"

/* One line of the breakdown of a segment; times are of all repetitions. */
struct item {
    char what[320];             /* the statement, or the cause of the communication */
    char at[120];               /* where that stands in the source, if told (origins.h) */
    char resource[CHARGE_NAME]; /* the limiting unit, or the utilities; may be empty */
    char as[CHARGE_NAME];       /* of communication: what was composed of them; may be empty */
    bool computes;
    int pipeline; /* of a computation: the number of the segment's that it goes through; -1: none */
    double times, time_us, low_us, high_us;
    double alone_us; /* of communication: the time if nothing else were under way */
    double at_once;  /* of communication: the most pairs, messages or groups that do it at once */
    double bytes_least, bytes;   /* of communication; NAN for computation */
    double processors;           /* the most; NAN for computation */
    double each_us;              /* one iteration, or one use of the utility on average */
    const struct region *region; /* borrowed; NULL where it is not one alone */
    const struct cost *hops;     /* borrowed: whose hops gave the time; NULL: the region did */
    const struct cost *cost;     /* borrowed: of the region; NULL where that is */
    double distance, in_situ;    /* factors in each_us: of charge.h; 0: none */
    double measured_at; /* of structure.h: bounded from this processor count alone; 0: not so */
    unsigned flags;
};

/* Who waits for whom in a round of communication. */
enum round_kind {
    ROUND_OF_ALL,      /* all for all */
    ROUND_OF_PARTNERS, /* each for its partners, who wait for theirs the next time */
    ROUND_OF_ONE,      /* all for one, or one for all; where the one stays the same, nobody waits */
    ROUND_KINDS
};

/* How a segment synchronises. */
struct synchronising {
    double repeat;             /* of the segment */
    double count[ROUND_KINDS]; /* in one repetition */
    struct waiting_for whom[ROUND_KINDS];
    int work; /* enum waiting_work: what is computed between them */
};

struct segment_prediction {
    char name[80];
    struct place place;
    struct synchronising rounds;
    struct list items;            /* of struct item */
    struct uncertainty uncertain; /* of its communication */
    double compute_us, communicate_us, total_us, low_us, high_us;
    double mean_us;   /* of computation, over processors */
    double imbalance; /* the busiest processor's computation over the mean; 1: balanced */
    unsigned flags;
    bool contention_unknown; /* some communicate at once, and the table does not price that */
    bool waits_together; /* phases of several statements have another busiest processor than each */
    bool no_error; /* for some of it nothing says how far it is off, or it is known to be too low */
    bool at_bound; /* some of its computation is at the node's bound, which says no error */
    char limit[CHARGE_NAME]; /* the item that takes longest: its resource */
};

/* Adds a line to the breakdown. Earlier pointers to lines become invalid. */
struct item *segment_add_item(struct segment_prediction *segment);

/* Its flags, and what they say of its interval: that nothing is known, or that it is of
   communication alone. */
unsigned segment_flags(const struct segment_prediction *segment);

void segment_prediction_free(struct segment_prediction *segment);

#endif
