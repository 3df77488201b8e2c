/* What a statement of an executed segment reads of others, array by array and depth by depth, and
   what of it the stages of a pipeline have brought before. */
#ifndef TEST_ENUMERATED_SENDING_H
#define TEST_ENUMERATED_SENDING_H

#include "test/enumerated/moves.h"
#include "test/enumerated/pipelining.h"

/* What a statement reads of one array at one depth. */
struct sending {
    const struct statement *statement;
    int array, depth, nest;
    bool carried;
    int depths[READS];         /* of each read */
    bool pipelined[DEPTH + 1]; /* by depth: it goes stage by stage */
    bool delivered[READS];     /* of each read: stages have brought all of it */
};

/* The depths at which a statement reads; its array and depth are for the caller to choose. */
struct sending sending_of(const struct trace *trace, const struct statement *statement);

/* For the array chosen: which reads stages deliver. */
void sending_find_delivered(struct sending *sending, const struct trace *trace);

/* Whether the k-th read of an event belongs to it. */
bool sending_has(const struct sending *sending, const struct event *event, int k);

/* What has to move for an event, and for all events. */
void sending_move(struct moves *moves, const struct world *it, const struct sending *sending,
                  const struct event *event);
void sending_move_all(struct moves *moves, const struct trace *trace,
                      const struct sending *sending);

#endif
