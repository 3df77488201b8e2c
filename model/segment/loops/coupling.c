#include "model/segment/loops/coupling.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

/* Elements from..to that one row needs. */
struct piece {
    size_t row;
    double from, to;
};

struct pieces {
    struct piece *items;
    size_t count, room;
};

/* Of one coupling: 100 MB of them. */
enum { PIECES_MOST = 4000000 };

static bool may_add(const struct pieces *pieces, const struct line *line)
{
    return effort_take(line->effort, pieces->count < PIECES_MOST ? 1.0 : (double)INFINITY);
}

static void add_piece(struct pieces *pieces, size_t row, double a, double b)
{
    if (pieces->count == pieces->room) {
        pieces->room = 2 * pieces->room + 16;
        pieces->items = memory_grow(pieces->items, pieces->room, sizeof *pieces->items);
    }
    pieces->items[pieces->count++] = (struct piece){row, fmin(a, b), fmax(a, b)};
}

/* ---- the elements that each row needs ---- */

/* The last x of the run from x on whose elements, coefficient x + constant, lie in one block. */
static double run_end(double coefficient, double constant, const struct distribution *along,
                      double x, double last)
{
    const double block = floor((coefficient * x + constant) / along->block);
    if (coefficient == 1.0)
        return fmin(last, (block + 1.0) * along->block - 1.0 - constant);
    if (coefficient == -1.0)
        return fmin(last, constant - block * along->block);
    return x;
}

/* The same where the array goes on at its other end, or nothing lies beyond. */
static void add_piece_of(struct pieces *pieces, const struct line *line, size_t row, double a,
                         double b)
{
    const double from = fmin(a, b), to = fmax(a, b);
    const double period = line->period, first = line->first, beyond = first + period;
    if (period == 0.0 || (from >= first && to < beyond)) {
        add_piece(pieces, row, from, to);
        return;
    }
    if (from < first && !line->ends)
        add_piece(pieces, row, from + period, fmin(to, first - 1.0) + period);
    if (to >= beyond && !line->ends)
        add_piece(pieces, row, fmax(from, beyond) - period, to - period);
    if (fmax(from, first) <= fmin(to, beyond - 1.0))
        add_piece(pieces, row, fmax(from, first), fmin(to, beyond - 1.0));
}

static void add_read(struct pieces *pieces, const struct line *line, double constant,
                     const struct home_axis *axis)
{
    const double slope = line->coefficient;
    for (double x = line->range.first, end; x <= line->range.last && may_add(pieces, line);
         x = end + 1.0) {
        size_t row = 0;
        end = line->range.last;
        if (axis) {
            const struct subscript *it = &axis->subscript;
            end = run_end(it->coefficient, it->constant, &axis->along, x, end);
            row = (size_t)distribution_owner(&axis->along, it->coefficient * x + it->constant);
        }
        if (fabs(slope) > 1.0)
            end = x;
        add_piece_of(pieces, line, row, slope * x + constant, slope * end + constant);
    }
}

/* The same where rows execute beyond what they own. */
static void add_read_beyond(struct pieces *pieces, const struct line *line, double constant,
                            const struct home_axis *axis)
{
    const double slope = line->coefficient;
    for (size_t row = 0; row < (size_t)axis->along.processors; row++) {
        const struct range run = home_run(axis, (double)row, line->range);
        const double step = fabs(slope) > 1.0 ? 1.0 : range_count(run);
        for (double x = run.first; x <= run.last && may_add(pieces, line); x += step)
            add_piece_of(pieces, line, row, slope * x + constant,
                         slope * (x + step - 1.0) + constant);
    }
}

