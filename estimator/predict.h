/* The predicted cost of a candidate partitioning on a machine: computation of the busiest processor
   plus communication, segment by segment, with what it is made of. */
#ifndef ESTIMATOR_PREDICT_H
#define ESTIMATOR_PREDICT_H

#include "estimator/compute.h"
#include "estimator/price.h"
#include "estimator/uncertainty.h"
#include "model/segment/schedule.h"

/* One line of the breakdown of a segment; times are of all repetitions. */
struct item {
    char what[320];    /* the statement, or the cause of the communication */
    char resource[64]; /* the limiting unit, or the utilities; may be empty */
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
    unsigned flags;
};

struct segment_prediction {
    char name[80];
    struct list items;     /* of struct item */
    struct list uncertain; /* of struct uncertain: of its communication */
    double compute_us, communicate_us, total_us, low_us, high_us;
    double mean_us;   /* of computation, over processors */
    double imbalance; /* the busiest processor's computation over the mean; 1: balanced */
    unsigned flags;
    bool
        contention_unknown; /* some communicate at once, and the table does not say what it costs */
    char limit[64];         /* the item that takes longest: its resource */
};

/* Adds a line to the breakdown. Earlier pointers to lines become invalid. */
struct item *segment_add_item(struct segment_prediction *segment);

/* Predicts the segment of that number under a layout. On success release with
   segment_prediction_free. */
int segment_predict(struct segment_prediction *segment, const struct machine *machine,
                    const struct computing *computing, const struct subject *subject, size_t number,
                    const struct layout *layout, struct error *error);

/* Predicts the change from one layout to another; the rest as above. */
int change_predict(struct segment_prediction *segment, const struct machine *machine,
                   const struct program *program, const struct layout *from,
                   const struct layout *to, struct place place, struct error *error);

void segment_prediction_free(struct segment_prediction *segment);

struct prediction {
    struct list segments;            /* of struct segment_prediction */
    struct segment_prediction whole; /* without items */
};

/* Predicts under the layouts of a schedule. Errors are at their place in the description, or about
   the table. On success release with prediction_free; the machine must outlive it. */
int prediction_make(struct prediction *prediction, const struct machine *machine,
                    const struct subject *subject, const struct computing *computing,
                    const struct schedule *schedule, struct error *error);

void prediction_free(struct prediction *prediction);

#endif
