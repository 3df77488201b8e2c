/* Calls of MPI as utilities with so many bytes. */
#ifndef DESCRIBER_WALK_MESSAGES_H
#define DESCRIBER_WALK_MESSAGES_H

#include "describer/walk/evaluate.h"

/* Whether the call is one of MPI's; then it is described, and its value set. */
bool messages_call(struct describer *describer, const struct syntax *call, struct value *value);

/* A call entry with these texts; processors may be NULL. */
struct outline *messages_add(struct describer *describer, const char *utility, const char *bytes,
                             const char *processors);

/* The same of one message to one partner. */
struct outline *messages_add_one(struct describer *describer, polynomial size);

/* One of that utility, which a remark says where it comes from; size NULL: not known yet. */
struct outline *messages_add_told(struct describer *describer, const char *utility, polynomial size,
                                  const char *name, struct place place);

/* The utility of MPI's call of that name; whether its first argument is MPI_IN_PLACE, and whether
   it sends where it receives from. */
const char *messages_utility(const char *call, bool is_in_place, bool is_alike);

/* Messages of which nothing is known here. */
struct outline *messages_add_unknown(struct describer *describer, struct place place);

/* Whether the statement, or what it calls, sets elements of arrays or computes with data. */
bool computes(struct describer *describer, const struct syntax *syntax, int depth);

/* Whether a call that moves data stands in the statement, or in what it calls. */
bool messages_reached(struct describer *describer, const struct syntax *syntax, int depth);

/* Messages to one partner that wait for their counterpart: from now on they wait for none. */
void messages_flush(struct describer *describer);

/* How many calls of MPI that move data stand in a statement, one in a loop twice. */
int messages_within(const struct syntax *syntax);

/* Whether a message is sent in it, or received. */
bool sends_within(const struct syntax *syntax);
bool receives_within(const struct syntax *syntax);

/* messages_types.c: bytes of one element of MPI's datatype of that name; NULL: there is none. A
   variable that holds a datatype holds that number. */
polynomial datatype_named(struct describer *describer, const char *name);
/* The same of an expression; NULL: not known. */
polynomial datatype_bytes(struct describer *describer, const struct syntax *type);
/* Whether the call makes a datatype, or asks how many processors there are and which this is: then
   what it sets is known. */
bool messages_setting(struct describer *describer, const struct syntax *call);
/* Whether it is MPI_IN_PLACE. */
bool is_in_place(const struct syntax *argument);
/* Whether two partners are the same as far as the source tells: written alike, or of one value. */
bool are_alike(struct describer *describer, const struct syntax *a, const struct syntax *b);
/* The variable whose address is given; NULL: it is none. */
struct binding *addressed(struct describer *describer, const struct syntax *argument);

#endif
