#include "trainer/memory/memory_machine.h"

#include "model/base/allocation.h"
#include "trainer/node/core_clock.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Long against the clock's own cost and short against what disturbs. */
enum { SAMPLE_ACCESSES = 500, CLOCKS = 4 };

/* A steady walk is so long that what it is measured with is a thousandth of it at most. */
enum { STEADY_ACCESSES = 10000 };

/* Two measurements of a clock that did not change differ by less. */
static const double steady = 0.002;

/* What readings of the clock take is known for so long. */
static const double reading_fresh_ns = 1e6;

/* 0, which the compiler does not know. */
static const volatile size_t none;

/* And how long a cycle takes, beside samples that are no longer than finding it. */
static const double cycle_fresh_ns = 2e4;

struct arena {
    char *base;
    size_t usable, most; /* bytes touched, and reserved */
    struct ring {
        char *first;
        size_t count;
    } ring, timed;
    size_t clocks;                /* samples of the core's clock lately */
    double cycles_ns[CLOCKS];     /* the last of them, in turn */
    double reading_ns;            /* what two readings of the clock take themselves */
    double read_at_ns;            /* when that was measured */
    double cycle_ns, cycle_at_ns; /* of short samples, one after the other */
    uint64_t random;              /* a linear congruence of Knuth's */
};

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static double now_s(void *state)
{
    (void)state;
    return 1e-9 * now_ns();
}

/* Every page is written: untouched ones would all be the page of zeros. */
static bool enlarge(void *state, size_t bytes)
{
    struct arena *arena = state;
    if (bytes > arena->most)
        return false;
    if (bytes > arena->usable) {
        memset(arena->base + arena->usable, 1, bytes - arena->usable);
        arena->usable = bytes;
    }
    return true;
}

static void link_lines(const struct arena *arena, const size_t *addresses, size_t count,
                       struct ring *ring)
{
    for (size_t i = 0; i < count; i++) {
        char *next = arena->base + addresses[(i + 1) % count];
        memcpy(arena->base + addresses[i], &next, sizeof next);
    }
    *ring = (struct ring){arena->base + addresses[0], count};
}

static void link_ring(void *state, const size_t *addresses, size_t count)
{
    struct arena *arena = state;
    link_lines(arena, addresses, count, &arena->ring);
}

static void link_timed(void *state, const size_t *addresses, size_t count)
{
    struct arena *arena = state;
    link_lines(arena, addresses, count, &arena->timed);
}

#if defined __x86_64__
/* A store that is not kept drives its line out of all caches (Intel 64 and IA-32 Architectures
   Software Developer's Manual, volume 1, 10.4.6.2). */
static void link_past(void *state, const size_t *addresses, size_t count)
{
    struct arena *arena = state;
    for (size_t i = 0; i < count; i++)
        __builtin_ia32_movnti64((long long *)(void *)(arena->base + addresses[i]),
                                (long long)(arena->base + addresses[(i + 1) % count]));
    __builtin_ia32_sfence();
    arena->ring = (struct ring){arena->base + addresses[0], count};
}
#else
/* Loading everything else drives out what it can. */
static void link_past(void *state, const size_t *addresses, size_t count)
{
    const struct arena *arena = state;
    link_ring(state, addresses, count);
    for (size_t at = 0; at < arena->usable; at += sizeof(double))
        (void)*(const volatile double *)(const volatile void *)(arena->base + at);
}
#endif

/* How long the two readings of the clock take themselves. */
static double reading_ns(void)
{
    double least_ns = 1e9;
    for (int i = 0; i < 20; i++) {
        const double start_ns = now_ns(), took_ns = now_ns() - start_ns;
        if (took_ns < least_ns)
            least_ns = took_ns;
    }
    return least_ns;
}

/* Of the last samples the shortest: a disturbed one would make too few cycles of nanoseconds. They
   are as fresh as the walk is short: the core changes its clock from one millisecond to the next,
   and a hit of the first level that is taken for a fifth longer looks like a miss. */
static double cycle_ns(void *state)
{
    struct arena *arena = state;
    double least_ns = 1e9;
    const double start_ns = now_ns();
    if (start_ns - arena->read_at_ns > reading_fresh_ns) {
        arena->reading_ns = reading_ns();
        arena->read_at_ns = start_ns;
        arena->clocks = 0;
    }
    do
        arena->cycles_ns[arena->clocks++ % CLOCKS] = core_clock_short_cycle_ns(arena->reading_ns);
    while (arena->clocks < CLOCKS);
    for (size_t i = 0; i < CLOCKS; i++)
        least_ns = fmin(least_ns, arena->cycles_ns[i]);
    return least_ns;
}

static void follow(char *first, size_t steps)
{
    void **at = (void **)(void *)first;
    for (; steps > 0; steps--) {
        at = *at;
        __asm__ volatile("" : "+r"(at));
    }
}

static double lap_ns(const struct arena *arena, size_t laps)
{
    const double start_ns = now_ns();
    follow(arena->ring.first, laps * arena->ring.count);
    return (now_ns() - start_ns - arena->reading_ns) / (double)laps;
}

static double walk_from(void *state, size_t address, size_t loads)
{
    const struct arena *arena = state;
    const double start_ns = now_ns();
    follow(arena->base + address, loads);
    return (now_ns() - start_ns - arena->reading_ns) / (double)loads;
}

static double walk(void *state, size_t laps)
{
    struct arena *arena = state;
    const double cycle = cycle_ns(arena);
    return lap_ns(arena, laps) / cycle;
}

