#include "trainer/micro/logp_probe.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/base/delay.h"
#include "trainer/base/pages.h"
#include "trainer/engine/probe.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_REQUEST = 71, TAG_REPLY = 72, TAG_READY = 73 };

struct memory_of_logp {
    char *out, *in;
    int room;
    MPI_Request replies[LOGP_CAPACITY_MOST]; /* under way; MPI_REQUEST_NULL: none */
};

static void *begin(const struct probe_context *context)
{
    struct memory_of_logp *memory = memory_new(1, sizeof *memory);
    (void)context;
    for (int i = 0; i < LOGP_CAPACITY_MOST; i++)
        memory->replies[i] = MPI_REQUEST_NULL;
    return memory;
}

static void end(void *state)
{
    struct memory_of_logp *memory = state;
    free(memory->out);
    free(memory->in);
    free(memory);
}

static void make_room(struct memory_of_logp *memory, const struct logp_order *order)
{
    const int bytes =
        order->request_bytes > order->reply_bytes ? order->request_bytes : order->reply_bytes;
    if (memory->out && bytes <= memory->room)
        return;
    free(memory->out);
    free(memory->in);
    memory->out = pages_new((size_t)bytes, 1);
    memory->in = pages_new((size_t)bytes, 1);
    memory->room = bytes;
}

/* ---- who has to do with whom ---- */

static int requesters(const struct logp_order *order)
{
    return order->pattern == LOGP_K_TO_1 || order->pattern == LOGP_PAIRS ? order->others : 1;
}

static bool asks(const struct logp_order *order, int rank)
{
    return rank >= 0 && rank < requesters(order);
}

/* Consecutive ranks. */
struct partners {
    int first, count;
};

/* Whom a requester asks, or who asks a replier; of everybody else none. */
static struct partners partners_of(const struct logp_order *order, int rank)
{
    const struct partners none = {0, 0};
    switch (order->pattern) {
    case LOGP_1_TO_K:
        if (rank == 0)
            return (struct partners){1, order->others};
        return rank <= order->others ? (struct partners){0, 1} : none;
    case LOGP_K_TO_1:
        if (rank < order->others)
            return (struct partners){order->others, 1};
        return rank == order->others ? (struct partners){0, order->others} : none;
    case LOGP_PAIR:
    case LOGP_PAIRS:
        break;
    }
    if (asks(order, rank))
        return (struct partners){rank + order->others, 1};
    return asks(order, rank - order->others) ? (struct partners){rank - order->others, 1} : none;
}

/* Messages come from one partner, or from whichever is first. */
static int source_of(const struct partners *partners)
{
    return partners->count == 1 ? partners->first : MPI_ANY_SOURCE;
}

/* ---- the requester ---- */

struct requester {
    const struct probe_context *context;
    const struct logp_order *order;
    struct partners partners;
    struct memory_of_logp *memory;
    struct delayer delayer;
};

static void issue(const struct requester *requester, int number)
{
    const struct partners *partners = &requester->partners;
    MPI_Send(requester->memory->out, requester->order->request_bytes, MPI_BYTE,
             partners->first + number % partners->count, TAG_REQUEST, requester->context->comm);
}

static void take_reply(const struct requester *requester)
{
    MPI_Recv(requester->memory->in, requester->order->reply_bytes, MPI_BYTE,
             source_of(&requester->partners), TAG_REPLY, requester->context->comm,
             MPI_STATUS_IGNORE);
}

/* One sequence; its time in s, with delays as they were ordered in place of those that there were.
 */
static double sequence_s(const struct requester *requester)
{
    const struct logp_order *order = requester->order;
    double over_s = 0.0, end_s;
    int replies = 0;
    const double start_s = clock_s();
    for (int i = 0; i < order->issues; i++) {
        if (i - replies >= order->capacity) {
            take_reply(requester);
            replies++;
        }
        issue(requester, i);
        if (order->delay_us > 0.0)
            over_s += delay_s(&requester->delayer, 1e-6 * order->delay_us) - 1e-6 * order->delay_us;
    }
    end_s = clock_s();
    for (; replies < order->issues; replies++)
        take_reply(requester);
    if (order->whole)
        end_s = clock_s();
    return end_s - start_s - over_s - requester->context->reading_s * (order->whole ? 2.0 : 1.0);
}

