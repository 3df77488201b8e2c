#include "trainer/micro/swap_probe.h"

#include "model/base/allocation.h"
#include "model/fit/summary.h"
#include "trainer/base/clock.h"
#include "trainer/base/group.h"
#include "trainer/base/pages.h"
#include "trainer/engine/probe.h"
#include "trainer/micro/swap_protocols.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Messages in a row have different tags, and so have data and words. */
enum { TAG_DATA = 1000, TAG_WORD = 3000, TAGS = 1000, BUFFERED = 6, WORDS = 4 };

struct memory_of_swap {
    char *send, *receive, *beside, *cache;
    long volume, cache_bytes;
    struct group groups[SWAP_PAIRS]; /* of those who take part */
    volatile uint64_t seen;
};

static void *begin(const struct probe_context *context)
{
    struct memory_of_swap *memory = memory_new(1, sizeof *memory);
    (void)context;
    for (int i = 0; i < SWAP_PAIRS; i++)
        memory->groups[i] = group_none();
    return memory;
}

static void end(void *state)
{
    struct memory_of_swap *memory = state;
    for (int i = 0; i < SWAP_PAIRS; i++)
        group_free(&memory->groups[i]);
    free(memory->send);
    free(memory->receive);
    free(memory->beside);
    free(memory->cache);
    free(memory);
}

/* ---- memory ---- */

/* In place of the old ones. */
static void renew(char **buffer, long bytes)
{
    free(*buffer);
    *buffer = pages_new((size_t)bytes, 1);
}

static void make_room(struct memory_of_swap *memory, const struct swap_probe_order *order)
{
    if (order->volume_bytes > memory->volume) {
        renew(&memory->send, order->volume_bytes);
        renew(&memory->receive, order->volume_bytes);
        renew(&memory->beside, order->volume_bytes);
        memory->volume = order->volume_bytes;
    }
    if (order->cache_bytes > memory->cache_bytes) {
        renew(&memory->cache, order->cache_bytes);
        memory->cache_bytes = order->cache_bytes;
    }
}

/* There is no portable way to invalidate a cache: what was in it gives way to what is read now. */
static void empty_caches(struct memory_of_swap *memory, long bytes)
{
    uint64_t sum = 0;
    for (long i = 0; i < bytes; i += 64)
        sum += (uint64_t)memory->cache[i];
    memory->seen = sum;
}

/* What the processor of that rank sends in that exchange, a word of it. */
static uint64_t word(long at, int rank, int exchange)
{
    return ((uint64_t)at + 1) * 0x9e3779b97f4a7c15u + (uint64_t)(64 * exchange + rank);
}

static void initialise(char *buffer, long bytes, int rank, int exchange)
{
    uint64_t *words = (uint64_t *)(void *)buffer;
    for (long i = 0; i < bytes / (long)sizeof *words; i++)
        words[i] = word(i, rank, exchange);
}

static bool has_arrived(const char *buffer, long bytes, int from, int exchange)
{
    const uint64_t *words = (const uint64_t *)(const void *)buffer;
    for (long i = 0; i < bytes / (long)sizeof *words; i++)
        if (words[i] != word(i, from, exchange))
            return false;
    return true;
}

/* ---- one processor's swaps ---- */

/* Two receives, and two sends, can be under way at a time: those of odd and of even number; of
   words that a receive is posted there is one more. */
struct swapper {
    const struct swap_probe_order *order;
    struct memory_of_swap *memory;
    struct swap_side side;
    MPI_Comm comm;
    int partner, bytes;
    long swaps;
    MPI_Request receives[2], sends[2], words[WORDS];
};

static char *place(const struct swapper *swapper, char *buffer, long number)
{
    return buffer + number / swapper->order->repeats * swapper->bytes;
}

static char *receive_place(const struct swapper *swapper, long number)
{
    const bool beside = swapper->order->reorganized && number % swapper->order->repeats % 2 == 1;
    return place(swapper, beside ? swapper->memory->beside : swapper->memory->receive, number);
}

static void tell(struct swapper *swapper, long number)
{
    if (swapper->side.tells)
        MPI_Isend(NULL, 0, MPI_BYTE, swapper->partner, TAG_WORD + (int)(number % TAGS),
                  swapper->comm, &swapper->words[number % WORDS]);
}

static void post_receive(struct swapper *swapper, long number)
{
    if (!swapper->side.posts)
        return;
    MPI_Irecv(receive_place(swapper, number), swapper->bytes, MPI_BYTE, swapper->partner,
              TAG_DATA + (int)(number % TAGS), swapper->comm, &swapper->receives[number % 2]);
    tell(swapper, number);
}

