/* Broadcasts (Abandah, IBM SP2): the library's (section 2.8) and the algorithms of chapter 3.

   Until the last has received: course.h says how. Between two processors that is a round trip of
   broadcasts, as point-to-point is of messages.

   Until the root is done: before the root goes on, the last one tells that it has the message,
   which is left out of the time. */
#include "broadcast/algorithm.h"
#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/utilities/course.h"
#include "trainer/utilities/utilities.h"

#include <limits.h>
#include <stdlib.h>

/* ---- setting up ---- */

static void set_up(struct site *site, const struct tree *tree, bool in_parts)
{
    struct courses *of = memory_new(1, sizeof *of);
    *of = (struct courses){.tree = tree, .part_bytes = in_parts ? site->part_bytes : INT_MAX};
    of->count = 1;
    site->state = of;
    site->uses_per_run = 1;
    if (site->processors > 2)
        course_find_last(site, of, &of->each[0]);
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
    const int roots[COURSE_ROOTS_MOST] = {1, site->processors / 2, site->processors - 1};
    of->part_bytes = INT_MAX;
    site->state = of;
    for (int i = 0; i < COURSE_ROOTS_MOST; i++)
        if (of->count == 0 || roots[i] > of->each[of->count - 1].root) {
            struct course *course = &of->each[of->count++];
            *course = (struct course){.root = roots[i]};
            course_find_last(site, of, course);
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
            course_broadcast(site, of, 0);
            course_broadcast(site, of, 1);
        } else {
            course_run(site, of, &of->each[0]);
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
    double each_s[COURSE_ROOTS_MOST] = {0.0}, all_s = 0.0;
    for (int k = 0; k < of->count; k++) {
        const double start_s = clock_s();
        for (long i = 0; i < times; i++)
            course_run(site, of, &of->each[k]);
        const double mine_s = clock_s() - start_s;
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
        course_broadcast(site, of, 0);
        const double start_s = clock_s();
        course_done(site, &of->each[0]);
        site->excluded_s += clock_s() - start_s + site->reading_s;
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
    .pattern = &pattern_broadcast,
    .does = "one processor to all others (MPI_Bcast), until the last has received",
    .suite = "patterns",
    UNTIL_ALL_HAVE_IT,
    .empty_is_nothing = true,
    .setup = set_up_library,
    .tree = TREE_BINOMIAL,
};

/* Balasundaram, Static Performance Estimator, exbroadcast. */
const struct utility utility_BCAST = {
    .pattern = &pattern_BCAST,
    .does = "one to all broadcast (MPI_Bcast)",
    .suite = "express",
    UNTIL_ALL_HAVE_IT,
    .empty_is_nothing = true,
    .setup = set_up_library,
    .tree = TREE_BINOMIAL,
};

const struct utility utility_broadcast_sender = {
    .pattern = &pattern_broadcast_sender,
    .does = "one processor to all others (MPI_Bcast), until the sender is done",
    .suite = "broadcast",
    UNTIL_THE_ROOT_IS_DONE,
    .empty_is_nothing = true,
    .setup = set_up_library_sender,
};

const struct utility utility_broadcast_bc = {
    .pattern = &pattern_broadcast_bc,
    .does = "broadcast by the library (MPI_Bcast)",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .empty_is_nothing = true,
    .setup = set_up_library,
    .tree = TREE_BINOMIAL,
};

const struct utility utility_broadcast_bc_other = {
    .pattern = &pattern_broadcast_bc_other,
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
    .pattern = &pattern_broadcast_1m,
    .does = "broadcast: the root sends to each, all at once",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .setup = set_up_1m,
    .tree = TREE_FLAT,
};

const struct utility utility_broadcast_rd = {
    .pattern = &pattern_broadcast_rd,
    .does = "broadcast by recursive doubling",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .setup = set_up_rd,
    .tree = TREE_DOUBLING,
};

const struct utility utility_broadcast_prd = {
    .pattern = &pattern_broadcast_prd,
    .does = "broadcast by recursive doubling, in parts of the best size",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .in_parts = true,
    .piles_up = 1,
    .setup = set_up_prd,
};

const struct utility utility_broadcast_bt = {
    .pattern = &pattern_broadcast_bt,
    .does = "broadcast by a binary tree",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .setup = set_up_bt,
    .tree = TREE_BINARY,
};

const struct utility utility_broadcast_pbt = {
    .pattern = &pattern_broadcast_pbt,
    .does = "broadcast by a binary tree, in parts of the best size",
    .suite = "broadcast",
    UNTIL_ALL_HAVE_IT,
    .in_parts = true,
    .piles_up = 1,
    .setup = set_up_pbt,
};

const struct utility utility_broadcast_bt_sender = {
    .pattern = &pattern_broadcast_bt_sender,
    .does = "broadcast by a binary tree, until the sender is done",
    .suite = "broadcast",
    UNTIL_THE_ROOT_IS_DONE,
    .setup = set_up_bt_sender,
};
