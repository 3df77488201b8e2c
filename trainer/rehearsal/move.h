/* One use of communication that a description asks for, with buffers of its own size: run through
   the utility that prices it, and looked at on arrival. */
#ifndef TRAINER_REHEARSAL_MOVE_H
#define TRAINER_REHEARSAL_MOVE_H

#include "model/segment/traffic/analysis.h"
#include "trainer/rehearsal/subcommunicators.h"
#include "trainer/utilities/utility.h"

/* Memory that all moves share. */
struct buffers {
    char *send, *receive;    /* page-aligned; owned */
    double *field, *landing; /* what strided messages are gathered from, and scattered to; owned */
    size_t bytes, field_doubles;
};

struct delivery;

struct move {
    const struct utility *utility;
    const struct delivery *delivery; /* what comes where; NULL: not known, and not looked at */
    const struct subcommunicator *subcommunicator;
    const struct subcommunicator
        *wider; /* with those that have nothing to contribute; NULL: there are none */
    struct site site;
    double times;   /* uses in one sweep of the segment */
    double at_once; /* groups that do it together, on average */
    double begun;   /* uses so far */
    bool strided;   /* packed and unpacked by the program */
    bool is_set_up;
};

/* Chooses the utility and the groups for a use of the demand. NULL, or why it cannot be rehearsed:
   no utility of that name, another number of ranks or bytes. Every rank; nothing is to be released
   before move_begin. */
const char *move_make(struct move *move, struct subcommunicators *subcommunicators,
                      const struct demand *demand, const struct use *use);

/* Whether it packs and unpacks what of the use does not lie together; a call never does. */
bool move_packs(const struct move *move, const struct demand *demand, const struct use *use);

/* What of the two buffers it needs, and of the field. */
double move_bytes(const struct move *move);
double move_field_doubles(const struct move *move);

/* Every rank, when the buffers have room. End with move_end. */
void move_begin(struct move *move, const struct buffers *buffers);
void move_end(struct move *move);

/* Every rank: so many repetitions of the utility's run, uses_per_run uses each. */
void move_run(struct move *move, const struct buffers *buffers, long units);

/* Every rank: one run with buffers that say who sent what where; whether all of it is where it
   belongs, on this rank. True as well where nothing is known of what arrives. */
bool move_check(struct move *move, const struct buffers *buffers);

/* Every rank: of a combination, whether those that have nothing to contribute take part as well:
   whatever is quicker, as programs may do. Begins the move anew where they do. */
void move_choose_subcommunicator(struct move *move, const struct buffers *buffers);

/* Room for so much; every page is written. False where there is none. */
bool buffers_new(struct buffers *buffers, double bytes, double field_doubles);
/* Ones everywhere: sums of them stay ordinary numbers. */
void buffers_clear(struct buffers *buffers);
void buffers_free(struct buffers *buffers);

#endif
