/* Broadcasts: the library's (001:383) and the algorithms of 001 chapter 3.

   Until the last has received (R146). Clocks of two processors cannot be compared, a barrier
   releases the root early, and broadcasts repeated from one root overlap. The report lets the
   processor that received last be the next root (R147). Between two processors that is a round
   trip of broadcasts, as point-to-point is of messages. Among more, which is the last one depends
   on the algorithm, the length, and on who is near whom, and a broadcast back from it may end
   elsewhere. So the last one tells processor 0 with an empty message that it has everything, and
   what an empty message between the two takes is left out of the time (de Supinski and Karonis).
   Who is the last is asked before each length: all tell, and a few of the latest are tried one by
   one. Processor 0's clock alone is read, and nothing overlaps.

   Where another processor is the root, processor 0 tells it to begin, and that message is left out
   too.

   Until the root is done (R114, R161): before the root goes on, the last one tells that it has the
   message, which is left out of the time. */
#include "broadcast/algorithm.h"
#include "model/base/memory.h"
#include "trainer/utilities.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { TAG_BEGIN = 77, TAG_DONE = 78, TAG_PING = 79 };

/* Roots of one utility; of the latest receivers, how many are tried; empty messages there and back
   where the clock is not exact. */
enum { ROOTS_MOST = 3, TRIED = 2, PINGS = 20 };

/* A broadcast from one root, as processor 0 times it. */
struct course {
    int root, last;
    double empty_s; /* of the messages that begin and end it */
};

struct courses {
    const struct tree *tree; /* NULL: the library's broadcast */
    int part_bytes, count;
    struct course each[ROOTS_MOST];
};

/* ---- one broadcast ---- */

static void broadcast_once(const struct site *site, const struct courses *of, int root)
{
    const struct broadcast broadcast = {of->tree, site->comm, root, 1, of->part_bytes};
    if (of->tree)
        broadcast_run(&broadcast, site->send, site->bytes);
    else
        MPI_Bcast(site->send, site->bytes, MPI_BYTE, root, site->comm);
}

static void tell(const struct site *site, int from, int to, int tag)
{
    if (from == to)
        return;
    if (site->rank == from)
        MPI_Send(NULL, 0, MPI_BYTE, to, tag, site->comm);
    if (site->rank == to)
        MPI_Recv(NULL, 0, MPI_BYTE, from, tag, site->comm, MPI_STATUS_IGNORE);
}

/* From processor 0's word to the root until the last one's word to processor 0. */
static void run_course(const struct site *site, const struct courses *of,
                       const struct course *course)
{
    tell(site, 0, course->root, TAG_BEGIN);
    broadcast_once(site, of, course->root);
    tell(site, course->last, 0, TAG_DONE);
}

/* ---- who is the last ---- */

/* An empty message between processor 0 and another, as all were measured before. */
static double expected_empty_s(const struct site *site, int other)
{
    if (other == 0)
        return 0.0;
    return 1e-6 * (site->together > 0 && other >= site->together ? site->far_us : site->near_us);
}

/* The same, measured: half the shortest round trip after one that lines the two up. */
static double empty_s(const struct site *site, int other)
{
    double shortest_s = INFINITY;
    if (other == 0)
        return 0.0;
    for (int i = -1; i < (site->is_exact ? 1 : PINGS); i++) {
        const double start_s = MPI_Wtime();
        tell(site, 0, other, TAG_PING);
        tell(site, other, 0, TAG_PING);
        if (i >= 0)
            shortest_s = fmin(shortest_s, MPI_Wtime() - start_s - site->reading_s);
    }
    return 0.5 * fmax(0.0, shortest_s);
}

/* Everybody is there, and waits for what processor 0 does next. */
static void line_up(const struct site *site)
{
    for (int other = 1; other < site->processors; other++)
        tell(site, other, 0, TAG_PING);
}

/* Everybody tells processor 0, which notes when each had it. */
static void ask_all(const struct site *site, const struct courses *of, int root, double *had_s)
{
    MPI_Request *requests = memory_new((size_t)site->processors, sizeof *requests);
    for (int i = 0; i < site->processors; i++)
        requests[i] = MPI_REQUEST_NULL;
    for (int other = 1; site->rank == 0 && other < site->processors; other++)
        if (other != root)
            MPI_Irecv(NULL, 0, MPI_BYTE, other, TAG_DONE, site->comm, &requests[other]);
    line_up(site);
    const double start_s = MPI_Wtime();
    tell(site, 0, root, TAG_BEGIN);
    broadcast_once(site, of, root);
    had_s[0] = root == 0 ? 0.0 : MPI_Wtime() - start_s;
    if (site->rank != 0 && site->rank != root)
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DONE, site->comm);
    for (int which = 0; site->rank == 0 && which != MPI_UNDEFINED;) {
        MPI_Waitany(site->processors, requests, &which, MPI_STATUS_IGNORE);
        if (which != MPI_UNDEFINED)
            had_s[which] = MPI_Wtime() - start_s - expected_empty_s(site, which);
    }
    free(requests);
}

