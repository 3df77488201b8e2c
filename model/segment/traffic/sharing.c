#include "model/base/allocation.h"
#include "model/segment/loops/dependence.h"
#include "model/segment/traffic/turns.h"

#include <stdlib.h>
#include <string.h>

/* ---- loops and places that are the same ---- */

static bool is_same_affine(const struct affine *a, double a_offset, const struct affine *b,
                           double b_offset)
{
    return affine_parallel(a, b) && a->constant + a_offset == b->constant + b_offset;
}

static bool is_same_bound(const struct loop_bound *a, const struct loop_bound *b, bool may_be_text)
{
    if (a->is_affine && b->is_affine)
        return is_same_affine(&a->value, 0.0, &b->value, 0.0);
    return may_be_text && !a->is_affine && !b->is_affine &&
           strcmp(a->text->text, b->text->text) == 0;
}

static bool is_same_loop(const struct nest *a, const struct nest *b, int l)
{
    const bool is_in_same = nest_common(a, b) >= l;
    return nest_common(a, b) > l || (is_same_bound(&a->first[l], &b->first[l], is_in_same) &&
                                     is_same_bound(&a->last[l], &b->last[l], is_in_same));
}

/* Where a home lies along a grid dimension; false: it is on all coordinates. */
struct along {
    const struct affine *subscript;
    const struct distribution *distribution;
};

static bool find_along(struct along *along, const struct message *it, int g,
                       const struct layout *layout)
{
    if (!it->home)
        return false;
    const struct array_layout *lies = layout_of(layout, it->reader->nest.program, it->home->array);
    const int d = array_layout_along(lies, g);
    if (d < 0)
        return false;
    *along = (struct along){&it->home->subscripts[d], &lies->along[d]};
    return true;
}

static bool are_cut_alike(const struct distribution *a, const struct distribution *b)
{
    return a->processors == b->processors && a->block == b->block;
}

static bool run_in_same_places(const struct message *a, const struct message *b,
                               const struct layout *layout)
{
    for (int g = 0; g < layout->grid_dimensions; g++) {
        struct along x, y;
        const bool has_x = find_along(&x, a, g, layout), has_y = find_along(&y, b, g, layout);
        if (has_x != has_y || (has_x && (!are_cut_alike(x.distribution, y.distribution) ||
                                         !is_same_affine(x.subscript, x.distribution->offset,
                                                         y.subscript, y.distribution->offset))))
            return false;
    }
    return true;
}

static bool has_all_reads(const struct message *a, const struct message *b)
{
    for (size_t k = 0; k < b->reads.count; k++) {
        size_t i = 0;
        while (i < a->reads.count &&
               !reference_same_subscripts(a->reads.references[i], b->reads.references[k]))
            i++;
        if (i == a->reads.count)
            return false;
    }
    return true;
}

/* ---- pieces of one loop ---- */

/* Whether the second loop begins where the first one has ended, or leaves one value out there. */
static bool goes_on(const struct loop_bound *last, const struct loop_bound *first)
{
    const double gap = first->value.constant - last->value.constant;
    return first->is_affine && last->is_affine && affine_parallel(&first->value, &last->value) &&
           (gap == 1.0 || gap == 2.0);
}

/* Makes a loop of the sharing's nest go from one bound to another. */
static void stretch(struct nest *nest, int l, const struct nest *first, const struct nest *last)
{
    nest->first[l] = first->first[l];
    nest->last[l] = last->last[l];
    nest->least[l] = first->least[l];
    nest->most[l] = last->most[l];
    for (int k = 0; k < l; k++)
        nest->outer[l][k] = first->first[l].value.by[k] != 0.0 || last->last[l].value.by[k] != 0.0;
}

