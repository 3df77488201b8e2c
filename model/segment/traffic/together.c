#include "model/segment/traffic/turns.h"

#include "model/base/allocation.h"
#include "model/segment/traffic/shift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Elements along one dimension that are told apart; more of them would take 100 MB of memory. */
static const double crossings_most = 2e6;

/* ---- which ---- */

static bool names(const struct message *message, int loop)
{
    const struct nest *nest = &message->reader->nest;
    bool named = reference_names(message->home, loop);
    for (size_t k = 0; k < message->reads.count; k++)
        named |= reference_names(message->reads.references[k], loop);
    for (int l = 0; l < nest->depth; l++)
        named |= nest->outer[l][loop] || nest->outer[loop][l];
    return named;
}

/* Whether it is sent as often as the loops outside go round, the same each time. */
static bool is_alike(const struct message *message, const struct layout *layout)
{
    if (message->pipelined || !message->home || message->apart > 1.0 ||
        message->depth >= message->reader->nest.depth || message_goes_around(message) ||
        message_is_local(message, layout, message->reader->nest.program))
        return false;
    for (int l = 0; l < message->depth; l++)
        if (names(message, l))
            return false;
    return true;
}

static bool is_written_between(const struct message *first, const struct message *message)
{
    for (const struct instance *it = first->reader; it < message->reader; it++)
        if (it->has_writes && it->writes.array == message->reads.array)
            return true;
    return false;
}

static bool may_join(const struct message *first, const struct message *message)
{
    return first->depth == message->depth && first->carried == message->carried &&
           first->apart == message->apart && first->reads.array == message->reads.array &&
           first->home->array == message->home->array &&
           nest_common(&first->reader->nest, &message->reader->nest) >= first->depth &&
           !is_written_between(first, message);
}

void together_find(size_t *first, const struct list *messages, const struct layout *layout)
{
    const struct message *all = messages->items;
    for (size_t i = 0; i < messages->count; i++) {
        first[i] = i;
        for (size_t k = 0; k < i && first[i] == i && is_alike(&all[i], layout); k++)
            if (first[k] == k && is_alike(&all[k], layout) && may_join(&all[k], &all[i]))
                first[i] = k;
    }
}

/* ---- one piece ---- */

struct piece {
    const struct message *message;
    struct home home;
    struct turn turn;
    struct reads shifted; /* along the grid dimension that is looked at, and what these need */
    struct needs needs;
};

/* The offset of a read along a dimension, also of a loop that has one value. */
static bool offset_of(const struct piece *it, const struct reference *read, int d, double *offset)
{
    const struct array_layout *lies = it->message->lies;
    const struct home_axis *axis = &it->home.axes[lies->along[d].grid_dimension];
    struct subscript subscript;
    if (shift_offset(read, d, axis, lies, &it->turn, offset))
        return true;
    if (axis->kind != AXIS_LOOP || range_count(it->turn.ranges[axis->subscript.loop]) != 1.0 ||
        axis->along.block != lies->along[d].block ||
        axis->along.processors != lies->along[d].processors ||
        !reference_subscript(read, d, lies, it->turn.fixed, it->turn.at, &subscript) ||
        subscript.loop >= 0)
        return false;
    *offset = subscript.constant - axis->subscript.constant -
              axis->subscript.coefficient * it->turn.ranges[axis->subscript.loop].first;
    return true;
}

/* False where it is no shift. *times: how often it is sent; 0: its loops are empty. */
static int begin(struct piece *it, const struct message *message, const struct layout *layout,
                 double *times, bool *is_shift, struct error *error)
{
    const struct nest *nest = &message->reader->nest;
    double offset;
    *it = (struct piece){
        .message = message, .turn = {.depth = nest->depth, .effort = nest->program->effort}
    };
    *times = 1.0;
    *is_shift = false;
    for (int l = 0; l < nest->depth; l++) {
        if (nest_is_triangular(nest, l, NULL))
            return 0;
        if (nest_range(nest, l, it->turn.at, &it->turn.ranges[l], error) != 0)
            return -1;
        if (l < message->depth) {
            *times *= range_count(it->turn.ranges[l]);
            it->turn.fixed[l] = true;
            it->turn.at[l] = it->turn.ranges[l].first;
        } else if (range_count(it->turn.ranges[l]) == 0.0) {
            *times = 0.0;
        }
    }
    if (!home_of(&it->home, message->home, layout, nest->program, it->turn.fixed, it->turn.at))
        return 0;
    for (int d = 0; d < message->lies->dimensions; d++) {
        const struct distribution *along = &message->lies->along[d];
        double reach = 0.0;
        for (size_t k = 0; k < message->reads.count && along->grid_dimension >= 0; k++) {
            if (!offset_of(it, message->reads.references[k], d, &offset))
                return 0;
            reach += fabs(offset);
        }
        const struct home_axis *axis =
            &it->home.axes[along->grid_dimension < 0 ? 0 : along->grid_dimension];
        if (reach > 0.0 && axis->kind == AXIS_LOOP &&
            range_count(it->turn.ranges[axis->subscript.loop]) * fmin(1.0, reach / along->block) >
                crossings_most)
            return 0;
    }
    *is_shift = true;
    return 0;
}

