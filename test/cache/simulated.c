#include "test/cache/simulated.h"

#include "model/base/allocation.h"
#include "test/cache/one_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In a circle of translations; both 0: in none. */
struct neighbours {
    uint32_t younger, older;
};

struct simulated {
    struct simulated_machine is;
    unsigned page_shift;
    struct cache caches[SIMULATED_LEVELS];
    uint64_t random;
    size_t pages;
    uint32_t *frames; /* [pages] of the arena: where they lie in memory */
    size_t frames_count;
    struct ring {
        size_t *at; /* owned */
        size_t count;
    } ring, timed;
    struct buffer {
        uint32_t sets, ways;
        uint32_t *counts;         /* [sets] */
        struct neighbours *pages; /* [sets + pages of the arena]: a circle of each set, which begins
                                     with the set itself and goes on from the youngest page */
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

/* A line that an inclusive level loses is lost by the nearer ones, which may be indexed by the
   virtual address: anywhere in the page's lines. */
static void lose(struct simulated *sim, size_t level, tag line)
{
    for (size_t i = 0; i < level; i++) {
        struct cache *cache = &sim->caches[i];
        const size_t page_lines = sim->is.page_bytes / cache->is.line_bytes;
        if (!cache->is.virtually_indexed)
            cache_remove(cache, cache_set_of_tag(cache, line), line);
        else
            for (size_t set = ((size_t)line - 1) % page_lines % cache->sets; set < cache->sets;
                 set += page_lines)
                cache_remove(cache, set, line);
    }
}

/* Fills the level, and what that drives out, the next where it holds what others drive out. */
static void fill(struct simulated *sim, size_t level, size_t set, tag line)
{
    const tag out = cache_fill(&sim->caches[level], set, line, &sim->random);
    if (out == 0)
        return;
    if (sim->caches[level].is.inclusive)
        lose(sim, level, out);
    if (level + 1 < sim->is.levels && sim->caches[level + 1].is.victim)
        fill(sim, level + 1, cache_set_of_tag(&sim->caches[level + 1], out), out);
}

static double access_physical(struct simulated *sim, size_t virtual, size_t physical)
{
    size_t level = 0, way = 0;
    const tag line = cache_tag(&sim->caches[0], physical);
    while (level < sim->is.levels &&
           !cache_has(&sim->caches[level], cache_set(&sim->caches[level], virtual, physical), line,
                      &way))
        level++;
    double cycles = sim->is.memory_cycles;
    if (level < sim->is.levels) {
        struct cache *cache = &sim->caches[level];
        cycles = cache->is.hit_cycles;
        cache_touch(cache, cache_set(cache, virtual, physical), way, true);
        if (cache->is.victim)
            cache_remove(cache, cache_set(cache, virtual, physical), line);
    }
    while (level-- > 0)
        if (!sim->caches[level].is.victim)
            fill(sim, level, cache_set(&sim->caches[level], virtual, physical), line);
    return cycles;
}

static struct buffer buffer_begin(size_t held, size_t ways, size_t pages)
{
    const uint32_t each = (uint32_t)(ways ? ways : held), sets = each ? (uint32_t)held / each : 0;
    struct buffer buffer = {sets, each, memory_new(sets + 1, sizeof *buffer.counts),
                            memory_new(sets + pages, sizeof *buffer.pages)};
    for (uint32_t i = 0; i < sets; i++)
        buffer.pages[i] = (struct neighbours){i, i};
    return buffer;
}

static void buffer_end(struct buffer *buffer)
{
    free(buffer->counts);
    free(buffer->pages);
}

static void leave_circle(struct neighbours *pages, uint32_t at)
{
    pages[pages[at].younger].older = pages[at].older;
    pages[pages[at].older].younger = pages[at].younger;
    pages[at] = (struct neighbours){0};
}

static void enter_circle(struct neighbours *pages, uint32_t set, uint32_t at)
{
    pages[at] = (struct neighbours){.younger = set, .older = pages[set].older};
    pages[pages[at].older].younger = at;
    pages[set].older = at;
}

/* Whether the page was held; it is from now on. */
static bool buffer_access(struct buffer *buffer, size_t page)
{
    struct neighbours *pages = buffer->pages;
    const uint32_t set = (uint32_t)(page % buffer->sets), at = (uint32_t)page + buffer->sets;
    const bool hit = pages[at].younger != pages[at].older || pages[set].older == at;
    if (pages[set].older == at)
        return true;
    if (hit)
        leave_circle(pages, at);
    else if (buffer->counts[set] == buffer->ways)
        leave_circle(pages, pages[set].younger);
    else
        buffer->counts[set]++;
    enter_circle(pages, set, at);
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
    const size_t within = sim->is.page_bytes - 1;
    return ((size_t)sim->frames[address >> sim->page_shift] << sim->page_shift) +
           (address & within);
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
    double cycles = translation_cycles(sim, address >> sim->page_shift);
    const double hit = sim->caches[0].is.hit_cycles;
    const double own = access_physical(sim, address, physical_of(sim, address));
    const size_t next = address + sim->caches[0].is.line_bytes;
    if (own > hit && sim->is.prefetch_share > 0.0 && draw_share(sim) < sim->is.prefetch_share &&
        next >> sim->page_shift == address >> sim->page_shift)
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
        const uint32_t frame = sim->frames[k];
        if (!sim->is.contiguous) {
            sim->frames[k] = sim->frames[sim->pages];
            sim->frames[sim->pages] = frame;
        }
    }
    return true;
}

static void take_ring(struct simulated *sim, struct ring *ring, const size_t *addresses,
                      size_t count)
{
    ring->at = memory_grow(ring->at, count, sizeof *ring->at);
    memcpy(ring->at, addresses, count * sizeof *addresses);
    ring->count = count;
    for (size_t i = 0; i < count; i++)
        if (addresses[i] / sim->is.page_bytes >= sim->pages || addresses[i] % 8 != 0)
            abort();
}

static void link_past(void *state, const size_t *addresses, size_t count)
{
    struct simulated *sim = state;
    take_ring(sim, &sim->ring, addresses, count);
}

/* Linking stores to every line. */
static void link_ring(void *state, const size_t *addresses, size_t count)
{
    link_past(state, addresses, count);
    for (size_t i = 0; i < count; i++)
        access_cycles(state, addresses[i]);
}

static void link_timed(void *state, const size_t *addresses, size_t count)
{
    struct simulated *sim = state;
    take_ring(sim, &sim->timed, addresses, count);
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

static double lap_of(struct simulated *sim, const struct ring *ring)
{
    double cycles = 0.0;
    for (size_t i = 0; i < ring->count; i++)
        cycles += access_cycles(sim, ring->at[i]);
    sim->spent_s += 1e-9 * cycle_ns * cycles;
    return cycles;
}

static double walk(void *state, size_t laps)
{
    struct simulated *sim = state;
    double cycles = 0.0;
    for (size_t lap = 0; lap < laps; lap++)
        cycles += lap_of(sim, &sim->ring);
    return disturbance(sim) * cycles / (double)laps;
}

static double time_after(void *state, double wait_cycles)
{
    struct simulated *sim = state;
    lap_of(sim, &sim->ring);
    sim->spent_s += 1e-9 * cycle_ns * wait_cycles;
    return disturbance(sim) * lap_of(sim, &sim->timed);
}

static double walk_from(void *state, size_t address, size_t loads)
{
    struct simulated *sim = state;
    double cycles = 0.0;
    size_t at = 0;
    while (sim->ring.at[at] != address)
        at++;
    for (size_t i = 0; i < loads; i++, at = (at + 1) % sim->ring.count)
        cycles += access_cycles(sim, sim->ring.at[at]);
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
    sim->page_shift = (unsigned)__builtin_ctzll(machine->page_bytes);
    sim->random = machine->seed * 0x9E3779B97F4A7C15u + 88172645463325252u;
    for (size_t i = 0; i < machine->levels; i++)
        cache_begin(&sim->caches[i], &machine->caches[i]);
    sim->frames_count = 4 * machine->arena_most / machine->page_bytes;
    sim->frames = memory_new(sim->frames_count, sizeof *sim->frames);
    for (size_t i = 0; i < sim->frames_count; i++)
        sim->frames[i] = (uint32_t)i;
    const size_t pages = machine->arena_most >> sim->page_shift;
    sim->buffers[0] = buffer_begin(machine->tlb_pages, machine->tlb_ways, pages);
    sim->buffers[1] = buffer_begin(machine->tlb_second_pages, 0, pages);
    return (struct backend){
        .state = sim,
        .page_bytes = machine->page_bytes,
        .arena_most = machine->arena_most,
        .sample_accesses = machine->sample_accesses,
        .enlarge = enlarge,
        .link = link_ring,
        .link_past = link_past,
        .link_timed = link_timed,
        .walk = walk,
        .time_after = time_after,
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
    free(sim->ring.at);
    free(sim->timed.at);
    buffer_end(&sim->buffers[0]);
    buffer_end(&sim->buffers[1]);
    free(sim);
    backend->state = NULL;
}

size_t simulated_accesses(const struct backend *backend)
{
    return ((const struct simulated *)backend->state)->accesses;
}
