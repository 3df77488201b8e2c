/* Random draws of the tests that make up their cases; seeded, so that a case can be had again. */
#ifndef TEST_DRAW_H
#define TEST_DRAW_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>

/* A whole number, both ends included. */
static inline int draw_between(gsl_rng *random, int from, int to)
{
    return from + (int)gsl_rng_uniform_int(random, (unsigned long)(to - from + 1));
}

static inline bool draw_chance(gsl_rng *random, int percent)
{
    return draw_between(random, 1, 100) <= percent;
}

static inline void draw_order(gsl_rng *random, int *items, int count)
{
    for (int k = count - 1; k > 0; k--) {
        const int other = draw_between(random, 0, k), swap = items[k];
        items[k] = items[other];
        items[other] = swap;
    }
}

#endif
