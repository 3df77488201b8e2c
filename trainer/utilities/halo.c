/* A halo as programs exchange it: every processor receives from and sends to all its neighbours
   along one, two or three directions at once, and waits for all. EXCH1 and EXCH2 (express.c) do
   the same pair by pair. */
#include "trainer/utilities/neighbours.h"
#include "trainer/utilities/utilities.h"

#include "model/base/allocation.h"
#include "model/cost/grid.h"

#include <stdlib.h>

enum { TAG = 10, NEIGHBOURS_MOST = 2 * DIRECTIONS_MOST };

/* Whom a processor exchanges with, and what is under way. */
struct halo {
    int count;
    int neighbours[NEIGHBOURS_MOST];
    MPI_Request requests[2 * NEIGHBOURS_MOST];
};

static int messages(int processors)
{
    (void)processors;
    return NEIGHBOURS_MOST;
}

static void add(struct halo *halo, int neighbour)
{
    if (neighbour != MPI_PROC_NULL)
        halo->neighbours[halo->count++] = neighbour;
}

static void find(struct site *site, int directions)
{
    struct line lines[DIRECTIONS_MOST];
    struct halo *halo = memory_new(1, sizeof *halo);
    neighbours_find(site, directions, lines);
    for (int d = 0; d < directions; d++) {
        add(halo, lines[d].below);
        add(halo, lines[d].above);
    }
    site->state = halo;
}

/* On a line whose neighbours are so far apart. */
static void find_by(struct site *site, int distance)
{
    struct halo *halo = memory_new(1, sizeof *halo);
    if (site->rank >= distance)
        add(halo, site->rank - distance);
    if (site->rank + distance < site->processors)
        add(halo, site->rank + distance);
    site->state = halo;
}

static void run(struct site *site, long times)
{
    struct halo *halo = site->state;
    const size_t bytes = (size_t)site->bytes;
    for (long i = 0; i < times; i++) {
        for (int k = 0; k < halo->count; k++)
            MPI_Irecv(site->receive + (size_t)k * bytes, site->bytes, MPI_BYTE, halo->neighbours[k],
                      TAG, site->comm, &halo->requests[k]);
        for (int k = 0; k < halo->count; k++)
            MPI_Isend(site->send + (size_t)k * bytes, site->bytes, MPI_BYTE, halo->neighbours[k],
                      TAG, site->comm, &halo->requests[halo->count + k]);
        MPI_Waitall(2 * halo->count, halo->requests, MPI_STATUSES_IGNORE);
    }
}

static void teardown(struct site *site)
{
    free(site->state);
}

/* With three processors along every direction there is every kind of place. */
static enum suits suits(int processors, int directions)
{
    const int shortest = grid_shortest_side(processors, directions);
    return shortest >= 3 ? SUITS_WELL : shortest == 2 ? SUITS : SUITS_NOT;
}

/* With fewer nobody has two neighbours; between pairs it is exchange-pairs. */
static enum suits suits_by(int processors, int distance)
{
    return processors >= 3 * distance ? SUITS_WELL : SUITS_NOT;
}

#define HALO(directions, what)                                                                     \
    static enum suits suits_##directions(int processors)                                           \
    {                                                                                              \
        return suits(processors, directions);                                                      \
    }                                                                                              \
    static void setup_##directions(struct site *site)                                              \
    {                                                                                              \
        find(site, directions);                                                                    \
    }                                                                                              \
    const struct utility utility_halo_##directions = {.pattern = &pattern_halo_##directions,       \
                                                      .does = what,                                \
                                                      .suite = "halos",                            \
                                                      .suits = suits_##directions,                 \
                                                      .grid_side_full = (directions) > 1 ? 3 : 0,  \
                                                      .granule_bytes = 1,                          \
                                                      .empty_is_nothing = true,                    \
                                                      .uses_per_run = 1,                           \
                                                      .measures = MEASURES_COMPLETION,             \
                                                      .across = ACROSS_MAXIMUM,                    \
                                                      .messages = messages,                        \
                                                      .setup = setup_##directions,                 \
                                                      .run = run,                                  \
                                                      .teardown = teardown};

HALO(1, "all neighbours on a line exchange at once")
HALO(2, "all neighbours on a grid exchange at once")
HALO(3, "all neighbours in a box exchange at once")

#define HALO_BY(distance)                                                                          \
    static enum suits suits_by_##distance(int processors)                                          \
    {                                                                                              \
        return suits_by(processors, distance);                                                     \
    }                                                                                              \
    static void setup_by_##distance(struct site *site)                                             \
    {                                                                                              \
        find_by(site, distance);                                                                   \
    }                                                                                              \
    const struct utility utility_halo_1_by_##distance = {.pattern = &pattern_halo_1_by_##distance, \
                                                         .does = "all " #distance                  \
                                                                 " apart exchange at once",        \
                                                         .suite = "halos",                         \
                                                         .suits = suits_by_##distance,             \
                                                         .granule_bytes = 1,                       \
                                                         .empty_is_nothing = true,                 \
                                                         .uses_per_run = 1,                        \
                                                         .measures = MEASURES_COMPLETION,          \
                                                         .across = ACROSS_MAXIMUM,                 \
                                                         .messages = messages,                     \
                                                         .setup = setup_by_##distance,             \
                                                         .run = run,                               \
                                                         .teardown = teardown};

HALO_BY(2)
HALO_BY(4)
HALO_BY(8)
HALO_BY(16)
HALO_BY(32)
HALO_BY(64)
HALO_BY(128)