/* The index of the largest, which is then the smallest. */
static int take_latest(double *had_s, int count)
{
    int latest = 0;
    for (int i = 1; i < count; i++)
        if (had_s[i] > had_s[latest])
            latest = i;
    had_s[latest] = -1.0;
    return latest;
}

/* So many told at the same time that the last one is known better when it alone tells. */
static void find_last(const struct site *site, const struct courses *of, struct course *course)
{
    double *had_s = memory_new((size_t)site->processors, sizeof *had_s);
    double latest_s = -1.0;
    int latest[TRIED] = {0};
    ask_all(site, of, course->root, had_s);
    for (int i = 0; i < TRIED; i++)
        latest[i] = take_latest(had_s, site->processors);
    free(had_s);
    MPI_Bcast(latest, TRIED, MPI_INT, 0, site->comm);
    const double begin_s = empty_s(site, course->root);
    for (int i = 0; i < TRIED; i++) {
        struct course tried = {course->root, latest[i], 0.0};
        if (latest[i] == course->root)
            continue;
        tried.empty_s = begin_s + empty_s(site, latest[i]);
        line_up(site);
        const double start_s = MPI_Wtime();
        run_course(site, of, &tried);
        const double all_s = MPI_Wtime() - start_s - tried.empty_s;
        if (all_s > latest_s)
            *course = tried;
        latest_s = fmax(latest_s, all_s);
    }
    MPI_Bcast(course, sizeof *course, MPI_BYTE, 0, site->comm);
}

/* ---- setting up ---- */

static void set_up(struct site *site, const struct tree *tree, bool in_parts)
{
    struct courses *of = memory_new(1, sizeof *of);
    *of = (struct courses){.tree = tree, .part_bytes = in_parts ? site->part_bytes : INT_MAX};
    of->count = 1;
    site->state = of;
    site->uses_per_run = 1;
    if (site->processors > 2)
        find_last(site, of, &of->each[0]);
    else
        of->each[0] = (struct course){.root = 0, .last = 1};
}

/* There and back between two, which needs no other message. */
static void set_up_completion(struct site *site, const struct tree *tree, bool in_parts)
{
    set_up(site, tree, in_parts);
    if (site->processors == 2)
        site->uses_per_run = 2;
}

/* Roots that are neither the first of all nor, as a rule, the first of their node. */
static void set_up_others(struct site *site)
{
    struct courses *of = memory_new(1, sizeof *of);
    const int roots[ROOTS_MOST] = {1, site->processors / 2, site->processors - 1};
    of->part_bytes = INT_MAX;
    site->state = of;
    for (int i = 0; i < ROOTS_MOST; i++)
        if (of->count == 0 || roots[i] > of->each[of->count - 1].root) {
            struct course *course = &of->each[of->count++];
            *course = (struct course){.root = roots[i]};
            find_last(site, of, course);
        }
}

static void tear_down(struct site *site)
{
    free(site->state);
}

/* ---- running ---- */

static void run_completion(struct site *site, long times)
{
    const struct courses *of = site->state;
    for (long i = 0; i < times; i++)
        if (site->processors == 2) {
            broadcast_once(site, of, 0);
            broadcast_once(site, of, 1);
        } else {
            run_course(site, of, &of->each[0]);
            site->excluded_s += of->each[0].empty_s;
        }
}

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over the roots: what is beyond it is left out. */
static void run_others(struct site *site, long times)
{
    const struct courses *of = site->state;
    double each_s[ROOTS_MOST] = {0.0}, all_s = 0.0;
    for (int k = 0; k < of->count; k++) {
        const double start_s = MPI_Wtime();
        for (long i = 0; i < times; i++)
            run_course(site, of, &of->each[k]);
        const double mine_s = MPI_Wtime() - start_s;
        each_s[k] = mine_s - (double)times * of->each[k].empty_s;
        all_s += mine_s + site->reading_s;
    }
    qsort(each_s, (size_t)of->count, sizeof *each_s, upwards);
    site->excluded_s += all_s - each_s[of->count / 2];
}

/* The last one tells the root that it has the message; the root's waiting is left out. */
static void run_sender(struct site *site, long times)
{
    const struct courses *of = site->state;
    for (long i = 0; i < times; i++) {
        broadcast_once(site, of, 0);
        const double start_s = MPI_Wtime();
        tell(site, of->each[0].last, 0, TAG_DONE);
        site->excluded_s += MPI_Wtime() - start_s + site->reading_s;
    }
}

/* ---- what differs ---- */

static void set_up_library(struct site *site)
{
    set_up_completion(site, NULL, false);
}

