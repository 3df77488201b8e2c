#include "forecast/search/finds.h"

#include "forecast/search/candidate_text.h"
#include "model/base/allocation.h"
#include "model/segment/program/program_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void finds_begin(struct finds *finds)
{
    *finds = (struct finds){.plan_us = INFINITY};
}

double finds_limit_us(const struct finds *finds)
{
    return finds->count < FINDS_MOST ? INFINITY : finds->items[finds->count - 1].us * (1.0 - 1e-9);
}

static bool is_known(const struct finds *finds, const char *text)
{
    for (size_t i = 0; i < finds->count; i++)
        if (strcmp(finds->items[i].text, text) == 0)
            return true;
    return false;
}

static void release(struct find *find)
{
    free(find->text);
    candidates_free(&find->candidate);
}

void finds_keep(struct finds *finds, double us, const struct space *space, const size_t *choice)
{
    if (isinf(us) || !(us < finds_limit_us(finds)))
        return;
    struct find find = {.us = us};
    struct candidate *candidate = space_candidate(space, choice, &find.candidate, "");
    candidate->fill = true;
    find.text = candidate_text(candidate);
    if (is_known(finds, find.text)) {
        release(&find);
        return;
    }
    size_t at = finds->count;
    for (; at > 0 && finds->items[at - 1].us > us; at--)
        finds->items[at] = finds->items[at - 1];
    finds->items[at] = find;
    if (++finds->count > FINDS_MOST)
        release(&finds->items[--finds->count]);
}

void finds_keep_plan(struct finds *finds, const struct space *space, const struct plan *plan)
{
    const struct segment *segments = space->program->segments.items;
    const size_t row = space->leader_count * sizeof plan->choices[0][0];
    finds->plan_us = plan->us;
    candidates_free(&finds->plan);
    struct candidate *candidate =
        space_candidate(space, plan->choices[0], &finds->plan, "redistributed");
    candidate->fill = true;
    for (size_t s = 1; s < space->program->segments.count; s++)
        if (memcmp(plan->choices[s], plan->choices[s - 1], row) != 0)
            space_distribute(space, plan->choices[s], plan->choices[s - 1],
                             redistribute_add(candidate, segments[s].name));
}

void finds_count(struct finds *finds, struct pricing *pricing)
{
    if (pricing->failures > 0.0 && finds->failures == 0.0)
        finds->first = pricing->first;
    finds->failures += pricing->failures;
    finds->predictions += pricing->predictions;
    pricing_free(pricing);
}

void finds_take(struct finds *finds, struct list *candidates)
{
    const bool plan_wins =
        finds->plan.count > 0 && (finds->count == 0 || finds->plan_us < finds->items[0].us);
    for (size_t i = 0; i < finds->count; i++) {
        struct candidate *candidate = finds->items[i].candidate.items;
        free(candidate->name);
        candidate->name = memory_format("search %zu", i + 1);
        candidates_move(candidates, &finds->items[i].candidate);
        free(finds->items[i].text);
    }
    if (plan_wins)
        candidates_move(candidates, &finds->plan);
    candidates_free(&finds->plan);
    finds->count = 0;
}
