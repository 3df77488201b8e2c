#include "trainer/memory/sharing_probe.h"

#include "model/base/allocation.h"
#include "trainer/engine/probe.h"
#include "trainer/memory/memory_machine.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_READY = 78, TAG_DONE = 79, SAMPLES = 11, ACCESSES_FIRST = 8192, PARTNER = 1 };

/* Long against the reading of the core's clock, during which nothing is loaded. */
static const double sample_cycles = 300000.0;

struct memory_of_sharing {
    MPI_Comm node;
    int rank, ranks; /* of the node */
    struct backend backend;
    bool has_arena;
};

static void *begin(const struct probe_context *context)
{
    struct memory_of_sharing *memory = memory_new(1, sizeof *memory);
    MPI_Comm_split_type(context->comm, MPI_COMM_TYPE_SHARED, context->rank, MPI_INFO_NULL,
                        &memory->node);
    MPI_Comm_rank(memory->node, &memory->rank);
    MPI_Comm_size(memory->node, &memory->ranks);
    return memory;
}

static void give_back(struct memory_of_sharing *memory)
{
    if (memory->has_arena)
        machine_backend_end(&memory->backend);
    memory->has_arena = false;
}

static void end(void *state)
{
    struct memory_of_sharing *memory = state;
    give_back(memory);
    MPI_Comm_free(&memory->node);
    free(memory);
}

/* ---- arrays ---- */

static struct sweep sweep_of(const struct sharing_order *order)
{
    const size_t block = 8 * order->line_bytes;
    return (struct sweep){.bytes = (order->bytes + block - 1) / block * block,
                          .stride_bytes = order->line_bytes};
}

/* Both have room, or neither loads anything. */
static bool make_room(struct memory_of_sharing *memory, const struct sharing_order *order)
{
    const size_t bytes = sweep_of(order).bytes;
    int room = memory->rank > PARTNER || memory->ranks <= PARTNER ? 0 : 1;
    if (room && memory->has_arena && memory->backend.arena_most < bytes)
        give_back(memory);
    if (room && !memory->has_arena)
        memory->has_arena = machine_backend_begin(&memory->backend, bytes);
    room = room && memory->has_arena && memory->backend.enlarge(memory->backend.state, bytes);
    if (memory->rank <= PARTNER && memory->ranks > PARTNER) {
        int other = 0;
        MPI_Sendrecv(&room, 1, MPI_INT, PARTNER - memory->rank, TAG_READY, &other, 1, MPI_INT,
                     PARTNER - memory->rank, TAG_READY, memory->node, MPI_STATUS_IGNORE);
        room = room && other;
    }
    return room;
}

/* A lap, which brings what stays into the caches; then how many accesses make a sample. */
static size_t warm(const struct backend *backend, struct sweep *sweep)
{
    backend->sweep(backend->state, sweep, sweep->bytes / sweep->stride_bytes);
    const double cycles = backend->sweep(backend->state, sweep, ACCESSES_FIRST);
    return (size_t)(sample_cycles / cycles) + 1;
}

/* ---- the two ---- */

static double load_first(struct memory_of_sharing *memory, const struct sharing_order *order)
{
    const struct backend *backend = &memory->backend;
    struct sweep sweep = sweep_of(order);
    double samples[SAMPLES];
    MPI_Recv(NULL, 0, MPI_BYTE, PARTNER, TAG_READY, memory->node, MPI_STATUS_IGNORE);
    const size_t accesses = warm(backend, &sweep);
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = backend->sweep(backend->state, &sweep, accesses);
    MPI_Send(NULL, 0, MPI_BYTE, PARTNER, TAG_DONE, memory->node);
    gsl_sort(samples, 1, SAMPLES);
    return samples[SAMPLES / 2];
}

static bool is_done(const struct memory_of_sharing *memory)
{
    int done;
    MPI_Iprobe(0, TAG_DONE, memory->node, &done, MPI_STATUS_IGNORE);
    return done;
}

/* A core that waits busily might be half of the one that is measured. */
static void load_beside(struct memory_of_sharing *memory, const struct sharing_order *order)
{
    static const struct timespec nap = {.tv_nsec = 200000};
    const struct backend *backend = &memory->backend;
    struct sweep sweep = sweep_of(order);
    const size_t accesses = order->together ? warm(backend, &sweep) : 0;
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_READY, memory->node);
    while (!is_done(memory))
        if (order->together)
            backend->sweep(backend->state, &sweep, accesses);
        else
            nanosleep(&nap, NULL);
    MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_DONE, memory->node, MPI_STATUS_IGNORE);
}

static void perform(void *state, const struct probe_context *context, const void *given,
                    double results[PROBE_RESULTS])
{
    struct memory_of_sharing *memory = state;
    struct sharing_order order;
    memcpy(&order, given, sizeof order);
    int root_node = context->rank == 0;
    MPI_Bcast(&root_node, 1, MPI_INT, 0, memory->node);
    results[0] = NAN;
    if (order.bytes == 0)
        give_back(memory);
    else if (root_node && make_room(memory, &order)) {
        if (memory->rank == 0)
            results[0] = load_first(memory, &order);
        else
            load_beside(memory, &order);
    }
}

const struct probe sharing_probe = {.begin = begin, .perform = perform, .end = end};