static void set_up_library_sender(struct site *site)
{
    set_up(site, NULL, false);
}

static void set_up_1m(struct site *site)
{
    set_up_completion(site, &tree_flat, false);
}

static void set_up_rd(struct site *site)
{
    set_up_completion(site, &tree_doubling, false);
}

static void set_up_prd(struct site *site)
{
    set_up_completion(site, &tree_doubling, true);
}

static void set_up_bt(struct site *site)
{
    set_up_completion(site, &tree_binary, false);
}

static void set_up_pbt(struct site *site)
{
    set_up_completion(site, &tree_binary, true);
}

static void set_up_bt_sender(struct site *site)
{
    set_up(site, &tree_binary, false);
}

static enum suits with_other_roots(int processors)
{
    return processors > 2 ? SUITS_WELL : SUITS_NOT;
}

/* ---- the rows ---- */

#define UNTIL_ALL_HAVE_IT                                                                          \
    .granule_bytes = 1, .measures = MEASURES_COMPLETION, .across = ACROSS_ROOT,                    \
    .run = run_completion, .teardown = tear_down

#define UNTIL_THE_ROOT_IS_DONE                                                                     \
    .granule_bytes = 1, .measures = MEASURES_SENDER, .across = ACROSS_ROOT, .run = run_sender,     \
    .teardown = tear_down

const struct utility utility_broadcast = {
    .name = "broadcast",
    .does = "one processor to all others (MPI_Bcast), until the last has received",
    .suite = "patterns",
    UNTIL_ALL_HAVE_IT,
    .empty_is_nothing = true,
    .counted = MEAN_DESTINATIONS,
    .setup = set_up_library,
    .tree = TREE_BINOMIAL,
};

/* 003:25, exbroadcast. */
const struct utility utility_BCAST = {
    .name = "BCAST",
    .does = "one to all broadcast (MPI_Bcast)",
    .suite = "express",
    .same = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .empty_is_nothing = true,
    .setup = set_up_library,
    .tree = TREE_BINOMIAL,
};

const struct utility utility_broadcast_sender = {
    .name = "broadcast-sender",
    .does = "one processor to all others (MPI_Bcast), until the sender is done",
    .suite = "broadcast",
    UNTIL_THE_ROOT_IS_DONE,
    .empty_is_nothing = true,
    .counted = MEAN_DESTINATIONS,
    .setup = set_up_library_sender,
};

const struct utility utility_broadcast_bc = {
    .name = "broadcast-bc",
    .does = "broadcast by the library (MPI_Bcast)",
    .suite = "broadcast",
    .same = "BCAST",
    UNTIL_ALL_HAVE_IT,
    .empty_is_nothing = true,
    .setup = set_up_library,
    .tree = TREE_BINOMIAL,
};

const struct utility utility_broadcast_bc_other = {
    .name = "broadcast-bc-other",
    .does = "broadcast by the library from other roots: the median of 1, p / 2 and p - 1",
    .suite = "broadcast",
    .granule_bytes = 1,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_ROOT,
    .empty_is_nothing = true,
    .suits = with_other_roots,
    .tree = TREE_BINOMIAL_OTHERS,
    .setup = set_up_others,
    .run = run_others,
    .teardown = tear_down,
};

const struct utility utility_broadcast_1m = {
    .name = "broadcast-1m",
    .does = "broadcast: the root sends to each, all at once",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .setup = set_up_1m,
    .tree = TREE_FLAT,
};

const struct utility utility_broadcast_rd = {
    .name = "broadcast-rd",
    .does = "broadcast by recursive doubling",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .setup = set_up_rd,
    .tree = TREE_DOUBLING,
};

const struct utility utility_broadcast_prd = {
    .name = "broadcast-prd",
    .does = "broadcast by recursive doubling, in parts of the best size",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .in_parts = true,
    .setup = set_up_prd,
    .whole = "broadcast-rd",
};

const struct utility utility_broadcast_bt = {
    .name = "broadcast-bt",
    .does = "broadcast by a binary tree",
    .suite = "broadcast",
    .same_of_two = "broadcast-rd",
    UNTIL_ALL_HAVE_IT,
    .setup = set_up_bt,
    .tree = TREE_BINARY,
};

const struct utility utility_broadcast_pbt = {
    .name = "broadcast-pbt",
    .does = "broadcast by a binary tree, in parts of the best size",
    .suite = "broadcast",
    .same_of_two = "broadcast-prd",
    UNTIL_ALL_HAVE_IT,
    .in_parts = true,
    .setup = set_up_pbt,
    .whole = "broadcast-bt",
};

const struct utility utility_broadcast_bt_sender = {
    .name = "broadcast-bt-sender",
    .does = "broadcast by a binary tree, until the sender is done",
    .suite = "broadcast",
    UNTIL_THE_ROOT_IS_DONE,
    .setup = set_up_bt_sender,
};
