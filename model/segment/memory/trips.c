#include "model/segment/memory/trips.h"

#include <ctype.h>
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

static bool is_in_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

static bool mentions(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if ((at == text || !is_in_name(at[-1])) && !is_in_name(at[length]))
            return true;
    return false;
}

static bool depends(const struct loop *loop, const struct loop *outer)
{
    return mentions(loop->first.text, outer->index) || mentions(loop->last.text, outer->index);
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

/* Bounds that are affine in the index run evenly from one end to the other: the mean of the ends is
   that of all. *done: so it was, and both ends have trips or none. */
static int visit_ends(const struct nest *nest, struct visit *visit, int loop, struct range range,
                      double weight, bool *done, struct error *error)
{
    struct visit ends[2];
    *done = false;
    if (next_loop(visit, loop + 1) != visit->last ||
        !steps_whole(&nest->first[visit->last], loop) ||
        !steps_whole(&nest->last[visit->last], loop))
        return 0;
    for (int k = 0; k < 2; k++) {
        ends[k] = *visit;
        ends[k].headers = ends[k].trips = ends[k].first = ends[k].ends = 0.0;
        if (visit_value(nest, &ends[k], loop, k ? range.last : range.first, 1.0, error) != 0)
            return -1;
        if (ends[k].ends - ends[k].first < -1.0)
            return 0;
    }
    const double half = weight * range_count(range) / 2.0;
    visit->headers += 2.0 * half;
    visit->trips += half * (ends[0].trips + ends[1].trips);
    visit->first += half * (ends[0].first + ends[1].first);
    visit->ends += half * (ends[0].ends + ends[1].ends);
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