/* The loop of which both are pieces, with the same statements; -1: they are not. */
static int split_between(const struct message *it, const struct message *other,
                         const struct layout *layout)
{
    const struct nest *a = &it->reader->nest, *b = &other->reader->nest;
    int split = -1;
    for (int l = 0; l < a->depth && l < b->depth; l++) {
        if (is_same_loop(a, b, l))
            continue;
        if (split >= 0)
            return -1;
        split = l;
    }
    if (a->depth != b->depth || split < it->depth || !run_in_same_places(it, other, layout) ||
        !has_all_reads(it, other) || !has_all_reads(other, it))
        return -1;
    return goes_on(&a->last[split], &b->first[split]) || goes_on(&b->last[split], &a->first[split])
               ? split
               : -1;
}

/* Makes both pieces the loop that they are of. */
static void join_pieces(struct sharing *sharing, const struct message *other, int split)
{
    const struct nest *a = &sharing->message.reader->nest, *b = &other->reader->nest;
    const bool is_behind = goes_on(&a->last[split], &b->first[split]);
    const struct nest first = is_behind ? *a : *b, last = is_behind ? *b : *a;
    if (!sharing->whole) {
        sharing->whole = memory_new(1, sizeof *sharing->whole);
        *sharing->whole = *sharing->message.reader;
        sharing->message.reader = sharing->whole;
    }
    stretch(&sharing->whole->nest, split, &first, &last);
}

/* ---- what one brings that another needs ---- */

/* From the least to the greatest value of a subscript, as functions of the loops outside the
   message. */
struct interval {
    struct affine least, most;
};

static bool find_end(struct affine *end, const struct affine *subscript, const struct nest *nest,
                     int depth, bool is_most)
{
    *end = *subscript;
    for (int l = nest->depth - 1; l >= depth; l--) {
        const double by = end->by[l];
        const struct loop_bound *bound = (by > 0.0) == is_most ? &nest->last[l] : &nest->first[l];
        if (by == 0.0)
            continue;
        if (!bound->is_affine)
            return false;
        end->by[l] = 0.0;
        end->constant += by * bound->value.constant;
        for (int k = 0; k < l; k++)
            end->by[k] += by * bound->value.by[k];
    }
    return true;
}

static bool find_interval(struct interval *interval, const struct affine *subscript,
                          const struct message *it)
{
    return find_end(&interval->least, subscript, &it->reader->nest, it->depth, false) &&
           find_end(&interval->most, subscript, &it->reader->nest, it->depth, true);
}

/* Whether one is never greater than the other. */
static bool is_at_most(const struct affine *a, double a_offset, const struct affine *b,
                       double b_offset, const struct message *it)
{
    const struct nest *nest = &it->reader->nest;
    double least = b->constant + b_offset - a->constant - a_offset;
    for (int l = 0; l < it->depth; l++) {
        const double by = b->by[l] - a->by[l];
        if (by != 0.0)
            least += by * (by > 0.0 ? nest->least[l] : nest->most[l]);
    }
    return least >= 0.0;
}

static bool is_inside(const struct affine *inner, double inner_offset, const struct message *of,
                      const struct affine *outer, double outer_offset, const struct message *it)
{
    struct interval a, b;
    return find_interval(&a, outer, it) && find_interval(&b, inner, of) &&
           is_at_most(&a.least, outer_offset, &b.least, inner_offset, it) &&
           is_at_most(&b.most, inner_offset, &a.most, outer_offset, it);
}

/* The loop within the message whose index moves a subscript one element at a time; -1: none does.
   False: it leaves elements out, or several loops move it. */
static bool find_mover(int *loop, const struct affine *subscript, const struct message *it)
{
    *loop = affine_loop(subscript, it->depth);
    return *loop < 0 || (affine_loop(subscript, *loop + 1) < 0 &&
                         (subscript->by[*loop] == 1.0 || subscript->by[*loop] == -1.0));
}

/* Whether all combinations of the values of its loops occur, each moving one subscript of the home
   along the grid and one of the read at most: its needs are a product. */
