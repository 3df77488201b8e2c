#include "model/segment/memory/trips.h"

#include "model/segment/loops/steps.h"

#include <math.h>
#include <string.h>

/* Loop bounds that depend on outer indices are evaluated for each of their values, so often at
   most. */
enum { EVALUATIONS_MOST = 1000000 };

double mean_trips(const struct mean_nest *nest, int loop)
{
    return fmax(0.0, nest->last[loop] - nest->first[loop] + 1.0);
}

/* ---- which loops matter ---- */

static bool depends(const struct loop *loop, const struct loop *outer)
{
    return expression_names(loop->first.value, outer->index) ||
           expression_names(loop->last.value, outer->index);
}

/* Which outer loops have to be gone through: those that a bound of the last one depends on, and all
   whose own bounds have to do with them. */
static bool find_used(const struct nest *nest, int last, bool used[LOOPS_MOST])
{
    bool changed = true, any = false;
    memset(used, 0, LOOPS_MOST * sizeof *used);
    used[last] = true;
    while (changed) {
        changed = false;
        for (int inner = 1; inner <= last; inner++)
            for (int outer = 0; outer < inner; outer++)
                if (used[inner] != used[outer] && depends(nest->loops[inner], nest->loops[outer]))
                    used[inner] = used[outer] = changed = any = true;
    }
    return any;
}

/* ---- going through them ---- */

/* Sums over the iterations of the used outer loops. */
struct visit {
    const bool *used;
    int last;
    double at[LOOPS_MOST];              /* values of the loops whose values matter */
    double headers, trips, first, ends; /* how often the loop is begun; sums over those */
    size_t evaluations;
};

/* Whether the values of a loop's index matter to a used loop in it, and not only how many they
   are. */
static bool values_matter(const struct nest *nest, const struct visit *visit, int loop)
{
    for (int inner = loop + 1; inner <= visit->last; inner++)
        if (visit->used[inner] && depends(nest->loops[inner], nest->loops[loop]))
            return true;
    return false;
}

static void add_header(struct visit *visit, struct range range, double weight)
{
    visit->headers += weight;
    visit->trips += weight * range_count(range);
    visit->first += weight * range.first;
    visit->ends += weight * range.last;
}

/* The next loop that is gone through. */
static int next_loop(const struct visit *visit, int loop)
{
    while (loop < visit->last && !visit->used[loop])
        loop++;
    return loop;
}

static bool steps_whole(const struct loop_bound *bound, int loop)
{
    return bound->is_affine && bound->value.by[loop] == floor(bound->value.by[loop]);
}

static int visit_loop(const struct nest *nest, struct visit *visit, int loop, double weight,
                      struct error *error);

static int visit_value(const struct nest *nest, struct visit *visit, int loop, double index,
                       double weight, struct error *error)
{
    visit->at[loop] = index;
    return visit_loop(nest, visit, loop + 1, weight, error);
}

/* What changes evenly with the values of a loop: how often loops in it run whose own values do not
   matter, and the bounds of the last one. */
struct ends {
    size_t lines; /* of the loops between */
    double of[2][LOOPS_MOST + 1];
    struct range last[2];
};

/* Whether all loops in this one that are gone through follow it evenly, and no other that varies.
 */
static bool follow_evenly(const struct nest *nest, const struct visit *visit, int loop)
{
    for (int l = loop + 1; l <= visit->last; l++)
        if (visit->used[l] && (!steps_whole(&nest->first[l], loop) ||
                               !steps_whole(&nest->last[l], loop) || values_matter(nest, visit, l)))
            return false;
    return true;
}

/* At the first or the last value. *even: no loop ends before it could begin. */
static int find_end(struct ends *ends, const struct nest *nest, const struct visit *visit, int loop,
                    double index, int which, bool *even, struct error *error)
{
    double at[LOOPS_MOST];
    memcpy(at, visit->at, sizeof at);
    at[loop] = index;
    ends->lines = 0;
    for (int l = loop + 1; l <= visit->last; l++) {
        struct range range;
        if (!visit->used[l])
            continue;
        if (nest_range(nest, l, at, &range, error) != 0)
            return -1;
        *even &= range.last - range.first >= -1.0;
        ends->last[which] = range;
        if (l < visit->last)
            ends->of[which][ends->lines++] = range_count(range);
    }
    return 0;
}

