#include "forecast/search/segment_parts.h"

#include "model/base/allocation.h"
#include "model/segment/traffic/turns.h"

#include <math.h>
#include <stdlib.h>

/* Entries of one part: 40 MB. */
static const double entries_most = 5e6;

/* ---- the nests of a segment ---- */

/* The statements of one nest. */
struct group {
    struct pricing *pricing;
    size_t segment;
    struct subject subject; /* the study's, with the segment's statements of this nest alone */
    struct list *instances; /* one list a segment; owned, and so are this segment's items */
    bool decides[LEADERS_MOST], writes[LEADERS_MOST], reads[LEADERS_MOST];
};

static bool same_nest(const struct instance *a, const struct instance *b)
{
    return a->nest.depth == b->nest.depth && nest_common(&a->nest, &b->nest) == a->nest.depth;
}

static bool is_first_of_nest(const struct instance *items, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (same_nest(&items[i], &items[at]))
            return false;
    return true;
}

/* What an earlier nest may have brought counts there. */
static void find_brought(struct instance *instance, const struct list *all, size_t number)
{
    for (size_t k = 0; k < instance->read_count; k++)
        instance->placements[k].is_brought = sharing_is_possible(all, number, k);
}

static struct group group_of(struct pricing *pricing, size_t segment, size_t first)
{
    const struct subject *subject = &pricing->study->subject;
    const struct list *all = &subject->instances[segment];
    const struct instance *items = all->items;
    const size_t segments = subject->program->segments.count;
    struct group group = {.pricing = pricing, .segment = segment, .subject = *subject};
    group.instances = memory_new(segments, sizeof *group.instances);
    for (size_t s = 0; s < segments; s++)
        group.instances[s] = subject->instances[s];
    struct instance *some = memory_new(all->count, sizeof *some);
    struct list *mine = &group.instances[segment];
    *mine = (struct list){.items = some};
    for (size_t i = first; i < all->count; i++)
        if (same_nest(&items[i], &items[first])) {
            some[mine->count] = items[i];
            find_brought(&some[mine->count++], all, i);
        }
    group.subject.instances = group.instances;
    segment_leaders(mine, pricing->space, group.decides, group.writes, group.reads);
    return group;
}

static void group_free(struct group *group)
{
    free(group->instances[group->segment].items);
    free(group->instances);
}

/* ---- one nest ---- */

static struct price price_group(struct group *group)
{
    return price_part(group->pricing, &group->subject, group->segment);
}

/* Of those that decide: all the choices, one after the other, laid out. */
static void lay_out(struct group *group, const struct part *part, size_t entry)
{
    struct space *space = group->pricing->space;
    for (size_t i = 0; i < part->count; i++)
        space_choose(space, part->leaders[i],
                     entry / part->stride[i] % space->leaders[part->leaders[i]].option_count);
}

/* Whether the segment has other nests: those between which nobody waits have one busiest processor,
   which none of them need have alone, so that their means add up to a bound and no more. */
static bool has_other_nests(const struct group *group)
{
    const struct list *all = &group->pricing->study->subject.instances[group->segment];
    return group->instances[group->segment].count < all->count;
}

/* What the nest takes at least, whatever stands beside it: then without what the busiest processor
   computes more than the mean. */
static double us_beside(const struct price *price, bool others)
{
    return others ? price->us - price->compute_us + price->mean_us : price->us;
}

/* What each option of each other array adds to one choice of those that decide. */
struct additions {
    size_t count;
    size_t leaders[LEADERS_MOST];
    double *us[LEADERS_MOST]; /* an entry an option; owned */
    bool varies;              /* the computation does, with messages */
};

static void price_additions(struct group *group, struct additions *additions,
                            const struct price *base)
{
    struct space *space = group->pricing->space;
    const bool others = has_other_nests(group);
    additions->varies = false;
    for (size_t i = 0; i < additions->count; i++) {
        const size_t leader = additions->leaders[i];
        additions->us[i][0] = 0.0;
        for (size_t k = 1; k < space->leaders[leader].option_count; k++) {
            space_choose(space, leader, k);
            const struct price with = price_group(group);
            additions->us[i][k] =
                isinf(with.us) ? INFINITY : us_beside(&with, others) - us_beside(base, others);
            additions->varies |= !others && !isinf(with.us) && with.compute_us != base->compute_us;
        }
        space_choose(space, leader, 0);
    }
}

/* Loops that wait for messages do so once for all arrays: then what arrays add is not added up (see
   segment_costs.c), and each counts as its share of their number. */
