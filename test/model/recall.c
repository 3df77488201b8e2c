/* What is recalled of turns is what would be derived anew: seeded needs, each after others that
   differ from it in one thing, or in how far a dimension goes that is whole on every processor. */
#include "model/segment/traffic/recall.h"
#include "model/base/allocation.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

enum { BASES = 400, TURNS = 30, SIDE = 2, FACTORS = 3, WHOLE_MOST = 4 };

/* Two dimensions along a grid of 2 x 2, or the other way round, and one that is whole. */
struct case_of {
    int counts[2][SIDE][SIDE]; /* elements that a row needs of a column; 0: none */
    int more[2][SIDE];         /* elements of a column that other rows need, beyond the most */
    bool active[2][SIDE], crossed;
    int whole;
};

static int pick(gsl_rng *random, int from, int to)
{
    return from + (int)gsl_rng_uniform_int(random, (unsigned long)(to - from + 1));
}

static struct case_of random_case(gsl_rng *random)
{
    struct case_of it = {.crossed = pick(random, 0, 3) == 0, .whole = pick(random, 0, WHOLE_MOST)};
    for (int g = 0; g < 2; g++)
        for (int row = 0; row < SIDE; row++) {
            it.active[g][row] = pick(random, 0, 5) > 0;
            it.more[g][row] = pick(random, 0, 1);
            for (int column = 0; column < SIDE; column++)
                it.counts[g][row][column] = pick(random, 0, 2);
        }
    return it;
}

/* Another length of the whole dimension, and at times one thing besides. */
static struct case_of changed(const struct case_of *base, gsl_rng *random)
{
    struct case_of it = *base;
    const int g = pick(random, 0, 1), row = pick(random, 0, SIDE - 1);
    it.whole = pick(random, 0, WHOLE_MOST);
    switch (pick(random, 0, 7)) {
    case 0:
        it.active[g][row] = !it.active[g][row];
        break;
    case 1:
        it.more[g][row] = 1 - it.more[g][row];
        break;
    case 2:
        it.crossed = !it.crossed;
        break;
    case 3: /* as many, from the other one */
        it.counts[g][row][0] = base->counts[g][row][1];
        it.counts[g][row][1] = base->counts[g][row][0];
        break;
    case 4:
        it.counts[g][row][pick(random, 0, SIDE - 1)] = pick(random, 0, 2);
        break;
    default:
        break;
    }
    return it;
}

static struct coupling coupling_new(size_t side)
{
    return (struct coupling){.rows = side,
                             .columns = side,
                             .start = memory_new(side + 1, sizeof(size_t)),
                             .entries = memory_new(side * side, sizeof(struct coupling_entry)),
                             .all = memory_new(side, sizeof(double))};
}

static void add_entry(struct coupling *coupling, size_t row, size_t column, double count)
{
    if (count > 0.0)
        coupling->entries[coupling->start[row + 1]++] = (struct coupling_entry){column, count};
    coupling->all[column] = fmax(coupling->all[column], count);
}

static struct coupling coupling_of(const struct case_of *it, int g)
{
    struct coupling coupling = coupling_new(SIDE);
    for (size_t row = 0; row < SIDE; row++) {
        coupling.start[row + 1] = coupling.start[row];
        for (size_t column = 0; column < SIDE; column++)
            add_entry(&coupling, row, column, it->counts[g][row][column]);
    }
    for (size_t column = 0; column < SIDE; column++)
        coupling.all[column] += coupling.all[column] > 0.0 ? it->more[g][column] : 0.0;
    return coupling;
}

static struct needs needs_of(const struct case_of *it)
{
    struct needs needs = {.grid_dimensions = 2, .factor_count = FACTORS};
    for (int g = 0; g < 2; g++) {
        needs.grid[g] = SIDE;
        needs.active[g] = memory_new(SIDE, sizeof(double));
        for (int row = 0; row < SIDE; row++)
            needs.active[g][row] = it->active[g][row];
        needs.factors[g] = (struct factor){g, it->crossed ? 1 - g : g, coupling_of(it, g)};
    }
    needs.factors[2] = (struct factor){-1, -1, coupling_new(1)};
    add_entry(&needs.factors[2].coupling, 0, 0, it->whole);
    return needs;
}

static void require_same(const struct traffic *recalled, const struct traffic *anew)
{
    ck_assert_int_eq(recalled->class, anew->class);
    ck_assert_int_eq(recalled->pieces, anew->pieces);
    ck_assert_double_eq(recalled->partners, anew->partners);
    ck_assert_double_eq_tol(recalled->elements, anew->elements, 1e-12);
    ck_assert_double_eq(recalled->group, anew->group);
    ck_assert_double_eq_tol(recalled->at_once, anew->at_once, 1e-12);
    ck_assert_double_eq(recalled->group_most, anew->group_most);
    ck_assert_double_eq_tol(recalled->single_at_once, anew->single_at_once, 1e-12);
    ck_assert_double_eq_tol(recalled->single, anew->single, 1e-12);
}

/* Fortran: the whole dimension varies slowest, so that its length decides about the pieces. */
START_TEST(what_is_recalled_is_what_would_be_derived)
{
    const struct array array = {.order = ORDER_FORTRAN};
    const struct array_layout lies = {
        .dimensions = FACTORS,
        .extent = {8,                                                                 8, WHOLE_MOST},
        .along = {{.grid_dimension = 0, .elements = 8, .processors = 2, .block = 4},
                   {.grid_dimension = 1, .elements = 8, .processors = 2, .block = 4},
                   {.grid_dimension = -1, .elements = WHOLE_MOST, .processors = 1}                 }
    };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 64);
    for (int n = 0; n < BASES; n++) {
        struct recall recall = {0};
        const struct case_of base = random_case(random);
        for (int turn = 0; turn < TURNS; turn++) {
            const struct case_of now = changed(&base, random);
            struct needs needs = needs_of(&now), again = needs_of(&now);
            const struct traffic anew = traffic_of(&needs, &array, &lies);
            const struct traffic recalled = recall_traffic(&recall, &again, &array, &lies);
            require_same(&recalled, &anew);
            needs_free(&needs);
        }
        recall_free(&recall);
    }
    gsl_rng_free(random);
}
END_TEST

SUITE("recall", what_is_recalled_is_what_would_be_derived)
