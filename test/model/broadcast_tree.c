/* The three broadcast trees against the listings of Abandah, IBM SP2, chapter 3. */
#include "model/base/allocation.h"
#include "model/cost/tree.h"
#include "test/suite.h"

#include <stdlib.h>

static const struct tree *const trees[] = {&tree_flat, &tree_doubling, &tree_binary};

START_TEST(everybody_has_one_parent_who_has_that_child)
{
    for (size_t t = 0; t < 3; t++)
        for (int p = 1; p <= 70; p++)
            for (int me = 1; me < p; me++) {
                const int parent = trees[t]->parent(me, p);
                int found = 0;
                ck_assert_int_lt(parent, me);
                for (int which = 0, child; (child = trees[t]->child(parent, p, which)) >= 0;
                     which++)
                    found += child == me;
                ck_assert_int_eq(found, 1);
            }
}
END_TEST

START_TEST(children_are_as_many_as_there_are_others)
{
    for (size_t t = 0; t < 3; t++)
        for (int p = 1; p <= 70; p++) {
            int children = 0;
            for (int me = 0; me < p; me++)
                for (int which = 0; trees[t]->child(me, p, which) >= 0; which++)
                    children++;
            ck_assert_int_eq(children, p - 1);
        }
}
END_TEST

START_TEST(stages_of_recursive_doubling)
{
    /* Abandah, IBM SP2, section 3.4: in stage i the processors 0..2^i - 1 send to 2^i..2^(i+1) -
       1. */
    ck_assert_int_eq(tree_doubling.parent(5, 8), 1);
    ck_assert_int_eq(tree_doubling.parent(6, 8), 2);
    ck_assert_int_eq(tree_doubling.parent(4, 8), 0);
    ck_assert_int_eq(tree_doubling.child(0, 8, 2), 4);
    ck_assert_int_eq(tree_doubling.child(0, 8, 3), -1);
    ck_assert_int_eq(tree_doubling.child(1, 6, 0), 3);
    ck_assert_int_eq(tree_doubling.child(1, 6, 1), 5);
    ck_assert_int_eq(tree_doubling.child(2, 6, 0), -1);
}
END_TEST

/* Who receives last where every message takes one unit of time and a processor sends one after the
   other; of equals the highest. *units: after how many units. */
static int last_receiver(const struct tree *tree, int processors, int *units)
{
    int last = 0, latest = 0;
    int *received = memory_new((size_t)processors, sizeof *received);
    /* A parent stands before its children in all trees, so one pass upwards suffices. */
    for (int me = 0; me < processors; me++) {
        for (int which = 0, child; (child = tree->child(me, processors, which)) >= 0; which++)
            received[child] = received[me] + which + 1;
        if (received[me] >= latest) {
            latest = received[me];
            last = me;
        }
    }
    free(received);
    *units = latest;
    return last;
}

START_TEST(doubling_ends_after_ceil_log2_units)
{
    static const int expected[] = {0, 0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5};
    for (int p = 1; p < 18; p++) {
        int units;
        const int last = last_receiver(&tree_doubling, p, &units);
        ck_assert_int_eq(units, expected[p]);
        ck_assert_int_eq(last, p - 1);
    }
}
END_TEST

START_TEST(flat_ends_with_the_last_of_the_ring)
{
    for (int p = 2; p < 40; p++) {
        int units;
        ck_assert_int_eq(last_receiver(&tree_flat, p, &units), p - 1);
        ck_assert_int_eq(units, p - 1);
    }
}
END_TEST

START_TEST(binary_ends_where_right_turns_add_up)
{
    int units;
    /* p = 7: root sends left at 1, right at 2; rank 2 sends 5 at 3, 6 at 4. */
    ck_assert_int_eq(last_receiver(&tree_binary, 7, &units), 6);
    ck_assert_int_eq(units, 4);
    /* p = 6: 5 at 3, and 4 (right of 1) at 3: of equals the highest. */
    ck_assert_int_eq(last_receiver(&tree_binary, 6, &units), 5);
    ck_assert_int_eq(units, 3);
    /* p = 8: 7 is the left of 3 (at 2), so 3; 6 is later. */
    ck_assert_int_eq(last_receiver(&tree_binary, 8, &units), 6);
    ck_assert_int_eq(units, 4);
}
END_TEST

SUITE("broadcast-tree", everybody_has_one_parent_who_has_that_child,
      children_are_as_many_as_there_are_others, stages_of_recursive_doubling,
      doubling_ends_after_ceil_log2_units, flat_ends_with_the_last_of_the_ring,
      binary_ends_where_right_turns_add_up)
