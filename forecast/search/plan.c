#include "forecast/search/plan.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double entries_most = 5e6; /* of the table of segments and layouts */

/* What is left of a leader's options, and what moving between them takes. */
struct lane {
    size_t count, stride;
    size_t *options; /* owned */
    double *move_us; /* [from * count + to]; owned */
};

struct planning {
    struct pricing *pricing;
    struct segment_costs *costs;
    size_t segments, leaders, size; /* size: layouts that are left */
    double repeat;                  /* of all segments */
    struct lane lanes[LEADERS_MOST];
    double *best_us; /* [segment * size + layout]: of plans that end there; owned */
};

/* ---- which options a plan may use ---- */

static double least_us(const struct segment_costs *costs)
{
    double least = INFINITY;
    for (size_t i = 0; i < costs->size; i++)
        least = fmin(least, costs->us[i]);
    return least;
}

static void mark_entry(const struct planning *it, const struct segment_costs *costs, size_t entry,
                       bool *alive[])
{
    for (size_t i = 0; i < costs->count; i++) {
        const size_t leader = costs->leaders[i];
        const size_t options = it->pricing->space->leaders[leader].option_count;
        alive[leader][entry / costs->stride[i] % options] = true;
    }
}

/* Only what can be in a plan that is better than the limit: where a layout takes no time at all,
   everything would be as good as it is. */
static void mark_alive(const struct planning *it, double limit_us, bool *alive[])
{
    double all_us = 0.0;
    for (size_t s = 0; s < it->segments; s++)
        all_us += least_us(&it->costs[s]);
    for (size_t s = 0; s < it->segments; s++) {
        const struct segment_costs *costs = &it->costs[s];
        const double rest_us = all_us - least_us(costs);
        for (size_t i = 0; i < costs->size; i++)
            if (costs->us[i] + rest_us < limit_us)
                mark_entry(it, costs, i, alive);
    }
}

static void keep_alive(struct planning *it, double limit_us)
{
    bool *alive[LEADERS_MOST];
    const struct space *space = it->pricing->space;
    for (size_t a = 0; a < it->leaders; a++)
        alive[a] = memory_new(space->leaders[a].option_count, sizeof *alive[a]);
    mark_alive(it, limit_us, alive);
    it->size = 1;
    for (size_t a = 0; a < it->leaders; a++) {
        struct lane *lane = &it->lanes[a];
        lane->options = memory_new(space->leaders[a].option_count, sizeof *lane->options);
        lane->stride = it->size;
        for (size_t k = 0; k < space->leaders[a].option_count; k++)
            if (alive[a][k])
                lane->options[lane->count++] = k;
        it->size *= lane->count;
        free(alive[a]);
    }
}

static void price_moves(struct planning *it)
{
    for (size_t a = 0; a < it->leaders; a++) {
        struct lane *lane = &it->lanes[a];
        lane->move_us = memory_new(lane->count * lane->count, sizeof *lane->move_us);
        for (size_t from = 0; from < lane->count; from++) {
            space_choose(it->pricing->space, a, lane->options[from]);
            for (size_t to = 0; to < lane->count; to++)
                lane->move_us[from * lane->count + to] =
                    move_us(it->pricing, a, lane->options[from], lane->options[to]);
        }
    }
}

/* ---- dynamic programming ---- */

/* What moving one leader's arrays takes, so many times. */
static double moves_us(const struct lane *lane, size_t from, size_t to, double times)
{
    return times > 0.0 ? times * lane->move_us[from * lane->count + to] : 0.0;
}

static void choice_of(const struct planning *it, size_t layout, size_t *choice)
{
    for (size_t a = 0; a < it->leaders; a++) {
        const struct lane *lane = &it->lanes[a];
        choice[a] = lane->options[layout / lane->stride % lane->count];
    }
}

/* to = the lesser of to and from + move_us, of so many in a row. */
static void relax(double *to, const double *from, double move_us, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double us = from[i] + move_us;
        to[i] = us < to[i] ? us : to[i];
    }
}

/* A move is the sum over arrays: the best over all layouts before is taken array by array. */
static void move_lane(const struct planning *it, const struct lane *lane, double times, double *us)
{
    const size_t block = lane->count * lane->stride;
    double *before_us = memory_new(block, sizeof *before_us);
    for (size_t base = 0; base < it->size && !pricing_is_late(it->pricing); base += block) {
        memcpy(before_us, us + base, block * sizeof *us);
        for (size_t to = 0; to < lane->count; to++)
            for (size_t from = 0; from < lane->count; from++)
                relax(us + base + to * lane->stride, before_us + from * lane->stride,
                      moves_us(lane, from, to, times), lane->stride);
    }
    free(before_us);
}

