#include "trainer/memory/memory_suite.h"

#include "model/base/allocation.h"
#include "trainer/base/topology.h"
#include "trainer/memory/bandwidth.h"
#include "trainer/memory/latency.h"
#include "trainer/memory/levels.h"
#include "trainer/memory/memory_kernels.h"
#include "trainer/memory/memory_machine.h"
#include "trainer/memory/sharing.h"
#include "trainer/memory/sharing_probe.h"
#include "trainer/memory/translation.h"
#include "trainer/memory/walks.h"
#include "trainer/node/core_clock.h"

#include <math.h>
#include <stdlib.h>

/* What is walked through at most: a larger cache cannot be told from memory. */
static const double arena_bytes = 128.0 * 1024 * 1024;

static const double translations_s = 1.0;

/* A search that a disturbance led astray is begun again. */
enum { ATTEMPTS = 3 };

/* How the first two caches were found. */
static const char *const methods[] = {"conflict-sets", "eviction-sets"};

struct found {
    double ghz;
    struct levels levels;
    struct latency latency, latency_apart; /* memory's; the latter where translations are missed */
    double walked_line_bytes, walked_period_bytes; /* that walks are timed for; 0: none yet */
};

/* ---- what the system tells, for comparison ---- */

static void add_told(struct memory_level *level)
{
    const struct topology_cache told = topology_cache((int)level->level);
    level->told_capacity_bytes = told.capacity_bytes;
    level->told_line_bytes = told.line_bytes;
    level->told_ways = told.ways;
}

/* A third level that the system tells of and no plateau shows: others were using it. */
static void say_hidden(struct machine *machine, size_t caches)
{
    if (caches < 3 && topology_cache(3).capacity_bytes > 0.0)
        run_not_measured(machine, "memory level 3",
                         "the system tells of it, but no plateau of loads shows it");
}

/* ---- levels ---- */

/* Present machines have one line for all levels. */
static double line_bytes_of(const struct found *found)
{
    const struct cache_found *first = &found->levels.first;
    return first->because ? levels_usual_line_bytes : first->line_bytes;
}

/* The two levels whose capacity conflicts may tell; NULL: not this one. */
static const struct cache_found *cache_at(const struct levels *levels, size_t index)
{
    const struct cache_found *cache = index == 0 ? &levels->first : &levels->second;
    return index < 2 && !cache->because ? cache : NULL;
}

/* A size well within the level: half of the cache where that is known, else the middle between
   where the one before ends and where it does; of memory, the largest. */
static double size_within(const struct levels *levels, size_t index)
{
    const struct plateaus *plateaus = &levels->plateaus;
    const struct plateau *of = &plateaus->items[index];
    if (cache_at(levels, index))
        return 0.5 * cache_at(levels, index)->capacity_bytes;
    if (index + 1 == plateaus->count)
        return of->fits_bytes;
    const double from =
        index > 0 ? plateaus->items[index - 1].overflow_bytes : 0.25 * of->fits_bytes;
    return sqrt(fmin(from, of->fits_bytes) * of->fits_bytes);
}

static void add_rates(struct memory_level *level, size_t index, const struct backend *backend,
                      const struct found *found)
{
    const double line_bytes = line_bytes_of(found);
    const size_t lines = (size_t)(size_within(&found->levels, index) / line_bytes);
    bandwidth_of_level(level, machine_arena(backend), lines, (size_t)line_bytes, found->ghz);
}

/* ---- walks with a stride ---- */

/* In bytes: after so many the sets of the nearest cache begin anew, or a page ends. */
static double period_bytes(const struct backend *backend, const struct cache_found *first)
{
    const double page_bytes = (double)backend->page_bytes;
    return first->because ? page_bytes : fmin(page_bytes, first->capacity_bytes / first->ways);
}

/* Called as add_rates is. What was walked while the nearest cache was taken for another one is
   begun anew. */
