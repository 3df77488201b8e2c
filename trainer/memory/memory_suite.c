#include "trainer/memory/memory_suite.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/memory/bandwidth.h"
#include "trainer/memory/latency.h"
#include "trainer/memory/memory_found.h"
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

/* About how long all takes, most of it two rounds of rates beyond the caches: 8 to 10 s where
   nothing else ran, 20 s beside two busy processes. */
static const double usual_s = 10.0;

/* A search that a disturbance led astray is begun again. */
enum { ATTEMPTS = 3 };

/* ---- levels ---- */

/* Present machines have one line for all levels. */
static double line_bytes_of(const struct memory_found *found)
{
    const struct cache_found *first = &found->levels.first;
    return first->because ? levels_usual_line_bytes : first->line_bytes;
}

/* A size well within the level: half of the cache where that is known, else the middle between
   where the one before ends and where it does; of memory, the largest. */
static double size_within(const struct levels *levels, size_t index)
{
    const struct plateaus *plateaus = &levels->plateaus;
    const struct plateau *of = &plateaus->items[index];
    if (memory_found_cache(levels, index))
        return 0.5 * memory_found_cache(levels, index)->capacity_bytes;
    if (index + 1 == plateaus->count)
        return of->fits_bytes;
    const double from =
        index > 0 ? plateaus->items[index - 1].overflow_bytes : 0.25 * of->fits_bytes;
    return sqrt(fmin(from, of->fits_bytes) * of->fits_bytes);
}

static void add_rates(struct memory_level *level, size_t index, const struct backend *backend,
                      const struct memory_found *found)
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
static void time_walks(struct memory *memory, const struct backend *backend,
                       struct memory_found *found)
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

/* How many levels are told: the last plateau is memory's, or it is not known what it is. */
static size_t levels_told(const struct levels *levels)
{
    const size_t count = levels->plateaus.count;
    return plateaus_reach_memory(&levels->plateaus) || count == 0 ? count : count - 1;
}

static void add_level(struct memory *memory, const struct backend *backend,
                      const struct memory_found *found, size_t index)
{
    const bool is_last = index + 1 == found->levels.plateaus.count;
    struct memory_level *level = list_add(&memory_level_record, &memory->levels);
    level->level = is_last ? (double)INFINITY : (double)index + 1.0;
    add_rates(level, index, backend, found);
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
static double lines_kept(const struct memory_found *found)
{
    const double bytes = found->levels.second.because ? found->levels.plateaus.items[1].fits_bytes
                                                      : found->levels.second.capacity_bytes;
    return 0.25 * bytes / found->levels.first.line_bytes;
}

static void find_translations(const struct backend *backend, unsigned long seed,
                              const struct memory_found *found, struct machine *machine)
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
static void time_memory(const struct backend *backend, unsigned long seed,
                        struct memory_found *found)
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
static void add_pair_ratios(const struct run *run, const struct memory_found *found,
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

/* ---- all, in turn ---- */

struct looking {
    const struct run *run;
    const struct backend *backend;
    struct memory_found *found;
    struct machine *machine;
};

static void look_memory(struct looking *it)
{
    time_memory(it->backend, it->run->options->seed, it->found);
}

static void look_levels(struct looking *it)
{
    for (size_t i = 0; i < levels_told(&it->found->levels); i++)
        add_level(it->machine->memory, it->backend, it->found, i);
}

static void look_beyond(struct looking *it)
{
    bandwidth_beyond(it->machine->memory, (size_t)arena_bytes, (size_t)line_bytes_of(it->found));
}

static void look_walks(struct looking *it)
{
    time_walks(it->machine->memory, it->backend, it->found);
}

static void look_kernels(struct looking *it)
{
    const struct plateaus *plateaus = &it->found->levels.plateaus;
    if (plateaus_reach_memory(plateaus))
        kernels_run(it->run, it->backend, plateaus, it->found->ghz, it->machine);
}

static void look_again(struct looking *it)
{
    levels_again(it->backend, it->run->options->seed + 1, &it->found->levels);
}

static void look_rates(struct looking *it)
{
    struct list *levels = &it->machine->memory->levels;
    for (size_t i = 0; i < levels->count; i++)
        add_rates((struct memory_level *)levels->items + i, i, it->backend, it->found);
}

static void look_insistently(struct looking *it)
{
    levels_insist(it->backend, it->run->options->seed + 2, &it->found->levels);
}

static void look_translations(struct looking *it)
{
    find_translations(it->backend, it->run->options->seed, it->found, it->machine);
}

/* What is found while others let it, between measurements that take what there is. */
static void (*const looks[])(struct looking *it) = {
    look_levels,      look_memory, look_beyond,       look_walks,  look_memory, look_kernels,
    look_again,       look_memory, look_rates,        look_beyond, look_walks,  look_memory,
    look_insistently, look_walks,  look_translations, look_memory,
};
enum { LOOKS = sizeof looks / sizeof *looks };

static void measure_levels(struct looking *it)
{
    const struct memory_found *found = it->found;
    size_t done = 0;
    while (done < LOOKS && (done == 0 || !interruption_or_after(it->run->share_end_s)))
        looks[done++](it);
    const size_t count = it->machine->memory->levels.count;
    for (size_t i = 0; i < count; i++)
        memory_found_write(found, i, it->machine);
    if (!plateaus_reach_memory(&found->levels.plateaus))
        run_not_measured(it->machine, "memory beyond the caches",
                         "its levels could not be told apart: no walk surely reached memory");
    else if (count > 0)
        memory_found_say_hidden(it->machine, count - 1);
    if (done < LOOKS)
        run_not_measured(it->machine, "memory in all its looks", "the time for it ended");
}

int memory_measure(struct run *run, struct machine *machine, struct error *error)
{
    struct backend backend;
    struct memory_found found = {.ghz = run->simulated ? (double)NAN : core_clock_ghz()};
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
    backend.end_s = backend.now_s(backend.state) + fmax(0.0, run->share_end_s - clock_s());
    found.levels = levels_find(&backend, run->options->seed, arena_bytes);
    if (levels_told(&found.levels) == 0) {
        run_not_measured(machine, "memory", "its levels could not be told apart");
    } else {
        machine->memory = memory_new(1, sizeof *machine->memory);
        record_begin(&memory_record, machine->memory);
        machine->memory->clock_mhz = 1e3 * found.ghz;
        machine->memory->note = memory_copy_text("a line is loaded or stored by one word, in the "
                                                 "order of addresses");
        measure_levels(&(struct looking){run, &backend, &found, machine});
    }
    machine_backend_end(&backend);
    if (machine->memory && !interruption_or_after(run->share_end_s))
        add_pair_ratios(run, &found, machine);
    return 0;
}

double memory_foresee_s(struct run *run)
{
    return run->simulated ? 0.0 : usual_s;
}
