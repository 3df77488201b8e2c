#include "model/segment/traffic/traffic.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One factor with what the walk over processors asks of it again and again. */
struct column_sum {
    double rows, elements; /* active rows that need from the column, and what */
};

struct row_top {
    double most, second; /* the largest count, and the largest at another column */
    size_t column;       /* of the largest */
    double elements;     /* all of the row */
    size_t pattern;      /* the first row that needs from the same columns */
};

struct lane {
    const struct factor *factor;
    struct row_top *rows;
    struct column_sum *columns;
};

struct view {
    const struct needs *needs;
    size_t lane_count;
    struct lane lanes[DIMENSIONS_MOST];
    double idle[DIMENSIONS_MOST]; /* active coordinates of a grid dimension that no factor is by */
};

struct halo_exchange halo_exchange_alone(const struct halo_exchange *halo, double neighbours)
{
    return (struct halo_exchange){.directions = 1,
                                  .neighbours = neighbours,
                                  .processors = halo->processors,
                                  .own = halo->own,
                                  .lines = {halo->own}};
}

/* ---- preparing ---- */

static const struct coupling_entry *row_of(const struct coupling *coupling, size_t row,
                                           size_t *count)
{
    *count = coupling->start[row + 1] - coupling->start[row];
    return coupling->entries + coupling->start[row];
}

static bool same_columns(const struct coupling *coupling, size_t a, size_t b)
{
    size_t count_a, count_b;
    const struct coupling_entry *x = row_of(coupling, a, &count_a);
    const struct coupling_entry *y = row_of(coupling, b, &count_b);
    bool same = count_a == count_b;
    for (size_t k = 0; k < count_a && same; k++)
        same = x[k].column == y[k].column;
    return same;
}

static struct row_top top_of(const struct coupling *coupling, size_t row)
{
    size_t count;
    const struct coupling_entry *entries = row_of(coupling, row, &count);
    struct row_top top = {.pattern = row};
    for (size_t k = 0; k < count; k++) {
        top.elements += entries[k].count;
        if (entries[k].count > top.most) {
            top.second = top.most;
            top.most = entries[k].count;
            top.column = entries[k].column;
        } else {
            top.second = fmax(top.second, entries[k].count);
        }
    }
    if (row > 0 && same_columns(coupling, row - 1, row))
        top.pattern = row - 1;
    return top;
}

static bool is_active(const struct view *view, const struct factor *factor, size_t row)
{
    return factor->by < 0 || view->needs->active[factor->by][row] > 0.0;
}

static void prepare(struct view *view, const struct factor *factor)
{
    struct lane *lane = &view->lanes[view->lane_count++];
    const struct coupling *coupling = &factor->coupling;
    lane->factor = factor;
    lane->rows = memory_new(coupling->rows, sizeof *lane->rows);
    lane->columns = memory_new(coupling->columns, sizeof *lane->columns);
    for (size_t row = 0; row < coupling->rows; row++) {
        size_t count;
        const struct coupling_entry *entries = row_of(coupling, row, &count);
        lane->rows[row] = top_of(coupling, row);
        if (lane->rows[row].pattern != row)
            lane->rows[row].pattern = lane->rows[row - 1].pattern;
        for (size_t k = 0; k < count && is_active(view, factor, row); k++) {
            lane->columns[entries[k].column].rows += 1.0;
            lane->columns[entries[k].column].elements += entries[k].count;
        }
    }
}

static struct view view_of(const struct needs *needs)
{
    struct view view = {.needs = needs};
    for (int g = 0; g < needs->grid_dimensions; g++)
        for (size_t q = 0; q < (size_t)needs->grid[g]; q++)
            view.idle[g] += needs->active[g][q];
    for (size_t i = 0; i < needs->factor_count; i++) {
        prepare(&view, &needs->factors[i]);
        if (needs->factors[i].by >= 0)
            view.idle[needs->factors[i].by] = 1.0;
    }
    return view;
}

static void view_free(struct view *view)
{
    for (size_t i = 0; i < view->lane_count; i++) {
        free(view->lanes[i].rows);
        free(view->lanes[i].columns);
    }
}

/* ---- one processor ---- */

static size_t row_at(const struct factor *factor, const size_t *at)
{
    return factor->by < 0 ? 0 : at[factor->by];
}

static size_t column_at(const struct factor *factor, const size_t *at)
{
    return factor->to < 0 ? 0 : at[factor->to];
}

static bool executes(const struct needs *needs, const size_t *at)
{
    for (int g = 0; g < needs->grid_dimensions; g++)
        if (needs->active[g][at[g]] == 0.0)
            return false;
    return true;
}

/* What it needs of its own elements. */
static double own_elements(const struct needs *needs, const size_t *at)
{
    double elements = executes(needs, at);
    for (size_t i = 0; i < needs->factor_count && elements > 0.0; i++)
        elements *= coupling_at(&needs->factors[i].coupling, row_at(&needs->factors[i], at),
                                column_at(&needs->factors[i], at));
    return elements;
}