/* ---- what crosses blocks along one grid dimension ---- */

/* An element along it that one coordinate needs of another; pieces that need the same along the
   other dimensions have one number. */
struct crossing {
    uint32_t to, from;
    size_t number;
    double element;
    double count; /* of such elements, when they have been counted */
};

struct crossings {
    struct crossing *items; /* owned */
    size_t count, room;
    bool before, after; /* some come of a smaller coordinate's side, or a greater one's */
};

static void add_crossing(struct crossings *it, const struct crossing *crossing)
{
    if (it->count == it->room) {
        it->room = it->room ? 2 * it->room : 64;
        it->items = memory_grow(it->items, it->room, sizeof *it->items);
    }
    it->items[it->count++] = *crossing;
}

/* How many values of the loop from here on stay so far from the ends of a block that no read
   crosses them, beyond the first. */
static double steps_within(const struct home_axis *axis, double element, double before,
                           double after)
{
    const double coefficient = axis->subscript.coefficient, block = axis->along.block;
    const double at = fmod(element, block);
    if (coefficient <= 0.0 || at < before || at + after >= block)
        return 0.0;
    return fmax(0.0, floor((block - 1.0 - after - at) / coefficient));
}

static void cross(struct crossings *it, const struct piece *piece, int d, size_t number)
{
    const struct message *message = piece->message;
    const struct home_axis *axis = &piece->home.axes[message->lies->along[d].grid_dimension];
    double offsets[READS_MOST], before = 0.0, after = 0.0;
    if (axis->kind != AXIS_LOOP)
        return;
    for (size_t k = 0; k < piece->shifted.count; k++) {
        offset_of(piece, piece->shifted.references[k], d, &offsets[k]);
        before = fmax(before, -offsets[k]);
        after = fmax(after, offsets[k]);
    }
    const struct range range = piece->turn.ranges[axis->subscript.loop];
    for (double value = range.first; value <= range.last; value += 1.0) {
        const double element = axis->subscript.constant + axis->subscript.coefficient * value;
        value += steps_within(axis, element, before, after);
        const double here = axis->subscript.constant + axis->subscript.coefficient * value;
        const double to = distribution_owner(&axis->along, here);
        if (value > range.last || !effort_take(piece->turn.effort, 1.0))
            return;
        for (size_t k = 0; k < piece->shifted.count; k++) {
            const double from = distribution_owner(&axis->along, here + offsets[k]);
            if (from == to)
                continue;
            add_crossing(it, &(struct crossing){(uint32_t)to, (uint32_t)from, number,
                                                here + offsets[k], 1.0});
            it->before |= offsets[k] < 0.0;
            it->after |= offsets[k] > 0.0;
        }
    }
}

static int compare(const void *left, const void *right)
{
    const struct crossing *a = left, *b = right;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->element < b->element ? -1 : a->element > b->element;
}

/* In order of pairs and numbers, each with the count of its elements. */
static void count_elements(struct crossings *it)
{
    size_t kept = 0;
    double element = NAN;
    qsort(it->items, it->count, sizeof *it->items, compare);
    for (size_t i = 0; i < it->count; i++) {
        struct crossing *last = kept > 0 ? &it->items[kept - 1] : NULL;
        const struct crossing now = it->items[i];
        const bool goes_on =
            last && last->to == now.to && last->from == now.from && last->number == now.number;
        if (!goes_on)
            it->items[kept++] = now;
        else if (now.element != element)
            last->count += 1.0;
        element = now.element;
    }
    it->count = kept;
}