static void time_walks(struct memory *memory, const struct backend *backend, struct found *found)
{
    const double line_bytes = line_bytes_of(found),
                 period = period_bytes(backend, &found->levels.first);
    const struct memory_level *levels = memory->levels.items;
    if (line_bytes != found->walked_line_bytes || period != found->walked_period_bytes)
        walks_begin(memory, period / line_bytes);
    found->walked_line_bytes = line_bytes;
    found->walked_period_bytes = period;
    struct strided_lines *walks = memory->strided.items;
    for (size_t i = 1, from = 0, upto = 0; i < memory->levels.count; i++, from = upto) {
        while (upto < memory->strided.count && walks[upto].level == levels[i].level)
            upto++;
        walks_measure(backend, size_within(&found->levels, i), line_bytes,
                      isfinite(levels[i].level), walks + from, upto - from);
    }
}

/* What walks saw of a level. */
static void add_walked(struct memory_level *level, const struct plateau *plateau,
                       const char *because)
{
    level->method = memory_copy_text("walks");
    level->capacity_bytes_low = plateau->fits_bytes;
    level->capacity_bytes_high = fmax(plateau->overflow_bytes, plateau[1].from_bytes);
    if (level->told_capacity_bytes > level->capacity_bytes_high) /* others took the rest */
        level->capacity_bytes_high = level->told_capacity_bytes;
    level->because =
        because ? memory_format("one capacity, ways: %s; at least what others left of it was seen",
                                because)
                : memory_copy_text("one capacity, ways: physical addresses are not known");
}

/* What others take of a cache for minutes, such as the other threads of a core that other systems
   own, looks as if it were not there: more that the system tells of may be. */
static void add_found(struct memory_level *level, const struct cache_found *cache,
                      const char *method)
{
    level->method = memory_copy_text(method);
    if (level->told_capacity_bytes > cache->capacity_bytes) {
        level->capacity_bytes_low = cache->capacity_bytes;
        level->capacity_bytes_high = level->told_capacity_bytes;
        level->because = memory_copy_text("one capacity, ways: the system tells of more, which "
                                          "others may have taken");
        return;
    }
    level->capacity_bytes = cache->capacity_bytes;
    level->ways = cache->ways;
}

static void add_capacity(struct memory_level *level, const struct found *found, size_t index)
{
    const struct cache_found *const caches[] = {&found->levels.first, &found->levels.second};
    if (!found->levels.first.because)
        level->line_bytes = found->levels.first.line_bytes;
    if (index < 2 && !caches[index]->because)
        add_found(level, caches[index], methods[index]);
    else
        add_walked(level, &found->levels.plateaus.items[index],
                   index < 2 ? caches[index]->because : NULL);
}

/* Rings that fit miss nothing; walks do, where pages lie unluckily. */
static double hit_cycles(const struct levels *levels, size_t index)
{
    const struct cache_found *cache = cache_at(levels, index);
    return cache && !isnan(cache->hit_cycles) ? cache->hit_cycles
                                              : levels->plateaus.items[index].cycles;
}

/* How many levels are told: the last plateau is memory's, or it is not known what it is. */
static size_t levels_told(const struct levels *levels)
{
    const size_t count = levels->plateaus.count;
    return plateaus_reach_memory(&levels->plateaus) || count == 0 ? count : count - 1;
}

static void add_level(struct memory *memory, const struct backend *backend,
                      const struct found *found, size_t index)
{
    const bool is_last = index + 1 == found->levels.plateaus.count;
    struct memory_level *level = list_add(&memory_level_record, &memory->levels);
    level->level = is_last ? (double)INFINITY : (double)index + 1.0;
    add_rates(level, index, backend, found);
}

/* In cycles of the table's clock. */
static void add_latency(struct memory_level *level, const struct found *found)
{
    const struct latency_found near = latency_of(&found->latency),
                               apart = latency_of(&found->latency_apart);
    if (isnan(near.ns))
        return;
    level->load_ns = near.ns;
    level->load_ns_low = near.low_ns;
    level->load_ns_high = near.high_ns;
    level->load_cycles = near.ns * found->ghz;
    level->load_tlb_miss_ns = apart.ns;
    level->load_tlb_miss_ns_low = apart.low_ns;
    level->load_tlb_miss_ns_high = apart.high_ns;
    level->load_tlb_miss_cycles = apart.ns * found->ghz;
}

