#include "trainer/micro/overlap_probe.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/base/pages.h"
#include "trainer/base/work.h"
#include "trainer/engine/probe.h"

#include <stdlib.h>
#include <string.h>

/* A sender is never more than AHEAD messages ahead; CREDIT messages are allowed at a time, so that
   saying so costs the receiver a small share of a message each. */
enum { TAG_DATA = 75, TAG_READY = 76, TAG_CREDIT = 77, CREDIT = 32, AHEAD = 2 * CREDIT };

struct memory_of_overlap {
    char *buffer;
    int room;
};

static void *begin(const struct probe_context *context)
{
    (void)context;
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
    if (memory->buffer && bytes <= memory->room)
        return;
    free(memory->buffer);
    memory->buffer = pages_new((size_t)bytes, 1);
    memory->room = bytes;
}

/* ---- rank 0: post, work, wait ---- */

static double work_alone_s(const struct probe_context *context, const struct overlap_order *order)
{
    const double start_s = clock_s();
    for (long i = 0; i < order->iterations; i++)
        work(order->work, context->simulated);
    return clock_s() - start_s;
}

/* Nonblocking, because the sender may be waiting for the next receive meanwhile; the credit before
   this one has been taken by then. */
static void allow_more(const struct probe_context *context, long received, long all,
                       MPI_Request *credit)
{
    if (received % CREDIT != 0 || received + AHEAD - CREDIT >= all)
        return;
    MPI_Wait(credit, MPI_STATUS_IGNORE);
    MPI_Isend(NULL, 0, MPI_BYTE, 1, TAG_CREDIT, context->comm, credit);
}

static double post_work_wait_s(const struct probe_context *context,
                               const struct overlap_order *order, char *buffer)
{
    MPI_Request request, credit = MPI_REQUEST_NULL;
    MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_READY, context->comm, MPI_STATUS_IGNORE);
    const double start_s = clock_s();
    for (long i = 1; i <= order->iterations; i++) {
        if (order->receive)
            MPI_Irecv(buffer, order->bytes, MPI_BYTE, 1, TAG_DATA, context->comm, &request);
        else
            MPI_Isend(buffer, order->bytes, MPI_BYTE, 1, TAG_DATA, context->comm, &request);
        work(order->work, context->simulated);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (order->receive)
            allow_more(context, i, order->iterations, &credit);
    }
    const double end_s = clock_s();
    MPI_Wait(&credit, MPI_STATUS_IGNORE);
    MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_READY, context->comm, MPI_STATUS_IGNORE);
    return end_s - start_s;
}

/* ---- rank 1: the other half of each message ---- */

static void partner(const struct probe_context *context, const struct overlap_order *order,
                    char *buffer)
{
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_READY, context->comm);
    for (long i = 0; i < order->iterations; i++)
        if (order->receive) {
            if (i >= AHEAD && i % CREDIT == 0)
                MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_CREDIT, context->comm, MPI_STATUS_IGNORE);
            MPI_Send(buffer, order->bytes, MPI_BYTE, 0, TAG_DATA, context->comm);
        } else {
            MPI_Recv(buffer, order->bytes, MPI_BYTE, 0, TAG_DATA, context->comm, MPI_STATUS_IGNORE);
        }
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_READY, context->comm);
}

static void perform(void *state, const struct probe_context *context, const void *what,
                    double results[PROBE_RESULTS])
{
    struct memory_of_overlap *memory = state;
    struct overlap_order order;
    memcpy(&order, what, sizeof order);
    if (context->rank > 1)
        return;
    make_room(memory, order.bytes);
    if (context->rank == 1) {
        if (order.message)
            partner(context, &order, memory->buffer);
        return;
    }
    const double time_s = order.message ? post_work_wait_s(context, &order, memory->buffer)
                                        : work_alone_s(context, &order);
    results[0] = 1e6 * (time_s - context->reading_s);
}

const struct probe overlap_probe = {.begin = begin, .perform = perform, .end = end};
