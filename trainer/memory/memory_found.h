/* What was found of the levels of memory, and what the table says of it. */
#ifndef TRAINER_MEMORY_MEMORY_FOUND_H
#define TRAINER_MEMORY_MEMORY_FOUND_H

#include "model/machine/machine.h"
#include "trainer/memory/latency.h"
#include "trainer/memory/levels.h"

struct memory_found {
    double ghz;
    struct levels levels;
    struct latency latency, latency_apart; /* memory's; the latter where translations are missed */
    double walked_line_bytes, walked_period_bytes; /* that walks are timed for; 0: none yet */
};

/* The two levels whose capacity conflicts may tell; NULL: not this one. */
const struct cache_found *memory_found_cache(const struct levels *levels, size_t index);

/* Writes into the level with that index of the machine's memory what is known once all looks were
   taken. */
void memory_found_write(const struct memory_found *found, size_t index, struct machine *machine);

/* Says in the table that of so many caches one is missing that the system tells of. */
void memory_found_say_hidden(struct machine *machine, size_t caches);

#endif