static bool is_product(const struct message *it, const struct reference *read,
                       const struct layout *layout)
{
    const struct nest *nest = &it->reader->nest;
    bool moves_home[LOOPS_MOST] = {false}, moves_read[LOOPS_MOST] = {false};
    int loop;
    for (int l = it->depth; l < nest->depth; l++)
        for (int k = it->depth; k < l; k++)
            if (nest->outer[l][k])
                return false;
    for (int g = 0; g < layout->grid_dimensions; g++) {
        struct along along;
        if (!find_along(&along, it, g, layout))
            continue;
        if (!find_mover(&loop, along.subscript, it) || (loop >= 0 && moves_home[loop]))
            return false;
        if (loop >= 0)
            moves_home[loop] = true;
    }
    for (int d = 0; d < read->dimensions; d++) {
        if (!find_mover(&loop, &read->subscripts[d], it) || (loop >= 0 && moves_read[loop]))
            return false;
        if (loop >= 0)
            moves_read[loop] = true;
    }
    return true;
}

/* Whether what one needs along a dimension is as far from where it runs as what the other needs, or
   every processor gets all of it. */
static bool covers_along(const struct message *it, const struct affine *all,
                         const struct message *other, const struct affine *part,
                         const struct layout *layout)
{
    int loop;
    find_mover(&loop, all, it);
    for (int g = 0; g < layout->grid_dimensions && loop >= 0; g++) {
        struct along here, there;
        if (!find_along(&here, it, g, layout) || here.subscript->by[loop] == 0.0)
            continue;
        if (!find_along(&there, other, g, layout))
            return false;
        struct affine a = *all, b = *part;
        for (int l = 0; l < LOOPS_MOST; l++) {
            a.by[l] -= here.subscript->by[l];
            b.by[l] -= there.subscript->by[l];
        }
        a.constant -= here.subscript->constant + here.distribution->offset;
        b.constant -= there.subscript->constant + there.distribution->offset;
        return affine_loop(&b, other->depth) < 0 && affine_loop(&a, it->depth) < 0 &&
               is_same_affine(&a, 0.0, &b, 0.0);
    }
    return is_inside(part, 0.0, other, all, 0.0, it);
}

static bool covers_read(const struct message *it, const struct message *other,
                        const struct reference *part, const struct layout *layout)
{
    for (size_t k = 0; k < it->reads.count; k++) {
        const struct reference *all = it->reads.references[k];
        bool covers = is_product(it, all, layout);
        for (int d = 0; d < all->dimensions && covers; d++)
            covers = covers_along(it, &all->subscripts[d], other, &part->subscripts[d], layout);
        if (covers)
            return true;
    }
    return false;
}

/* Whether every processor gets by the one all that it needs by the other, each time. */
static bool covers(const struct message *it, const struct message *other,
                   const struct layout *layout)
{
    const struct nest *a = &it->reader->nest, *b = &other->reader->nest;
    bool is_same = a->depth == b->depth;
    for (int l = 0; l < a->depth && is_same; l++)
        is_same = is_same_loop(a, b, l);
    if (is_same && run_in_same_places(it, other, layout) && has_all_reads(it, other))
        return true;
    for (int g = 0; g < layout->grid_dimensions; g++) {
        struct along here, there;
        if (!find_along(&here, it, g, layout))
            continue;
        if (!find_along(&there, other, g, layout) ||
            !are_cut_alike(here.distribution, there.distribution) ||
            !is_inside(there.subscript, there.distribution->offset, other, here.subscript,
                       here.distribution->offset, it))
            return false;
    }
    for (size_t k = 0; k < other->reads.count; k++)
        if (!covers_read(it, other, other->reads.references[k], layout))
            return false;
    return true;
}

/* ---- all ---- */

static bool is_written_between(const struct message *first, const struct message *other)
{
    for (const struct instance *writer = first->reader; writer < other->reader; writer++)
        for (size_t k = 0; k < other->reads.count; k++)
            if (dependence_since(writer, other->reader, other->reads.references[k], other->depth))
                return true;
    return false;
}

