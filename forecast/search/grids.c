#include "forecast/search/grids.h"

#include "forecast/search/elimination.h"
#include "forecast/search/segment_parts.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

/* Of a segment whose layouts are all written down, 45 MB; and predictions for that. */
static const double entries_most = 5e6, predictions_most = 2e5;

struct looking {
    const struct grid_task *task;
    struct space *space;
    struct pricing pricing;
    struct segment_costs *costs; /* one a segment; size 0: it has parts alone */
    struct parts parts;
    struct finds *finds;
};

static size_t segments_of(const struct space *space)
{
    return space->program->segments.count;
}

/* ---- what layouts cost ---- */

static bool is_dense(const struct looking *it, size_t segment)
{
    const struct segment *segments = it->space->program->segments.items;
    double predictions;
    const double entries = segment_costs_size(&it->pricing, segment, &predictions);
    return entries <= entries_most &&
           (predictions <= predictions_most || segments[segment].overlap);
}

static void add_segment(struct looking *it, size_t segment)
{
    struct segment_costs *costs = &it->costs[segment];
    *costs = (struct segment_costs){0};
    if (!is_dense(it, segment)) {
        segment_parts_add(&it->parts, &it->pricing, segment);
        return;
    }
    segment_costs_make(costs, &it->pricing, segment);
    const struct part part = segment_costs_part(costs);
    parts_add(&it->parts, &part);
}

/* What is replicated is broadcast before. */
static void add_filling(struct looking *it, size_t leader)
{
    struct leader *of = &it->space->leaders[leader];
    struct part part = {0};
    part_depend(&part, it->space, leader);
    part.us = memory_new(part.size, sizeof *part.us);
    part.owned = true;
    for (size_t k = 0; k < of->option_count; k++)
        part.us[k] = of->options[k].fill_us = fill_us(&it->pricing, leader, k, it->task->given);
    parts_add(&it->parts, &part);
}

/* Each segment has its share of the time. What takes longer than the ten best layouts so far is not
   looked at again. */
static void find_costs(struct looking *it)
{
    const size_t segments = segments_of(it->space);
    struct limit limit = {.us = finds_limit_us(it->finds)};
    for (size_t i = 0; i < it->space->leader_count; i++)
        add_filling(it, i);
    for (size_t s = 0; s < segments; s++) {
        it->pricing.deadline =
            it->task->level == KINDS_BLOCK
                ? deadline_share(&it->task->costs_until, 1.0 / (double)(segments - s))
                : it->task->costs_until;
        it->pricing.limit = &limit;
        add_segment(it, s);
    }
    it->pricing.limit = NULL;
}

/* ---- one layout after the other ---- */

static double limit_us(void *taker)
{
    const struct looking *it = taker;
    return finds_limit_us(it->finds);
}

/* us is a bound: the layout is priced, unless it is known to be another one's equal. */
static void look(void *taker, const size_t *choice, double us)
{
    struct looking *it = taker;
    if (!space_may_be_first_of_equals(it->space, choice, NULL))
        return;
    us = 0.0;
    for (size_t a = 0; a < it->space->leader_count; a++)
        us += it->space->leaders[a].options[choice[a]].fill_us;
    for (size_t s = 0; s < segments_of(it->space); s++)
        us += it->costs[s].size > 0 ? segment_costs_exact(&it->costs[s], &it->pricing, choice)
                                    : segment_price(&it->pricing, s, choice);
    finds_keep(it->finds, us, it->space, choice);
}

static void costs_free(struct segment_costs *costs, size_t count)
{
    for (size_t s = 0; s < count; s++)
        segment_costs_free(&costs[s]);
    free(costs);
}

static bool are_all_dense(const struct looking *it)
{
    for (size_t s = 0; s < segments_of(it->space); s++)
        if (it->costs[s].size == 0)
            return false;
    return true;
}

/* Whether redistributions are looked for at all. */
static bool plans(const struct space *space)
{
    return segments_of(space) > 1 && !space->program->search.fixed;
}

/* A level that was looked at to its end. */
static void settle(struct grid *grid, struct looking *it, bool is_done)
{
    const bool all = it->task->level == KINDS_ALL;
    if (is_done) {
        grid->is_done = true;
        grid->level = it->task->level;
        grid->looked_at = it->space->count;
    }
    grid->plan_left_out = plans(it->space) && !(all && is_done && are_all_dense(it));
    if (plans(it->space) && !grid->plan_left_out) {
        grid->space = *it->space;
        grid->costs = it->costs;
        return;
    }
    costs_free(it->costs, segments_of(it->space));
    space_free(it->space);
}

static void look_at_all(struct grid *grid, struct looking *it)
{
    const struct choice_taker taker = {look, limit_us, it};
    it->costs = memory_new(segments_of(it->space), sizeof *it->costs);
    find_costs(it);
    const bool late = it->pricing.late;
    it->pricing.deadline = it->task->until;
    it->pricing.late = false;
    const bool ended = elimination_go(it->space, &it->parts, &taker, &it->task->until);
    parts_free(&it->parts);
    const bool is_done = ended && !late && !it->pricing.late;
    finds_count(it->finds, &it->pricing);
    settle(grid, it, is_done);
}

int grid_search(struct grid *grid, const struct grid_task *task, struct finds *finds,
                struct error *error)
{
    struct space space;
    struct study *study = task->study;
    double repeat;
    if (space_make(&space, study, grid->sizes, grid->rank, task->leaders, task->leader_count,
                   task->level, error) != 0)
        return -1;
    if (study_derive(study, space.schedule, error) != 0 ||
        program_repeat(study->program, study->scope, &repeat, error) != 0) {
        space_free(&space);
        return -1;
    }
    struct looking it = {
        .task = task,
        .space = &space,
        .pricing = {.space = &space, .study = study, .skips_equals = !plans(&space)},
        .finds = finds
    };
    look_at_all(grid, &it);
    return 0;
}

/* ---- redistributions ---- */

static void find_plan(struct grid *grid, struct pricing *pricing, struct finds *finds,
                      double repeat)
{
    struct plan plan;
    const double limit_us =
        finds->count ? fmin(finds->plan_us, finds->items[0].us) : finds->plan_us;
    plan_make(&plan, pricing, grid->costs, repeat, limit_us);
    grid->plan_left_out = plan.too_many || pricing->late;
    if (plan.found && plan.us < limit_us * (1.0 - 1e-9))
        finds_keep_plan(finds, pricing->space, &plan);
    plan_free(&plan);
    finds_count(finds, pricing);
}

int grid_plan(struct grid *grid, struct study *study, const struct deadline *deadline,
              struct finds *finds, struct error *error)
{
    double repeat;
    struct pricing pricing = {.space = &grid->space, .study = study, .deadline = *deadline};
    if (!grid->costs)
        return 0;
    if (space_enter(&grid->space, study, error) != 0 ||
        study_derive(study, grid->space.schedule, error) != 0 ||
        program_repeat(study->program, study->scope, &repeat, error) != 0)
        return -1;
    find_plan(grid, &pricing, finds, repeat);
    return 0;
}

void grid_free(struct grid *grid)
{
    if (!grid->costs)
        return;
    costs_free(grid->costs, segments_of(&grid->space));
    space_free(&grid->space);
}
