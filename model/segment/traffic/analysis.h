/* What a segment costs in units that no machine has touched yet: how often the busiest processor
   executes each statement, and which communication happens how often, with which sizes. Derived
   from the references and the partitioning, per dimension and not by enumerating elements, except
   where subscripts couple loops (doc/segment-description.md, How communication is derived). */
#ifndef MODEL_SEGMENT_TRAFFIC_ANALYSIS_H
#define MODEL_SEGMENT_TRAFFIC_ANALYSIS_H

#include "model/segment/loops/subject.h"
#include "model/segment/traffic/pipeline.h"
#include "model/segment/traffic/traffic.h"

/* The work of one statement, for one repetition of the segment. */
struct work {
    const struct statement *statement; /* borrowed */
    double iterations_most;            /* of the busiest processor */
    double iterations_mean;            /* over processors */
    int pipeline;                      /* that it goes through: its number; -1: none */
    /* By processor, for statements between which nobody waits and whose busiest processors are
       different ones (phases.c); owned. NULL: the busiest is the same as of the work around. */
    double *iterations;
    bool is_in_turns; /* the busiest of all of the phase was told in each iteration that waits */
    size_t phase; /* works of one number, which stand one behind the other, are such statements */
};

/* Communication of one kind and size, or a run of sizes: the steps of an elimination send one
   element less each time. */
struct use {
    enum traffic_class class;
    double times;      /* messages of the busiest processor, or uses of the collective */
    double bytes;      /* the largest message; of a combination: of each processor */
    double further;    /* of a run: so many more like the first; else 0 */
    double bytes_step; /* of a run: how much longer each one is than the one before */
    double processors; /* that take part */
    double
        processors_most;  /* of a combination: with those that have nothing to contribute; else 0 */
    double at_once;       /* pairs, messages or groups that do this at the same time */
    enum pieces pieces;   /* of a message: the largest */
    int strided;          /* how these are sent: enum strided */
    double element_bytes; /* of a piece that is one element; 0: not told */
    /* An exchange of a halo, as the program does it: in_turn, pair by pair. */
    struct halo_exchange halo;
    bool in_turn;
    bool by_shift;   /* everybody to the next along a dimension, then everybody back */
    double in_a_row; /* of a call: so many with nothing between them; else 0 */
    bool is_call;    /* told, not derived: of a group of processors a halo's own line, if any */
};

/* The use of that number in a run, the first being 0. */
struct use use_in_run(const struct use *run, double number);

/* One cause of communication, for one repetition of the segment. */
struct demand {
    char cause[120];     /* "u[i-1][j], u[i+1][j] along grid dimension 0" */
    char at[120];        /* where that stands in the source, "heat.c:12, heat.c:14", if told */
    const char *utility; /* written in the description, NULL: derived; borrowed */
    struct list uses;    /* of struct use */
    bool enumerated;     /* element by element: the loops are coupled */
    struct place place;
};

struct analysis {
    double repeat;         /* the segment's times those of all segments */
    double sweeps;         /* repetitions from one exchange of a halo to the next; 1: as without */
    struct list work;      /* of struct work */
    struct list demands;   /* of struct demand */
    struct list pipelines; /* of struct pipeline */
    double measured_us; /* of computation that the segment tells as measured; NAN: it tells none */
    bool is_not_known;  /* the segment is known for other values alone: nothing is derived */
    bool is_beyond;     /* its numbers were found for other values */
};

/* Where a derivation ends before it is complete, because what it has found so far is enough.
   Asked now and then of the demands that an analysis has, and of those of a message whose turns are
   under way: a part of what they will be. True ends the derivation as an error does. */
struct cutoff {
    bool (*is_reached)(void *asked, const struct analysis *so_far,
                       const struct analysis *under_way);
    void *asked;
};

/* Analyses the segment of that number under a layout. Errors are at the place of what cannot be
   derived. Release with analysis_free. */
int analysis_make(struct analysis *analysis, const struct subject *subject, size_t segment,
                  const struct layout *layout, struct error *error);

/* Analyses the change from one layout to another (rule "Redistribution"), so many times: every
   array that lies otherwise is copied. Errors: too many pieces to be gone through. Release with
   analysis_free. */
int analysis_change(struct analysis *analysis, const struct program *program,
                    const struct layout *from, const struct layout *to, struct place place,
                    double times, struct error *error);

void analysis_free(struct analysis *analysis);

#endif
