#include "estimator/plan.h"

#include "model/base/memory.h"

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

/* A move is the sum over arrays: the best over all layouts before is taken array by array. */
static void move_lane(const struct planning *it, const struct lane *lane, double *us)
{
    double *line = memory_new(lane->count, sizeof *line);
    for (size_t base = 0; base < it->size; base++) {
        if (base / lane->stride % lane->count != 0)
            continue;
        for (size_t k = 0; k < lane->count; k++)
            line[k] = us[base + k * lane->stride];
        for (size_t to = 0; to < lane->count; to++) {
            double best = INFINITY;
            for (size_t from = 0; from < lane->count; from++)
                best = fmin(best, line[from] + moves_us(lane, from, to, it->repeat));
            us[base + to * lane->stride] = best;
        }
    }
    free(line);
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

/* Before the first segment stands what the way back to it takes, from `last`. */
static void begin(const struct planning *it, size_t last)
{
    for (size_t i = 0; i < it->size; i++)
        it->best_us[i] = last < it->size ? move_all_us(it, last, i, it->repeat - 1.0) : 0.0;
}

static void advance(const struct planning *it, size_t segment)
{
    size_t choice[LEADERS_MOST];
    double *us = it->best_us + segment * it->size;
    if (segment > 0) {
        memcpy(us, us - it->size, it->size * sizeof *us);
        for (size_t a = 0; a < it->leaders; a++)
            move_lane(it, &it->lanes[a], us);
    }
    for (size_t i = 0; i < it->size; i++) {
        choice_of(it, i, choice);
        us[i] += it->costs[segment].us[segment_costs_at(&it->costs[segment], choice)];
    }
}

/* The layout before `to`, which is itself unless another is better by more than rounding. */
static size_t before(const struct planning *it, size_t segment, size_t to)
{
    const double *us = it->best_us + (segment - 1) * it->size;
    size_t best = to;
    double best_us = us[to];
    for (size_t from = 0; from < it->size; from++) {
        const double this_us = us[from] + move_all_us(it, from, to, it->repeat);
        if (this_us < best_us * (1.0 - 1e-12)) {
            best = from;
            best_us = this_us;
        }
    }
    return best;
}

/* The plan that ends in the layout. */
static void trace(struct planning *it, struct plan *plan, size_t at)
{
    plan->us = it->best_us[(it->segments - 1) * it->size + at];
    for (size_t s = it->segments - 1;; s--) {
        choice_of(it, at, plan->choices[s]);
        if (s == 0)
            return;
        at = before(it, s, at);
    }
}

/* Times of the best plans that end in each layout; with the way back to their first layout from
   `last` (none: size). */
static const double *advance_all(struct planning *it, size_t last)
{
    begin(it, last);
    for (size_t s = 0; s < it->segments; s++)
        advance(it, s);
    return it->best_us + (it->segments - 1) * it->size;
}

static size_t least_of(const double *us, size_t count)
{
    size_t least = 0;
    for (size_t i = 1; i < count; i++)
        if (us[i] < us[least])
            least = i;
    return least;
}

/* A sequence that is repeated is a ring: the last layout is held while the best way to it is found
   that begins by coming from it. None is better than without the way back, so that last layouts are
   gone through in that order until the next cannot be better than the best so far. */
static void find_best(struct planning *it, struct plan *plan, double limit_us)
{
    double *line_us = memory_new(it->size, sizeof *line_us);
    memcpy(line_us, advance_all(it, it->size), it->size * sizeof *line_us);
    plan->us = INFINITY;
    for (;;) {
        const size_t last = least_of(line_us, it->size);
        if (!(line_us[last] < fmin(plan->us, limit_us)))
            break;
        line_us[last] = INFINITY;
        if (advance_all(it, last)[last] < fmin(plan->us, limit_us))
            trace(it, plan, last);
    }
    free(line_us);
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
    } while (!isinf(plan->us) && !make_exact(it, plan));
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
