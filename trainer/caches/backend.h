/* What the search for caches knows of a machine: an arena of memory, and how long it takes to walk
   through addresses of it. The real machine is one of these (machine.h); the tests have another,
   whose caches are simulated and therefore known. */
#ifndef TRAINER_CACHES_BACKEND_H
#define TRAINER_CACHES_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

/* Accesses to every stride_bytes-th double of an array that begins with the arena, in the order of
   addresses, and round again; none waits for the one before. */
struct sweep {
    bool stores;
    bool in_turn; /* stores: behind each another one, to a line that the nearest cache keeps */
    size_t bytes; /* of the array: a multiple of 8 strides */
    size_t stride_bytes;
    size_t shift_bytes; /* so much later begins the next round, or where a stride ends at 0 again */
    size_t at;          /* where it goes on */
};

/* Where the round begins behind the one that has just come to the end of the array. */
static inline size_t sweep_next_round(const struct sweep *sweep, size_t end)
{
    return (end % sweep->stride_bytes + sweep->shift_bytes) % sweep->stride_bytes;
}

struct backend {
    void *state;
    size_t page_bytes;      /* within a page, virtual and physical addresses differ by a constant */
    size_t arena_most;      /* bytes that the arena may grow to */
    size_t sample_accesses; /* so many make a sample long enough for the clock; 0: it is exact */

    /* Makes addresses 0 to bytes - 1 of the arena usable; what was linked stays. false: there is
       no more memory. */
    bool (*enlarge)(void *state, size_t bytes);

    /* Links the addresses (multiples of 8, each once, count >= 1) into one ring in that order: each
       holds where the next one is, so that every load waits for the one before. */
    void (*link)(void *state, const size_t *addresses, size_t count);

    /* The same, and leaves the lines in no cache, as far as the machine can write past them. */
    void (*link_past)(void *state, const size_t *addresses, size_t count);

    /* Links a second ring, of lines of its own. */
    void (*link_timed)(void *state, const size_t *addresses, size_t count);

    /* One sample: a lap of the linked ring, nothing for so many cycles, and then a lap of the
       second ring, which alone is timed, cycles. The clock may tick only every few loads: a mean of
       many is finer. */
    double (*time_after)(void *state, double wait_cycles);

    /* One sample: walks the linked ring `laps` times; cycles of the core's clock per lap. What
       disturbs a sample (interrupts, other processes) makes it longer, never shorter. */
    double (*walk)(void *state, size_t laps);

    /* The same, of a longer walk between two measurements of the core's clock; NAN where they
       differ: something disturbed it. */
    double (*walk_steady)(void *state, size_t laps);

    /* One sample: so many loads of the linked ring from that address of it on; ns a load, as what
       is far from the core does not know its clock. */
    double (*walk_from)(void *state, size_t address, size_t loads);

    /* How long a cycle of the core's clock takes now, ns. */
    double (*cycle_ns)(void *state);

    /* One sample: goes on sweeping for about so many accesses, 8 at least; cycles an access. The
       arena is enlarged to the array; rings that were linked there are lost. */
    double (*sweep)(void *state, struct sweep *sweep, size_t accesses);

    double (*now_s)(void *state); /* for time budgets; any origin */
    double end_s;                 /* by that: no search goes on after it; 0: none ends */
};

#endif