static void count_in(const struct view *view, const size_t *at, struct degree *degree)
{
    double in = executes(view->needs, at);
    degree->elements_in = in;
    for (size_t i = 0; i < view->lane_count; i++) {
        const struct factor *factor = view->lanes[i].factor;
        const size_t row = row_at(factor, at);
        in *= (double)(factor->coupling.start[row + 1] - factor->coupling.start[row]);
        degree->elements_in *= view->lanes[i].rows[row].elements;
    }
    degree->in = (float)in;
}

static void count_out(const struct view *view, const size_t *at, struct degree *degree)
{
    const struct needs *needs = view->needs;
    double out = 1.0;
    for (int g = 0; g < needs->grid_dimensions; g++)
        out *= needs->everywhere[g] ? needs->active[g][at[g]] : view->idle[g];
    degree->elements_out = out;
    for (size_t i = 0; i < view->lane_count; i++) {
        const struct factor *factor = view->lanes[i].factor;
        const size_t column = column_at(factor, at);
        const bool nearby = factor->by >= 0 && needs->everywhere[factor->by];
        const double here =
            nearby ? coupling_at(&factor->coupling, row_at(factor, at), column) : 0.0;
        out *= nearby ? here > 0.0 : view->lanes[i].columns[column].rows;
        degree->elements_out *= nearby ? here : view->lanes[i].columns[column].elements;
    }
    degree->out = (float)out;
}

/* The largest message that it receives: of the products over dimensions, the largest in which at
   least one coordinate is not its own. */
static double largest_in(const struct view *view, const size_t *at)
{
    double largest = 0.0;
    for (size_t other = 0; other < view->lane_count; other++) {
        double elements = 1.0;
        if (view->lanes[other].factor->to < 0)
            continue;
        for (size_t i = 0; i < view->lane_count; i++) {
            const struct factor *factor = view->lanes[i].factor;
            const struct row_top *top = &view->lanes[i].rows[row_at(factor, at)];
            const bool own = top->column == column_at(factor, at);
            elements *= i == other && own ? top->second : top->most;
        }
        largest = fmax(largest, elements);
    }
    return largest;
}

static size_t number_of(const struct needs *needs, const size_t *at)
{
    size_t number = 0;
    for (int g = 0; g < needs->grid_dimensions; g++)
        number = number * (size_t)needs->grid[g] + at[g];
    return number;
}

/* The one other processor that it receives from, where there is one. */
static size_t only_source(const struct view *view, const size_t *at)
{
    size_t source[DIMENSIONS_MOST];
    memcpy(source, at, sizeof source);
    for (size_t i = 0; i < view->lane_count; i++) {
        const struct factor *factor = view->lanes[i].factor;
        size_t count;
        const struct coupling_entry *entries =
            row_of(&factor->coupling, row_at(factor, at), &count);
        if (factor->to < 0)
            continue;
        source[factor->to] = entries[0].column;
        if (count == 2 && entries[0].column == at[factor->to])
            source[factor->to] = entries[1].column;
    }
    return number_of(view->needs, source);
}

static void next(const struct needs *needs, size_t *at)
{
    for (int g = needs->grid_dimensions - 1; g >= 0; g--) {
        if (++at[g] < (size_t)needs->grid[g])
            return;
        at[g] = 0;
    }
}

/* ---- groups ---- */

/* Joins the processor with all that it receives from. */
static void join_sources(const struct view *view, const size_t *at, struct groups *groups)
{
    size_t source[DIMENSIONS_MOST], digits[DIMENSIONS_MOST] = {0};
    const size_t me = number_of(view->needs, at);
    bool more = true;
    while (more) {
        memcpy(source, at, sizeof source);
        more = false;
        for (size_t i = 0; i < view->lane_count; i++) {
            const struct factor *factor = view->lanes[i].factor;
            size_t count;
            const struct coupling_entry *entries =
                row_of(&factor->coupling, row_at(factor, at), &count);
            if (factor->to < 0)
                continue;
            source[factor->to] = entries[digits[i]].column;
            if (!more && ++digits[i] < count)
                more = true;
            else if (!more)
                digits[i] = 0;
        }
        groups_join(groups, me, number_of(view->needs, source));
    }
}

/* Processors whose rows have the same columns receive from the same others: the first of them joins
   those, the rest join the first. */
static size_t twin_of(const struct view *view, const size_t *at)
{
    size_t twin[DIMENSIONS_MOST] = {0};
    for (int g = 0; g < view->needs->grid_dimensions; g++)
        if (view->needs->everywhere[g])
            twin[g] = at[g];
    for (size_t i = 0; i < view->lane_count; i++) {
        const struct lane *lane = &view->lanes[i];
        if (lane->factor->by >= 0 && !view->needs->everywhere[lane->factor->by] &&
            lane->factor->to >= 0)
            twin[lane->factor->by] = lane->rows[at[lane->factor->by]].pattern;
    }
    return number_of(view->needs, twin);
}

