/* Distributions against counting every element. */
#include "model/segment/loops/coupling.h"
#include "test/suite.h"

#include <math.h>
#include <string.h>

static const struct place here = {"file.yaml", 1, 1};

/* Every element has one owner, and the closed form counts what the owners say. */
static void check(const struct distribution *it)
{
    for (double first = 0; first < it->elements; first += 3)
        for (double last = first - 1; last < it->elements; last += 2) {
            double sum = 0, most = 0, owners = 0;
            for (double q = 0; q < it->processors; q++) {
                double owned = 0;
                for (double i = first; i <= last; i++)
                    owned += distribution_owner(it, i) == q;
                ck_assert_double_eq(distribution_count(it, q, first, last), owned);
                sum += owned;
                most = fmax(most, owned);
                owners += owned > 0;
            }
            ck_assert_double_eq(sum, last - first + 1);
            ck_assert_double_eq(distribution_most(it, first, last), most);
            ck_assert_double_eq(distribution_owners_within(it, first, last), owners);
        }
}

static int parse(struct distribution *it, const char *text, double elements, double processors,
                 struct error *error)
{
    const double grid[] = {processors, 7};
    struct scope *scope = scope_new();
    int next = 0;
    scope_set(scope, "b", 3, here, error);
    it->elements = elements;
    struct spelling *spelling = spelling_read(text, here, error);
    const int status =
        spelling ? distribution_make(it, spelling, here, scope, grid, 2, &next, error) : -1;
    spelling_free(spelling);
    scope_free(scope);
    return status;
}

START_TEST(counts_are_what_the_owners_say)
{
    static const char *const texts[] = {"BLOCK", "BLOCK(9)", "CYCLIC", "CYCLIC(2)", "CYCLIC(b)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (double n = 1; n <= 24; n++)
            for (double p = 1; p <= 8; p++) {
                struct distribution it;
                struct error error;
                if (p < 3 && strcmp(texts[i], "BLOCK(9)") == 0)
                    continue; /* they do not hold 24 */
                ck_assert_int_eq(parse(&it, texts[i], n, p, &error), 0);
                check(&it);
            }
}
END_TEST

START_TEST(seventeen_in_blocks_on_sixteen)
{
    struct distribution it;
    ck_assert_int_eq(parse(&it, "BLOCK", 17, 16, NULL), 0);
    ck_assert_double_eq(it.block, 2);
    ck_assert_double_eq(distribution_count(&it, 8, 0, 16), 1);
    ck_assert_double_eq(distribution_count(&it, 9, 0, 16), 0);
    ck_assert(distribution_is_contiguous(&it));
}
END_TEST

START_TEST(texts)
{
    struct distribution it;
    struct error error;
    ck_assert_int_eq(parse(&it, "*", 10, 4, &error), 0);
    ck_assert_int_eq(it.grid_dimension, -1);
    ck_assert_double_eq(it.processors, 1);
    ck_assert_int_eq(parse(&it, "BLOCK@1", 10, 4, &error), 0);
    ck_assert_int_eq(it.grid_dimension, 1);
    ck_assert_double_eq(it.processors, 7);
    ck_assert_int_eq(parse(&it, "CYCLIC(2 * b)@0", 10, 4, &error), 0);
    ck_assert_double_eq(it.block, 6);
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"block",       "not a distribution"     },
        {"BLOCK(2)",    "do not hold"            },
        {"BLOCK(0)",    "at least 1"             },
        {"BLOCK(",      "after a distribution"   },
        {"BLOCKS",      "not a distribution"     },
        {"BLOCK 2",     "after a distribution"   },
        {"BLOCK@2",     "the grid has 2"         },
        {"CYCLIC(b/2)", "expected a whole number"},
        {"CYCLIC(x)",   "unknown name 'x'"       },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(parse(&it, bad[i].text, 10, 4, &error), -1);
        ck_assert_msg(strstr(error.text, bad[i].says) != NULL, "%s: %s", bad[i].text, error.text);
    }
}
END_TEST

/* Elements first + constant to last + constant of eight, in blocks of three on three processors;
   needed where element `home` + x lies, or by one processor alone (NULL). */
static bool can_be_read(double first, double last, double constant, const double *home)
{
    const struct distribution data = {
        .grid_dimension = 0, .elements = 8, .processors = 3, .block = 3};
    const struct line line = {
        .range = {first, last},
          .coefficient = 1.0, .count = 1, .constants = {constant    }
    };
    const struct home_axis axis = {
        .kind = AXIS_LOOP, .subscript = {0, 1.0, home ? *home : 0.0},
             .along = data
    };
    struct coupling coupling;
    const bool fits = coupling_make(&coupling, &line, home ? &axis : NULL, &data);
    double elements = 0.0;
    for (size_t r = 0; fits && r < coupling.columns; r++)
        elements += coupling.all[r];
    ck_assert(!fits || elements == last - first + 1.0);
    if (fits)
        coupling_free(&coupling);
    return fits;
}

