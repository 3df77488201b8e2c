/* The loops that stand in for statements: operations are counted, and what they were carried out
   with leaves its trace in the values; no timing. */
#include "test/suite.h"
#include "trainer/rehearsal/element_walk.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 5, LENGTH = 200 };

static struct walk walk_over(double *array, struct operations operations)
{
    return (struct walk){
        .depth = 2,
        .trips = {ROWS, LENGTH      },
        .rows = ROWS,
        .length = LENGTH,
        .read_count = 1,
        .reads = {                 {.base = array, .step = {LENGTH, 1}}   },
        .operations = operations,
        .distance = 1,
        .operands = { .addend = 2.0,    .factor = 2.0, .divisor = 2.0},
    };
}

static struct operations some(double add, double mul, double madd, double div, double root)
{
    struct operations operations = {{0}};
    operations.of[OPERATION_ADD] = add;
    operations.of[OPERATION_MUL] = mul;
    operations.of[OPERATION_MADD] = madd;
    operations.of[OPERATION_DIV] = div;
    operations.of[OPERATION_SQRT] = root;
    return operations;
}

static struct operations done_by(struct operations operations, int reads, double *value)
{
    static double array[ROWS * LENGTH];
    for (size_t i = 0; i < ROWS * LENGTH; i++)
        array[i] = 65536.0;
    struct walk walk = walk_over(array, operations);
    for (int i = 1; i < reads; i++)
        walk.reads[walk.read_count++] = walk.reads[0];
    walk_rows(&walk, 0.0, walk.rows);
    *value = walk.value;
    return walk.done;
}

START_TEST(twice_the_operations_are_twice_as_many_carried_out)
{
    double value;
    const struct operations once = done_by(some(3, 1, 2, 1, 1), 4, &value);
    const struct operations twice = done_by(some(6, 2, 4, 2, 2), 4, &value);
    ck_assert_double_eq(once.of[OPERATION_ADD], 3.0 * ROWS * LENGTH);
    for (int k = OPERATION_ADD; k <= OPERATION_SQRT; k++)
        ck_assert_double_eq(twice.of[k], 2.0 * once.of[k]);
    ck_assert_double_eq(once.of[OPERATION_LOAD], 4.0 * ROWS * LENGTH);
    ck_assert_double_eq(twice.of[OPERATION_LOAD], once.of[OPERATION_LOAD]);
}
END_TEST

/* Each operation changes the value in its own way: so many were executed, whatever is counted. */
START_TEST(every_operation_leaves_its_trace)
{
    double value;
    done_by(some(11, 0, 0, 0, 0), 1, &value);
    ck_assert_double_eq(value, 65536.0 + 22.0);
    done_by(some(0, 9, 0, 0, 0), 1, &value);
    ck_assert_double_eq(value, 65536.0 * 512.0);
    done_by(some(0, 0, 2, 0, 0), 1, &value);
    ck_assert_double_eq(value, (65536.0 * 2.0 + 2.0) * 2.0 + 2.0);
    done_by(some(0, 0, 0, 3, 0), 1, &value);
    ck_assert_double_eq(value, 8192.0);
    done_by(some(0, 0, 0, 0, 3), 1, &value);
    ck_assert_double_eq(value, 4.0);
    done_by(some(0, 0, 1, 0, 0), 3, &value); /* the factors are read */
    ck_assert_double_eq(value, 65536.0 + 65536.0 * 65536.0);
    done_by(some(3, 0, 0, 0, 0), 4, &value); /* all additions join what is read */
    ck_assert_double_eq(value, 4.0 * 65536.0);
}
END_TEST

/* Half an operation an element is one of every other row: two of five rows. */
START_TEST(averages_are_kept)
{
    double value;
    const struct operations done = done_by(some(0.5, 0, 0, 0, 0), 1, &value);
    ck_assert_double_eq(done.of[OPERATION_ADD], 2.0 * LENGTH);
    ck_assert_double_eq(value, 65536.0);
}
END_TEST

START_TEST(arrays_are_walked_as_the_references_say)
{
    static double from[ROWS * LENGTH], to[ROWS * LENGTH];
    for (size_t i = 0; i < ROWS * LENGTH; i++)
        from[i] = (double)i;
    struct walk walk = walk_over(from, some(0, 0, 0, 0, 0));
    walk.writes = true; /* to[j][i] = from[i][j] */
    walk.written = (struct walked){
        .base = to, .step = {1, ROWS}
    };
    walk_rows(&walk, 0.0, walk.rows);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < LENGTH; j++)
            ck_assert_double_eq(to[j * ROWS + i], from[i * LENGTH + j]);
    ck_assert_double_eq(walk.done.of[OPERATION_STORE], ROWS * LENGTH);
}
END_TEST