/* ---- the replier ---- */

static long requests_for(const struct logp_order *order, int rank)
{
    const long issues = order->issues;
    if (order->pattern == LOGP_1_TO_K)
        return issues / order->others + (rank - 1 < issues % order->others);
    return issues * partners_of(order, rank).count;
}

/* Sends a reply. One that waits for its receive is completed when as many later ones are on their
   way as may be: by then its requester has taken it. */
static void send_reply(const struct probe_context *context, const struct logp_order *order,
                       struct memory_of_logp *memory, int to, long number)
{
    MPI_Request *request = &memory->replies[number % order->capacity];
    if (!order->reply_waits) {
        MPI_Send(memory->out, order->reply_bytes, MPI_BYTE, to, TAG_REPLY, context->comm);
        return;
    }
    MPI_Wait(request, MPI_STATUS_IGNORE);
    MPI_Isend(memory->out, order->reply_bytes, MPI_BYTE, to, TAG_REPLY, context->comm, request);
}

static void reply(const struct probe_context *context, const struct logp_order *order,
                  struct memory_of_logp *memory, long requests)
{
    const struct partners partners = partners_of(order, context->rank);
    for (long i = 0; i < requests; i++) {
        MPI_Status status;
        MPI_Recv(memory->in, order->request_bytes, MPI_BYTE, source_of(&partners), TAG_REQUEST,
                 context->comm, &status);
        send_reply(context, order, memory, status.MPI_SOURCE, i);
    }
    MPI_Waitall(order->capacity, memory->replies, MPI_STATUSES_IGNORE);
}

/* ---- all ---- */

/* Untimed: no requester begins before its repliers are known to wait for it. */
static void line_up(const struct probe_context *context, const struct logp_order *order)
{
    const struct partners partners = partners_of(order, context->rank);
    for (int i = 0; i < partners.count; i++)
        if (asks(order, context->rank))
            MPI_Recv(NULL, 0, MPI_BYTE, partners.first + i, TAG_READY, context->comm,
                     MPI_STATUS_IGNORE);
        else
            MPI_Send(NULL, 0, MPI_BYTE, partners.first + i, TAG_READY, context->comm);
}

/* The sum over `times` sequences. After its last reply a requester knows that everybody waits for
   it again; that several begin together needs a word before each. */
static double all_sequences_s(const struct probe_context *context, const struct logp_order *order,
                              struct memory_of_logp *memory)
{
    const struct requester requester = {
        context,
        order,
        partners_of(order, context->rank),
        memory,
        {context->reading_s, context->simulated}
    };
    double sum_s = 0.0;
    for (long i = 0; i < order->times; i++) {
        if (i == 0 || requesters(order) > 1)
            line_up(context, order);
        if (asks(order, context->rank))
            sum_s += sequence_s(&requester);
        else if (requester.partners.count > 0)
            reply(context, order, memory, requests_for(order, context->rank));
    }
    return sum_s;
}

static void perform(void *state, const struct probe_context *context, const void *what,
                    double results[PROBE_RESULTS])
{
    struct logp_order order;
    memcpy(&order, what, sizeof order);
    make_room(state, &order);
    const double mine_s = all_sequences_s(context, &order, state);
    double all_s = mine_s;
    if (requesters(&order) > 1)
        MPI_Reduce(&mine_s, &all_s, 1, MPI_DOUBLE, MPI_MAX, 0, context->comm);
    results[0] = 1e6 * all_s;
}

const struct probe logp_probe = {.begin = begin, .perform = perform, .end = end};
