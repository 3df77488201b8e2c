/* Launches of one machine, each with a factor of its own, as one table. */
#include "model/tables/merge.h"
#include "model/base/allocation.h"
#include "test/suite.h"

#include <math.h>
#include <stdlib.h>

static const double factors[] = {0.8, 1.5, 1.0, 1.2, 1.5};
enum { LAUNCHES = sizeof factors / sizeof *factors };

/* T = factor p (5 + n / 200) up to 1024 bytes, factor p (30 + n / 950) above. */
static void add_regions(struct list *list, double factor, double p)
{
    *(struct region *)list_add(&region_record, list) =
        region_hockney(1024, 5 * factor * p, 200 / (factor * p));
    *(struct region *)list_add(&region_record, list) =
        region_hockney(INFINITY, 30 * factor * p, 950 / (factor * p));
    for (size_t i = 0; i < 2; i++)
        ((struct region *)list->items)[i].error.held_out_p95 = 0.03;
}

static struct cost *add_cost(struct machine *machine, const char *utility)
{
    struct cost *cost = list_add(&cost_record, &machine->communication);
    cost->utility = memory_copy_text(utility);
    cost->bytes = (struct span){0, 65536};
    cost->processors = (struct span){2, 2};
    cost->points = 50;
    return cost;
}

static void begin(struct machine launches[LAUNCHES])
{
    for (size_t k = 0; k < LAUNCHES; k++) {
        launches[k] = machine_begin();
        add_regions(&add_cost(&launches[k], "exchange")->regions, factors[k], 1);
    }
}

static void end(struct machine launches[LAUNCHES])
{
    for (size_t k = 0; k < LAUNCHES; k++)
        machine_free(&launches[k]);
}

START_TEST(the_lower_quartile_over_launches_and_how_far_they_are_from_it)
{
    struct machine launches[LAUNCHES];
    struct error error;
    begin(launches);
    ck_assert_int_eq(machine_merge(launches, LAUNCHES, &error), 0);
    const struct cost *cost = machine_cost(&launches[0], "exchange");
    const struct region *regions = cost->regions.items;
    ck_assert_uint_eq(cost->regions.count, 2);
    ck_assert_double_eq(regions[0].bytes_upto, 1024);
    ck_assert_double_eq_tol(form_value(&regions[0].setup_us, 2), 5, 1e-6);
    ck_assert_double_eq_tol(form_value(&regions[1].per_byte_us, 2), 1.0 / 950, 1e-9);
    ck_assert_double_eq_tol(regions[1].error.launches_p95, 0.5, 1e-6);
    ck_assert_double_eq_tol(regions[1].error.held_out_p95, 0.03, 1e-12);
    ck_assert_double_eq(cost->launches, 5);
    ck_assert_double_eq(cost->points, 250);
    /* Every launch is within the interval. */
    struct cost_answer answer;
    ck_assert_int_eq(cost_answer(cost, 4096, 2, &answer, &error), 0);
    const double truth_us = 30 + 4096 / 950.0;
    ck_assert_double_le(answer.low_us, 0.8 * truth_us);
    ck_assert_double_ge(answer.high_us, 1.5 * truth_us);
    end(launches);
}
END_TEST

START_TEST(a_launch_that_was_much_quicker_is_within_the_interval_too)
{
    struct machine launches[LAUNCHES];
    struct error error;
    struct cost_answer answer;
    begin(launches);
    struct list *quick = &((struct cost *)launches[0].communication.items)->regions;
    list_free(&region_record, quick);
    add_regions(quick, 0.25, 1);
    ck_assert_int_eq(machine_merge(launches, LAUNCHES, &error), 0);
    const struct cost *cost = machine_cost(&launches[0], "exchange");
    ck_assert_int_eq(cost_answer(cost, 4096, 2, &answer, &error), 0);
    ck_assert_double_eq_tol(answer.time_us, 30 + 4096 / 950.0, 1e-6);
    ck_assert_double_eq_tol(answer.region->error.launches_p95, 3, 1e-6);
    ck_assert_double_le(answer.low_us, 0.25 * answer.time_us);
    end(launches);
}
END_TEST

