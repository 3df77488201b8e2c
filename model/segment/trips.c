#include "model/segment/trips.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Loop bounds that depend on outer indices are evaluated for each of their values, so often at
   most. */
enum { EVALUATIONS_MOST = 1000000 };

/* The loops about a body, outermost first, and what their bounds are evaluated with. */
struct about {
    const struct program *program;
    struct scope *scope;
    const struct loop *const *loops;
};

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
static bool find_used(const struct about *about, int last, bool used[LOOPS_MOST])
{
    bool changed = true, any = false;
    memset(used, 0, LOOPS_MOST * sizeof *used);
    used[last] = true;
    while (changed) {
        changed = false;
        for (int inner = 1; inner <= last; inner++)
            for (int outer = 0; outer < inner; outer++)
                if (used[inner] != used[outer] && depends(about->loops[inner], about->loops[outer]))
                    used[inner] = used[outer] = changed = any = true;
    }
    return any;
}

/* ---- going through them ---- */

/* Sums over the iterations of the used outer loops. */
struct visit {
    const bool *used;
    int last;
    double headers, trips, first, ends; /* how often the loop is begun; sums over those */
    size_t evaluations;
};

/* Whether the values of a loop's index matter to a used loop in it, and not only how many they
   are. */
static bool values_matter(const struct about *about, const struct visit *visit, int loop)
{
    for (int inner = loop + 1; inner <= visit->last; inner++)
        if (visit->used[inner] && depends(about->loops[inner], about->loops[loop]))
            return true;
    return false;
}

static int bounds_of(const struct about *about, int loop, double *first, double *last,
                     struct error *error)
{
    const struct loop *it = about->loops[loop];
    const struct place at_first = program_place(about->program, it->first.place);
    const struct place at_last = program_place(about->program, it->last.place);
    if (expression_whole(about->scope, it->first.text, at_first, first, error) != 0)
        return -1;
    return expression_whole(about->scope, it->last.text, at_last, last, error);
}

static void add_header(struct visit *visit, double first, double last, double weight)
{
    visit->headers += weight;
    visit->trips += weight * fmax(0.0, last - first + 1.0);
    visit->first += weight * first;
    visit->ends += weight * last;
}

/* weight: iterations of outer loops whose values do not matter. */
static int visit_loop(const struct about *about, struct visit *visit, int loop, double weight,
                      struct error *error)
{
    double first, last;
    while (loop < visit->last && !visit->used[loop])
        loop++;
    const struct place place = program_place(about->program, about->loops[loop]->first.place);
    if (++visit->evaluations > EVALUATIONS_MOST)
        return error_at(error, place,
                        "loop bounds that depend on outer indices take more than %d evaluations",
                        EVALUATIONS_MOST);
    if (bounds_of(about, loop, &first, &last, error) != 0)
        return -1;
    if (loop == visit->last) {
        add_header(visit, first, last, weight);
        return 0;
    }
    if (last < first)
        return 0;
    if (!values_matter(about, visit, loop))
        return visit_loop(about, visit, loop + 1, weight * (last - first + 1.0), error);
    const size_t before = scope_count(about->scope);
    int status = 0;
    for (double index = first; index <= last && status == 0; index++) {
        status = scope_set(about->scope, about->loops[loop]->index, index, place, error);
        if (status == 0)
            status = visit_loop(about, visit, loop + 1, weight, error);
    }
    scope_cut(about->scope, before);
    return status;
}

int trips_find(struct mean_nest *nest, const struct loop *const *loops,
               const struct program *program, struct scope *scope, double *trips,
               struct error *error)
{
    const struct about about = {program, scope, loops};
    const int last = nest->depth - 1;
    bool used[LOOPS_MOST];
    struct visit visit = {.used = used, .last = last};
    if (!find_used(&about, last, used))
        memset(used, 0, sizeof used);
    if (visit_loop(&about, &visit, 0, 1.0, error) != 0)
        return -1;
    const double headers = fmax(visit.headers, 1.0);
    *trips = visit.trips / headers;
    nest->first[last] = visit.first / headers;
    nest->last[last] = fmax(visit.ends / headers, nest->first[last] - 1.0);
    return 0;
}