static void receive(struct swapper *swapper, long number)
{
    if (swapper->side.posts) {
        MPI_Wait(&swapper->receives[number % 2], MPI_STATUS_IGNORE);
        return;
    }
    tell(swapper, number);
    MPI_Recv(receive_place(swapper, number), swapper->bytes, MPI_BYTE, swapper->partner,
             TAG_DATA + (int)(number % TAGS), swapper->comm, MPI_STATUS_IGNORE);
}

static void send(struct swapper *swapper, long number)
{
    char *from = place(swapper, swapper->memory->send, number);
    const int bytes = swapper->bytes, to = swapper->partner, tag = TAG_DATA + (int)(number % TAGS);
    MPI_Request *request = &swapper->sends[number % 2];
    if (swapper->side.hears)
        MPI_Recv(NULL, 0, MPI_BYTE, to, TAG_WORD + (int)(number % TAGS), swapper->comm,
                 MPI_STATUS_IGNORE);
    switch (swapper->side.send) {
    case SWAP_BSEND:
        MPI_Bsend(from, bytes, MPI_BYTE, to, tag, swapper->comm);
        break;
    case SWAP_SEND:
        MPI_Send(from, bytes, MPI_BYTE, to, tag, swapper->comm);
        break;
    case SWAP_ISEND:
        MPI_Isend(from, bytes, MPI_BYTE, to, tag, swapper->comm, request);
        break;
    case SWAP_RSEND:
        MPI_Rsend(from, bytes, MPI_BYTE, to, tag, swapper->comm);
        break;
    case SWAP_IRSEND:
        MPI_Irsend(from, bytes, MPI_BYTE, to, tag, swapper->comm, request);
        break;
    case SWAP_SSEND:
        MPI_Ssend(from, bytes, MPI_BYTE, to, tag, swapper->comm);
        break;
    case SWAP_ISSEND:
        MPI_Issend(from, bytes, MPI_BYTE, to, tag, swapper->comm, request);
        break;
    case SWAP_SENDRECV:
        MPI_Sendrecv(from, bytes, MPI_BYTE, to, tag, receive_place(swapper, number), bytes,
                     MPI_BYTE, to, tag, swapper->comm, MPI_STATUS_IGNORE);
        break;
    }
}

static void send_and_receive(struct swapper *swapper, long number)
{
    if (swapper->side.receives_first)
        receive(swapper, number);
    send(swapper, number);
    if (!swapper->side.receives_first && swapper->side.send != SWAP_SENDRECV)
        receive(swapper, number);
}

static void complete_send(struct swapper *swapper, long number)
{
    if (swap_send_is_nonblocking(swapper->side.send))
        MPI_Wait(&swapper->sends[number % 2], MPI_STATUS_IGNORE);
    if (swapper->side.tells)
        MPI_Wait(&swapper->words[number % WORDS], MPI_STATUS_IGNORE);
}

static void basic(struct swapper *swapper)
{
    for (long i = 0; i < swapper->swaps; i++) {
        post_receive(swapper, i);
        send_and_receive(swapper, i);
        complete_send(swapper, i);
    }
}

/* Worley, COMMTEST, the sets of experiments; the first receive is posted before the clock
   starts. */
static void reorganized(struct swapper *swapper)
{
    for (long i = 0; i < swapper->swaps; i++) {
        if (i + 1 < swapper->swaps)
            post_receive(swapper, i + 1);
        send_and_receive(swapper, i);
        if (i > 0)
            complete_send(swapper, i - 1);
    }
    complete_send(swapper, swapper->swaps - 1);
}

/* ---- one exchange ---- */

struct interval {
    double start_s, end_s;
};

static struct interval exchange(struct swapper *swapper)
{
    struct interval interval;
    if (swapper->order->reorganized)
        post_receive(swapper, 0);
    MPI_Barrier(swapper->comm);
    interval.start_s = clock_s();
    if (swapper->order->reorganized)
        reorganized(swapper);
    else
        basic(swapper);
    interval.end_s = clock_s();
    return interval;
}

/* Room for what can be under way: a swap ends with the partner's message, so that it is two. */
static void *attach(const struct swapper *swapper)
{
    const int room = BUFFERED * (swapper->bytes + MPI_BSEND_OVERHEAD);
    if (swapper->side.send != SWAP_BSEND)
        return NULL;
    void *buffer = memory_new((size_t)room, 1);
    memset(buffer, 1, (size_t)room);
    MPI_Buffer_attach(buffer, room);
    return buffer;
}

static void detach(void *buffer)
{
    int room;
    void *from;
    if (buffer)
        MPI_Buffer_detach(&from, &room);
    free(buffer);
}

