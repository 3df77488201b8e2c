/* Unit rows and latencies derived from the timings of cores of which all is known. */
#include "trainer/node/units.h"

#include "trainer/node/pairs.h"

#include "test/suite.h"

#include <math.h>
#include <string.h>

#define BIT(operation) (1U << OPERATION_##operation)

/* An operation goes to any of some pipes and keeps it for some cycles. */
struct way {
    unsigned pipes;
    double cycles;
};

struct core {
    struct way ways[OPERATION_COUNT];
    double issue_cycles;
};

static int pipes_in(unsigned set)
{
    int count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

/* The busiest set of pipes: what must go to them, over how many they are. */
static double together_cycles(const struct core *core, unsigned which)
{
    double most = 0.0;
    for (unsigned set = 1; set < 1U << 8; set++) {
        double work = 0.0;
        for (int k = 0; k < OPERATION_COUNT; k++)
            if (which & 1U << k && (core->ways[k].pipes & ~set) == 0)
                work += core->ways[k].cycles;
        most = fmax(most, work / pipes_in(set));
    }
    return most;
}

static struct timings time_core(const struct core *core, double off)
{
    static const unsigned sets[] = {BIT(ADD),
                                    BIT(MUL),
                                    BIT(MADD),
                                    BIT(DIV),
                                    BIT(SQRT),
                                    BIT(LOAD),
                                    BIT(STORE),
                                    BIT(ADD) | BIT(MUL),
                                    BIT(ADD) | BIT(MADD),
                                    BIT(MUL) | BIT(MADD),
                                    BIT(ADD) | BIT(MUL) | BIT(MADD),
                                    BIT(DIV) | BIT(SQRT),
                                    BIT(LOAD) | BIT(STORE)};
    struct timings timings = {.issue_cycles = core->issue_cycles};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        timings.items[timings.count++] = (struct timing){
            sets[i], together_cycles(core, sets[i]) * (1.0 + (i % 2 ? off : 0.3 * off))};
    return timings;
}

static double bound_of(const struct list *units, const struct operations *operations)
{
    const struct unit *rows = units->items;
    double most = 0.0;
    for (size_t i = 0; i < units->count; i++)
        most = fmax(most, unit_busy_cycles(&rows[i], operations));
    return most;
}

/* Pipes 0 to 7; the divider is one of its own. */
static const struct core three_pipes = {
    {[OPERATION_ADD] = {1 | 2, 1},
     [OPERATION_MUL] = {2 | 4, 1},
     [OPERATION_MADD] = {2 | 4, 1},
     [OPERATION_DIV] = {8, 4},
     [OPERATION_SQRT] = {8, 6},
     [OPERATION_LOAD] = {16 | 32, 1},
     [OPERATION_STORE] = {64, 1}},
    0.25
};
static const struct core four_pipes = {
    {[OPERATION_ADD] = {1 | 2, 1},
     [OPERATION_MUL] = {4 | 8, 1},
     [OPERATION_MADD] = {4 | 8, 1},
     [OPERATION_DIV] = {128, 5},
     [OPERATION_SQRT] = {128, 9},
     [OPERATION_LOAD] = {16 | 32, 1},
     [OPERATION_STORE] = {16 | 32, 1}},
    0.125
};

static struct list derive(const struct core *core, double off)
{
    const struct timings timings = time_core(core, off);
    struct list units = {0};
    units_derive(&timings, &units);
    return units;
}

static const struct unit *row_named(const struct list *units, const char *name)
{
    const struct unit *rows = units->items;
    for (size_t i = 0; i < units->count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

START_TEST(pipes_that_are_shared_are_found)
{
    struct list units = derive(&three_pipes, 0.009);
    const struct unit *shared = row_named(&units, "add+mul");
    ck_assert_ptr_nonnull(shared);
    ck_assert_double_eq_tol(shared->cycles.of[OPERATION_ADD], 1.0 / 3.0, 1e-12);
    const struct unit *one = row_named(&units, "mul+madd");
    ck_assert_ptr_nonnull(one);
    ck_assert_double_eq(one->cycles.of[OPERATION_MUL], 0.5);
    const struct unit *divider = row_named(&units, "div+sqrt");
    ck_assert_ptr_nonnull(divider);
    ck_assert_double_eq(divider->cycles.of[OPERATION_DIV], 4);
    ck_assert_double_eq(divider->cycles.of[OPERATION_SQRT], 6);
    ck_assert_ptr_null(row_named(&units, "div"));
    ck_assert_ptr_null(row_named(&units, "load+store"));
    ck_assert_double_eq(row_named(&units, "issue")->cycles.of[OPERATION_LOAD], 0.25);
    list_free(&unit_record, &units);
}
END_TEST

START_TEST(pipes_that_are_not_shared_are_kept_apart)
{
    struct list units = derive(&four_pipes, 0.009);
    ck_assert_ptr_null(row_named(&units, "add+mul"));
    ck_assert_ptr_null(row_named(&units, "add+mul+madd"));
    ck_assert_ptr_nonnull(row_named(&units, "add"));
    ck_assert_ptr_nonnull(row_named(&units, "load+store"));
    list_free(&unit_record, &units);
}
END_TEST

/* Of two operations, the rows say what the core takes; of more, never more than it takes. */
START_TEST(the_rows_are_a_bound)
{
    const struct core *const cores[] = {&three_pipes, &four_pipes};
    for (size_t c = 0; c < 2; c++) {
        struct list units = derive(cores[c], 0.0);
        for (unsigned which = 1; which < 1U << OPERATION_COUNT; which++) {
            struct operations operations = {{0}};
            for (int k = 0; k < OPERATION_COUNT; k++)
                operations.of[k] = which >> k & 1U;
            const double issue = cores[c]->issue_cycles * pipes_in(which);
            const double truth = fmax(issue, together_cycles(cores[c], which));
            ck_assert_double_le(bound_of(&units, &operations), truth + 1e-9);
        }
        list_free(&unit_record, &units);
    }
}
END_TEST

START_TEST(cycles_are_rounded_to_what_hardware_has)
{
    ck_assert_double_eq(units_round(0.5045), 0.5);
    ck_assert_double_eq(units_round(0.3361), 1.0 / 3.0);
    ck_assert_double_eq(units_round(0.1262), 0.125);
    ck_assert_double_eq(units_round(3.97), 4);
    ck_assert_double_eq(units_round(7.52), 7.5);
    ck_assert_double_eq(units_round(0.524), 0.5);
    ck_assert_double_eq(units_round(0.348), 1.0 / 3.0);
    ck_assert_double_eq(units_round(4.19), 4);
}
END_TEST

START_TEST(what_is_farther_off_stays_as_measured)
{
    ck_assert_double_eq(units_round(0.494), 0.494);
    ck_assert_double_eq(units_round(0.3293), 0.3293);
    ck_assert_double_eq(units_round(0.526), 0.526);
    ck_assert_double_eq(units_round(0.386), 0.386);
    ck_assert_double_eq(units_round(1.2), 1.2);
    ck_assert_double_eq(units_round(3.95), 3.95);
}
END_TEST

/* ---- latencies from each to each ---- */

/* A core: an operation's result is there after its cycles, and one more on the way to the other
   kind of pipe, which is add's. An address is used moving cycles after the number is there. */
static const double cycles_of[] = {
    [OPERATION_ADD] = 2,  [OPERATION_MUL] = 4,   [OPERATION_MADD] = 4,
    [OPERATION_DIV] = 14, [OPERATION_SQRT] = 18, [OPERATION_LOAD] = 5};
static const double moving = 4.0, forwarding = 6.5;

static double true_latency(int from, int to)
{
    return cycles_of[from] + ((from == OPERATION_ADD) != (to == OPERATION_ADD) ? 1.0 : 0.0);
}

static struct chains time_chains(void)
{
    struct chains chains = {.alone.of[OPERATION_LOAD] = cycles_of[OPERATION_LOAD]};
    for (int a = 0; a < OPERATION_LOAD; a++) {
        chains.alone.of[a] = true_latency(a, a);
        for (int b = a + 1; b < OPERATION_LOAD; b++)
            chains.in_turn.from[a].of[b] = true_latency(a, b) + true_latency(b, a);
        chains.load_use.of[a] =
            cycles_of[OPERATION_LOAD] + 0.5 * (a == OPERATION_ADD) + cycles_of[a] + moving;
    }
    chains.load_use.of[OPERATION_LOAD] = cycles_of[OPERATION_LOAD] + moving;
    chains.in_turn.from[OPERATION_LOAD].of[OPERATION_STORE] = forwarding;
    return chains;
}

START_TEST(latencies_from_each_to_each_are_those_of_the_core)
{
    const struct chains chains = time_chains();
    struct operation_pairs latencies;
    pairs_derive(&chains, &latencies);
    for (int a = 0; a < OPERATION_LOAD; a++)
        for (int b = 0; b < OPERATION_LOAD; b++)
            ck_assert_double_eq_tol(latencies.from[a].of[b], true_latency(a, b), 1e-12);
    const double *from_load = latencies.from[OPERATION_LOAD].of;
    ck_assert_double_eq_tol(from_load[OPERATION_ADD], 5.5, 1e-12);
    ck_assert_double_eq_tol(from_load[OPERATION_DIV], 5.0, 1e-12);
    ck_assert_double_eq(from_load[OPERATION_LOAD], 5.0);
    ck_assert_double_eq(latencies.from[OPERATION_STORE].of[OPERATION_LOAD], forwarding);
}
END_TEST

/* What goes one way is not what goes the other: chains have their sums all the same. */
START_TEST(a_chain_of_pairs_has_its_sum)
{
    struct chains chains = time_chains();
    chains.in_turn.from[OPERATION_ADD].of[OPERATION_MUL] = 3 + 5;
    struct operation_pairs latencies;
    pairs_derive(&chains, &latencies);
    const double there = latencies.from[OPERATION_ADD].of[OPERATION_MUL];
    const double back = latencies.from[OPERATION_MUL].of[OPERATION_ADD];
    ck_assert_double_eq_tol(there + back, 8.0, 1e-12);
    ck_assert_double_eq_tol(there - back, cycles_of[OPERATION_ADD] - cycles_of[OPERATION_MUL],
                            1e-12);
}
END_TEST

START_TEST(what_was_not_timed_is_not_known)
{
    struct chains chains = time_chains();
    chains.alone.of[OPERATION_MADD] = 0.0;
    chains.in_turn.from[OPERATION_ADD].of[OPERATION_DIV] = 0.0;
    chains.load_use.of[OPERATION_LOAD] = 0.0;
    struct operation_pairs latencies;
    pairs_derive(&chains, &latencies);
    ck_assert(operations_absent(&latencies.from[OPERATION_MADD]));
    ck_assert_double_eq(latencies.from[OPERATION_MUL].of[OPERATION_MADD], 0.0);
    ck_assert_double_eq(latencies.from[OPERATION_DIV].of[OPERATION_ADD], 0.0);
    ck_assert_double_eq(latencies.from[OPERATION_LOAD].of[OPERATION_ADD], 0.0);
    ck_assert_double_gt(latencies.from[OPERATION_DIV].of[OPERATION_MUL], 0.0);
}
END_TEST

SUITE("units", pipes_that_are_shared_are_found, pipes_that_are_not_shared_are_kept_apart,
      the_rows_are_a_bound, cycles_are_rounded_to_what_hardware_has,
      what_is_farther_off_stays_as_measured, latencies_from_each_to_each_are_those_of_the_core,
      a_chain_of_pairs_has_its_sum, what_was_not_timed_is_not_known)
