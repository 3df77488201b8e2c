#include "trainer/micro/overlap_probe.h"

#include "model/base/allocation.h"
#include "trainer/base/work.h"
#include "trainer/engine/probe.h"

#include <stdlib.h>
#include <string.h>

/* A sender is never more than AHEAD messages ahead; CREDIT messages are allowed at a time, so that
   saying so costs the receiver a small share of a message each. */
enum {
    TAG_DATA = 75,
    TAG_READY = 76,
    TAG_CREDIT = 77,
    CREDIT = 32,
    AHEAD = 2 * CREDIT,
    PAGE = 4096
};

struct memory_of_overlap {
    char *buffer;
    int room;
};

static void *begin(const struct stage *stage)
{
    (void)stage;
    return memory_new(1, sizeof(struct memory_of_overlap));
}

static void end(void *state)
{
    struct memory_of_overlap *memory = state;
    free(memory->buffer);
    free(memory);
}

static void make_room(struct memory_of_overlap *memory, int bytes)
{
    const size_t room = ((size_t)bytes + PAGE) / PAGE * PAGE;
    if (memory->buffer && bytes <= memory->room)
        return;
    free(memory->buffer);
    memory->buffer = aligned_alloc(PAGE, room);
    if (!memory->buffer)
        MPI_Abort(MPI_COMM_WORLD, 2);
    memset(memory->buffer, 1, room);
    memory->room = bytes;
}

/* ---- rank 0: post, work, wait ---- */

static double work_alone_s(const struct stage *stage, const struct overlap_order *order)
{
    const double start_s = MPI_Wtime();
    for (long i = 0; i < order->iterations; i++)
        work(order->work, stage->simulated);
    return MPI_Wtime() - start_s;
}

/* Nonblocking, because the sender may be waiting for the next receive meanwhile; the credit before
   this one has been taken by then. */
static void allow_more(const struct stage *stage, long received, long all, MPI_Request *credit)
{
    if (received % CREDIT != 0 || received + AHEAD - CREDIT >= all)
        return;
    MPI_Wait(credit, MPI_STATUS_IGNORE);
    MPI_Isend(NULL, 0, MPI_BYTE, 1, TAG_CREDIT, stage->comm, credit);
}

static double post_work_wait_s(const struct stage *stage, const struct overlap_order *order,
                               char *buffer)
{
    MPI_Request request, credit = MPI_REQUEST_NULL;
    MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_READY, stage->comm, MPI_STATUS_IGNORE);
    const double start_s = MPI_Wtime();
    for (long i = 1; i <= order->iterations; i++) {
        if (order->receive)
            MPI_Irecv(buffer, order->bytes, MPI_BYTE, 1, TAG_DATA, stage->comm, &request);
        else
            MPI_Isend(buffer, order->bytes, MPI_BYTE, 1, TAG_DATA, stage->comm, &request);
        work(order->work, stage->simulated);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (order->receive)
            allow_more(stage, i, order->iterations, &credit);
    }
    const double end_s = MPI_Wtime();
    MPI_Wait(&credit, MPI_STATUS_IGNORE);
    MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_READY, stage->comm, MPI_STATUS_IGNORE);
    return end_s - start_s;
}

/* ---- rank 1: the other half of each message ---- */

static void partner(const struct stage *stage, const struct overlap_order *order, char *buffer)
{
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_READY, stage->comm);
    for (long i = 0; i < order->iterations; i++)
        if (order->receive) {
            if (i >= AHEAD && i % CREDIT == 0)
                MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_CREDIT, stage->comm, MPI_STATUS_IGNORE);
            MPI_Send(buffer, order->bytes, MPI_BYTE, 0, TAG_DATA, stage->comm);
        } else {
            MPI_Recv(buffer, order->bytes, MPI_BYTE, 0, TAG_DATA, stage->comm, MPI_STATUS_IGNORE);
        }
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_READY, stage->comm);
}

static void perform(void *state, const struct stage *stage, const void *what,
                    double results[ACT_RESULTS])
{
    struct memory_of_overlap *memory = state;
    struct overlap_order order;
    memcpy(&order, what, sizeof order);
    if (stage->rank > 1)
        return;
    make_room(memory, order.bytes);
    if (stage->rank == 1) {
        if (order.message)
            partner(stage, &order, memory->buffer);
        return;
    }
    const double time_s = order.message ? post_work_wait_s(stage, &order, memory->buffer)
                                        : work_alone_s(stage, &order);
    results[0] = 1e6 * (time_s - stage->reading_s);
}

const struct act act_overlap = {.begin = begin, .perform = perform, .end = end};
