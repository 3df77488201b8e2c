/* Messages: what the reads of an array need from other processors, and between which loops they are
   sent (rules "Union of reads" and "Placement"). */
#ifndef MODEL_SEGMENT_TRAFFIC_MESSAGE_H
#define MODEL_SEGMENT_TRAFFIC_MESSAGE_H

#include "model/segment/loops/instance.h"
#include "model/segment/loops/needs.h"

struct message {
    const struct instance *reader; /* borrowed: the nest is its */
    const struct reference *home;  /* borrowed: where the reader runs; NULL: everywhere */
    struct reads reads;
    const struct array_layout *lies; /* borrowed: where what is read lies */
    int depth;                       /* it is sent within so many of the reader's loops */
    bool carried;   /* the innermost of those carries the dependence that holds it there */
    double apart;   /* of a chain: how many iterations of that loop go on at once; 0: it is none */
    bool pipelined; /* it is sent stage by stage; false until that is found (pipeline.h) */
    bool moves;     /* something is sent, not stage by stage; false until that is derived */
};

extern const struct record message_record; /* messages own nothing */

/* Appends the messages that the instances' reads may need under a layout: reads of the same array
   that differ in constants alone, in the same nest and with homes that lie alike, are one. */
void messages_make(struct list *messages, const struct list *instances, const struct layout *layout,
                   const struct program *program);

/* Whether the readers of two messages stand in the same loops and run in the same places. */
bool message_same_places(const struct message *a, const struct message *b,
                         const struct layout *layout);

/* "u[i-1][j], u[i+1][j]": the reads as written, as many as fit. Returns text. */
char *reads_print(const struct reads *reads, char *text, size_t size);

/* The reads that some iteration may not find where it runs. */
struct reads message_reads_elsewhere(const struct message *message, const struct layout *layout,
                                     const struct program *program);

/* Whether every iteration finds its element where it runs: along each grid dimension of the data
   the home has the same block of the same element. Then nothing is sent, whatever the loops. */
bool message_is_local(const struct message *message, const struct layout *layout,
                      const struct program *program);

/* Whether nobody waits in that loop for what it carries: what is read was
   assigned further up in it and comes of nothing that the reader computed, so that each processor
   sends what it has on its own. */
bool message_goes_on(const struct message *message, int loop);

/* Whether one of its reads leaves a periodic array and goes on at the other end. */
bool message_goes_around(const struct message *message);

/* An error at the message's place: only what can be read before the loops, at constant distances,
   is derived where it goes around. Is always -1. */
int message_goes_too_far(const struct message *message, struct error *error);

/* The same of the first message that goes around and is sent within loops; 0: there is none. */
int messages_check_around(const struct list *messages, struct error *error);

/* ---- delivery.c ---- */

/* What stages of a pipeline have delivered (doc/segment-description.md, rules "Placement" and
   "Pipelines"): where `u[j][i-1]` travels along a wave, `u[j-1][i-1]` has come with the strip of an
   earlier value of j, or of the same, and is no message. Drops the reads of message `number` that
   those messages deliver which are pipelined: what is left to send, perhaps nothing. At the rim of
   the loops, where no stage has written what is read, it is taken to travel with the first strip.
 */
void delivery_drop(struct list *messages, size_t number, const struct layout *layout);

/* ---- phases.c ---- */

/* Phases: statements of a segment between which nobody waits. A processor that has little of the
   one goes on with the next, so that the busiest of their sum counts, and not the sum of the
   busiest: the pieces of a loop that is split at an index, both arms of a condition on the index,
   statements of one body that run where they write. */
struct waits; /* work.h */

/* What phases are made of: all borrowed. */
struct phase_finding {
    const struct list *instances; /* of struct instance */
    const struct list *messages;  /* whose `moves` are known */
    const bool *sends_result;     /* by instance: others wait for what it has computed */
    const struct waits *waits;    /* by instance: its loops that wait for messages */
    const struct layout *layout;
};

/* Numbers the phases of the work, which is that of the instances that are statements, in their
   order; and tells of each processor what it executes where it makes a difference. */
void phases_find(struct list *work, const struct phase_finding *finding);

#endif
