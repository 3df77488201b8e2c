/* The EXPRESS set of the original training set (Balasundaram, Static Performance Estimator):
   nearest neighbours on a line or a grid of processors, as arrays in blocks need them, and combine
   and broadcast.

   SR: every processor sends to its neighbour above and receives from the one below, along one
   direction or two. EXCH: neighbours exchange, pair by pair, so that a processor with two
   neighbours exchanges twice. The grid is the squarest; it does not wrap around.

   A message is a vector of doubles: contiguous; strided, described to the library by a vector type;
   strided, packed and unpacked by the program; or, iSR, element by element. The three show what
   vectors gain and what packing costs. */
#include "trainer/utilities/neighbours.h"
#include "trainer/utilities/utilities.h"

#include "model/base/allocation.h"
#include "model/cost/grid.h"

#include <stdlib.h>

enum { TAG = 9, ELEMENT = sizeof(double), STRIDE = 32 };

/* ---- how a vector travels ---- */

/* Sends to one neighbour and receives from another; either may be MPI_PROC_NULL. */
typedef void transfer(const struct site *site, int to, int from);

static void whole(const struct site *site, int to, int from)
{
    MPI_Sendrecv(site->send, site->bytes, MPI_BYTE, to, TAG, site->receive, site->bytes, MPI_BYTE,
                 from, TAG, site->comm, MPI_STATUS_IGNORE);
}

static void elements(const struct site *site, int to, int from)
{
    for (int at = 0; at < site->bytes; at += ELEMENT)
        MPI_Sendrecv(site->send + at, ELEMENT, MPI_BYTE, to, TAG, site->receive + at, ELEMENT,
                     MPI_BYTE, from, TAG, site->comm, MPI_STATUS_IGNORE);
}

static void typed(const struct site *site, int to, int from)
{
    const MPI_Datatype *vector = site->state;
    MPI_Sendrecv(site->send, 1, *vector, to, TAG, site->receive, 1, *vector, from, TAG, site->comm,
                 MPI_STATUS_IGNORE);
}

/* The packed vector stands in front of the strided one. */
static void packed(const struct site *site, int to, int from)
{
    double *out = (double *)(void *)site->send, *in = (double *)(void *)site->receive;
    const size_t count = (size_t)site->bytes / ELEMENT;
    if (to != MPI_PROC_NULL)
        for (size_t i = 0; i < count; i++)
            out[i] = out[count + i * STRIDE];
    whole(site, to, from);
    if (from != MPI_PROC_NULL)
        for (size_t i = 0; i < count; i++)
            in[count + i * STRIDE] = in[i];
}

static int strided_room(int processors)
{
    (void)processors;
    return STRIDE + 1;
}

static void make_type(struct site *site)
{
    MPI_Datatype *vector = memory_new(1, sizeof *vector);
    MPI_Type_vector(site->bytes / ELEMENT, 1, STRIDE, MPI_DOUBLE, vector);
    MPI_Type_commit(vector);
    site->state = vector;
}

static void free_type(struct site *site)
{
    MPI_Type_free(site->state);
    free(site->state);
}

/* ---- the patterns ---- */

/* There and back: repeated one way, the processors would run ahead of one another. */
static void shift(struct site *site, int directions, transfer *move, long times)
{
    struct line lines[DIRECTIONS_MOST];
    neighbours_find(site, directions, lines);
    for (long i = 0; i < times; i++)
        for (int d = 0; d < directions; d++) {
            move(site, lines[d].above, lines[d].below);
            move(site, lines[d].below, lines[d].above);
        }
}

/* Pairs whose lower position is even, then those whose is odd. */
static void exchange(struct site *site, int directions, transfer *move, long times)
{
    struct line lines[DIRECTIONS_MOST];
    neighbours_find(site, directions, lines);
    for (long i = 0; i < times; i++)
        for (int d = 0; d < directions; d++)
            for (int turn = 0; turn < 2; turn++) {
                const bool is_lower = lines[d].position % 2 == turn;
                const int partner = is_lower ? lines[d].above : lines[d].below;
                if (partner != MPI_PROC_NULL)
                    move(site, partner, partner);
            }
}

/* ---- which processor counts ---- */

