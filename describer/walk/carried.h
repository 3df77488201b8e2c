/* Variables that one iteration of a loop hands to the next. */
#ifndef DESCRIBER_WALK_CARRIED_H
#define DESCRIBER_WALK_CARRIED_H

#include "describer/walk/loop_head.h"

struct carried_item {
    struct binding *binding;
    struct binding before;
    const char *name;
    const struct syntax *to; /* the variable as it is written */
    struct carry *carry;     /* NULL: it is no data */
    polynomial step;         /* of one that advances by as much each time; NULL: it does not */
    bool is_pointer;         /* that may change its place with others */
    bool is_read;            /* a pointer that an iteration reads as it begins with it */
    bool is_switch;          /* a number that is one of two in turn */
};

struct carried {
    struct carried_item *items;
    int count;
    int copies; /* of the body in an iteration */
    int turns;  /* after so many iterations all pointers and switches are what they were */
};

/* Sets what the body assigns to what it is where an iteration begins, which is the trip-th. */
void carried_begin(struct describer *describer, const struct loop_head *head,
                   const struct loop *loop, polynomial trip, struct carried *carried);

/* Behind the loop: links what an iteration leaves to what the next begins with. */
void carried_end(struct describer *describer, const struct syntax *syntax, struct loop *loop,
                 struct carried *carried);

/* Behind an iteration that leaves the loop, as its only one: the data that it has set, or returned,
   stands, all else is what it was where the iteration left. */
void carried_leave(struct describer *describer, const struct syntax *syntax, struct loop *loop,
                   struct carried *carried, bool has_returned);

/* Arrays that change places: pointers that a loop around segments exchanges stand for another array
   in each of its iterations. A segment that is described once for all of them holds only where
   these arrays lie alike. Notes what an iteration has made of a pointer, or of a pointer to a
   record, that it read as it began: `before` is what it was then, `to` the variable. */
void exchange_note(struct describer *describer, struct binding *binding,
                   const struct binding *before, const struct syntax *to, struct place place);

#endif
