/* The lines of a pool sorted by the set that they fall into: their colour. */
#ifndef TRAINER_CACHES_COLOURS_H
#define TRAINER_CACHES_COLOURS_H

#include "trainer/caches/conflict.h"

struct colour {
    struct ring ring;
    struct lines members; /* of the pool, the ring's among them */
};

struct colours {
    struct colour *items; /* owned */
    size_t count;
    size_t ways;       /* lines of a colour that fit, as most rings say */
    struct lines rest; /* owned; lines of no colour found */
};

/* Sorts the pool, enlarging it until each of its lines has a colour. NULL, or the reason why that
   could not be done; *colours is then incomplete: empty, or with what was found so far. least: a
   ring has at least so many lines. Release with colours_free in any case. */
const char *colours_find(struct search *search, size_t least, struct colours *colours);
void colours_free(struct colours *colours);

#endif
