/* The suite `memory`: what the levels of memory are and what they cost. Rank 0 measures; the others
   wait in the library meanwhile, which keeps their cores busy and the shared levels quiet. */
#ifndef TRAINER_MEMORY_MEMORY_SUITE_H
#define TRAINER_MEMORY_MEMORY_SUITE_H

#include "trainer/engine/run.h"
#include "trainer/memory/latency.h"
#include "trainer/memory/levels.h"

/* Fills machine->memory, or says why not. A few seconds, and at most 128 MiB of memory. */
int memory_measure(struct run *run, struct machine *machine, struct error *error);

/* About how long that takes, s; nothing on a simulated machine. */
double memory_foresee_s(struct run *run);

/* ---- what was found of the levels, and what the table says of it (memory_found.c) ---- */

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
