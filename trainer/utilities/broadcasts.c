/* Broadcasts: the library's (001:383) and the algorithms of 001 chapter 3.

   Until the last has received (R146). Clocks of two processors cannot be compared, a barrier
   releases the root early, and broadcasts repeated from one root overlap. The report lets the
   processor that received last be the next root (R147); here it broadcasts back, in the mirrored
   tree, in which the first root receives last. So one repetition is a round trip of broadcasts, as
   point-to-point is of messages: it begins and ends at processor 0, whose clock alone is read, and
   nothing overlaps. Which processor is the last one follows from the tree; in the library's it is
   taken to be the last of a binomial tree, and where the library serves another one later the time
   is a lower bound.

   Until the root is done (R114, R161): before the root goes on, the last one tells that it has the
   message, which is left out of the time. */
#include "broadcast/algorithm.h"
#include "trainer/utilities.h"

#include <limits.h>

enum { TAG_DONE = 78 };

/* ---- the library's ---- */

/* In a binomial tree that serves the farthest first, the rank behind the most hops, which is also
   among those that wait longest where a processor sends one message after the other. */
static int last_of_library(int processors)
{
    int power = 1;
    while (power <= processors / 2)
        power *= 2;
    return power - 1;
}

static void run_library(struct site *site, long times)
{
    const int last_mirrored = site->processors - 1 - last_of_library(site->processors);
    for (long i = 0; i < times; i++) {
        MPI_Bcast(site->send, site->bytes, MPI_BYTE, 0, site->comm);
        MPI_Bcast(site->send, site->bytes, MPI_BYTE, last_mirrored, site->mirrored);
    }
}

/* The last one tells the root that it has the message; the root's waiting is left out. */
static void acknowledge(struct site *site, int last)
{
    if (site->rank == last)
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DONE, site->comm);
    if (site->rank != 0)
        return;
    const double start_s = MPI_Wtime();
    MPI_Recv(NULL, 0, MPI_BYTE, last, TAG_DONE, site->comm, MPI_STATUS_IGNORE);
    site->excluded_s += MPI_Wtime() - start_s + site->reading_s;
}

static void run_library_sender(struct site *site, long times)
{
    for (long i = 0; i < times; i++) {
        MPI_Bcast(site->send, site->bytes, MPI_BYTE, 0, site->comm);
        acknowledge(site, last_of_library(site->processors));
    }
}

/* ---- the algorithms ---- */

static void run_tree(struct site *site, const struct tree *tree, int part_bytes, long times)
{
    const int last = tree_last_receiver(tree, site->processors, NULL);
    const struct broadcast there = {tree, site->comm, 0, 1, part_bytes};
    const struct broadcast back = {tree, site->comm, last, -1, part_bytes};
    for (long i = 0; i < times; i++) {
        broadcast_run(&there, site->send, site->bytes);
        broadcast_run(&back, site->send, site->bytes);
    }
}

static void run_1m(struct site *site, long times)
{
    run_tree(site, &tree_flat, INT_MAX, times);
}

static void run_rd(struct site *site, long times)
{
    run_tree(site, &tree_doubling, INT_MAX, times);
}

static void run_prd(struct site *site, long times)
{
    run_tree(site, &tree_doubling, site->part_bytes, times);
}

static void run_bt(struct site *site, long times)
{
    run_tree(site, &tree_binary, INT_MAX, times);
}

static void run_pbt(struct site *site, long times)
{
    run_tree(site, &tree_binary, site->part_bytes, times);
}

static void run_bt_sender(struct site *site, long times)
{
    const int last = tree_last_receiver(&tree_binary, site->processors, NULL);
    const struct broadcast broadcast = {&tree_binary, site->comm, 0, 1, INT_MAX};
    for (long i = 0; i < times; i++) {
        broadcast_run(&broadcast, site->send, site->bytes);
        acknowledge(site, last);
    }
}

/* ---- the rows ---- */

#define UNTIL_ALL_HAVE_IT                                                                          \
    .granule_bytes = 1, .uses_per_run = 2, .measures = MEASURES_COMPLETION, .across = ACROSS_ROOT

#define UNTIL_THE_ROOT_IS_DONE                                                                     \
    .granule_bytes = 1, .uses_per_run = 1, .measures = MEASURES_SENDER, .across = ACROSS_ROOT

const struct utility utility_broadcast = {
    .name = "broadcast",
    .does = "one processor to all others (MPI_Bcast), until the last has received",
    .suite = "patterns",
    UNTIL_ALL_HAVE_IT,
    .empty_is_nothing = true,
    .counted = MEAN_DESTINATIONS,
    .run = run_library,
};

/* 003:25, exbroadcast. */
const struct utility utility_BCAST = {
    .name = "BCAST",
    .does = "one to all broadcast (MPI_Bcast)",
    .suite = "express",
    UNTIL_ALL_HAVE_IT,
    .empty_is_nothing = true,
    .run = run_library,
};

const struct utility utility_broadcast_sender = {
    .name = "broadcast-sender",
    .does = "one processor to all others (MPI_Bcast), until the sender is done",
    .suite = "broadcast",
    UNTIL_THE_ROOT_IS_DONE,
    .empty_is_nothing = true,
    .counted = MEAN_DESTINATIONS,
    .run = run_library_sender,
};

const struct utility utility_broadcast_bc = {
    .name = "broadcast-bc",
    .does = "broadcast by the library (MPI_Bcast)",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .empty_is_nothing = true,
    .run = run_library,
};

const struct utility utility_broadcast_1m = {
    .name = "broadcast-1m",
    .does = "broadcast: the root sends to each, all at once",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .run = run_1m,
};

const struct utility utility_broadcast_rd = {
    .name = "broadcast-rd",
    .does = "broadcast by recursive doubling",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .run = run_rd,
};

const struct utility utility_broadcast_prd = {
    .name = "broadcast-prd",
    .does = "broadcast by recursive doubling, in parts of the best size",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .in_parts = true,
    .run = run_prd,
};

const struct utility utility_broadcast_bt = {
    .name = "broadcast-bt",
    .does = "broadcast by a binary tree",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .run = run_bt,
};

const struct utility utility_broadcast_pbt = {
    .name = "broadcast-pbt",
    .does = "broadcast by a binary tree, in parts of the best size",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .in_parts = true,
    .run = run_pbt,
};

const struct utility utility_broadcast_bt_sender = {
    .name = "broadcast-bt-sender",
    .does = "broadcast by a binary tree, until the sender is done",
    .suite = "broadcast",
    UNTIL_THE_ROOT_IS_DONE,
    .run = run_bt_sender,
};
