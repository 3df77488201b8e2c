/* The demands of an analysis while it is made. Of this folder alone. */
#ifndef MODEL_SEGMENT_TRAFFIC_DEMAND_H
#define MODEL_SEGMENT_TRAFFIC_DEMAND_H

#include "model/segment/traffic/analysis.h"
#include "model/segment/traffic/traffic.h"
#include "model/segment/traffic/turns.h"

/* One more, with no uses yet. Earlier pointers to demands become invalid. */
struct demand *demand_add(struct analysis *analysis, struct place place);

/* Adds where reads stand in the source to a list of such places (origins.h). */
void demand_list_reads(const struct program *program, const struct reads *reads, char *text,
                       size_t size);

/* Adds a use, or to the times of one of the last few that is the same. */
void demand_add_use(struct demand *demand, const struct use *use);

/* Adds a demand with all its uses. */
void demand_add_copy(struct analysis *analysis, const struct demand *demand);

/* Where the traffic of one message goes: a demand for each grid dimension of a shift, one for the
   rest. */
struct collector {
    struct analysis *analysis;
    const struct program *program;
    int exchange; /* enum exchange */
    int strided;  /* enum strided */
    struct place place;
    const char *prefix; /* of the cause */
    double share; /* how often the traffic happens in a repetition: 1, or less often by a halo */
    size_t demands[DIMENSIONS_MOST + 1]; /* number + 1; 0: none yet */
    bool moves;
    const struct cutoff *cutoff; /* NULL: none */
};

/* Adds a use to the demand that it belongs to: a turn_taker (turns.h) whose taker is the collector.
   Returns 0. */
int collector_take(void *collector, const struct traffic *traffic, const struct reads *reads,
                   int grid_dimension, double times, struct error *error);

/* Whether the cutoff is reached with what turns have moved so far: is_enough of such a taker. */
bool collector_is_enough(void *collector, turns_moved *moved, const void *turns);

/* Says of all its demands that they were enumerated, if they were. */
void collector_say_enumerated(const struct collector *collector, bool enumerated);

/* Releases a list of struct demand with what its items own. */
void demands_free(struct list *demands);

#endif