/* The elements of a message from one coordinate to another. faces: by number. */
static double elements_between(const struct crossings *it, const double *faces, uint32_t to,
                               uint32_t from)
{
    size_t low = 0, high = it->count;
    double elements = 0.0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct crossing *at = &it->items[middle];
        if (at->to < to || (at->to == to && at->from < from))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < it->count && it->items[low].to == to && it->items[low].from == from; low++)
        elements += it->items[low].count * faces[it->items[low].number];
    return elements;
}

/* ---- all pieces ---- */

/* Whether both need the same along all dimensions but that one. */
static bool have_same_faces(const struct piece *a, const struct piece *b, int but)
{
    const struct message *first = a->message, *other = b->message;
    for (int d = 0; d < first->lies->dimensions; d++) {
        struct subscript x, y;
        if (d == but)
            continue;
        if (!reference_subscript(a->shifted.references[0], d, first->lies, a->turn.fixed,
                                 a->turn.at, &x) ||
            !reference_subscript(b->shifted.references[0], d, other->lies, b->turn.fixed,
                                 b->turn.at, &y) ||
            x.coefficient != y.coefficient || x.constant != y.constant ||
            (x.loop < 0) != (y.loop < 0) ||
            (x.loop >= 0 && (a->turn.ranges[x.loop].first != b->turn.ranges[y.loop].first ||
                             a->turn.ranges[x.loop].last != b->turn.ranges[y.loop].last)))
            return false;
    }
    return true;
}

/* How many elements there are along the other dimensions for the processors of one line along g: as
   shift_face, which looks for the most of all lines. elements: of each factor. */
static double face_at(const struct piece *it, int g, const size_t *line,
                      double elements[DIMENSIONS_MOST])
{
    double face = 1.0;
    for (int other = 0; other < it->needs.grid_dimensions; other++)
        if (other != g && (line[other] >= (size_t)it->needs.grid[other]))
            return 0.0;
    for (size_t i = 0; i < it->needs.factor_count; i++) {
        const struct factor *factor = &it->needs.factors[i];
        const struct coupling *coupling = &factor->coupling;
        if (factor->to == g)
            continue;
        elements[i] = 0.0;
        if (factor->to > g) {
            elements[i] = coupling->all[line[factor->to]];
        } else {
            const size_t row = factor->by < 0 ? 0 : line[factor->by];
            const bool runs = factor->by < 0 || it->needs.active[factor->by][row] > 0.0;
            for (size_t k = coupling->start[row]; k < coupling->start[row + 1] && runs; k++)
                elements[i] += coupling->entries[k].count;
        }
        face *= elements[i];
    }
    return face;
}

/* Who exchanges what along one line; faces: by number. */
struct line_sum {
    double *partners; /* by coordinate, and so are: */
    bool *sends, *receives;
    double pairs, elements; /* of the largest message */
};

static void sum_line(struct line_sum *sum, const struct crossings *it, const double *faces,
                     size_t processors)
{
    memset(sum->partners, 0, processors * sizeof *sum->partners);
    memset(sum->sends, 0, processors * sizeof *sum->sends);
    memset(sum->receives, 0, processors * sizeof *sum->receives);
    sum->pairs = sum->elements = 0.0;
    for (size_t i = 0, end; i < it->count; i = end) {
        const uint32_t to = it->items[i].to, from = it->items[i].from;
        const double elements = elements_between(it, faces, to, from);
        for (end = i; end < it->count && it->items[end].to == to && it->items[end].from == from;)
            end++;
        if (elements == 0.0)
            continue;
        /* A pair that needs of one another is one, told by the smaller of both. */
        const bool counted = to > from && elements_between(it, faces, from, to) > 0.0;
        sum->partners[to] += counted ? 0.0 : 1.0;
        sum->partners[from] += counted ? 0.0 : 1.0;
        sum->pairs += counted ? 0.0 : 1.0;
        sum->receives[to] = sum->sends[from] = true;
        sum->elements = fmax(sum->elements, elements);
    }
}

static void next_line(const struct home *home, int g, size_t *line)
{
    for (int other = home->grid_dimensions - 1; other >= 0; other--) {
        if (other == g)
            continue;
        if (++line[other] < (size_t)home->grid[other])
            return;
        line[other] = 0;
    }
}

