#include "forecast/search/segment_costs.h"

#include "model/base/allocation.h"
#include "model/segment/memory/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the arrays of a segment ---- */

static void mark(const struct pricing *pricing, size_t segment, bool *decides, bool *writes,
                 bool *reads)
{
    segment_leaders(&pricing->study->subject.instances[segment], pricing->space, decides, writes,
                    reads);
}

static void add_leader(struct segment_costs *costs, const struct space *space, size_t leader)
{
    costs->leaders[costs->count] = leader;
    costs->stride[costs->count++] = costs->size;
    costs->size *= space->leaders[leader].option_count;
}

static void find_leaders(struct segment_costs *costs, const struct pricing *pricing)
{
    bool decides[LEADERS_MOST] = {false}, writes[LEADERS_MOST] = {false};
    bool reads[LEADERS_MOST] = {false};
    mark(pricing, costs->segment, decides, writes, reads);
    costs->size = 1;
    for (size_t i = 0; i < pricing->space->leader_count; i++)
        if (decides[i])
            add_leader(costs, pricing->space, i);
    costs->deciding = costs->count;
    for (size_t i = 0; i < pricing->space->leader_count; i++)
        if ((writes[i] || reads[i]) && !decides[i]) {
            add_leader(costs, pricing->space, i);
            costs->writes_others |= writes[i];
        }
}

double segment_costs_size(const struct pricing *pricing, size_t segment, double *predictions)
{
    bool decides[LEADERS_MOST] = {false}, uses[LEADERS_MOST] = {false};
    double size = 1.0, others = 1.0;
    *predictions = 1.0;
    mark(pricing, segment, decides, uses, uses);
    for (size_t i = 0; i < pricing->space->leader_count; i++) {
        const double options = (double)pricing->space->leaders[i].option_count;
        size *= decides[i] || uses[i] ? options : 1.0;
        *predictions *= decides[i] ? options : 1.0;
        others += uses[i] && !decides[i] ? options : 0.0;
    }
    *predictions *= others;
    return size;
}

size_t segment_costs_at(const struct segment_costs *costs, const size_t *choice)
{
    size_t at = 0;
    for (size_t i = 0; i < costs->count; i++)
        at += choice[costs->leaders[i]] * costs->stride[i];
    return at;
}

/* ---- which choices are priced ---- */

/* Of the leaders so far. */
struct chosen {
    bool is[LEADERS_MOST];
    size_t option[LEADERS_MOST];
};

static void choose(struct pricing *pricing, struct chosen *chosen, size_t leader, size_t option)
{
    space_choose(pricing->space, leader, option);
    chosen->is[leader] = true;
    chosen->option[leader] = option;
}

static bool is_skipped(const struct pricing *pricing, const struct chosen *chosen)
{
    return pricing->skips_equals &&
           !space_may_be_first_of_equals(pricing->space, chosen->option, chosen->is);
}

/* ---- bounds ---- */

/* Sums bound from below where nothing but messages, and what misses the cache, depends on what does
   not decide: what overlaps computation depends on all messages together. */
static bool sums_are_bounds(const struct pricing *pricing, size_t number)
{
    const struct segment *segments = pricing->space->program->segments.items;
    return !segments[number].overlap;
}

static bool is_alone(const struct pricing *pricing)
{
    return pricing->study->program->segments.count == 1;
}

/* What rows are priced with: room for all options of those that do not decide. */
struct rows {
    struct chosen chosen;
    double *additions_us; /* NULL: every entry is priced */
    size_t *alikes;
};

/* The entries for one choice of those that decide. Messages are of one array each, between where
   statements run and where it lies, so that what arrays add, one at a time, adds up. The exception
   are loops that wait for messages, which they do once for all arrays: where that shows in the
   computation, the bound is what the most expensive array alone adds, which waits no longer than
   all of them; with arrays that are written too, which the base has replicated and waits for
   perhaps in vain, it is what computation takes on average. */
struct row_filling {
    struct segment_costs *costs;
    struct pricing *pricing;
    struct chosen *chosen;      /* those that decide */
    const double *additions_us; /* all options of one leader after the other */
    const size_t *alikes;       /* the first option of which a processor has as much */
    struct price base;
    bool misses; /* are derived */
    bool varies; /* the computation does, with messages */
    bool exact;
};

/* On the way to an entry. */
struct filling {
    size_t entry, alike; /* the entry of the first options of which a processor has as much */
    double sum_us, alike_us, most_us;
};

static void fill_entry(const struct row_filling *row, const struct filling *at)
{
    struct segment_costs *costs = row->costs;
    double us = row->base.us + at->sum_us;
    if (row->varies && !row->exact && !isinf(us))
        us = costs->writes_others ? fmin(row->base.mean_us, us) : row->base.us + at->most_us;
    costs->us[at->entry] = us;
    costs->exact[at->entry] = row->exact || isinf(us);
}