static void move_lanes(const struct planning *it, double times, double *us)
{
    for (size_t a = 0; a < it->leaders; a++)
        move_lane(it, &it->lanes[a], times, us);
}

static double move_all_us(const struct planning *it, size_t from, size_t to, double times)
{
    double sum_us = 0.0;
    for (size_t a = 0; a < it->leaders; a++) {
        const struct lane *lane = &it->lanes[a];
        sum_us += moves_us(lane, from / lane->stride % lane->count, to / lane->stride % lane->count,
                           times);
    }
    return sum_us;
}

/* What is replicated when the program begins is broadcast before. */
static double filling_us(const struct planning *it, const size_t *choice)
{
    double sum_us = 0.0;
    for (size_t a = 0; a < it->leaders; a++)
        sum_us += it->pricing->space->leaders[a].options[choice[a]].fill_us;
    return sum_us;
}

static void advance(const struct planning *it, size_t segment)
{
    size_t choice[LEADERS_MOST];
    double *us = it->best_us + segment * it->size;
    if (segment > 0) {
        memcpy(us, us - it->size, it->size * sizeof *us);
        move_lanes(it, it->repeat, us);
    }
    for (size_t i = 0; i < it->size && !it->pricing->late; i++) {
        choice_of(it, i, choice);
        us[i] += it->costs[segment].us[segment_costs_at(&it->costs[segment], choice)];
        us[i] += segment == 0 ? filling_us(it, choice) : 0.0;
    }
}

/* ---- the ring ---- */

/* Last layouts: of every leader those options of its lane that are in. */
struct ends {
    bool *in[LEADERS_MOST]; /* owned */
};

static void ends_free(struct ends *ends)
{
    for (size_t a = 0; a < LEADERS_MOST; a++)
        free(ends->in[a]);
}

static size_t option_of(const struct lane *lane, size_t layout)
{
    return layout / lane->stride % lane->count;
}

static bool is_end(const struct planning *it, const struct ends *ends, size_t layout)
{
    for (size_t a = 0; a < it->leaders; a++)
        if (!ends->in[a][option_of(&it->lanes[a], layout)])
            return false;
    return true;
}

/* All ends, or of others those whose option of one leader is, or is not, this one. */
static struct ends ends_of(const struct planning *it, const struct ends *others, size_t leader,
                           size_t option, bool is)
{
    struct ends ends = {0};
    for (size_t a = 0; a < it->leaders; a++) {
        const size_t count = it->lanes[a].count;
        ends.in[a] = memory_new(count, sizeof *ends.in[a]);
        for (size_t k = 0; k < count; k++)
            ends.in[a][k] = !others || (others->in[a][k] && (a != leader || (k == option) == is));
    }
    return ends;
}

/* Times of the best plans that end in each layout and begin by coming from one of the ends, which
   need not be the same. */
static const double *advance_all(struct planning *it, const struct ends *ends)
{
    for (size_t i = 0; i < it->size; i++)
        it->best_us[i] = is_end(it, ends, i) ? 0.0 : INFINITY;
    move_lanes(it, it->repeat - 1.0, it->best_us);
    for (size_t s = 0; s < it->segments; s++)
        advance(it, s);
    return it->best_us + (it->segments - 1) * it->size;
}

/* The layout before `to`, with the least of us and the way; it is `same` unless another is better
   by more than rounding. */
static size_t before(const struct planning *it, const double *us, size_t to, size_t same,
                     double times)
{
    size_t best = same;
    double best_us = us[same] + move_all_us(it, same, to, times);
    for (size_t from = 0; from < it->size && !it->pricing->late; from++) {
        const double this_us = us[from] + move_all_us(it, from, to, times);
        if (this_us < best_us * (1.0 - 1e-12)) {
            best = from;
            best_us = this_us;
        }
    }
    return best;
}

/* The first layout of the plan that ends in `last`; its choices. */
static size_t trace(const struct planning *it, size_t last, size_t (*choices)[LEADERS_MOST])
{
    size_t at = last;
    for (size_t s = it->segments - 1;; s--) {
        choice_of(it, at, choices[s]);
        if (s == 0)
            return at;
        at = before(it, it->best_us + (s - 1) * it->size, at, at, it->repeat);
    }
}

/* Where the plan came from whose first layout is this: of the ends, `last` where it is as near. */
static size_t origin(const struct planning *it, const struct ends *ends, size_t first, size_t last)
{
    size_t best = last;
    double best_us = move_all_us(it, last, first, it->repeat - 1.0);
    for (size_t from = 0; from < it->size && best_us > 0.0; from++) {
        const double us = move_all_us(it, from, first, it->repeat - 1.0);
        if (us < best_us * (1.0 - 1e-12) && is_end(it, ends, from)) {
            best = from;
            best_us = us;
        }
    }
    return best;
}

