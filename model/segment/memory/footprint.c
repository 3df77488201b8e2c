#include "model/segment/memory/footprint.h"

#include "model/base/number.h"

#include <math.h>
#include <string.h>

struct gathered {
    const struct touch *touch;    /* borrowed */
    const struct mean_nest *nest; /* borrowed */
};

static const struct record gathered_list = {
    .name = "a reference", .size = sizeof(struct gathered), .place_offset = NO_PLACE};

void footprint_add(struct footprint *footprint, const struct loop_node *node)
{
    const struct loop_node *children = node->children.items;
    for (size_t i = 0; i < node->children.count; i++)
        footprint_add(footprint, &children[i]);
    const struct touch *touches = node->leaf ? node->leaf->touches.items : NULL;
    for (size_t i = 0; node->leaf && i < node->leaf->touches.count; i++) {
        struct gathered *item = list_add(&gathered_list, &footprint->touches);
        *item = (struct gathered){&touches[i], &node->leaf->nest};
    }
}

void footprint_free(struct footprint *footprint)
{
    list_free(&gathered_list, &footprint->touches);
}

/* ---- boxes: what a reference covers, per dimension, slowest first; the last one in lines ---- */

struct box {
    double from[DIMENSIONS_MOST], to[DIMENSIONS_MOST];
};

/* More different references of one array are left out: fewer lines, still a lower bound. */
enum { BOXES_MOST = 24 };

struct boxes {
    struct box of[BOXES_MOST];
    size_t count;
    int dimensions;
    double least_run; /* lines that a run counts at least */
};

/* What the running loops of a subscript cover, from its first element on. */
struct sweep_of {
    double from, span;     /* the first element; from it to the last */
    double trips, closest; /* how many elements; the smallest step between any */
    double common;         /* what all steps are multiples of */
};

static struct sweep_of sweep(const struct affine *subscript, const struct mean_nest *nest,
                             int depth)
{
    struct sweep_of it = {subscript->constant, 0.0, 1.0, INFINITY, 0.0};
    for (int l = 0; l < nest->depth; l++) {
        const double step = subscript->by[l], trips = mean_trips(nest, l);
        if (step == 0.0)
            continue;
        it.from += step * (l >= depth && step < 0.0 ? nest->last[l] : nest->first[l]);
        if (l < depth)
            continue;
        it.span += fabs(step) * fmax(trips - 1.0, 0.0);
        it.trips *= trips;
        it.closest = fmin(it.closest, fabs(step));
        it.common = number_common_divisor(it.common, fabs(step));
    }
    return it;
}

/* How much is covered, from the first element to the last: what lies between them is covered as
   long as no line is left out; else so many lines as there are elements. */
static void cover(struct box *box, int d, const struct gathered *item, int depth, double unit)
{
    const struct reference *reference = &item->touch->reference;
    const int dimension = array_dimension(reference->array, reference->dimensions, d);
    const struct sweep_of it = sweep(&reference->subscripts[dimension], item->nest, depth);
    box->from[d] = it.from * unit;
    box->to[d] = box->from[d] + unit;
    if (isfinite(it.closest))
        box->to[d] = box->from[d] + (it.closest * unit < 1.0 ? unit + it.span * unit
                                                             : fmin(it.trips, it.span + 1.0));
}

static bool same_box(const struct box *a, const struct box *b, int dimensions)
{
    for (int d = 0; d < dimensions; d++)
        if (a->from[d] != b->from[d] || a->to[d] != b->to[d])
            return false;
    return true;
}

/* Whether the loops that do not run move both references alike. Others meet now and then, as
   `a[k][i]` and `a[k][j]` do where i is j: what they cover is apart. */
static bool moves_alike(const struct gathered *a, const struct gathered *b, int depth)
{
    const struct reference *one = &a->touch->reference, *other = &b->touch->reference;
    for (int d = 0; d < one->dimensions; d++)
        for (int l = 0; l < depth && l < a->nest->depth && l < b->nest->depth; l++)
            if (one->subscripts[d].by[l] != other->subscripts[d].by[l])
                return false;
    return true;
}

static void add_box(struct boxes *boxes, const struct gathered *item, int depth, double line_bytes)
{
    struct box box = {{0}, {0}};
    const int last = boxes->dimensions - 1;
    const double element_bytes = item->touch->reference.array->element_bytes;
    for (int d = 0; d < last; d++)
        cover(&box, d, item, depth, 1.0);
    cover(&box, last, item, depth, element_bytes / line_bytes);
    for (size_t i = 0; i < boxes->count; i++)
        if (same_box(&boxes->of[i], &box, boxes->dimensions))
            return;
    if (boxes->count < BOXES_MOST)
        boxes->of[boxes->count++] = box;
}

/* ---- where the lines of a reference lie in a cache ---- */

double touch_step_bytes(const struct touch *touch, int dimension)
{
    const int last = touch->reference.dimensions - 1;
    return dimension == last       ? touch->reference.array->element_bytes
           : dimension == 0        ? touch->slab_bytes
           : dimension == last - 1 ? touch->row_bytes
                                   : (double)NAN;
}

/* The most places that one dimension of a reference multiplies the others' by. What is no longer
   than a line may still lie across a border, unless it is one element. */