static int by_row(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static struct pieces find_pieces(const struct line *line, const struct home_axis *axis)
{
    struct pieces pieces = {0};
    const bool beyond = axis && axis->beyond > 0.0;
    for (size_t k = 0; k < line->count; k++)
        (beyond ? add_read_beyond : add_read)(&pieces, line, line->constants[k], axis);
    if (pieces.count > 1)
        qsort(pieces.items, pieces.count, sizeof *pieces.items, by_row);
    return pieces;
}

/* ---- where those elements lie ---- */

/* Counts by column, and which columns have any. */
struct tally {
    double *counts;
    size_t *touched, count;
};

static struct tally tally_new(size_t columns)
{
    return (struct tally){memory_new(columns, sizeof(double)), memory_new(columns, sizeof(size_t)),
                          0};
}

static void tally_free(struct tally *tally)
{
    free(tally->counts);
    free(tally->touched);
}

static void tally_add(struct tally *tally, size_t column, double elements)
{
    if (elements == 0.0)
        return;
    if (tally->counts[column] == 0.0)
        tally->touched[tally->count++] = column;
    tally->counts[column] += elements;
}

/* Adds from..to to the counts of the columns: block by block, or column by column, whichever is
   less. */
static void spread(struct tally *tally, const struct distribution *data, double from, double to)
{
    if (!data) {
        tally_add(tally, 0, to - from + 1.0);
        return;
    }
    if (floor(to / data->block) - floor(from / data->block) >= data->processors) {
        double *counts = memory_new((size_t)data->processors, sizeof *counts);
        distribution_counts(data, from, to, counts);
        for (size_t r = 0; r < (size_t)data->processors; r++)
            tally_add(tally, r, counts[r]);
        free(counts);
        return;
    }
    for (double end; from <= to; from = end + 1.0) {
        end = fmin(to, (floor(from / data->block) + 1.0) * data->block - 1.0);
        tally_add(tally, (size_t)distribution_owner(data, from), end - from + 1.0);
    }
}

/* The union of a row's pieces into the tally; returns how many pieces they were. */
static size_t count_row(const struct pieces *pieces, size_t at, const struct distribution *data,
                        struct tally *tally)
{
    const size_t row = pieces->items[at].row, begin = at;
    double reached = -INFINITY;
    for (; at < pieces->count && pieces->items[at].row == row; at++) {
        const double from = fmax(pieces->items[at].from, reached + 1.0);
        if (pieces->items[at].to < from)
            continue;
        spread(tally, data, from, pieces->items[at].to);
        reached = pieces->items[at].to;
    }
    return at - begin;
}

static bool lie_within(const struct pieces *pieces, const struct distribution *data)
{
    for (size_t i = 0; i < pieces->count && data; i++)
        if (pieces->items[i].from < 0.0 || pieces->items[i].to >= data->elements)
            return false;
    return true;
}

/* ---- sparse rows ---- */

static void begin(struct coupling *coupling, size_t rows, size_t columns)
{
    *coupling = (struct coupling){.rows = rows, .columns = columns};
    coupling->start = memory_new(rows + 1, sizeof *coupling->start);
    coupling->all = memory_new(columns, sizeof *coupling->all);
    coupling->entries = memory_new(1, sizeof *coupling->entries);
}

static int by_number(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Appends the tally as the next row, and clears it. */
static void append(struct coupling *coupling, size_t row, struct tally *tally, size_t *room)
{
    size_t count = coupling->start[row];
    if (count + tally->count > *room) {
        *room = 2 * (count + tally->count);
        coupling->entries = memory_grow(coupling->entries, *room, sizeof *coupling->entries);
    }
    if (tally->count > 1)
        qsort(tally->touched, tally->count, sizeof *tally->touched, by_number);
    for (size_t i = 0; i < tally->count; i++) {
        const size_t column = tally->touched[i];
        coupling->entries[count++] = (struct coupling_entry){column, tally->counts[column]};
        tally->counts[column] = 0.0;
    }
    tally->count = 0;
    coupling->start[row + 1] = count;
}

static size_t columns_of(const struct distribution *data)
{
    return data ? (size_t)data->processors : 1;
}

static size_t rows_of(const struct home_axis *axis)
{
    return axis ? (size_t)axis->along.processors : 1;
}

static void fill(struct coupling *coupling, const struct pieces *pieces, const struct pieces *all,
                 const struct distribution *data)
{
    struct tally tally = tally_new(coupling->columns);
    size_t room = 0, at = 0;
    for (size_t row = 0; row < coupling->rows; row++) {
        if (at < pieces->count && pieces->items[at].row == row)
            at += count_row(pieces, at, data, &tally);
        append(coupling, row, &tally, &room);
    }
    if (all->count > 0)
        count_row(all, 0, data, &tally);
    for (size_t i = 0; i < tally.count; i++)
        coupling->all[tally.touched[i]] = tally.counts[tally.touched[i]];
    tally_free(&tally);
}

/* ---- what lies where it is needed ---- */

static bool is_aligned(const struct line *line, const struct home_axis *axis,
                       const struct distribution *data)
{
    return axis && data && axis->beyond == 0.0 && line->count == 1 && line->coefficient == 1.0 &&
           axis->subscript.coefficient == 1.0 && axis->subscript.constant == line->constants[0] &&
           axis->along.block == data->block && axis->along.processors == data->processors;
}

/* Every row needs what lies in its own column, which is counted in closed form. */
static void fill_aligned(struct coupling *coupling, const struct line *line,
                         const struct distribution *data)
{
    const double from = line->range.first + line->constants[0];
    const double to = line->range.last + line->constants[0];
    coupling->entries = memory_grow(coupling->entries, coupling->rows, sizeof *coupling->entries);
    distribution_counts(data, from, to, coupling->all);
    for (size_t q = 0; q < coupling->rows; q++) {
        size_t *end = &coupling->start[q + 1];
        *end = coupling->start[q];
        if (coupling->all[q] > 0.0)
            coupling->entries[(*end)++] = (struct coupling_entry){q, coupling->all[q]};
    }
}

static bool make_aligned(struct coupling *coupling, const struct line *line,
                         const struct distribution *data)
{
    const bool any = line->range.last >= line->range.first;
    if (any && (line->range.first + line->constants[0] < 0.0 ||
                line->range.last + line->constants[0] >= data->elements))
        return false;
    begin(coupling, (size_t)data->processors, (size_t)data->processors);
    fill_aligned(coupling, line, data);
    return true;
}

/* Whether a scalar is read that was there before the loop. */
static bool leaves(const struct line *line)
{
    return line->ends && (line->range.first + line->constants[0] < line->first ||
                          line->range.last + line->constants[0] >= line->first + line->period);
}

bool coupling_make(struct coupling *coupling, const struct line *line, const struct home_axis *axis,
                   const struct distribution *data)
{
    if (is_aligned(line, axis, data) && !leaves(line))
        return make_aligned(coupling, line, data);
    struct pieces all = find_pieces(line, NULL), pieces = axis ? find_pieces(line, axis) : all;
    const bool within = lie_within(&all, data);
    if (within) {
        begin(coupling, rows_of(axis), columns_of(data));
        fill(coupling, &pieces, &all, data);
    }
    if (axis)
        free(pieces.items);
    free(all.items);
    return within;
}

/* ---- one value a column ---- */

/* The row whose x comes ordinal-th at each column; -1: there is none. */
static void find_ordinals(double *rows, const struct line *line, const struct home_axis *axis,
                          const struct distribution *data, double ordinal)
{
    double *before = memory_new(columns_of(data), sizeof *before);
    for (size_t r = 0; r < columns_of(data); r++)
        rows[r] = -1.0;
    const double slope = line->coefficient, constant = line->constants[0];
    for (double x = line->range.first, end; x <= line->range.last && effort_take(line->effort, 1.0);
         x = end + 1.0) {
        const size_t r = (size_t)distribution_owner(data, slope * x + constant);
        const double found = x + ordinal - before[r];
        end = run_end(slope, constant, data, x, line->range.last);
        if (before[r] <= ordinal && found <= end &&
            !(line->ends && (slope * x + constant < line->first ||
                             slope * x + constant >= line->first + line->period)))
            rows[r] = axis ? distribution_owner(&axis->along, axis->subscript.coefficient * found +
                                                                  axis->subscript.constant)
                           : 0.0;
        before[r] += end - x + 1.0;
    }
    free(before);
}

double coupling_ordinals(const struct line *line, const struct distribution *data)
{
    struct line first = *line;
    struct coupling coupling;
    double most = 0.0;
    first.count = 1;
    if (!coupling_make(&coupling, &first, NULL, data))
        return 0.0;
    for (size_t k = 0; k < coupling.start[1]; k++)
        most = fmax(most, coupling.entries[k].count);
    coupling_free(&coupling);
    return most;
}

void coupling_make_ordinal(struct coupling *coupling, const struct line *line,
                           const struct home_axis *axis, const struct distribution *data,
                           double ordinal)
{
    const size_t rows = rows_of(axis), columns = columns_of(data);
    double *row_of = memory_new(columns, sizeof *row_of);
    struct tally tally = tally_new(columns);
    size_t room = 0;
    begin(coupling, rows, columns);
    find_ordinals(row_of, line, axis, data, ordinal);
    for (size_t r = 0; r < columns; r++)
        coupling->all[r] = row_of[r] >= 0.0;
    for (size_t row = 0; row < rows; row++) {
        for (size_t r = 0; r < columns; r++)
            tally_add(&tally, r, row_of[r] == (double)row ? 1.0 : 0.0);
        append(coupling, row, &tally, &room);
    }
    tally_free(&tally);
    free(row_of);
}

/* ---- reading ---- */

double coupling_at(const struct coupling *coupling, size_t row, size_t column)
{
    size_t low = coupling->start[row], high = coupling->start[row + 1];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (coupling->entries[middle].column < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < coupling->start[row + 1] && coupling->entries[low].column == column
               ? coupling->entries[low].count
               : 0.0;
}

void coupling_free(struct coupling *coupling)
{
    free(coupling->start);
    free(coupling->entries);
    free(coupling->all);
    *coupling = (struct coupling){0};
}