/* Everything around one exchange; whether the data of the first arrived. */
static bool prepare_and_exchange(struct swapper *swapper, int rank, int exchange_number,
                                 struct interval *interval)
{
    struct memory_of_swap *memory = swapper->memory;
    const long volume = swapper->order->volume_bytes;
    const bool checked = exchange_number == 0;
    if (checked)
        memset(memory->receive, 0, (size_t)volume);
    empty_caches(memory, swapper->order->cache_bytes);
    initialise(memory->send, volume, rank, exchange_number);
    *interval = exchange(swapper);
    return !checked || has_arrived(memory->receive, volume, swapper->partner, exchange_number);
}

/* ---- over the processors that take part ---- */

/* The partner in the communicator of those who take part, and whether this is processor 1. */
static void pair_up(struct swapper *swapper, int rank, bool *is_one)
{
    if (swapper->order->pairs == SWAP_0_2_AND_1_3) {
        *is_one = rank < 2;
        swapper->partner = (rank + 2) % 4;
    } else {
        *is_one = rank == 0;
        swapper->partner = 1 - rank;
    }
}

static struct group_ranks ranks_of(int pairs)
{
    switch (pairs) {
    case SWAP_0_1:
        return (struct group_ranks){0, 1, 1};
    case SWAP_0_2:
        return (struct group_ranks){0, 2, 2};
    default:
        return (struct group_ranks){0, 3, 1};
    }
}

static MPI_Comm comm_of(struct memory_of_swap *memory, int pairs)
{
    struct group *group = &memory->groups[pairs];
    if (group->comm == MPI_COMM_NULL)
        *group = group_new(ranks_of(pairs));
    return group->comm;
}

/* How much longer it was from the first start to the last end than the longest of the intervals, on
   rank 0 of comm; NAN without a clock that all share. */
static double excess_s(MPI_Comm comm, const struct interval *mine, double longest_s)
{
    int *shared, has;
    double start_s, end_s;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, (void *)&shared, &has);
    if (!has || !*shared)
        return NAN;
    MPI_Reduce(&mine->start_s, &start_s, 1, MPI_DOUBLE, MPI_MIN, 0, comm);
    MPI_Reduce(&mine->end_s, &end_s, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
    return end_s - start_s - longest_s;
}

static struct swapper swapper_of(struct memory_of_swap *memory,
                                 const struct swap_probe_order *order, int *rank)
{
    const struct swap_protocol *protocol = swap_protocol(order->order, order->protocol);
    struct swapper swapper = {.order = order,
                              .memory = memory,
                              .comm = comm_of(memory, order->pairs),
                              .bytes = (int)(order->volume_bytes / order->messages),
                              .swaps = (long)order->messages * order->repeats};
    bool is_one;
    if (swapper.comm == MPI_COMM_NULL)
        return swapper;
    MPI_Comm_rank(swapper.comm, rank);
    pair_up(&swapper, *rank, &is_one);
    swapper.side = is_one ? protocol->one : protocol->two;
    /* What is to be posted ahead on one side is on the other, too. */
    swapper.side.posts |= order->reorganized && protocol->one.posts;
    for (int i = 0; i < 2; i++)
        swapper.receives[i] = swapper.sends[i] = MPI_REQUEST_NULL;
    for (int i = 0; i < WORDS; i++)
        swapper.words[i] = MPI_REQUEST_NULL;
    return swapper;
}

static void perform(void *state, const struct probe_context *context, const void *what,
                    double results[PROBE_RESULTS])
{
    struct swap_probe_order order;
    double longest_s[SWAP_TIMES_MOST];
    int rank = 0, wrong = 0, wrong_anywhere;
    memcpy(&order, what, sizeof order);
    make_room(state, &order);
    struct swapper swapper = swapper_of(state, &order, &rank);
    if (swapper.comm == MPI_COMM_NULL)
        return;
    void *buffer = attach(&swapper);
    results[3] = NAN;
    for (int i = 0; i < order.times; i++) {
        struct interval interval;
        wrong += !prepare_and_exchange(&swapper, rank, i, &interval);
        const double mine_s = interval.end_s - interval.start_s - context->reading_s;
        MPI_Reduce(&mine_s, &longest_s[i], 1, MPI_DOUBLE, MPI_MAX, 0, swapper.comm);
        results[3] =
            fmax(results[3], 1e6 * excess_s(swapper.comm, &interval, longest_s[i]) / order.repeats);
    }
    detach(buffer);
    MPI_Reduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, 0, swapper.comm);
    if (rank != 0)
        return;
    const struct summary summary = summary_of(longest_s, (size_t)order.times, 0.95);
    results[0] = wrong_anywhere ? (double)NAN : 1e6 * summary.median / order.repeats;
    results[1] = 1e6 * summary.minimum / order.repeats;
    results[2] = 1e6 * summary.maximum / order.repeats;
    results[4] = 1e6 * summary.mean / order.repeats;
    results[5] = 1e6 * summary.standard_deviation / order.repeats;
}

const struct probe swap_probe = {.begin = begin, .perform = perform, .end = end};
