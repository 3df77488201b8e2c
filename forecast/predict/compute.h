/* What an iteration of a statement takes on one processor: the bound of the statements that stand
   in a row with it, with the lines that miss (rule "Computation" of doc/segment-description.md). */
#ifndef FORECAST_PREDICT_COMPUTE_H
#define FORECAST_PREDICT_COMPUTE_H

#include "model/machine/machine.h"
#include "model/segment/memory/loops.h"
#include "model/segment/traffic/analysis.h"

/* What a cache's capacity is taken for, where the table has an interval: its ends. */
enum capacity { CAPACITY_LEAST, CAPACITY_MOST, CAPACITIES };

/* A program under a candidate. */
struct computing {
    const struct machine *machine; /* borrowed */
    /* The machine's, as the program's compiler makes loops; owned, but not what it points to; NULL:
       it has no units. */
    struct node *node;
    struct loop_node root;            /* its loops, on the busiest processor */
    bool has_units;                   /* of the table's node: without them the rows have one rate */
    size_t arrays;                    /* of the program */
    double flags_spread;              /* by other compiler flags than the node's loops had */
    const struct loop_curves *curves; /* the machine's, if they are of its flags; or NULL */
    bool is_together;                 /* loops that were measured: on all processors at once */
    size_t caches;
    bool is_capacity_open; /* one's is an interval */
    /* Per cache and leaf; owned. Where no capacity is an interval, of CAPACITY_MOST alone. */
    struct pass_misses *misses[CAPACITIES][MEMORY_LEVELS_MOST];
};

/* Whether what an iteration takes on the machine depends on the layout: misses are derived,
   or rows overlap. */
bool computing_depends_on_layout(const struct machine *machine, const struct program *program);

/* layouts: one a segment; looked at only where it depends on them. Release with computing_free. */
int computing_make(struct computing *computing, const struct machine *machine,
                   const struct subject *subject, const struct layout *layouts,
                   struct error *error);
void computing_free(struct computing *computing);

/* From now on nothing misses. */
void computing_forget_misses(struct computing *computing);

/* The bytes that the busiest processor touches in one repetition of the segment, or, where that is
   of calls alone, of all segments, between which it is taken to lie; 0 where the table says neither
   what that means for messages (in_situ.h) nor for waiting (waiting.h). */
double computing_touched_bytes(const struct computing *computing, const struct segment *segment);

/* The limit of a row whose loop was measured (model/loops/curves.h). */
extern const char row_measured_loop[];

/* One iteration of some of the work, which stands in a row; the mean over repetitions. */
struct row {
    size_t count;   /* works that are covered: statements in a row that run equally often */
    double each_us; /* an iteration of all of them */
    double spread;  /* standard deviation of its logarithm; 0: not known to be uncertain */
    char limit[64]; /* what limits it; "rate" where the table has one number */
    unsigned flags; /* enum cost_flag */
};

/* The row that begins with a work of a segment's analysis. Errors, without a place: a table that
   cannot price it. */
int computing_row(struct row *row, const struct computing *computing, const struct segment *segment,
                  const struct analysis *analysis, size_t from, struct error *error);

#endif
