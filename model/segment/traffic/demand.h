/* The demands of an analysis while it is made. Of analysis.c and redistribution.c alone. */
#ifndef MODEL_SEGMENT_TRAFFIC_DEMAND_H
#define MODEL_SEGMENT_TRAFFIC_DEMAND_H

#include "model/segment/traffic/analysis.h"

/* One more, with no uses yet. Earlier pointers to demands become invalid. */
struct demand *demand_add(struct analysis *analysis, struct place place);

/* Adds where reads stand in the source to a list of such places (origins.h). */
void demand_list_reads(const struct program *program, const struct reads *reads, char *text,
                       size_t size);

/* Adds a use, or to the times of one of the last few that is the same. */
void demand_add_use(struct demand *demand, const struct use *use);

/* Releases a list of struct demand with what its items own. */
void demands_free(struct list *demands);

#endif