/* Some hundred cycles at most, at random: where the clock ticks seldom, so that differences of what
   it says are right in the mean. */
static void wait_at_random(struct arena *arena)
{
    uint64_t step = 1;
    arena->random = arena->random * 6364136223846793005u + 1442695040888963407u;
    for (uint64_t left = arena->random >> 56; left > 0; left--) {
        step ^= left;
        __asm__ volatile("" : "+r"(step));
    }
}

static void wait_until(double end_ns)
{
    while (now_ns() < end_ns)
        ;
}

/* The first load of the second ring needs what the clock said: it would begin before that was read.
 */
static double time_after(void *state, double wait_cycles)
{
    struct arena *arena = state;
    const double begin_ns = now_ns();
    if (begin_ns - arena->cycle_at_ns > cycle_fresh_ns) {
        arena->cycle_ns = cycle_ns(arena);
        arena->cycle_at_ns = begin_ns;
    }
    follow(arena->ring.first, arena->ring.count);
    wait_until(now_ns() + wait_cycles * arena->cycle_ns);
    wait_at_random(arena);
    now_ns(); /* what it needs may be in no cache */
    const double start_ns = now_ns();
    size_t nothing = (size_t)start_ns;
    __asm__ volatile("" : "+r"(nothing));
    nothing &= none;
    follow(arena->timed.first + nothing, arena->timed.count);
    return (now_ns() - start_ns) / arena->cycle_ns;
}

static double walk_steady(void *state, size_t laps)
{
    struct arena *arena = state;
    const size_t least = STEADY_ACCESSES / arena->ring.count + 1;
    cycle_ns(arena);
    const double before = core_clock_cycle_ns(),
                 took_ns = lap_ns(arena, laps > least ? laps : least),
                 after = core_clock_cycle_ns();
    return fabs(after - before) <= steady * before ? took_ns / (0.5 * (before + after))
                                                   : (double)NAN;
}

/* ---- the sources' kernels; by eights, so that it is not the loop that is timed ---- */

enum { UNROLLED = 8 };

#define SWEEP(name, access)                                                                        \
    static void name(char *base, struct sweep *sweep, size_t blocks)                               \
    {                                                                                              \
        const size_t stride = sweep->stride_bytes;                                                 \
        const char *const end = base + sweep->bytes;                                               \
        char *at = base + sweep->at;                                                               \
        while (blocks > 0) {                                                                       \
            for (; at < end && blocks > 0; at += UNROLLED * stride, blocks--) {                    \
                access(at);                                                                        \
                access(at + stride);                                                               \
                access(at + 2 * stride);                                                           \
                access(at + 3 * stride);                                                           \
                access(at + 4 * stride);                                                           \
                access(at + 5 * stride);                                                           \
                access(at + 6 * stride);                                                           \
                access(at + 7 * stride);                                                           \
            }                                                                                      \
            if (at >= end)                                                                         \
                at = base + sweep_next_round(sweep, (size_t)(at - base));                          \
        }                                                                                          \
        sweep->at = (size_t)(at - base);                                                           \
    }

/* Larger than any line, so that it shares none. */
static _Alignas(256) char kept_line[256];

#define LOAD(address) (void)*(const volatile double *)(const volatile void *)(address)
#define STORE(address) *(volatile double *)(volatile void *)(address) = 1.0
#define STORE_IN_TURN(address) STORE(address), STORE(kept_line)
SWEEP(sweep_loads, LOAD)
SWEEP(sweep_stores, STORE)
SWEEP(sweep_stores_in_turn, STORE_IN_TURN)

static double sweep(void *state, struct sweep *sweep, size_t accesses)
{
    struct arena *arena = state;
    const size_t blocks = accesses < UNROLLED ? 1 : accesses / UNROLLED;
    const double cycle = cycle_ns(arena);
    const double start_ns = now_ns();
    (!sweep->stores   ? sweep_loads
     : sweep->in_turn ? sweep_stores_in_turn
                      : sweep_stores)(arena->base, sweep, blocks);
    const double took_ns = now_ns() - start_ns - arena->reading_ns;
    return took_ns / cycle / (double)(blocks * UNROLLED);
}

/* ---- the backend ---- */

bool machine_backend_begin(struct backend *backend, size_t arena_most)
{
    void *base = mmap(NULL, arena_most, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return false;
    madvise(base, arena_most, MADV_NOHUGEPAGE);
    struct arena *arena = memory_new(1, sizeof *arena);
    *arena = (struct arena){.base = base, .most = arena_most};
    *backend = (struct backend){.state = arena,
                                .page_bytes = (size_t)sysconf(_SC_PAGESIZE),
                                .arena_most = arena_most,
                                .sample_accesses = SAMPLE_ACCESSES,
                                .enlarge = enlarge,
                                .link = link_ring,
                                .link_past = link_past,
                                .link_timed = link_timed,
                                .walk = walk,
                                .time_after = time_after,
                                .walk_steady = walk_steady,
                                .walk_from = walk_from,
                                .cycle_ns = cycle_ns,
                                .sweep = sweep,
                                .now_s = now_s};
    return true;
}

char *machine_arena(const struct backend *backend)
{
    const struct arena *arena = backend->state;
    return arena->base;
}

void machine_backend_end(struct backend *backend)
{
    struct arena *arena = backend->state;
    munmap(arena->base, arena->most);
    free(arena);
}