/* A processor between two others exchanges twice; of two processors, both do once. */
static enum suits suits_exchange(int processors)
{
    return processors >= 3 ? SUITS_WELL : SUITS;
}

static enum suits suits_grid(int processors)
{
    return grid_shorter_side(processors) >= 2 ? SUITS_WELL : SUITS_NOT;
}

static enum suits suits_box_exchange(int processors)
{
    const int side = grid_shortest_side(processors, DIRECTIONS_MOST);
    return side >= 3 ? SUITS_WELL : side == 2 ? SUITS : SUITS_NOT;
}

static enum suits suits_grid_exchange(int processors)
{
    const int side = grid_shorter_side(processors);
    return side >= 3 ? SUITS_WELL : side == 2 ? SUITS : SUITS_NOT;
}

/* ---- the rows ---- */

#define EXPRESS(variable, what, form, directions, move, ...)                                       \
    static void run_##variable(struct site *site, long times)                                      \
    {                                                                                              \
        form(site, directions, move, times);                                                       \
    }                                                                                              \
    const struct utility utility_##variable = {.pattern = &pattern_##variable,                     \
                                               .does = what,                                       \
                                               .suite = "express",                                 \
                                               .granule_bytes = ELEMENT,                           \
                                               .empty_is_nothing = true,                           \
                                               .measures = MEASURES_COMPLETION,                    \
                                               .across = ACROSS_MAXIMUM,                           \
                                               .run = run_##variable,                              \
                                               __VA_ARGS__};

#define SHIFT .uses_per_run = 2, .tree = TREE_LINE_SHIFT
#define SHIFT2 .uses_per_run = 2, .suits = suits_grid, .grid_side_full = 2, .tree = TREE_GRID_SHIFT
#define EXCHANGE .uses_per_run = 1, .suits = suits_exchange, .tree = TREE_LINE_EXCHANGE
#define EXCHANGE2                                                                                  \
    .uses_per_run = 1, .suits = suits_grid_exchange, .grid_side_full = 3, .tree = TREE_GRID_EXCHANGE
#define EXCHANGE3 .uses_per_run = 1, .suits = suits_box_exchange, .grid_side_full = 3
#define TYPED .messages = strided_room, .setup = make_type, .teardown = free_type
#define PACKED .messages = strided_room

/* More elements would say nothing new. */
#define FEW .bytes_most = 1024

EXPRESS(iSR, "each sends to the neighbour above, an element a message", shift, 1, elements, SHIFT,
        FEW)
EXPRESS(vSR, "each sends a vector to the neighbour above", shift, 1, whole, SHIFT)
EXPRESS(vSR_vector, "vSR, strided, by a vector type", shift, 1, typed, SHIFT, TYPED)
EXPRESS(vSR_packed, "vSR, strided, packed by the program", shift, 1, packed, SHIFT, PACKED)
EXPRESS(EXCH1, "neighbours along a direction exchange vectors", exchange, 1, whole, EXCHANGE)
EXPRESS(EXCH1_vector, "EXCH1, strided, by a vector type", exchange, 1, typed, EXCHANGE, TYPED)
EXPRESS(EXCH1_packed, "EXCH1, strided, packed by the program", exchange, 1, packed, EXCHANGE,
        PACKED)
EXPRESS(vSRSR, "vSR along two directions of a grid", shift, 2, whole, SHIFT2)
EXPRESS(vSRSR_vector, "vSRSR, strided, by a vector type", shift, 2, typed, SHIFT2, TYPED)
EXPRESS(vSRSR_packed, "vSRSR, strided, packed by the program", shift, 2, packed, SHIFT2, PACKED)
EXPRESS(EXCH2, "EXCH1 along two directions of a grid", exchange, 2, whole, EXCHANGE2)
EXPRESS(EXCH2_vector, "EXCH2, strided, by a vector type", exchange, 2, typed, EXCHANGE2, TYPED)
EXPRESS(EXCH2_packed, "EXCH2, strided, packed by the program", exchange, 2, packed, EXCHANGE2,
        PACKED)
EXPRESS(EXCH3, "EXCH1 along three directions of a box", exchange, 3, whole, EXCHANGE3)