/* Lines that miss depend on how much of every array a processor has: arrays do not add up, but what
   differs in nothing else differs by its messages from what was priced. Where loops wait for
   messages everything is priced. */
static void fill_missing_entry(struct row_filling *row, const struct filling *at)
{
    struct segment_costs *costs = row->costs;
    const double alike_us = costs->us[at->alike] - at->alike_us;
    if (!row->varies && at->alike != at->entry && !isinf(alike_us)) {
        costs->us[at->entry] = alike_us + at->sum_us;
        costs->exact[at->entry] = row->exact || isinf(at->sum_us);
        return;
    }
    const struct price found = price_segment(row->pricing, costs->segment);
    row->varies |= found.waits;
    costs->us[at->entry] = found.us;
    costs->exact[at->entry] = true;
}

static void fill_row(struct row_filling *row, size_t number, size_t offset, struct filling at)
{
    const struct segment_costs *costs = row->costs;
    struct space *space = row->pricing->space;
    if (number == costs->count) {
        if (row->misses)
            fill_missing_entry(row, &at);
        else
            fill_entry(row, &at);
        return;
    }
    const size_t leader = costs->leaders[number], stride = costs->stride[number];
    const size_t options = space->leaders[leader].option_count;
    for (size_t k = 0; k < options; k++) {
        const size_t alike = row->alikes[offset + k];
        const double more_us = row->additions_us[offset + k];
        if (row->misses)
            space_choose(space, leader, k);
        fill_row(row, number + 1, offset + options,
                 (struct filling){
                     at.entry + k * stride, at.alike + alike * stride, at.sum_us + more_us,
                     at.alike_us + row->additions_us[offset + alike], fmax(at.most_us, more_us)});
    }
}

/* What one option of an array adds to the base. */
static double price_addition(struct row_filling *row, size_t leader, size_t option)
{
    struct pricing *pricing = row->pricing;
    choose(pricing, row->chosen, leader, option);
    const bool skipped = !row->misses && is_skipped(pricing, row->chosen);
    row->chosen->is[leader] = false;
    if (skipped) {
        space_choose(pricing->space, leader, 0);
        return INFINITY;
    }
    const struct price with = price_segment(pricing, row->costs->segment);
    space_choose(pricing->space, leader, 0);
    if (isinf(with.us))
        return INFINITY;
    row->varies |= row->misses ? with.waits : with.compute_us != row->base.compute_us;
    return row->misses ? with.us - with.compute_us - (row->base.us - row->base.compute_us)
                       : with.us - row->base.us;
}

/* Tells the limit what the layouts of a row take as a whole, where the segment is all there is. */
static void note_row(const struct segment_costs *costs, const struct pricing *pricing,
                     const struct chosen *chosen, size_t first)
{
    const struct space *space = pricing->space;
    const size_t last = costs->count - 1;
    const bool varies = costs->count > costs->deciding;
    size_t choice[LEADERS_MOST] = {0};
    for (size_t i = 0; i < costs->deciding; i++)
        choice[costs->leaders[i]] = chosen->option[costs->leaders[i]];
    for (size_t k = 0; k < (varies ? space->leaders[costs->leaders[last]].option_count : 1); k++) {
        double us = costs->us[first + (varies ? k * costs->stride[last] : 0)];
        if (varies)
            choice[costs->leaders[last]] = k;
        for (size_t i = 0; i < space->leader_count; i++)
            us += space->leaders[i].options[choice[i]].fill_us;
        if (!isinf(us) && space_may_be_first_of_equals(space, choice, NULL))
            limit_note(pricing->limit, us);
    }
}

static void price_row(struct segment_costs *costs, struct pricing *pricing, struct rows *rows,
                      size_t first)
{
    double *additions_us = rows->additions_us;
    struct row_filling row = {.costs = costs,
                              .pricing = pricing,
                              .chosen = &rows->chosen,
                              .additions_us = additions_us,
                              .alikes = rows->alikes,
                              .base = price_segment(pricing, costs->segment),
                              .misses = pricing_derives_misses(pricing),
                              .exact = costs->count - costs->deciding <= 1};
    size_t offset = 0;
    row.varies = row.misses && row.base.waits;
    for (size_t i = costs->deciding; i < costs->count; i++) {
        const size_t options = pricing->space->leaders[costs->leaders[i]].option_count;
        additions_us[offset] = 0.0;
        for (size_t k = 1; k < options; k++)
            additions_us[offset + k] =
                isinf(row.base.us) ? 0.0 : price_addition(&row, costs->leaders[i], k);
        offset += options;
    }
    fill_row(&row, costs->deciding, 0, (struct filling){.entry = first, .alike = first});
    if (pricing->limit && row.exact && !row.misses && is_alone(pricing))
        note_row(costs, pricing, &rows->chosen, first);
}