START_TEST(reads_reach_to_the_ends_of_an_array_and_no_further)
{
    const double aligned = 1.0;
    for (int way = 0; way < 2; way++) {
        const double *const home = way == 0 ? NULL : &aligned;
        ck_assert(can_be_read(-1.0, 6.0, 1.0, home));
        ck_assert(!can_be_read(-2.0, 6.0, 1.0, home));
        ck_assert(!can_be_read(-1.0, 7.0, 1.0, home));
    }
}
END_TEST

/* Elements 0 to 7 in blocks of three: 0 to 2, 3 to 5, 6 and 7. The second one of each column. */
START_TEST(ordinals_are_counted_in_each_column)
{
    const struct distribution data = {
        .grid_dimension = 0, .elements = 8, .processors = 3, .block = 3};
    const struct distribution rows = {
        .grid_dimension = 0, .elements = 8, .processors = 4, .block = 2};
    const struct line line = {
        .range = {0.0, 7.0},
          .coefficient = 1.0, .count = 1
    };
    const struct home_axis axis = {
        .kind = AXIS_LOOP, .subscript = {0, 1.0, 0.0},
             .along = rows
    };
    const double row_of[] = {0, 2, 3}; /* of elements 1, 4 and 7 in blocks of two */
    struct coupling coupling;
    ck_assert_double_eq(coupling_ordinals(&line, &data), 3.0);
    coupling_make_ordinal(&coupling, &line, &axis, &data, 1.0);
    for (size_t row = 0; row < 4; row++)
        for (size_t column = 0; column < 3; column++)
            ck_assert_double_eq(coupling_at(&coupling, row, column),
                                row_of[column] == (double)row ? 1.0 : 0.0);
    coupling_free(&coupling);
    coupling_make_ordinal(&coupling, &line, &axis, &data, 2.0); /* the last column has two */
    ck_assert_double_eq(coupling.all[1], 1.0);
    ck_assert_double_eq(coupling.all[2], 0.0);
    coupling_free(&coupling);
}
END_TEST

/* The row of the element that is the ordinal-th of a column, of those one by one; -1: none. */
static double row_of_ordinal(const struct line *line, const struct home_axis *axis,
                             const struct distribution *data, double column, double ordinal)
{
    for (double x = line->range.first; x <= line->range.last; x++)
        if (distribution_owner(data, line->coefficient * x + line->constants[0]) == column &&
            ordinal-- == 0.0)
            return distribution_owner(&axis->along,
                                      axis->subscript.coefficient * x + axis->subscript.constant);
    return -1.0;
}

START_TEST(ordinals_of_runs_are_those_of_elements_one_by_one)
{
    static const double slopes[] = {1, -1, 2, -3};
    for (int k = 0; k < 4 * 3 * 4 * 2; k++) {
        const double slope = slopes[k % 4], block = k / 4 % 3 * 2 + 1, p = k / 12 % 4 + 1;
        const struct distribution data = {
            .grid_dimension = 0, .elements = 60, .processors = p, .block = block};
        const struct distribution rows = {
            .grid_dimension = 0, .elements = 60, .processors = 3, .block = 4};
        const struct home_axis axis = {
            .kind = AXIS_LOOP,
            .subscript = {0, k / 48 ? -1.0 : 1.0, k / 48 ? 40.0 : 2.0},
            .along = rows
        };
        const struct line line = {
            .range = {2.0, 17.0},
            .coefficient = slope,
            .count = 1,
            .constants = {slope < 0.0 ? 53.0 : 4.0  }
        };
        for (double ordinal = 0.0; ordinal < 17.0; ordinal++) {
            struct coupling coupling;
            coupling_make_ordinal(&coupling, &line, &axis, &data, ordinal);
            for (size_t column = 0; column < (size_t)p; column++) {
                const double row = row_of_ordinal(&line, &axis, &data, (double)column, ordinal);
                ck_assert_double_eq(coupling.all[column], row >= 0.0);
                for (size_t r = 0; r < 3; r++)
                    ck_assert_double_eq(coupling_at(&coupling, r, column), row == (double)r);
            }
            coupling_free(&coupling);
        }
    }
}
END_TEST

/* Of every distribution of a few elements: the coordinates that have one or more, and none behind
   them. */
START_TEST(owners_are_those_that_have_elements)
{
    for (int k = 0; k < 40 * 9 * 12; k++) {
        const struct distribution it = {.grid_dimension = 0,
                                        .elements = k % 40 + 1,
                                        .block = k / 40 % 9 + 1,
                                        .processors = k / 360 + 1};
        double counts[12], owners = 0.0;
        distribution_counts(&it, 0.0, it.elements - 1.0, counts);
        while (owners < it.processors && counts[(size_t)owners] > 0.0)
            owners++;
        ck_assert_double_eq(distribution_owners(&it), owners);
    }
}
END_TEST

SUITE("distribution", reads_reach_to_the_ends_of_an_array_and_no_further,
      ordinals_are_counted_in_each_column, ordinals_of_runs_are_those_of_elements_one_by_one,
      owners_are_those_that_have_elements, counts_are_what_the_owners_say,
      seventeen_in_blocks_on_sixteen, texts)