static double without_waiting(const struct group *group, const struct additions *additions,
                              const struct price *base)
{
    bool writes_others = false;
    double us = base->us;
    for (size_t i = 0; i < additions->count; i++)
        writes_others |= group->writes[additions->leaders[i]];
    for (size_t i = 0; i < additions->count; i++) {
        const size_t options = group->pricing->space->leaders[additions->leaders[i]].option_count;
        double least_us = 0.0;
        for (size_t k = 0; k < options; k++) {
            double *add_us = &additions->us[i][k];
            least_us = fmin(least_us, *add_us);
            *add_us = isinf(*add_us)  ? *add_us
                      : writes_others ? 0.0
                                      : fmax(0.0, *add_us) / (double)additions->count;
        }
        us += writes_others ? least_us : 0.0;
    }
    return writes_others ? fmin(base->mean_us, us) : base->us;
}

/* A nest as parts: what its statements take where everything else is replicated, and what each
   other array adds. */
struct group_parts {
    struct part base;
    struct part added[LEADERS_MOST]; /* those that decide, then the array */
};

static void fill_entry(struct group *group, struct group_parts *parts, struct additions *additions,
                       size_t entry)
{
    lay_out(group, &parts->base, entry);
    const struct price base = price_group(group);
    parts->base.us[entry] = us_beside(&base, has_other_nests(group));
    if (isinf(base.us)) {
        for (size_t i = 0; i < additions->count; i++)
            for (size_t k = 0; k * parts->base.size < parts->added[i].size; k++)
                parts->added[i].us[entry + k * parts->base.size] = 0.0;
        return;
    }
    price_additions(group, additions, &base);
    if (additions->varies && additions->count > 1)
        parts->base.us[entry] = without_waiting(group, additions, &base);
    for (size_t i = 0; i < additions->count; i++)
        for (size_t k = 0; k * parts->base.size < parts->added[i].size; k++)
            parts->added[i].us[entry + k * parts->base.size] = additions->us[i][k];
}

static bool make_room(struct part *part, const struct space *space)
{
    double entries = 1.0;
    for (size_t i = 0; i < part->count; i++)
        entries *= (double)space->leaders[part->leaders[i]].option_count;
    if (entries > entries_most)
        return false;
    part->us = memory_new(part->size, sizeof *part->us);
    part->owned = true;
    return true;
}

static void additions_free(struct additions *additions)
{
    for (size_t i = 0; i < additions->count; i++)
        free(additions->us[i]);
}

/* What decides, and with room for it what else is used; what there is no room for is bounded by
   nothing. false: there is not even room for what decides. */
static bool begin(const struct group *group, struct group_parts *parts, struct additions *additions)
{
    const struct space *space = group->pricing->space;
    parts->base = (struct part){.size = 1};
    for (size_t i = 0; i < space->leader_count; i++)
        if (group->decides[i])
            part_depend(&parts->base, space, i);
    if (!make_room(&parts->base, space))
        return false;
    for (size_t i = 0; i < space->leader_count; i++) {
        struct part with = parts->base;
        if (group->decides[i] || !(group->reads[i] || group->writes[i]))
            continue;
        part_depend(&with, space, i);
        if (!make_room(&with, space))
            continue;
        parts->added[additions->count] = with;
        additions->us[additions->count] =
            memory_new(space->leaders[i].option_count, sizeof *additions->us[0]);
        additions->leaders[additions->count++] = i;
    }
    return true;
}

static bool writes_others(const struct group *group)
{
    for (size_t i = 0; i < group->pricing->space->leader_count; i++)
        if (group->writes[i] && !group->decides[i])
            return true;
    return false;
}

static void add_group(struct parts *parts, struct group *group)
{
    struct group_parts made;
    struct additions additions = {0};
    struct space *space = group->pricing->space;
    struct limit *limit = group->pricing->limit;
    for (size_t i = 0; i < space->leader_count; i++)
        space_choose(space, i, 0);
    if (!begin(group, &made, &additions))
        return;
    if (writes_others(group))
        group->pricing->limit = NULL;
    for (size_t entry = 0; entry < made.base.size; entry++)
        fill_entry(group, &made, &additions, entry);
    group->pricing->limit = limit;
    parts_add(parts, &made.base);
    for (size_t i = 0; i < additions.count; i++)
        parts_add(parts, &made.added[i]);
    additions_free(&additions);
}

void segment_parts_add(struct parts *parts, struct pricing *pricing, size_t segment)
{
    const struct segment *segments = pricing->space->program->segments.items;
    const struct list *instances = &pricing->study->subject.instances[segment];
    for (size_t i = 0; i < instances->count && !segments[segment].overlap; i++) {
        if (!is_first_of_nest(instances->items, i))
            continue;
        struct group group = group_of(pricing, segment, i);
        add_group(parts, &group);
        group_free(&group);
    }
}
