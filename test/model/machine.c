/* Machine tables in and out, and the node's arithmetic. */
#include "model/machine/machine.h"

#include "model/base/allocation.h"
#include "test/scratch.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const tables[] = {"power2-thin", "sp1-mpl",  "sp2-ip",
                                     "sp2-mpl",     "sp2-pvme", "spp1000-convexpvm"};
enum { TABLE_COUNT = sizeof tables / sizeof *tables };

static struct machine published(const char *name)
{
    struct machine machine;
    char *path = memory_format("%s/machines/%s.yaml", getenv("FORECOST_SOURCE"), name);
    ck_assert_int_eq(machine_read(&machine, path, NULL), 0);
    free(path);
    return machine;
}

static char *written(const struct machine *machine)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    ck_assert(machine_write(machine, stream));
    fclose(stream);
    return text;
}

static void same_answers(const struct machine *a, const struct machine *b)
{
    const struct cost *x = a->communication.items, *y = b->communication.items;
    ck_assert_uint_eq(a->communication.count, b->communication.count);
    for (size_t i = 0; i < a->communication.count; i++)
        for (double p = 1; p <= 40; p++)
            for (double n = 0; n <= 2e6; n = n < 300 ? n + 1 : floor(1.3 * n)) {
                struct cost_answer one, two;
                const int status = cost_answer(&x[i], n, p, &one, NULL);
                ck_assert_int_eq(cost_answer(&y[i], n, p, &two, NULL), status);
                if (status != 0)
                    continue;
                ck_assert_double_eq(one.time_us, two.time_us);
                ck_assert_double_eq(one.high_us, two.high_us);
                ck_assert_uint_eq(one.flags, two.flags);
            }
}

START_TEST(a_table_written_and_read_is_the_same_table)
{
    char *path = scratch_path("table.yaml");
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        struct machine first = published(tables[i]), second;
        ck_assert_int_eq(machine_save(&first, path, NULL), 0);
        ck_assert_int_eq(machine_read(&second, path, NULL), 0);
        same_answers(&first, &second);
        char *once = written(&first), *twice = written(&second);
        ck_assert_str_eq(once, twice);
        free(once);
        free(twice);
        machine_free(&first);
        machine_free(&second);
    }
    remove_scratch(path);
}
END_TEST

START_TEST(quotients_stay_as_they_were_printed)
{
    struct machine machine = published("sp2-pvme");
    char *text = written(&machine);
    ck_assert_ptr_nonnull(strstr(text, "per_byte_us: {p: 1/21.1}"));
    ck_assert_ptr_nonnull(strstr(text, "p-2: 1/4.8"));
    free(text);
    machine_free(&machine);
}
END_TEST

START_TEST(what_cannot_be_written_is_an_error_and_leaves_nothing)
{
    struct machine machine = published("sp2-ip");
    struct error error;
    ck_assert_int_eq(machine_save(&machine, "/nonexistent/folder/t.yaml", &error), -1);
    ck_assert_str_eq(error.text, "cannot be written: No such file or directory");
    ck_assert_str_eq(error.file, "/nonexistent/folder/t.yaml");
    char *path = scratch_path("folder");
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(machine_save(&machine, path, &error), -1); /* a folder stands there */
    ck_assert_int_eq(rmdir(path), 0);
    remove_scratch(path);
    machine_free(&machine);
}
END_TEST

START_TEST(saving_replaces_the_table_whole)
{
    char *path = scratch_path("table.yaml");
    struct machine large = published("sp2-mpl"), small = published("sp2-ip"), back;
    ck_assert_int_eq(machine_save(&large, path, NULL), 0);
    ck_assert_int_eq(machine_save(&small, path, NULL), 0);
    ck_assert_int_eq(machine_read(&back, path, NULL), 0);
    ck_assert_str_eq(back.machine.name, "sp2-ip");
    ck_assert_uint_eq(back.communication.count, 1);
    machine_free(&large);
    machine_free(&small);
    machine_free(&back);
    remove_scratch(path);
}
END_TEST

START_TEST(an_unknown_utility_is_answered_with_the_known_ones)
{
    struct machine machine = published("sp2-mpl");
    const struct cost *cost;
    struct error error;
    ck_assert_int_eq(machine_require(&machine, "combine", &cost, &error), 0);
    ck_assert_str_eq(cost->utility, "combine");
    ck_assert_int_eq(machine_require(&machine, "one-to-mny", &cost, &error), -1);
    ck_assert_ptr_nonnull(strstr(error.text, "did you mean 'one-to-many'?"));
    ck_assert_ptr_nonnull(strstr(error.text, "synchronization"));
    machine_free(&machine);
}
END_TEST