/* The sum over so many values of how often the last loop is begun, times a number that goes evenly
   from one to the other. */
static double sum_of(const struct ends *ends, double first, double last, double count)
{
    double middles[LOOPS_MOST + 1], slopes[LOOPS_MOST + 1];
    for (size_t i = 0; i <= ends->lines; i++) {
        const double from = i < ends->lines ? ends->of[0][i] : first;
        const double to = i < ends->lines ? ends->of[1][i] : last;
        middles[i] = 0.5 * (from + to);
        slopes[i] = (to - from) / (count - 1.0);
    }
    return steps_sum(middles, slopes, ends->lines + 1, count);
}

/* Bounds that are affine in the index run evenly from one end to the other. *done: so it was, and
   at both ends no loop ended before it could begin. */
static int visit_ends(const struct nest *nest, struct visit *visit, int loop, struct range range,
                      double weight, bool *done, struct error *error)
{
    struct ends ends;
    const double count = range_count(range);
    *done = false;
    if (count < 2.0 || !follow_evenly(nest, visit, loop))
        return 0;
    bool even = true;
    if (find_end(&ends, nest, visit, loop, range.first, 0, &even, error) != 0 ||
        find_end(&ends, nest, visit, loop, range.last, 1, &even, error) != 0)
        return -1;
    if (!even || ends.lines >= STEPS_LINES)
        return 0;
    const struct range *last = ends.last;
    visit->headers += weight * sum_of(&ends, 1.0, 1.0, count);
    visit->trips += weight * sum_of(&ends, range_count(last[0]), range_count(last[1]), count);
    visit->first += weight * sum_of(&ends, last[0].first, last[1].first, count);
    visit->ends += weight * sum_of(&ends, last[0].last, last[1].last, count);
    visit->evaluations += 2;
    *done = true;
    return 0;
}

static int visit_values(const struct nest *nest, struct visit *visit, int loop, struct range range,
                        double weight, struct error *error)
{
    bool done;
    int status = visit_ends(nest, visit, loop, range, weight, &done, error);
    for (double index = range.first; index <= range.last && status == 0 && !done; index++)
        status = visit_value(nest, visit, loop, index, weight, error);
    return status;
}

/* weight: iterations of outer loops whose values do not matter. */
static int visit_loop(const struct nest *nest, struct visit *visit, int loop, double weight,
                      struct error *error)
{
    struct range range;
    loop = next_loop(visit, loop);
    if (++visit->evaluations > EVALUATIONS_MOST)
        return error_particular_at(
            error, program_place(nest->program, nest->loops[loop]->first.place),
            "loop bounds that depend on outer indices take more than %d evaluations",
            EVALUATIONS_MOST);
    if (nest_range(nest, loop, visit->at, &range, error) != 0)
        return -1;
    if (loop == visit->last) {
        add_header(visit, range, weight);
        return 0;
    }
    if (range_count(range) == 0.0)
        return 0;
    if (!values_matter(nest, visit, loop))
        return visit_loop(nest, visit, loop + 1, weight * range_count(range), error);
    return visit_values(nest, visit, loop, range, weight, error);
}

int trips_find(struct mean_nest *mean, const struct nest *nest, double *trips, struct error *error)
{
    const int last = mean->depth - 1;
    bool used[LOOPS_MOST];
    struct visit visit = {.used = used, .last = last};
    if (!find_used(nest, last, used))
        memset(used, 0, sizeof used);
    if (visit_loop(nest, &visit, 0, 1.0, error) != 0)
        return -1;
    const double headers = fmax(visit.headers, 1.0);
    *trips = visit.trips / headers;
    mean->first[last] = visit.first / headers;
    mean->last[last] = fmax(visit.ends / headers, mean->first[last] - 1.0);
    return 0;
}