/* The class and the busiest of all lines along the grid dimension. */
static void classify(struct phase *phase, const struct crossings *it, const struct piece *pieces,
                     size_t count, int g)
{
    const struct home *home = &pieces[0].home;
    const size_t processors = (size_t)home->grid[g];
    struct traffic *traffic = &phase->traffic;
    struct line_sum sum = {.partners = memory_new(processors, sizeof *sum.partners),
                           .sends = memory_new(processors, sizeof *sum.sends),
                           .receives = memory_new(processors, sizeof *sum.receives)};
    double *faces = memory_new(count, sizeof *faces), lines = 1.0, pairs = 0.0;
    size_t line[DIMENSIONS_MOST] = {0};
    for (int other = 0; other < home->grid_dimensions; other++)
        lines *= other == g ? 1.0 : home->grid[other];
    traffic->class = TRAFFIC_MESSAGES;
    for (double l = 0.0; l < lines; l += 1.0, next_line(home, g, line)) {
        double elements[DIMENSIONS_MOST] = {0}, widest[DIMENSIONS_MOST] = {0}, most = 0.0;
        for (size_t i = 0; i < count; i++) {
            faces[i] = face_at(&pieces[i], g, line, elements);
            if (faces[i] > most)
                memcpy(widest, elements, sizeof widest);
            most = fmax(most, faces[i]);
        }
        effort_take(pieces[0].turn.effort, (double)it->count);
        sum_line(&sum, it, faces, processors);
        pairs += sum.pairs;
        for (size_t q = 0; q < processors; q++) {
            traffic->partners = fmax(traffic->partners, sum.partners[q]);
            if (sum.sends[q] && sum.receives[q])
                traffic->class = TRAFFIC_EXCHANGE;
        }
        if (sum.elements <= traffic->elements)
            continue;
        traffic->elements = sum.elements;
        memcpy(phase->elements, widest, sizeof widest);
        for (size_t i = 0; i < pieces[0].needs.factor_count; i++)
            if (pieces[0].needs.factors[i].to == g)
                phase->elements[i] = ceil(sum.elements / most);
    }
    traffic->at_once = pairs / fmax(1.0, traffic->partners);
    for (size_t i = 0; i < it->count; i++)
        if (it->items[i].to == 0 && it->items[i].from + 1 == processors && processors > 2)
            phase->reach_around = 1.0;
    phase->is_one_way = it->before != it->after;
    free(faces);
    free(sum.partners);
    free(sum.sends);
    free(sum.receives);
}

static void add_reads(struct phase *phase, const struct piece *piece)
{
    for (size_t k = 0; k < piece->shifted.count; k++) {
        const struct reference *read = piece->shifted.references[k];
        bool is_known = false;
        for (size_t i = 0; i < phase->reads.count; i++)
            is_known |= strcmp(phase->reads.references[i]->text->text, read->text->text) == 0;
        if (!is_known && phase->reads.count < READS_MOST)
            phase->reads.references[phase->reads.count++] = read;
    }
}

/* Looks along a grid dimension: at the reads that are shifted along it. */
static void look_along(struct piece *it, int d)
{
    double offset;
    it->shifted = (struct reads){.array = it->message->reads.array};
    for (size_t k = 0; k < it->message->reads.count; k++)
        if (offset_of(it, it->message->reads.references[k], d, &offset) && offset != 0.0)
            it->shifted.references[it->shifted.count++] = it->message->reads.references[k];
}

/* What those exchange along a grid dimension that have reads shifted along it; false: nothing. */
static bool add_phase(struct phase *phase, const struct piece *pieces, size_t count, int g, int d)
{
    const struct array_layout *lies = pieces[0].message->lies;
    struct crossings all = {0};
    *phase = (struct phase){.grid_dimension = g,
                            .traffic = {.group = 2.0},
                            .reads = {.array = pieces[0].message->reads.array}};
    for (size_t i = 0; i < count; i++) {
        const size_t before = all.count;
        size_t number = i;
        for (size_t k = i; k > 0; k--)
            if (have_same_faces(&pieces[k - 1], &pieces[i], d))
                number = k - 1;
        cross(&all, &pieces[i], d, number);
        if (all.count > before)
            add_reads(phase, &pieces[i]);
    }
    if (all.count > 0) {
        count_elements(&all);
        classify(phase, &all, pieces, count, g);
        phase->traffic.pieces = pieces_of(phase->reads.array, lies, phase->elements);
    }
    free(all.items);
    return phase->traffic.partners > 0.0 && phase->traffic.elements > 0.0;
}