START_TEST(what_a_launch_lacks_is_not_in_the_table)
{
    struct machine launches[LAUNCHES];
    struct error error;
    begin(launches);
    add_regions(&add_cost(&launches[0], "combine")->regions, 1, 1);
    ck_assert_int_eq(machine_merge(launches, LAUNCHES, &error), 0);
    ck_assert_ptr_null(machine_cost(&launches[0], "combine"));
    ck_assert_ptr_nonnull(machine_cost(&launches[0], "exchange"));
    ck_assert_uint_eq(launches[0].not_measured.count, 1);
    end(launches);
}
END_TEST

START_TEST(packets_that_all_launches_found_stay)
{
    struct machine launches[LAUNCHES];
    struct error error;
    begin(launches);
    for (size_t k = 0; k < LAUNCHES; k++) {
        struct cost *cost = add_cost(&launches[k], "one-to-many");
        struct region *region = list_add(&region_record, &cost->regions);
        *region = region_hockney(INFINITY, 5 * factors[k], 200 / factors[k]);
        region->packet_bytes = 232;
        region->first_packet_bytes = 216;
        region->per_packet_us = 3 * factors[k];
    }
    ck_assert_int_eq(machine_merge(launches, LAUNCHES, &error), 0);
    const struct cost *cost = machine_cost(&launches[0], "one-to-many");
    const struct region *regions = cost->regions.items;
    ck_assert_uint_eq(cost->regions.count, 1);
    ck_assert_double_eq(regions[0].packet_bytes, 232);
    ck_assert_double_eq(regions[0].first_packet_bytes, 216);
    ck_assert_double_eq_tol(regions[0].per_packet_us, 3, 1e-6);
    ck_assert_double_eq_tol(form_value(&regions[0].setup_us, 2), 5, 1e-5);
    end(launches);
}
END_TEST

/* At p = 8 launches are farther from one another than elsewhere, at p = 4 each is less sure of
   itself: the quartile is the same, the errors are the largest of all p. */
static void add_at(struct cost *cost, size_t launch, double p)
{
    static const double farther[] = {0.5, 2.0, 1.0, 2.0, 1.5};
    struct at_processors *at = list_add(&at_processors_record, &cost->by_processors);
    at->processors = p;
    add_regions(&at->regions, p == 8 ? farther[launch] : factors[launch], p);
    for (size_t i = 0; i < 2 && p == 4; i++)
        ((struct region *)at->regions.items)[i].error.held_out_p95 = 0.2;
}

START_TEST(terms_in_p_are_learned_from_the_merged_regions)
{
    struct machine launches[LAUNCHES];
    struct error error;
    begin(launches);
    for (size_t k = 0; k < LAUNCHES; k++) {
        struct cost *cost = add_cost(&launches[k], "many-to-many");
        cost->processors = (struct span){2, 8};
        add_regions(&cost->regions, factors[k], 1);
        for (int p = 2; p <= 8; p++)
            add_at(cost, k, p);
    }
    ck_assert_int_eq(machine_merge(launches, LAUNCHES, &error), 0);
    struct cost_answer answer;
    const struct cost *cost = machine_cost(&launches[0], "many-to-many");
    ck_assert_uint_eq(cost->by_processors.count, 7);
    ck_assert_double_eq(((const struct at_processors *)cost->by_processors.items)[0].processors, 2);
    ck_assert_int_eq(cost_answer(cost, 512, 20, &answer, &error), 0);
    ck_assert_double_eq_tol(answer.time_us, 20 * (5 + 512 / 200.0), 1e-4);
    ck_assert_double_eq_tol(answer.region->error.launches_p95, 1.0, 1e-6);
    ck_assert_double_eq_tol(answer.region->error.held_out_p95, 0.2, 1e-12);
    end(launches);
}
END_TEST

