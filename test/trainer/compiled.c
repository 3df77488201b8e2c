/* What the trainer makes of the cycles of its compiled loops and chains. */
#include "trainer/node/compiled.h"

#include "model/base/allocation.h"
#include "test/suite.h"

#include <stdlib.h>

/* A node whose units are never the limit's business here: one, of a cycle an operation. */
static void begin(struct node *node)
{
    record_begin(&node_record, node);
    struct unit *unit = list_add(&unit_record, &node->units);
    unit->name = memory_copy_text("all");
    for (int k = 0; k < OPERATION_COUNT; k++)
        unit->cycles.of[k] = 1.0;
}

START_TEST(chains_are_latencies_and_no_shares)
{
    struct node node;
    double *cycles = memory_new(compiled_count, sizeof *cycles);
    size_t chains = 0;
    begin(&node);
    for (size_t i = 0; i < compiled_count; i++) {
        cycles[i] = compiled_is_chain(i) ? 1000.0 + 100.0 * (double)chains : 10.0;
        chains += compiled_is_chain(i);
    }
    compiled_set(&node.compiled, &node, cycles);
    ck_assert_uint_eq(node.compiled.kernels.count, compiled_count - chains);
    const struct compiled_kernel *kernels = node.compiled.kernels.items;
    for (size_t i = 0; i < node.compiled.kernels.count; i++) /* those that statements may name */
        ck_assert_str_eq(kernels[i].name, kernel_names[i]);
    ck_assert_ptr_null(kernel_names[node.compiled.kernels.count]);
    ck_assert_double_gt(node.compiled.share_low, 0.05); /* of 1000 cycles it would be less */
    const double *of = node.compiled.latency_cycles.of;
    ck_assert_double_eq(of[OPERATION_ADD], 1000.0);
    ck_assert_double_eq(of[OPERATION_MUL], 1100.0);
    ck_assert_double_eq(of[OPERATION_MADD], 1200.0);
    ck_assert_double_eq(of[OPERATION_DIV], 1300.0);
    ck_assert_double_eq(of[OPERATION_SQRT], 0.0);
    free(cycles);
    record_free(&node_record, &node);
}
END_TEST

START_TEST(latencies_are_rounded_as_all)
{
    struct node node;
    double *cycles = memory_new(compiled_count, sizeof *cycles);
    begin(&node);
    for (size_t i = 0; i < compiled_count; i++)
        cycles[i] = 8.03;
    compiled_set(&node.compiled, &node, cycles);
    ck_assert_double_eq(node.compiled.latency_cycles.of[OPERATION_MADD], 8.0);
    free(cycles);
    record_free(&node_record, &node);
}
END_TEST

SUITE("compiled", chains_are_latencies_and_no_shares, latencies_are_rounded_as_all)