/* The same of all pieces. */
static bool look_and_add(struct phase *phase, struct piece *pieces, size_t count, int g)
{
    const int d = array_layout_along(pieces[0].message->lies, g);
    struct piece *some = memory_new(count, sizeof *some);
    size_t made = 0;
    for (size_t i = 0; i < count && d >= 0; i++) {
        look_along(&pieces[i], d);
        some[made] = pieces[i];
        made += some[made].shifted.count > 0 &&
                needs_make(&some[made].needs, &some[made].shifted, &some[made].home,
                           some[made].message->lies, &some[made].turn) == NEEDS_MADE;
    }
    const bool adds = made > 0 && add_phase(phase, some, made, g, d);
    for (size_t i = 0; i < made; i++)
        needs_free(&some[i].needs);
    free(some);
    return adds;
}

/* Whether the values of a loop's subscripts are others in both: far apart, or of another remainder.
 */
static bool is_elsewhere(const struct subscript *a, const struct subscript *b,
                         const struct piece *x, const struct piece *y)
{
    const struct range one = {0.0, 0.0};
    const struct range of_a = a->loop < 0 ? one : x->turn.ranges[a->loop];
    const struct range of_b = b->loop < 0 ? one : y->turn.ranges[b->loop];
    const double by_a = a->loop < 0 ? 0.0 : a->coefficient;
    const double by_b = b->loop < 0 ? 0.0 : b->coefficient;
    const double first_a = a->constant + fmin(by_a * of_a.first, by_a * of_a.last);
    const double last_a = a->constant + fmax(by_a * of_a.first, by_a * of_a.last);
    const double first_b = b->constant + fmin(by_b * of_b.first, by_b * of_b.last);
    const double last_b = b->constant + fmax(by_b * of_b.first, by_b * of_b.last);
    return last_a < first_b || last_b < first_a ||
           (fabs(by_a) > 1.0 && fabs(by_a) == fabs(by_b) &&
            fmod(a->constant - b->constant, by_a) != 0.0);
}

/* Pieces of one loop assign other elements each: what assigns the same ones again is another loop,
   which sends again. */
static bool are_pieces(const struct piece *a, const struct piece *b, const struct layout *layout)
{
    const struct reference *home = a->message->home, *other = b->message->home;
    const struct array_layout *lies =
        layout_of(layout, a->message->reader->nest.program, home->array);
    if (a->message->reader == b->message->reader)
        return true;
    for (int d = 0; d < home->dimensions; d++) {
        struct subscript x, y;
        if (reference_subscript(home, d, lies, a->turn.fixed, a->turn.at, &x) &&
            reference_subscript(other, d, lies, b->turn.fixed, b->turn.at, &y) &&
            is_elsewhere(&x, &y, a, b))
            return true;
    }
    return false;
}

static int take_all(struct piece *pieces, size_t count, const struct turn_taker *taker,
                    double times, struct error *error)
{
    struct shift shift = {0};
    for (int g = 0; g < pieces[0].home.grid_dimensions; g++)
        shift.count += look_and_add(&shift.phases[shift.count], pieces, count, g);
    shift_describe_halo(&shift, &pieces[0].home);
    for (size_t i = 0; i < shift.count; i++)
        if (taker->take(taker->taker, &shift.phases[i].traffic, &shift.phases[i].reads,
                        shift.phases[i].grid_dimension, times, error) != 0)
            return -1;
    return 0;
}

int together_take(const struct list *messages, const size_t *first, size_t number,
                  const struct layout *layout, const struct segment *segment,
                  const struct turn_taker *taker, bool *done, struct error *error)
{
    const struct message *all = messages->items;
    struct piece *pieces = memory_new(messages->count, sizeof *pieces);
    size_t count = 0;
    int status = 0;
    double times = 0.0;
    *done = segment->corners != CORNERS_DIRECT && !segment->to_itself;
    for (size_t i = number; i < messages->count && *done && status == 0; i++) {
        struct piece *piece = &pieces[count];
        double each;
        if (first[i] != number || all[i].reads.count == 0)
            continue;
        status = begin(piece, &all[i], layout, &each, done, error);
        if (status != 0 || !*done || each == 0.0)
            continue;
        *done = needs_make(&piece->needs, &all[i].reads, &piece->home, all[i].lies, &piece->turn) ==
                NEEDS_MADE;
        if (*done)
            needs_free(&piece->needs);
        for (size_t k = 0; k < count; k++)
            *done = *done && are_pieces(&pieces[k], piece, layout);
        count += *done;
        times = each;
    }
    if (status == 0 && *done && count > 0 && taker)
        status = take_all(pieces, count, taker, times, error);
    free(pieces);
    return status;
}