/* Once all looks at the levels were taken. */
static void finish_level(const struct found *found, size_t index, struct machine *machine)
{
    struct memory_level *level = (struct memory_level *)machine->memory->levels.items + index;
    const struct cache_found *cache = cache_at(&found->levels, index);
    level->load_cycles = hit_cycles(&found->levels, index);
    level->load_ns = level->load_cycles / found->ghz;
    if (isinf(level->level)) {
        add_latency(level, found);
        return;
    }
    if (cache && isnan(cache->hit_cycles))
        run_not_measured(machine, "memory level 2 load_cycles in one set",
                         "the clock of the core never stayed the same; walks stand for it");
    add_told(level);
    add_capacity(level, found, index);
}

/* ---- translations ---- */

static void add_tlb(struct memory *memory, double level, const struct translation_found *found,
                    const struct backend *backend)
{
    struct tlb *tlb = list_add(&tlb_record, &memory->tlb);
    tlb->level = level;
    tlb->page_bytes = (double)backend->page_bytes;
    if (found->because) {
        tlb->because = memory_copy_text(found->because);
        return;
    }
    tlb->miss_cycles = found->miss_cycles;
    tlb->method = memory_copy_text(level == 1.0 ? "rings of pages" : "pages against close lines");
    tlb->entries = found->entries;
    tlb->ways = found->ways;
    if (found->open) {
        tlb->entries_low = found->entries_low;
        tlb->entries_high = found->entries_high;
        tlb->because = memory_copy_text(found->open);
    }
}

/* Of the second cache's lines a quarter surely stay, wherever their pages lie. */
static double lines_kept(const struct found *found)
{
    const double bytes = found->levels.second.because ? found->levels.plateaus.items[1].fits_bytes
                                                      : found->levels.second.capacity_bytes;
    return 0.25 * bytes / found->levels.first.line_bytes;
}

static void find_translations(const struct backend *backend, unsigned long seed,
                              const struct found *found, struct machine *machine)
{
    if (found->levels.first.because) {
        run_not_measured(machine, "memory translations", "the first cache is not known");
        return;
    }
    struct cache_probe probe = cache_probe_begin(backend, seed, translations_s);
    struct translation_found first = {.because = "not tried"};
    for (int i = 0; i < ATTEMPTS && first.because && !cache_probe_expired(&probe); i++)
        first = translation_find_first(&probe, &found->levels.first);
    add_tlb(machine->memory, 1.0, &first, backend);
    if (!first.because && found->levels.plateaus.count > 2) {
        const struct translation_found second = translation_find_second(
            &probe, &first, found->levels.first.line_bytes, lines_kept(found));
        add_tlb(machine->memory, 2.0, &second, backend);
    }
    cache_probe_end(&probe);
}

/* ---- memory ---- */

/* One more moment of memory's load, by pages and with missed translations. */
static void time_memory(const struct backend *backend, unsigned long seed, struct found *found)
{
    const double line_bytes = line_bytes_of(found);
    if (!plateaus_reach_memory(&found->levels.plateaus))
        return;
    struct cache_probe probe =
        cache_probe_begin(backend, seed + found->latency.count, translations_s);
    latency_look(&probe, arena_bytes, line_bytes, &found->latency);
    latency_look_apart(&probe, arena_bytes, line_bytes, &found->latency_apart);
    cache_probe_end(&probe);
}

/* ---- sharing between processors ---- */

struct pair {
    struct engine *engine;
    struct sharing_order order;
};

/* A sharing_block. */
static double load_block(void *state, bool together)
{
    struct pair *pair = state;
    double results[PROBE_RESULTS];
    pair->order.together = together;
    engine_probe(pair->engine, PROBE_SHARING, &pair->order, sizeof pair->order, results);
    return results[0];
}