static double places_along(const struct gathered *item, int d, int depth, const struct cache *cache)
{
    const struct reference *reference = &item->touch->reference;
    const int dimension = array_dimension(reference->array, reference->dimensions, d);
    const struct sweep_of it = sweep(&reference->subscripts[dimension], item->nest, depth);
    const double bytes = touch_step_bytes(item->touch, d), steps = fmin(it.trips, it.span + 1.0);
    if (steps <= 1.0)
        return 1.0;
    if (isnan(bytes))
        return steps;
    if (d + 1 == reference->dimensions && it.closest * bytes < cache->line_bytes)
        return ceil((it.span + 1.0) * bytes / cache->line_bytes) + 1.0;
    return cache_places(cache, it.common * bytes, steps);
}

static double places_of(const struct gathered *item, int depth, const struct cache *cache)
{
    double places = 1.0;
    for (int d = 0; d < item->touch->reference.dimensions; d++)
        places *= places_along(item, d, depth, cache);
    return places;
}

double footprint_held(const struct footprint *footprint, size_t array, const struct cache *cache)
{
    const struct gathered *items = footprint->touches.items;
    double places = 0.0;
    for (size_t i = 0; i < footprint->touches.count; i++)
        if (items[i].touch->array == array)
            places += places_of(&items[i], footprint->depth, cache);
    return cache_held_lines(cache, places);
}

/* ---- the union of boxes, dimension by dimension ---- */

static double next_edge(const struct boxes *boxes, const bool *taken, int d, double after)
{
    double next = INFINITY;
    for (size_t i = 0; i < boxes->count; i++) {
        if (taken[i] && boxes->of[i].from[d] > after)
            next = fmin(next, boxes->of[i].from[d]);
        if (taken[i] && boxes->of[i].to[d] > after)
            next = fmin(next, boxes->of[i].to[d]);
    }
    return next;
}

/* The lines that the taken boxes cover in the dimensions from d on. */
static double cover_lines(const struct boxes *boxes, const bool *taken, int d)
{
    double sum = 0.0, edge = next_edge(boxes, taken, d, -INFINITY);
    while (isfinite(edge)) {
        const double next = next_edge(boxes, taken, d, edge);
        bool within[BOXES_MOST], any = false;
        for (size_t i = 0; i < boxes->count; i++)
            any |= within[i] =
                taken[i] && boxes->of[i].from[d] <= edge && boxes->of[i].to[d] > edge;
        if (any)
            sum += (next - edge) *
                   (d + 1 < boxes->dimensions ? cover_lines(boxes, within, d + 1) : 1.0);
        edge = next;
    }
    return d + 1 < boxes->dimensions ? sum : fmax(sum, boxes->least_run);
}

static bool is_of(const struct gathered *item, size_t array, double line_bytes)
{
    return item->touch->array == array && item->touch->bytes > line_bytes;
}

/* Of the references that are moved as that one is. */
static double group_lines(const struct footprint *footprint, const struct gathered *first,
                          double line_bytes)
{
    const struct gathered *items = footprint->touches.items;
    const struct touch *touch = first->touch;
    const int dimensions = touch->reference.dimensions;
    struct boxes boxes = {.dimensions = dimensions,
                          .least_run =
                              dimensions > 1 ? fmin(1.0, touch->row_bytes / line_bytes) : 0.0};
    bool all[BOXES_MOST];
    for (size_t i = 0; i < footprint->touches.count; i++)
        if (is_of(&items[i], touch->array, line_bytes) &&
            moves_alike(first, &items[i], footprint->depth))
            add_box(&boxes, &items[i], footprint->depth, line_bytes);
    memset(all, true, sizeof all);
    return fmax(1.0, cover_lines(&boxes, all, 0));
}

/* Whether a reference before it is moved as it is. */
static bool is_counted(const struct footprint *footprint, size_t which, double line_bytes)
{
    const struct gathered *items = footprint->touches.items;
    for (size_t i = 0; i < which; i++)
        if (is_of(&items[i], items[which].touch->array, line_bytes) &&
            moves_alike(&items[i], &items[which], footprint->depth))
            return true;
    return false;
}

/* The share that is left of a group's lines where it and another one move along a row, each at its
   own pace: they meet on a line of it in one iteration of as many as the row has lines, or of half
   as many where one is always ahead of the other. */
static double apart_share(const struct touch *touch, double line_bytes)
{
    return fmax(0.0, 1.0 - 2.0 * line_bytes / touch->row_bytes);
}

double footprint_lines(const struct footprint *footprint, size_t array, double line_bytes)
{
    const struct gathered *items = footprint->touches.items;
    double sum = 0.0, most = INFINITY;
    for (size_t i = 0; i < footprint->touches.count; i++) {
        if (!is_of(&items[i], array, line_bytes) || is_counted(footprint, i, line_bytes))
            continue;
        most = fmax(1.0, items[i].touch->bytes / line_bytes);
        sum += (sum > 0.0 ? apart_share(items[i].touch, line_bytes) : 1.0) *
               group_lines(footprint, &items[i], line_bytes);
    }
    return fmin(most, sum);
}

double footprint_all_lines(const struct footprint *footprint, size_t array_count, double line_bytes,
                           double *arrays)
{
    double sum = 0.0, count = 0.0;
    for (size_t array = 0; array < array_count; array++) {
        const double lines = footprint_lines(footprint, array, line_bytes);
        sum += lines;
        count += lines > 0.0 ? 1.0 : 0.0;
    }
    if (arrays)
        *arrays = count;
    return sum;
}