/* Table 5.2 (Abandah, IBM SP2, section 5.5.2): all data in cache, dependences apart. t_l as
   printed. */
START_TEST(the_node_bounds_livermore_kernels_as_published)
{
    static const struct {
        double mul, add, madd, store, load, cycles;
        const char *limit; /* NULL: several */
    } truth[] = {
        {1, 0, 2,  1,  2,  1.5,  NULL }, /* LFK 1 */
        {0, 0, 2,  1,  2,  1.5,  "fxu"},
        {0, 0, 1,  0,  2,  1.0,  NULL },
        {0, 0, 1,  0,  2,  1.0,  NULL },
        {1, 1, 0,  1,  2,  1.5,  "fxu"},
        {0, 0, 1,  0,  2,  1.0,  NULL },
        {0, 0, 8,  1,  3,  4.0,  "fpu"},
        {0, 6, 15, 6,  9,  10.5, "fpu"},
        {1, 2, 7,  1,  10, 5.5,  "fxu"},
        {0, 9, 0,  10, 10, 10.0, "fxu"},
        {0, 1, 0,  1,  1,  1.0,  "fxu"},
        {0, 1, 0,  1,  1,  1.0,  "fxu"},
    };
    struct machine machine = published("sp2-mpl");
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        const struct operations count = {
            {truth[i].add, truth[i].mul, truth[i].madd, 0, 0, truth[i].load, truth[i].store}
        };
        const struct unit *limiting;
        double time_us;
        ck_assert_double_eq_tol(node_bound_cycles(machine.node, &count, &limiting), truth[i].cycles,
                                1e-12);
        if (truth[i].limit)
            ck_assert_str_eq(limiting->name, truth[i].limit);
        ck_assert_int_eq(node_time_us(machine.node, &count, &time_us, NULL, NULL), 0);
        ck_assert_double_eq_tol(time_us, truth[i].cycles / 66.7, 1e-12);
    }
    machine_free(&machine);
}
END_TEST

/* Every key of the section, an interval, main memory, and what is not known. */
static const char memory_text[] =
    "forecost: 4\n"
    "machine:\n"
    "  name: t\n"
    "memory:\n"
    "  clock_mhz: 2800\n"
    "  levels:\n"
    "    - {level: 1, capacity_bytes: 49152, line_bytes: 64, ways: 12, ports: 3, method: sets, "
    "load_cycles: 5, store_cycles: 1, load_ns: 1.25, store_ns: 0.25, load_line_cycles: 0.5, "
    "store_line_cycles: 0.75, load_line_cycles_least: 0.25, store_line_cycles_least: 0.625, "
    "load_mb_per_s: 250000, store_mb_per_s: 120000, pair_ratio: 1.01, "
    "told_capacity_bytes: 49152, told_line_bytes: 64, told_ways: 12}\n"
    "    - {level: 2, capacity_bytes_low: 100000, capacity_bytes_high: 400000, because: random}\n"
    "    - {level: memory, load_ns: 95}\n"
    "  streams:\n"
    "    - {kernel: copy, mb_per_s: 22000, array_bytes: 44739242}\n"
    "    - {kernel: non-temporal-triad, mb_per_s: 44000}\n"
    "  strided:\n"
    "    - {level: 2, stride_lines: 64, load_line_cycles: 2.5, store_line_cycles: 10, "
    "store_in_turn_line_cycles: 22}\n"
    "    - {level: memory, stride_lines: 17, store_line_cycles: 33}\n"
    "  tlb:\n"
    "    - {level: 1, entries: 96, page_bytes: 4096, method: one a page, miss_cycles: 7}\n"
    "    - {level: 2, because: hidden}\n"
    "  by_1995_rules:\n"
    "    - {level: 1, capacity_bytes: 49152, ways: 6, ports: 2, load_cycles: 1, store_cycles: 1, "
    "because: no line}\n"
    "    - {level: memory, load_cycles: 12, store_cycles: 15}\n"
    "  note: idle\n";