static bool may_share(const struct message *it, const struct layout *layout)
{
    return !it->pipelined && it->depth < it->reader->nest.depth && it->reads.count > 0 &&
           !message_goes_around(it) && !message_is_local(it, layout, it->reader->nest.program);
}

static bool are_sent_together(const struct message *first, const struct message *other)
{
    return first->reads.array == other->reads.array && first->depth == other->depth &&
           first->carried == other->carried && first->apart == other->apart &&
           nest_common(&first->reader->nest, &other->reader->nest) >= first->depth &&
           first->reader->probability > 0.0 && other->reader->probability > 0.0;
}

bool sharing_is_possible(const struct list *instances, size_t number, size_t read)
{
    const struct instance *all = instances->items, *reader = &all[number];
    const struct reference *reference = &reader->reads[read];
    const struct placement *placement = &reader->placements[read];
    for (size_t i = 0; i < number; i++) {
        const int common = nest_common(&all[i].nest, &reader->nest);
        if (common < placement->depth ||
            (common == reader->nest.depth && common == all[i].nest.depth))
            continue;
        bool is_new = false;
        for (const struct instance *writer = &all[i]; writer < reader && !is_new; writer++)
            is_new = dependence_since(writer, reader, reference, placement->depth);
        for (size_t k = 0; k < all[i].read_count && !is_new; k++)
            if (all[i].reads[k].array == reference->array &&
                all[i].placements[k].depth == placement->depth)
                return true;
    }
    return false;
}

static bool is_written_before(const struct sharing *sharings, const struct list *messages,
                              size_t first, size_t other)
{
    const struct message *all = messages->items;
    for (size_t i = other; i < messages->count; i++)
        if (sharings[i].with == other && is_written_between(&all[first], &all[i]))
            return true;
    return false;
}

/* Whether both are one, which brings what both need then. */
static bool share(struct sharing *sharings, const struct list *messages, size_t first, size_t other,
                  const struct layout *layout)
{
    struct sharing *it = &sharings[first], *with = &sharings[other];
    const bool is_brought = covers(&it->message, &with->message, layout);
    const bool brings = !is_brought && covers(&with->message, &it->message, layout);
    const int split =
        is_brought || brings ? -1 : split_between(&it->message, &with->message, layout);
    /* What takes longest is asked last. */
    if ((!is_brought && !brings && split < 0) ||
        is_written_before(sharings, messages, first, other))
        return false;
    if (split >= 0)
        join_pieces(it, &with->message, split);
    if (brings) {
        const struct sharing kept = *it;
        *it = (struct sharing){kept.with, with->message, with->whole};
        with->whole = kept.whole;
    }
    return true;
}

struct sharing *sharings_find(struct list *messages, const bool *take_part,
                              const struct layout *layout)
{
    const struct message *all = messages->items;
    struct sharing *sharings = memory_new(messages->count, sizeof *sharings);
    for (size_t i = 0; i < messages->count; i++) {
        if (take_part[i])
            delivery_drop(messages, i, layout);
        sharings[i] = (struct sharing){.with = i, .message = all[i]};
    }
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (size_t i = 0; i < messages->count; i++)
            for (size_t k = i + 1; k < messages->count; k++) {
                if (!take_part[i] || sharings[i].with != i || !take_part[k] ||
                    sharings[k].with != k || !are_sent_together(&all[i], &all[k]) ||
                    !may_share(&all[i], layout) || !may_share(&all[k], layout) ||
                    !share(sharings, messages, i, k, layout))
                    continue;
                for (size_t m = k; m < messages->count; m++)
                    if (sharings[m].with == k)
                        sharings[m].with = i;
                is_changed = true;
            }
    }
    return sharings;
}

void sharings_free(struct sharing *sharings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(sharings[i].whole);
    free(sharings);
}