/* The others sleep while the rest of the suite is measured. */
static void add_pair_ratios(const struct run *run, const struct found *found,
                            struct machine *machine)
{
    const double line_bytes = line_bytes_of(found);
    struct memory_level *levels = machine->memory->levels.items;
    struct pair pair = {run->engine, {.line_bytes = (size_t)line_bytes}};
    if (run->crowded) {
        run_not_measured(machine, "memory pair_ratio", "ranks share cores");
        return;
    }
    engine_wake(run->engine);
    for (size_t i = machine->memory->levels.count; i-- > 0;) {
        pair.order.bytes = (size_t)size_within(&found->levels, i);
        levels[i].pair_ratio = sharing_ratio(load_block, &pair);
    }
    if (isnan(levels[0].pair_ratio))
        run_not_measured(machine, "memory pair_ratio", "one processor on the node of the first");
    pair.order.bytes = 0;
    load_block(&pair, false);
    engine_rest(run->engine);
}

/* What is found while others let it, between measurements that take what there is. */
static void measure_levels(const struct run *run, const struct backend *backend,
                           struct found *found, struct machine *machine)
{
    const bool reached = plateaus_reach_memory(&found->levels.plateaus);
    const unsigned long seed = run->options->seed;
    const size_t count = levels_told(&found->levels);
    time_memory(backend, seed, found);
    for (size_t i = 0; i < count; i++)
        add_level(machine->memory, backend, found, i);
    bandwidth_beyond(machine->memory, (size_t)arena_bytes, (size_t)line_bytes_of(found));
    time_walks(machine->memory, backend, found);
    time_memory(backend, seed, found);
    if (reached)
        kernels_run(run, backend, &found->levels.plateaus, found->ghz, machine);
    levels_again(backend, seed + 1, &found->levels);
    time_memory(backend, seed, found);
    for (size_t i = 0; i < count; i++)
        add_rates((struct memory_level *)machine->memory->levels.items + i, i, backend, found);
    bandwidth_beyond(machine->memory, (size_t)arena_bytes, (size_t)line_bytes_of(found));
    time_walks(machine->memory, backend, found);
    time_memory(backend, seed, found);
    levels_insist(backend, seed + 2, &found->levels);
    time_walks(machine->memory, backend, found);
    find_translations(backend, seed, found, machine);
    time_memory(backend, seed, found);
    for (size_t i = 0; i < count; i++)
        finish_level(found, i, machine);
    if (reached)
        say_hidden(machine, count - 1);
    else
        run_not_measured(machine, "memory beyond the caches",
                         "its levels could not be told apart: no walk surely reached memory");
}

int memory_measure(struct run *run, struct machine *machine, struct error *error)
{
    struct backend backend;
    struct found found = {.ghz = run->simulated ? (double)NAN : core_clock_ghz()};
    (void)error;
    if (run->simulated || isnan(found.ghz)) {
        run_not_measured(machine, "memory",
                         run->simulated ? "a simulated machine has none"
                                        : "the clock of the core could not be measured");
        return 0;
    }
    if (!machine_backend_begin(&backend, (size_t)arena_bytes)) {
        run_not_measured(machine, "memory", "there is too little of it");
        return 0;
    }
    found.levels = levels_find(&backend, run->options->seed, arena_bytes);
    if (levels_told(&found.levels) == 0) {
        run_not_measured(machine, "memory", "its levels could not be told apart");
    } else {
        machine->memory = memory_new(1, sizeof *machine->memory);
        record_begin(&memory_record, machine->memory);
        machine->memory->clock_mhz = 1e3 * found.ghz;
        machine->memory->note = memory_copy_text("a line is loaded or stored by one word, in the "
                                                 "order of addresses");
        measure_levels(run, &backend, &found, machine);
    }
    machine_backend_end(&backend);
    if (machine->memory)
        add_pair_ratios(run, &found, machine);
    return 0;
}