/* A chain of additions makes running sums: each element waited for the one before. */
START_TEST(a_recurrence_is_carried_from_element_to_element)
{
    static double from[ROWS * LENGTH], to[ROWS * LENGTH];
    for (size_t i = 0; i < ROWS * LENGTH; i++)
        from[i] = 1.0;
    struct walk walk = walk_over(from, some(1, 0, 0, 0, 0));
    walk.chain = some(1, 0, 0, 0, 0);
    walk.writes = true;
    walk.written = walk.reads[0];
    walk.written.base = to;
    walk_rows(&walk, 0.0, walk.rows);
    for (size_t i = 0; i < ROWS * LENGTH; i++)
        ck_assert_double_eq(to[i], (double)i + 1.0);
    ck_assert_double_eq(walk.done.of[OPERATION_ADD], ROWS * LENGTH);
}
END_TEST

/* From 1s: what each element has then, 0, 1, 2, ... steps of its chain after it began. */
static double after_add(int steps)
{
    return steps + 1.0;
}

static double after_mul(int steps)
{
    return ldexp(1.0, steps + 1);
}

static double after_madd(int steps)
{
    return ldexp(1.0, steps + 1) - 1.0;
}

static double after_div(int steps)
{
    return ldexp(1.0, -1 - steps);
}

static double after_both(int steps)
{
    return ldexp(1.0, steps + 2) - 2.0;
}

static const struct {
    struct operations chain;
    double begins; /* before the first element */
    double (*after)(int steps);
} chains[] = {
    {{.of = {[OPERATION_ADD] = 1}},                      0.0, after_add },
    {{.of = {[OPERATION_MUL] = 1}},                      1.0, after_mul },
    {{.of = {[OPERATION_MADD] = 1}},                     0.0, after_madd},
    {{.of = {[OPERATION_DIV] = 1}},                      1.0, after_div },
    {{.of = {[OPERATION_ADD] = 1, [OPERATION_MUL] = 1}}, 0.0, after_both},
};

static struct walk walk_chain(const struct operations *chain, long distance, double *from,
                              double *to)
{
    struct walk walk = walk_over(from, *chain);
    walk.chain = *chain;
    walk.distance = distance;
    walk.writes = true;
    walk.written = walk.reads[0];
    walk.written.base = to;
    return walk;
}

/* So many chains stand side by side as the distance says. */
START_TEST(each_kind_of_chain_waits_for_the_element_at_its_distance)
{
    enum { STEPS = 44 }; /* eight at a time, then four */
    double from[STEPS], to[STEPS];
    for (size_t i = 0; i < STEPS; i++)
        from[i] = 1.0;
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++)
        for (long distance = 1; distance <= 5; distance++) {
            struct walk walk = walk_chain(&chains[c].chain, distance, from, to);
            for (long i = 0; i < distance; i++)
                walk.carried[i] = chains[c].begins;
            walk_parts(&walk, 0.0, 1.0, 0, STEPS);
            for (int i = 0; i < STEPS; i++)
                ck_assert_double_eq(to[i], chains[c].after(i / (int)distance));
            ck_assert_double_eq(walk.value, to[STEPS - 1]);
            for (int k = OPERATION_ADD; k <= OPERATION_SQRT; k++)
                ck_assert_double_eq(walk.done.of[k], STEPS * chains[c].chain.of[k]);
        }
}
END_TEST

START_TEST(roots_of_roots_are_a_chain_too)
{
    static const double roots[] = {65536, 256, 16, 4, 2};
    static const struct operations root = {.of = {[OPERATION_SQRT] = 1}};
    double from[5] = {0.0}, to[5];
    struct walk walk = walk_chain(&root, 1, from, to);
    walk.carried[0] = ldexp(1.0, 32);
    walk_parts(&walk, 0.0, 1.0, 0, 5);
    for (size_t i = 0; i < 5; i++)
        ck_assert_double_eq(to[i], roots[i]);
}
END_TEST

/* Rows 6 to 8 of a nest of 3 x 4 rows are (1, 2), (1, 3) and (2, 0). */
START_TEST(a_walk_begins_in_the_middle)
{
    enum { OUTER = 3, MIDDLE = 4, INNER = 10 };
    double from[OUTER * MIDDLE * INNER], to[OUTER * MIDDLE * INNER];
    struct walk walk = {
        .depth = 3,
        .trips = {OUTER,      MIDDLE,                                   INNER},
        .rows = OUTER * MIDDLE,
        .length = INNER,
        .read_count = 1,
        .reads = {{.base = from, .step = {MIDDLE * INNER, INNER, 1}}         },
        .distance = 1,
        .writes = true,
        .written = {.base = to, .step = {MIDDLE * INNER, INNER, 1}},
    };
    for (int i = 0; i < OUTER * MIDDLE * INNER; i++) {
        from[i] = i;
        to[i] = -1.0;
    }
    walk_rows(&walk, 6.0, 9.0);
    for (int i = 0; i < OUTER * MIDDLE * INNER; i++)
        ck_assert_double_eq(to[i], i / INNER >= 6 && i / INNER < 9 ? i : -1.0);
    ck_assert_double_eq(walk.rows_done, 3.0);
}
END_TEST

/* ---- rows of any shape ---- */

enum { SHAPES = 4000, SOURCES = 9, FARTHEST = 3 };

static long pick(gsl_rng *random, long from, long to)
{
    return from + (long)gsl_rng_uniform_int(random, (unsigned long)(to - from + 1));
}

