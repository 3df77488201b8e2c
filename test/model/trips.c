/* How often loops run against running through them: seeded nests whose bounds are affine in outer
   indices, some with loops that do not run for all of their values. */
#include "model/segment/memory/trips.h"
#include "test/draw.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>

enum { NESTS = 3000, LOOPS = 4 };

/* Loop l runs from constant[0] to constant[1], plus coefficients x the indices outside. */
struct bounds {
    int constant[2], by[2][LOOPS];
};

static const char *const indices[LOOPS] = {"i", "j", "k", "l"};

static void random_bounds(struct bounds *it, gsl_rng *random, int loop)
{
    *it = (struct bounds){
        .constant = {draw_between(random, -2, 3), draw_between(random, 1, 7)}
    };
    for (int end = 0; end < 2; end++)
        for (int l = 0; l < loop; l++)
            it->by[end][l] = draw_between(random, 0, 2) == 0 ? draw_between(random, -2, 2) : 0;
}

/* ---- running through them ---- */

struct sums {
    double headers, trips, first, last;
};

static int bound_at(const struct bounds *bounds, int end, int loop, const int *at)
{
    int value = bounds->constant[end];
    for (int l = 0; l < loop; l++)
        value += bounds->by[end][l] * at[l];
    return value;
}

static void run(const struct bounds *bounds, int loop, int wanted, int *at, struct sums *sums)
{
    const int first = bound_at(&bounds[loop], 0, loop, at);
    const int last = bound_at(&bounds[loop], 1, loop, at);
    if (loop == wanted) {
        sums->headers++;
        sums->trips += last < first ? 0 : last - first + 1;
        sums->first += first;
        sums->last += last;
        return;
    }
    for (at[loop] = first; at[loop] <= last; at[loop]++)
        run(bounds, loop + 1, wanted, at, sums);
}

/* ---- as loops of a description ---- */

static void write_bound(char *text, size_t size, const struct bounds *bounds, int end, int loop)
{
    size_t used = (size_t)snprintf(text, size, "%d", bounds->constant[end]);
    for (int l = 0; l < loop && used < size; l++)
        if (bounds->by[end][l] != 0)
            used += (size_t)snprintf(text + used, size - used, " + (%d) * %s", bounds->by[end][l],
                                     indices[l]);
}

/* Loop by loop, from the outermost, as far as any is begun. */
static void compare(const struct bounds *bounds, struct scope *scope, const struct program *program)
{
    struct loop loops[LOOPS];
    char texts[LOOPS][2][120];
    struct expression *read[LOOPS][2] = {0};
    bool is_begun = true;
    struct nest nest = {.program = program, .scope = scope};
    struct mean_nest mean = {0};
    struct error error;
    for (int l = 0; l < LOOPS && is_begun; l++) {
        struct sums sums = {0};
        int at[LOOPS] = {0};
        double trips;
        for (int end = 0; end < 2; end++) {
            write_bound(texts[l][end], sizeof texts[l][end], &bounds[l], end, l);
            read[l][end] = expression_read(texts[l][end], (struct place){0}, &error);
        }
        loops[l] = (struct loop){
            .index = (char *)indices[l],
            .first = {.text = texts[l][0], .value = read[l][0]},
            .last = {.text = texts[l][1], .value = read[l][1]}
        };
        ck_assert_int_eq(nest_enter(&nest, &loops[l], &error), 0);
        mean.depth = l + 1;
        ck_assert_int_eq(trips_find(&mean, &nest, &trips, &error), 0);
        run(bounds, 0, l, at, &sums);
        is_begun = sums.headers > 0.0;
        if (!is_begun)
            continue;
        ck_assert_double_eq_tol(trips, sums.trips / sums.headers, 1e-12);
        ck_assert_double_eq_tol(mean.first[l], sums.first / sums.headers, 1e-12);
        ck_assert_double_eq_tol(mean.last[l],
                                fmax(sums.last, sums.first - sums.headers) / sums.headers, 1e-12);
    }
    for (int l = 0; l < LOOPS; l++)
        for (int end = 0; end < 2; end++)
            expression_free(read[l][end]);
}

START_TEST(means_are_those_of_running_through)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct program program = {0};
    gsl_rng_set(random, 20260);
    for (int n = 0; n < NESTS; n++) {
        struct bounds bounds[LOOPS];
        struct scope *scope = scope_new();
        for (int l = 0; l < LOOPS; l++)
            random_bounds(&bounds[l], random, l);
        compare(bounds, scope, &program);
        scope_free(scope);
    }
    gsl_rng_free(random);
}
END_TEST

SUITE("trips", means_are_those_of_running_through)
