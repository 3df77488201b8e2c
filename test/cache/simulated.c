#include "test/cache/simulated.h"

#include "model/base/allocation.h"
#include "test/cache/one_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct simulated {
    struct simulated_machine is;
    struct cache caches[SIMULATED_LEVELS];
    uint64_t random;
    size_t pages;
    size_t *frames; /* [pages] of the arena: where they lie in memory */
    size_t frames_count;
    size_t *ring;
    size_t ring_count;
    struct buffer {
        size_t sets, ways;
        size_t *held; /* [sets][ways] pages + 1, the youngest first; 0: none */
    } buffers[2];
    size_t accesses;
    double spent_s;
};

/* ---- random numbers ---- */

static double draw_share(struct simulated *sim)
{
    return (double)(simulated_draw(&sim->random) >> 11) / 9007199254740992.0;
}

static double draw_normal(struct simulated *sim)
{
    const double radius = sqrt(-2.0 * log(1.0 - draw_share(sim)));
    return radius * cos(2.0 * M_PI * draw_share(sim));
}

/* ---- the hierarchy ---- */

/* A second level that holds what the first drives out: a hit moves the line up. */
static double access_exclusive(struct simulated *sim, size_t virtual, size_t physical)
{
    struct cache *first = &sim->caches[0], *second = &sim->caches[1];
    size_t way;
    const size_t set1 = cache_set(first, virtual, physical),
                 set2 = cache_set(second, virtual, physical);
    const tag line = cache_tag(first, physical);
    if (cache_has(first, set1, line, &way)) {
        cache_touch(first, set1, way, true);
        return first->is.hit_cycles;
    }
    double cycles = sim->is.memory_cycles;
    if (cache_has(second, set2, line, &way)) {
        second->tags[set2 * second->is.ways + way] = 0;
        cycles = second->is.hit_cycles;
    }
    const tag out = cache_fill(first, set1, line, &sim->random);
    if (out) /* both are indexed alike: see simulated_begin */
        cache_fill(second, (out - 1) & (second->sets - 1), out, &sim->random);
    return cycles;
}

static double access_physical(struct simulated *sim, size_t virtual, size_t physical)
{
    if (sim->is.exclusive)
        return access_exclusive(sim, virtual, physical);
    for (size_t i = 0; i < sim->is.levels; i++)
        if (cache_access(&sim->caches[i], virtual, physical, &sim->random))
            return sim->caches[i].is.hit_cycles;
    return sim->is.memory_cycles;
}

static struct buffer buffer_begin(size_t pages, size_t ways)
{
    const size_t each = ways ? ways : pages;
    const size_t sets = each ? pages / each : 0;
    return (struct buffer){sets, each, memory_new(sets * each + 1, sizeof(size_t))};
}

/* Whether the page was held; it is from now on. */
static bool buffer_access(struct buffer *buffer, size_t page)
{
    size_t *held = buffer->held + page % buffer->sets * buffer->ways, i = 0;
    while (i < buffer->ways && held[i] != page + 1)
        i++;
    const bool hit = i < buffer->ways;
    memmove(held + 1, held, (hit ? i : buffer->ways - 1) * sizeof *held);
    held[0] = page + 1;
    return hit;
}

static double translation_cycles(struct simulated *sim, size_t page)
{
    if (sim->is.tlb_pages == 0 || buffer_access(&sim->buffers[0], page))
        return 0.0;
    if (sim->is.tlb_second_pages == 0 || buffer_access(&sim->buffers[1], page))
        return sim->is.tlb_cycles;
    return sim->is.tlb_cycles + sim->is.tlb_second_cycles;
}

static size_t physical_of(const struct simulated *sim, size_t address)
{
    const size_t page = sim->is.page_bytes;
    return sim->frames[address / page] * page + address % page;
}

static bool persists(const struct simulated *sim)
{
    return sim->spent_s >= sim->is.persistent.from_s && sim->spent_s < sim->is.persistent.to_s;
}

/* The other program's line of the set is used about as often as every few of one's own. */
static void steal(struct simulated *sim, size_t set)
{
    enum { USES = 4 };
    struct cache *first = &sim->caches[0];
    const tag others = ~(tag)set;
    size_t way;
    if (simulated_draw(&sim->random) % USES > 0)
        return;
    if (cache_has(first, set, others, &way))
        cache_touch(first, set, way, true);
    else
        cache_fill(first, set, others, &sim->random);
}

static double access_cycles(struct simulated *sim, size_t address)
{
    const size_t step = sim->is.persistent.set_step;
    sim->accesses++;
    if (step > 0 && persists(sim)) {
        const size_t set = cache_set(&sim->caches[0], address, physical_of(sim, address));
        if (set % step == 0)
            steal(sim, set);
    }
    double cycles = translation_cycles(sim, address / sim->is.page_bytes);
    const double hit = sim->caches[0].is.hit_cycles;
    const double own = access_physical(sim, address, physical_of(sim, address));
    const size_t next = address + sim->caches[0].is.line_bytes;
    if (own > hit && sim->is.prefetch_share > 0.0 && draw_share(sim) < sim->is.prefetch_share &&
        next / sim->is.page_bytes == address / sim->is.page_bytes)
        access_physical(sim, next, physical_of(sim, next));
    return cycles + own;
}

/* ---- the backend ---- */