/* ---- options of which a processor has as much ---- */

static bool is_alike(const struct leader *leader, size_t a, size_t b)
{
    for (size_t m = 0; m < leader->member_count; m++) {
        const struct array_share x = array_share(&leader->options[a].lies[m]);
        const struct array_share y = array_share(&leader->options[b].lies[m]);
        if (x.all != y.all || x.first != y.first || x.last != y.last)
            return false;
    }
    return true;
}

/* Of each option of those that do not decide, the first that is alike. */
static void find_alikes(const struct segment_costs *costs, const struct space *space,
                        size_t *alikes)
{
    for (size_t i = costs->deciding; i < costs->count; i++) {
        const struct leader *leader = &space->leaders[costs->leaders[i]];
        for (size_t k = 0; k < leader->option_count; k++, alikes++) {
            *alikes = 0;
            while (!is_alike(leader, *alikes, k))
                ++*alikes;
        }
    }
}

/* ---- all choices ---- */

/* All entries where the first so many leaders have the options of this entry. */
static void skip(struct segment_costs *costs, size_t leaders, size_t first)
{
    const size_t stride = leaders < costs->count ? costs->stride[leaders] : costs->size;
    for (size_t entry = first; entry < costs->size; entry += stride) {
        costs->us[entry] = INFINITY;
        costs->exact[entry] = true;
    }
}

/* All choices of those that decide, or of all. */
static void for_choices(struct segment_costs *costs, struct pricing *pricing, struct rows *rows,
                        size_t at, size_t first)
{
    if (is_skipped(pricing, &rows->chosen)) {
        skip(costs, at, first);
        return;
    }
    if (at < (rows->additions_us ? costs->deciding : costs->count)) {
        const size_t options = pricing->space->leaders[costs->leaders[at]].option_count;
        for (size_t k = 0; k < options; k++) {
            choose(pricing, &rows->chosen, costs->leaders[at], k);
            for_choices(costs, pricing, rows, at + 1, first + k * costs->stride[at]);
        }
        rows->chosen.is[costs->leaders[at]] = false;
        return;
    }
    if (rows->additions_us) {
        for (size_t i = costs->deciding; i < costs->count; i++)
            space_choose(pricing->space, costs->leaders[i], 0);
        price_row(costs, pricing, rows, first);
        return;
    }
    costs->us[first] = price_segment(pricing, costs->segment).us;
    costs->exact[first] = true;
}

void segment_costs_make(struct segment_costs *costs, struct pricing *pricing, size_t segment)
{
    struct limit *limit = pricing->limit;
    *costs = (struct segment_costs){.segment = segment};
    find_leaders(costs, pricing);
    if (costs->writes_others)
        pricing->limit = NULL;
    replicate_all(pricing->space);
    costs->us = memory_new(costs->size, sizeof *costs->us);
    costs->exact = memory_new(costs->size, sizeof *costs->exact);
    size_t options = 1;
    for (size_t i = costs->deciding; i < costs->count; i++)
        options += pricing->space->leaders[costs->leaders[i]].option_count;
    struct rows rows = {0};
    if (sums_are_bounds(pricing, segment)) {
        rows.additions_us = memory_new(options, sizeof *rows.additions_us);
        rows.alikes = memory_new(options, sizeof *rows.alikes);
        find_alikes(costs, pricing->space, rows.alikes);
    }
    for_choices(costs, pricing, &rows, 0, 0);
    pricing->limit = limit;
    free(rows.additions_us);
    free(rows.alikes);
}

void segment_costs_free(struct segment_costs *costs)
{
    free(costs->us);
    free(costs->exact);
}

struct part segment_costs_part(const struct segment_costs *costs)
{
    struct part part = {.count = costs->count, .size = costs->size, .us = costs->us};
    memcpy(part.leaders, costs->leaders, sizeof part.leaders);
    memcpy(part.stride, costs->stride, sizeof part.stride);
    return part;
}

double segment_costs_exact(struct segment_costs *costs, struct pricing *pricing,
                           const size_t *choice)
{
    const size_t at = segment_costs_at(costs, choice);
    if (costs->exact[at])
        return costs->us[at];
    replicate_all(pricing->space);
    for (size_t i = 0; i < costs->count; i++)
        space_choose(pricing->space, costs->leaders[i], choice[costs->leaders[i]]);
    costs->us[at] = price_segment(pricing, costs->segment).us;
    costs->exact[at] = true;
    return costs->us[at];
}
