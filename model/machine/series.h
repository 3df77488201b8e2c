/* What a utility took at the processor counts that were measured: what is known of more. */
#ifndef MODEL_MACHINE_SERIES_H
#define MODEL_MACHINE_SERIES_H

#include "model/cost/cost.h"

/* What answers at the measured counts, as participants, ascending. */
struct series {
    double *participants, *times_us; /* one allocation, owned by the first */
    size_t count;
    double near; /* processors of a node, where the first count is a node and the others are more;
                    0: there are no nodes */
};

/* All counts of the cost that have a positive time for so many bytes; the caller frees
   participants. */
struct series series_of(const struct cost *cost, double bytes);

/* Keeps of a series what is wanted of it. */
void series_keep(struct series *series, const bool *wanted);

/* Libraries have other algorithms for powers of two than for others: keeps those that are as the
   asked one, where at least three are. */
void series_keep_alike(struct series *series, double participants);

/* Keeps those of a node and of more than one; of a node and of less. */
void series_keep_nodes(struct series *series, double near);
void series_keep_within(struct series *series, double near);

struct series series_before_last(const struct series *series); /* borrowed */
double series_last_p(const struct series *series);
double series_last_us(const struct series *series);

#endif