/* Element k as walk.h says: each source in turn by an operation that is left. */
static double element_of(const struct walk *walk, long k)
{
    long left[OPERATION_COUNT];
    double source[SOURCES];
    for (int o = 0; o < OPERATION_COUNT; o++)
        left[o] = (long)walk->operations.of[o];
    for (int i = 0; i < walk->read_count; i++)
        source[i] = walk->reads[i].base[walk->reads[i].offset + walk->reads[i].step[0] * k];
    double value = walk->read_count > 0 ? source[0] : 0.0;
    for (int i = 1; i < walk->read_count; i++)
        if (left[OPERATION_ADD]-- > 0)
            value += source[i];
        else if (left[OPERATION_MADD]-- > 0)
            if (i + 1 < walk->read_count) {
                value += source[i] * source[i + 1];
                i++;
            } else
                value = value * walk->operands.factor + source[i];
        else
            value = left[OPERATION_MUL]-- > 0 ? value * source[i] : value + source[i];
    for (; left[OPERATION_ADD] > 0; left[OPERATION_ADD]--)
        value += walk->operands.addend;
    for (; left[OPERATION_MUL] > 0; left[OPERATION_MUL]--)
        value *= walk->operands.factor;
    for (; left[OPERATION_MADD] > 0; left[OPERATION_MADD]--)
        value = value * walk->operands.factor + walk->operands.addend;
    return left[OPERATION_DIV] > 0 ? value / walk->operands.divisor : value;
}

static struct walk random_walk(gsl_rng *random, double *from, double *to)
{
    struct walk walk = walk_over(from, some((double)pick(random, 0, 7), (double)pick(random, 0, 1),
                                            (double)pick(random, 0, 1), 0, 0));
    walk.operations.of[OPERATION_DIV] = pick(random, 0, 5) == 0;
    walk.depth = 1;
    walk.trips[0] = LENGTH;
    walk.rows = 1.0;
    walk.writes = true;
    walk.read_count = (int)pick(random, 0, SOURCES - 1);
    const bool near = pick(random, 0, 1);
    for (int i = 0; i < walk.read_count; i++)
        walk.reads[i] =
            (struct walked){.base = from,
                            .offset = pick(random, 0, 40),
                            .step = {near && pick(random, 0, 5) ? 1 : pick(random, 0, FARTHEST)}};
    walk.written = (struct walked){.base = to, .step = {near ? 1 : pick(random, 1, FARTHEST)}};
    return walk;
}

/* Whole numbers and halves are exact in whatever order. */
START_TEST(rows_of_any_shape_have_the_values_of_their_elements)
{
    static double from[FARTHEST * LENGTH + 41], to[FARTHEST * LENGTH];
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 7);
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        from[i] = (double)pick(random, -9, 9);
    for (int n = 0; n < SHAPES; n++) {
        struct walk walk = random_walk(random, from, to);
        const long begin = pick(random, 0, 20), end = pick(random, 21, LENGTH);
        for (size_t i = 0; i < sizeof to / sizeof *to; i++)
            to[i] = 0.5;
        walk_parts(&walk, 0.0, 1.0, begin, end);
        for (long k = 0; k < LENGTH; k++)
            ck_assert_double_eq(to[walk.written.step[0] * k],
                                k >= begin && k < end ? element_of(&walk, k) : 0.5);
    }
    gsl_rng_free(random);
}
END_TEST

/* A sum that stays in a register until its row ends. */
START_TEST(sums_of_products_and_squares_are_carried)
{
    static double from[2 * LENGTH];
    double sum = 100.0, products = 0.0, squares = 0.0;
    for (long k = 0; k < 2 * LENGTH; k++)
        from[k] = (double)(k % 7);
    for (long k = 0; k < LENGTH - 1; k++) {
        products += from[k] * from[2 * k];
        squares += from[k] * from[k];
    }
    for (int reads = 1; reads <= 2; reads++) {
        struct walk walk = walk_over(from, some(0, 0, 1, 0, 0));
        walk.writes = true;
        walk.written = (struct walked){.base = &sum};
        walk.read_count = reads;
        walk.reads[1] = (struct walked){
            .base = from, .step = {0, 2}
        };
        sum = 100.0;
        walk_parts(&walk, 0.0, 1.0, 0, LENGTH - 1);
        ck_assert_double_eq(sum, 100.0 + (reads == 1 ? squares : products));
        ck_assert_double_eq(walk.done.of[OPERATION_MADD], LENGTH - 1);
    }
}
END_TEST

SUITE("walk", twice_the_operations_are_twice_as_many_carried_out, every_operation_leaves_its_trace,
      averages_are_kept, arrays_are_walked_as_the_references_say,
      a_recurrence_is_carried_from_element_to_element,
      each_kind_of_chain_waits_for_the_element_at_its_distance, roots_of_roots_are_a_chain_too,
      a_walk_begins_in_the_middle, rows_of_any_shape_have_the_values_of_their_elements,
      sums_of_products_and_squares_are_carried)
