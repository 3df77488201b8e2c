/* A core that is made up, in place of the trainer's clock: its time, its clock rate, when others
   have a share of it, and items that are measured on it. */
#ifndef TEST_TRAINER_CORE_H
#define TEST_TRAINER_CORE_H

#include "trainer/node/sampler.h"
#include "trainer/node/spread.h"

enum { ITEMS = 3, CALLS = 100 };

/* A cycle, an item that takes one, and what a reading of the clock takes. */
#define CORE_CYCLE_NS 0.32
#define CORE_ITEM_NS 10000.0
#define CORE_READING_NS 20.0

extern struct core {
    double now_ns;
    double read_ns; /* what it was when it was read last */
    size_t readings;
    double (*crowding)(double now_ns);
    double (*clock)(double now_ns); /* over CORE_CYCLE_NS */
    double (*cycles)(size_t item, size_t visit);
    double own;    /* crowding, at most */
    double others; /* what others make of the cycles: so many times as many */
    size_t visits[ITEMS], calls, order[CALLS];
    struct sampler sampler;
} core;

extern const struct spread_bench core_bench;

#endif