static size_t least_end(const struct planning *it, const struct ends *ends, const double *us)
{
    size_t least = it->size;
    double least_us = INFINITY;
    for (size_t i = 0; i < it->size; i++)
        if (us[i] < least_us && is_end(it, ends, i))
            least_us = us[least = i];
    return least;
}

static void find_among(struct planning *it, const struct ends *ends, struct plan *plan,
                       double limit_us);

/* Two plans that come from and end in different layouts: one leader's options tell them apart. */
static void find_in_parts(struct planning *it, const struct ends *ends, size_t from, size_t last,
                          struct plan *plan, double limit_us)
{
    size_t a = 0;
    while (option_of(&it->lanes[a], from) == option_of(&it->lanes[a], last))
        a++;
    for (int is = 1; is >= 0; is--) {
        struct ends part = ends_of(it, ends, a, option_of(&it->lanes[a], last), is);
        find_among(it, &part, plan, limit_us);
        ends_free(&part);
    }
}

/* The best plan whose last layout is one of the ends, if it is better than the plan so far. The one
   that may come from another end than its last is at most as dear; closed, it is a plan. */
static void find_among(struct planning *it, const struct ends *ends, struct plan *plan,
                       double limit_us)
{
    if (pricing_is_late(it->pricing))
        return;
    const double *us = advance_all(it, ends);
    const size_t last = least_end(it, ends, us);
    if (last == it->size || !(us[last] < limit_us && us[last] < plan->us * (1.0 - 1e-12)))
        return;
    if (it->pricing->late)
        return;
    size_t(*choices)[LEADERS_MOST] = memory_new(it->segments, sizeof *choices);
    const size_t first = trace(it, last, choices), from = origin(it, ends, first, last);
    const double closed_us = us[last] + move_all_us(it, last, first, it->repeat - 1.0) -
                             move_all_us(it, from, first, it->repeat - 1.0);
    if (closed_us < fmin(plan->us, limit_us)) {
        plan->us = closed_us;
        memcpy(plan->choices, choices, it->segments * sizeof *choices);
    }
    free(choices);
    if (from != last)
        find_in_parts(it, ends, from, last, plan, limit_us);
}

/* A sequence that is repeated is a ring, which begins where it ends. Where the best sequence does
   not, the layouts in which it may end are parted, until the best of each part does or is no better
   than a ring that was found. */
static void find_best(struct planning *it, struct plan *plan, double limit_us)
{
    struct ends all = ends_of(it, NULL, 0, 0, true);
    plan->us = INFINITY;
    find_among(it, &all, plan, limit_us);
    ends_free(&all);
}

/* Whether the costs along the plan were exact; they are now. */
static bool make_exact(const struct planning *it, const struct plan *plan)
{
    bool were = true;
    for (size_t s = 0; s < it->segments; s++) {
        were &= it->costs[s].exact[segment_costs_at(&it->costs[s], plan->choices[s])];
        segment_costs_exact(&it->costs[s], it->pricing, plan->choices[s]);
    }
    return were;
}

static void solve(struct planning *it, struct plan *plan, double limit_us)
{
    it->best_us = memory_new(it->segments * it->size, sizeof *it->best_us);
    do {
        find_best(it, plan, limit_us);
    } while (!isinf(plan->us) && !make_exact(it, plan) && !it->pricing->late);
    if (it->pricing->late)
        plan->us = INFINITY;
    plan->found = !isinf(plan->us);
    free(it->best_us);
}

void plan_make(struct plan *plan, struct pricing *pricing, struct segment_costs *costs,
               double repeat, double limit_us)
{
    struct planning it = {.pricing = pricing,
                          .costs = costs,
                          .segments = pricing->space->program->segments.count,
                          .leaders = pricing->space->leader_count,
                          .repeat = repeat};
    *plan = (struct plan){.us = INFINITY};
    plan->choices = memory_new(it.segments, sizeof *plan->choices);
    keep_alive(&it, limit_us);
    double size = 1.0;
    for (size_t a = 0; a < it.leaders; a++)
        size *= (double)it.lanes[a].count;
    plan->too_many = size * (double)it.segments > entries_most;
    if (size > 0.0 && !plan->too_many) {
        price_moves(&it);
        solve(&it, plan, limit_us);
    }
    for (size_t a = 0; a < it.leaders; a++) {
        free(it.lanes[a].options);
        free(it.lanes[a].move_us);
    }
}

void plan_free(struct plan *plan)
{
    free(plan->choices);
}
