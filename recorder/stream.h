/* The calls of one process in their order, folded while they come: what repeats is kept once, with
   a count, so that memory grows with the structure of the program's loops and not with their
   iterations. Computing times are added up where calls are folded. No MPI. */
#ifndef RECORDER_STREAM_H
#define RECORDER_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A call, or a loop over several nodes. */
struct stream_node {
    uint32_t kind;            /* of a call, as told; of a loop the number of its body */
    uint32_t length;          /* of the body; 0: a call */
    uint64_t count;           /* how often; of a call 1 */
    double us;                /* of a call: computing time before it, over all times */
    struct stream_node *body; /* owned */
};

/* A body that some loop has: the nodes that it is made of, without times. */
struct stream_body;

struct stream {
    struct stream_node *nodes; /* owned */
    size_t count, room;
    struct stream_body *bodies; /* owned; by number */
    size_t body_count, body_room;
    uint32_t *table; /* owned; the number of a body and 1, by its hash */
    size_t table_room;
};

/* Adds a call of that kind, before which so much was computed. */
void stream_add(struct stream *stream, uint32_t kind, double us);

/* Writes it as text: KIND:US of a call, "(COUNT ... )" of a loop. */
void stream_write(const struct stream *stream, FILE *out);

void stream_free(struct stream *stream);

#endif