/* A broadcast by recursive doubling is ceil(log2 p) messages deep. */
START_TEST(what_a_message_along_a_tree_takes_is_carried)
{
    static const double counts[] = {2, 3, 4, 6, 8, 11, 16, 32};
    struct machine launches[LAUNCHES];
    struct error error;
    for (size_t k = 0; k < LAUNCHES; k++) {
        launches[k] = machine_begin();
        struct cost *cost = add_cost(&launches[k], "broadcast-rd");
        cost->processors = (struct span){2, 32};
        cost->tree = TREE_DOUBLING;
        add_regions(&cost->hops, factors[k], 1);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            struct at_processors *at = list_add(&at_processors_record, &cost->by_processors);
            at->processors = counts[i];
            add_regions(&at->regions, factors[k], ceil(log2(counts[i])));
        }
        add_regions(&cost->regions, factors[k], 5);
    }
    ck_assert_int_eq(machine_merge(launches, LAUNCHES, &error), 0);
    const struct cost *cost = machine_cost(&launches[0], "broadcast-rd");
    ck_assert_int_eq(cost->tree, TREE_DOUBLING);
    ck_assert_uint_eq(cost->hops.count, 2);
    const struct region *hops = cost->hops.items;
    ck_assert_double_eq_tol(form_value(&hops[0].setup_us, 2), 5, 1e-6);
    ck_assert_double_eq_tol(form_value(&hops[1].per_byte_us, 2), 1.0 / 950, 1e-9);
    ck_assert_double_eq_tol(hops[0].error.launches_p95, 0.5, 1e-6);
    for (double p = 2; p <= 32; p++)
        ck_assert_double_eq_tol(cost_hops_time_us(cost, 512, p, 0),
                                ceil(log2(p)) * (5 + 512 / 200.0), 1e-5);
    end(launches);
}
END_TEST

/* The broadcast above, whole and in parts of 256 bytes, of which launches may choose others. */
static const struct cost *merged_in_parts(struct machine *launches, bool alike)
{
    static const double counts[] = {2, 3, 4, 5, 8};
    static const char *const names[] = {"broadcast-rd", "broadcast-prd"};
    struct error error;
    for (size_t k = 0; k < LAUNCHES; k++) {
        launches[k] = machine_begin();
        for (size_t n = 0; n < 2; n++) {
            struct cost *cost = add_cost(&launches[k], names[n]);
            cost->processors = (struct span){2, 8};
            cost->tree = TREE_DOUBLING;
            cost->part_bytes = n == 0 ? (double)NAN : alike || k == 0 ? 256.0 : 512.0;
            add_regions(&cost->hops, factors[k], 1);
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                struct at_processors *at = list_add(&at_processors_record, &cost->by_processors);
                at->processors = counts[i];
                add_regions(&at->regions, factors[k], n == 0 ? ceil(log2(counts[i])) : 40.0);
            }
            add_regions(&cost->regions, factors[k], 5);
        }
    }
    ck_assert_int_eq(machine_merge(launches, LAUNCHES, &error), 0);
    return machine_cost(&launches[0], names[1]);
}

START_TEST(in_parts_the_messages_of_the_same_broadcast_are_taken_where_parts_are_alike)
{
    struct machine launches[LAUNCHES];
    const struct cost *cost = merged_in_parts(launches, true);
    ck_assert_uint_eq(cost->hops.count, 2);
    ck_assert_double_eq_tol(cost_hops_time_us(cost, 512, 2, 0), 2 * (5 + 256 / 200.0), 1e-5);
    ck_assert_double_ge(((const struct region *)cost->hops.items)[0].error.launches_p95, 0.49);
    end(launches);
    cost = merged_in_parts(launches, false);
    ck_assert_uint_eq(cost->hops.count, 0);
    end(launches);
}
END_TEST

SUITE("merge", the_lower_quartile_over_launches_and_how_far_they_are_from_it,
      a_launch_that_was_much_quicker_is_within_the_interval_too,
      what_a_launch_lacks_is_not_in_the_table, packets_that_all_launches_found_stay,
      terms_in_p_are_learned_from_the_merged_regions, what_a_message_along_a_tree_takes_is_carried,
      in_parts_the_messages_of_the_same_broadcast_are_taken_where_parts_are_alike)