/* The frames of new pages: all different, anywhere in a memory that is much larger. */
static bool enlarge(void *state, size_t bytes)
{
    struct simulated *sim = state;
    const size_t pages = (bytes + sim->is.page_bytes - 1) / sim->is.page_bytes;
    if (bytes > sim->is.arena_most)
        return false;
    for (; sim->pages < pages; sim->pages++) {
        const size_t k =
            sim->pages + simulated_draw(&sim->random) % (sim->frames_count - sim->pages);
        const size_t frame = sim->frames[k];
        if (!sim->is.contiguous) {
            sim->frames[k] = sim->frames[sim->pages];
            sim->frames[sim->pages] = frame;
        }
    }
    return true;
}

static void link_past(void *state, const size_t *addresses, size_t count)
{
    struct simulated *sim = state;
    sim->ring = memory_grow(sim->ring, count, sizeof *sim->ring);
    memcpy(sim->ring, addresses, count * sizeof *addresses);
    sim->ring_count = count;
    for (size_t i = 0; i < count; i++)
        if (addresses[i] / sim->is.page_bytes >= sim->pages || addresses[i] % 8 != 0)
            abort();
}

/* Linking stores to every line. */
static void link_ring(void *state, const size_t *addresses, size_t count)
{
    link_past(state, addresses, count);
    for (size_t i = 0; i < count; i++)
        access_cycles(state, addresses[i]);
}

static double disturbance(struct simulated *sim)
{
    const double factor = sim->is.persistent.factor;
    const double lasting = factor > 0.0 && persists(sim) ? factor : 1.0;
    const double noise = lasting * (1.0 + sim->is.noise * fabs(draw_normal(sim)));
    return draw_share(sim) < sim->is.spike_share ? noise * (1.0 + 4.0 * draw_share(sim)) : noise;
}

static const double cycle_ns = 0.3;

static double walk(void *state, size_t laps)
{
    struct simulated *sim = state;
    double cycles = 0.0;
    for (size_t lap = 0; lap < laps; lap++)
        for (size_t i = 0; i < sim->ring_count; i++)
            cycles += access_cycles(sim, sim->ring[i]);
    sim->spent_s += 1e-9 * cycle_ns * cycles;
    return disturbance(sim) * cycles / (double)laps;
}

static double walk_from(void *state, size_t address, size_t loads)
{
    struct simulated *sim = state;
    double cycles = 0.0;
    size_t at = 0;
    while (sim->ring[at] != address)
        at++;
    for (size_t i = 0; i < loads; i++, at = (at + 1) % sim->ring_count)
        cycles += access_cycles(sim, sim->ring[at]);
    sim->spent_s += 1e-9 * cycle_ns * cycles;
    return cycle_ns * disturbance(sim) * cycles / (double)loads;
}

static double cycle_of(void *state)
{
    (void)state;
    return cycle_ns;
}

/* An access takes as long as the level that it hits, stores to memory apart. */
static double sweep_memory(void *state, struct sweep *sweep, size_t accesses)
{
    struct simulated *sim = state;
    double sum = 0.0;
    for (size_t i = 0; i < accesses; i++) {
        const double cycles = access_cycles(sim, sweep->at);
        const bool is_memory = cycles >= sim->is.memory_cycles;
        sum += is_memory && sweep->stores && sim->is.memory_store_cycles > 0.0
                   ? sim->is.memory_store_cycles
                   : cycles;
        if (sweep->in_turn && cycles > sim->caches[0].is.hit_cycles)
            sum += sim->is.in_turn_cycles;
        sweep->at += sweep->stride_bytes;
        if (sweep->at >= sweep->bytes)
            sweep->at = sweep_next_round(sweep, sweep->at);
    }
    sim->spent_s += 1e-9 * cycle_ns * sum;
    return disturbance(sim) * sum / (double)accesses;
}

static double now_s(void *state)
{
    return ((const struct simulated *)state)->spent_s;
}

struct backend simulated_begin(const struct simulated_machine *machine)
{
    struct simulated *sim = memory_new(1, sizeof *sim);
    sim->is = *machine;
    sim->random = machine->seed * 0x9E3779B97F4A7C15u + 88172645463325252u;
    for (size_t i = 0; i < machine->levels; i++)
        cache_begin(&sim->caches[i], &machine->caches[i]);
    sim->frames_count = 4 * machine->arena_most / machine->page_bytes;
    sim->frames = memory_new(sim->frames_count, sizeof *sim->frames);
    for (size_t i = 0; i < sim->frames_count; i++)
        sim->frames[i] = i;
    sim->buffers[0] = buffer_begin(machine->tlb_pages, machine->tlb_ways);
    sim->buffers[1] = buffer_begin(machine->tlb_second_pages, 0);
    return (struct backend){
        .state = sim,
        .page_bytes = machine->page_bytes,
        .arena_most = machine->arena_most,
        .sample_accesses = machine->sample_accesses,
        .enlarge = enlarge,
        .link = link_ring,
        .link_past = link_past,
        .walk = walk,
        .walk_steady = walk,
        .walk_from = walk_from,
        .cycle_ns = cycle_of,
        .sweep = sweep_memory,
        .now_s = now_s,
    };
}

void simulated_end(struct backend *backend)
{
    struct simulated *sim = backend->state;
    for (size_t i = 0; i < sim->is.levels; i++)
        cache_end(&sim->caches[i]);
    free(sim->frames);
    free(sim->ring);
    free(sim->buffers[0].held);
    free(sim->buffers[1].held);
    free(sim);
    backend->state = NULL;
}

size_t simulated_accesses(const struct backend *backend)
{
    return ((const struct simulated *)backend->state)->accesses;
}
