/* Messages that are handed on from processor to processor: each receives from the one before it
   before it sends to the next, so that the last has its message only after all others. */
#ifndef DESCRIBER_WALK_RELAYS_H
#define DESCRIBER_WALK_RELAYS_H

#include "describer/walk/evaluate.h"

enum { RELAYS_MOST = 32 };

/* A message that is sent on after it was received. */
struct relay {
    const struct end *receive, *send;
    struct outline *first, *last; /* from the receive to where it is sent on */
    bool is_under_way;            /* nothing since then has made all wait for the last processor */
};

/* Argument that names the partner, of all calls that have one. */
enum { ARGUMENT_PARTNER = 3 };

/* ends.c: notes an end of a message where the walk is. */
struct end *end_note(struct describer *describer, const struct syntax *call, enum end_kind kind);
/* Whether it has a partner: it sends or receives. */
bool end_has_partner(const struct end *end);
/* Whether what the one sends goes as far as what the other receives comes. */
bool ends_are_opposite(struct describer *describer, const struct end *a, const struct end *b);
/* Whether a processor far away has to be done before others go on. */
bool end_is_closing(const struct end *end);
/* Whether there is such an end in it. */
bool outline_closes(const struct outline *outline);

/* relays.c: adds what the processors wait for one after the other to what the outline does, from
   its child of that number on; fails where it cannot be told how many they are. */
void relays_find(struct describer *describer, struct outline *root, int first);

/* relays_fill.c: the same for the relays that were found. */
void relays_fill(struct describer *describer, const struct relay *relays, int count);

#endif