static void join(const struct view *view, const size_t *at, struct groups *groups, uint32_t *firsts)
{
    const size_t twin = twin_of(view, at), me = number_of(view->needs, at);
    if (groups->disjoint == 1)
        return;
    if (firsts[twin] > 0) {
        groups_join(groups, me, firsts[twin] - 1);
        return;
    }
    firsts[twin] = (uint32_t)me + 1;
    join_sources(view, at, groups);
}

/* ---- whether all destinations of a source get the same ---- */

static bool is_same(const struct view *view)
{
    for (size_t i = 0; i < view->lane_count; i++) {
        const struct factor *factor = view->lanes[i].factor;
        if (factor->by < 0 || view->needs->everywhere[factor->by])
            continue;
        for (size_t row = 0; row < factor->coupling.rows; row++) {
            size_t count;
            const struct coupling_entry *entries = row_of(&factor->coupling, row, &count);
            for (size_t k = 0; k < count && is_active(view, factor, row); k++)
                if (entries[k].count != factor->coupling.all[entries[k].column])
                    return false;
        }
    }
    return true;
}

/* ---- all ---- */

static struct degree degree_of(const struct view *view, const size_t *at)
{
    struct degree degree = {0};
    const double own = own_elements(view->needs, at);
    count_in(view, at, &degree);
    count_out(view, at, &degree);
    degree.in -= own > 0.0;
    degree.out -= own > 0.0;
    degree.elements_in -= own;
    degree.elements_out -= own;
    if (degree.in == 1.0)
        degree.source = (uint32_t)only_source(view, at);
    return degree;
}

/* ---- how a message lies in memory ---- */

enum pieces pieces_of(const struct array *array, const struct array_layout *lies,
                      const double *elements)
{
    const bool fortran = array->order == ORDER_FORTRAN;
    bool partial = false, several = false;
    double run = 1.0;                            /* elements one after the other */
    for (int k = 0; k < lies->dimensions; k++) { /* the dimension that varies fastest first */
        const int d = fortran ? k : lies->dimensions - 1 - k;
        const struct distribution *along = &lies->along[d];
        const double local = along->grid_dimension < 0
                                 ? lies->extent[d]
                                 : distribution_count(along, 0.0, 0.0, along->elements - 1.0);
        several |= partial && elements[d] > 1.0;
        run *= partial ? 1.0 : elements[d];
        partial |= elements[d] < local;
    }
    if (!several || array->order == ORDER_UNTOLD)
        return PIECES_ONE;
    return run > 1.0 ? PIECES_RUNS : PIECES_ELEMENTS;
}

enum pieces needs_pieces(const struct needs *needs, const struct array *array,
                         const struct array_layout *lies)
{
    double elements[DIMENSIONS_MOST] = {0.0};
    for (size_t i = 0; i < needs->factor_count; i++) {
        const struct coupling *coupling = &needs->factors[i].coupling;
        for (size_t k = 0; k < coupling->start[coupling->rows]; k++)
            elements[i] = fmax(elements[i], coupling->entries[k].count);
    }
    return pieces_of(array, lies, elements);
}

struct traffic traffic_of_source(const struct sole_source *source, const struct array *array,
                                 const struct array_layout *lies)
{
    double elements = 1.0;
    for (int d = 0; d < lies->dimensions; d++)
        elements *= source->elements[d];
    return (struct traffic){.class = source->receivers == 0.0   ? TRAFFIC_LOCAL
                                     : source->receivers == 1.0 ? TRAFFIC_MESSAGES
                                                                : TRAFFIC_BROADCAST,
                            .partners = 1.0,
                            .elements = elements,
                            .group = source->receivers + 1.0,
                            .at_once = 1.0,
                            .pieces = pieces_of(array, lies, source->elements),
                            .single = source->receivers * elements,
                            .single_at_once = 1.0};
}

struct traffic traffic_of(const struct needs *needs, const struct array *array,
                          const struct array_layout *lies)
{
    size_t at[DIMENSIONS_MOST] = {0};
    const size_t processors = (size_t)needs_processors(needs);
    struct view view = view_of(needs);
    struct profile profile = profile_new(processors);
    uint32_t *firsts = memory_new(processors, sizeof *firsts);
    profile.same = is_same(&view);
    for (size_t c = 0; c < processors; c++)
        profile_member(&profile, c); /* numbered alike */
    for (size_t c = 0; c < processors; c++, next(needs, at)) {
        profile.degrees[c] = degree_of(&view, at);
        if (profile.degrees[c].in == 0.0)
            continue;
        profile.largest = fmax(profile.largest, largest_in(&view, at));
        join(&view, at, &profile.groups, firsts);
    }
    struct traffic traffic = profile_classify(&profile);
    traffic.pieces = needs_pieces(needs, array, lies);
    free(firsts);
    profile_free(&profile);
    view_free(&view);
    return traffic;
}
