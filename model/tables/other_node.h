/* A table that is asked with another node than its own: published tables of communication have
   none. */
#ifndef MODEL_TABLES_OTHER_NODE_H
#define MODEL_TABLES_OTHER_NODE_H

#include "model/machine/machine.h"

/* Puts the node and the memory of `from` in the place of those of *machine, and says so in its
   name. What was there is from's then, which remains to be freed. An error, with the file of
   `from`, where it has no node. */
int machine_take_node(struct machine *machine, struct machine *from, struct error *error);

/* The same from the table of that path, which is read for it. */
int machine_take_node_of(struct machine *machine, const char *path, struct error *error);

/* Gives the machine a node on which operations cost nothing: what is predicted is communication
   alone, and flagged (COST_COMMUNICATION_ONLY). */
void machine_leave_out_computation(struct machine *machine);

#endif