START_TEST(memory_is_read_and_written_whole)
{
    char *path = scratch_path("memory.yaml");
    FILE *file = fopen(path, "w");
    fputs(memory_text, file);
    fclose(file);
    struct machine machine;
    ck_assert_int_eq(machine_read(&machine, path, NULL), 0);
    const struct memory_level *first = memory_level(machine.memory, 1);
    const struct memory_level *second = memory_level(machine.memory, 2);
    const struct memory_level *last = memory_level(machine.memory, INFINITY);
    ck_assert_ptr_null(memory_level(machine.memory, 3));
    ck_assert_ptr_null(memory_level(NULL, 1));
    ck_assert_double_eq(memory_level_capacity(first), 49152);
    ck_assert_double_eq(memory_level_capacity(second), 200000);
    ck_assert(isnan(memory_level_capacity(last)));
    ck_assert(isnan(second->line_bytes));
    ck_assert_double_eq(last->load_ns, 95);
    char *text = written(&machine);
    ck_assert_str_eq(text, memory_text);
    free(text);
    machine_free(&machine);
    remove_scratch(path);
}
END_TEST

/* The figures beside units and latencies, of which the last is from each to each. */
static const char node_text[] = "forecost: 4\n"
                                "machine:\n"
                                "  name: t\n"
                                "node:\n"
                                "  latency_cycles: {add: 2, div: 14}\n"
                                "  measured_throughput_cycles: {add: 0.5012, load: 0.34}\n"
                                "  measured_latency_cycles: {add: 2.003}\n"
                                "  easy_throughput_cycles: {div: 4, sqrt: 4.5}\n"
                                "  easy_latency_cycles: {div: 13}\n"
                                "  pair_latency_cycles:\n"
                                "    add: {add: 2, mul: 3.5}\n"
                                "    store: {load: 5}\n"
                                "  compiled_latency_cycles: {add: 2, madd: 7.5}\n"
                                "  scheduler_operations: 94.5\n"
                                "  window_instructions: 412\n";

START_TEST(what_is_beside_the_units_is_read_and_written_whole)
{
    char *path = scratch_path("node.yaml");
    FILE *file = fopen(path, "w");
    fputs(node_text, file);
    fclose(file);
    struct machine machine;
    ck_assert_int_eq(machine_read(&machine, path, NULL), 0);
    const struct node *node = machine.node;
    ck_assert_double_eq(node->pair_latency_cycles.from[OPERATION_ADD].of[OPERATION_MUL], 3.5);
    ck_assert_double_eq(node->pair_latency_cycles.from[OPERATION_STORE].of[OPERATION_LOAD], 5);
    ck_assert(operations_absent(&node->pair_latency_cycles.from[OPERATION_MUL]));
    ck_assert_double_eq(node->easy_throughput_cycles.of[OPERATION_SQRT], 4.5);
    ck_assert_double_eq(node->compiled.latency_cycles.of[OPERATION_MADD], 7.5);
    ck_assert_double_eq(node->scheduler_operations, 94.5);
    ck_assert_double_eq(node->window_instructions, 412);
    char *text = written(&machine);
    ck_assert_str_eq(text, node_text);
    free(text);
    machine_free(&machine);
    remove_scratch(path);
}
END_TEST

START_TEST(a_rate_prices_operations_and_nothing_is_an_error)
{
    struct machine machine = machine_begin();
    const struct operations count = {
        .of = {[OPERATION_ADD] = 2, [OPERATION_MADD] = 3}
    };
    struct error error;
    double time_us;
    ck_assert_int_eq(node_time_us(machine.node, &count, &time_us, NULL, &error), -1);
    struct node node;
    record_begin(&node_record, &node);
    node.rate_mflops = 4;
    ck_assert_int_eq(node_time_us(&node, &count, &time_us, NULL, &error), 0);
    ck_assert_double_eq(time_us, 2.0); /* (2 + 2 * 3) / 4 */
    machine_free(&machine);
}
END_TEST

SUITE("machine", a_table_written_and_read_is_the_same_table, quotients_stay_as_they_were_printed,
      what_cannot_be_written_is_an_error_and_leaves_nothing, saving_replaces_the_table_whole,
      an_unknown_utility_is_answered_with_the_known_ones,
      the_node_bounds_livermore_kernels_as_published, memory_is_read_and_written_whole,
      what_is_beside_the_units_is_read_and_written_whole,
      a_rate_prices_operations_and_nothing_is_an_error)
