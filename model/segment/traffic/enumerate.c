#include "model/segment/traffic/enumerate.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { ITERATIONS_MOST = 20000000, ENUMERATED_MOST = 5000000 };

/* An element that a processor needs, and the processor that has it. */
struct need {
    uint32_t to, from;
    uint64_t element;
};

struct notes {
    const struct reads *reads;
    const struct reference *home;
    const struct nest *nest;
    const struct turn *turn;
    const struct layout *layout;
    const struct array_layout *home_lies, *data_lies;
    struct need *needs;
    size_t count, room, seen;
    bool matters[LOOPS_MOST]; /* the loop is named by a reference, or by a bound */
    struct error *error;
};

static struct place place_of(const struct notes *notes, const struct reference *reference)
{
    return program_place(notes->nest->program, reference->text->place);
}

/* ---- what is noted ---- */

static int by_source(const void *a, const void *b)
{
    const struct need *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->element > y->element) - (x->element < y->element);
}

static void drop_repeated(struct notes *notes)
{
    size_t kept = 0;
    if (notes->count > 1)
        qsort(notes->needs, notes->count, sizeof *notes->needs, by_source);
    for (size_t i = 0; i < notes->count; i++)
        if (kept == 0 || by_source(&notes->needs[kept - 1], &notes->needs[i]) != 0)
            notes->needs[kept++] = notes->needs[i];
    notes->count = kept;
}

/* ---- one iteration ---- */

static bool make_room(struct notes *notes)
{
    if (notes->count == ENUMERATED_MOST) {
        drop_repeated(notes);
        if (notes->count > ENUMERATED_MOST / 2)
            return false;
    }
    if (notes->count == notes->room) {
        notes->room = 2 * notes->room + 1024;
        if (notes->room > ENUMERATED_MOST)
            notes->room = ENUMERATED_MOST;
        notes->needs = memory_grow(notes->needs, notes->room, sizeof *notes->needs);
    }
    return true;
}

static int too_large(const struct notes *notes)
{
    return error_particular_at(
        notes->error, place_of(notes, notes->reads->references[0]),
        "'%.60s' couples loops, and it is too large to be enumerated: write its "
        "communication as a call",
        notes->reads->references[0]->text->text);
}

static int add(struct notes *notes, uint32_t to, uint32_t from, uint64_t element)
{
    if (++notes->seen > ITERATIONS_MOST || !effort_take(notes->nest->program->effort, 1.0) ||
        !make_room(notes))
        return too_large(notes);
    notes->needs[notes->count++] = (struct need){to, from, element};
    return 0;
}

/* The coordinates that own an element of a reference; -1 along grid dimensions that it does not
   lie along. */
static int owners(const struct notes *notes, const struct reference *reference,
                  const struct array_layout *lies, const double *at, double *coordinates,
                  uint64_t *element)
{
    for (int g = 0; g < notes->layout->grid_dimensions; g++)
        coordinates[g] = -1.0;
    *element = 0;
    for (int d = 0; reference && d < reference->dimensions; d++) {
        const struct distribution *along = &lies->along[d];
        const double subscript = affine_value(&reference->subscripts[d], at) + along->offset;
        if (subscript < 0.0 || subscript >= along->elements)
            return error_at(notes->error, place_of(notes, reference),
                            "'%.60s' reaches %g: the array has 0 to %g there",
                            reference->text->text, subscript, along->elements - 1.0);
        *element = *element * (uint64_t)along->elements + (uint64_t)subscript;
        if (along->grid_dimension >= 0)
            coordinates[along->grid_dimension] = distribution_owner(along, subscript);
    }
    return 0;
}

/* All processors that execute, grid dimension by grid dimension, and where each gets the element
   from: its own copy along those that the array does not lie along. */
static int note_read(struct notes *notes, int g, const double *home, const double *data, double to,
                     double from, uint64_t element)
{
    if (g == notes->layout->grid_dimensions)
        return add(notes, (uint32_t)to, (uint32_t)from, element);
    const double size = notes->layout->grid[g], first = fmax(0.0, home[g]);
    const double last = home[g] < 0.0 ? size - 1.0 : home[g];
    for (double q = first; q <= last; q++)
        if (note_read(notes, g + 1, home, data, to * size + q,
                      from * size + (data[g] < 0.0 ? q : data[g]), element) != 0)
            return -1;
    return 0;
}

static int note_iteration(struct notes *notes, const double *at)
{
    double home[DIMENSIONS_MOST] = {0.0}, data[DIMENSIONS_MOST] = {0.0};
    uint64_t element;
    if (!effort_take(notes->nest->program->effort, 1.0))
        return too_large(notes);
    if (owners(notes, notes->home, notes->home_lies, at, home, &element) != 0)
        return -1;
    for (size_t k = 0; k < notes->reads->count; k++)
        if (owners(notes, notes->reads->references[k], notes->data_lies, at, data, &element) != 0 ||
            note_read(notes, 0, home, data, 0.0, 0.0, element) != 0)
            return -1;
    return 0;
}

static int note_loops(struct notes *notes, int l, double *at)
{
    struct range range;
    if (l == notes->turn->depth)
        return note_iteration(notes, at);
    if (notes->turn->fixed[l])
        return note_loops(notes, l + 1, at);
    if (nest_range(notes->nest, l, at, &range, notes->error) != 0)
        return -1;
    if (!notes->matters[l])
        range.last = fmin(range.first, range.last);
    for (at[l] = range.first; at[l] <= range.last; at[l] += 1.0)
        if (note_loops(notes, l + 1, at) != 0)
            return -1;
    return 0;
}

/* ---- what was noted ---- */

/* The pair that begins at a need: needs of one source and destination. Returns where it ends. */
static size_t add_pair(struct profile *profile, const struct notes *notes, size_t begin)
{
    const struct need *first = &notes->needs[begin];
    size_t end = begin;
    while (end < notes->count && notes->needs[end].from == first->from &&
           notes->needs[end].to == first->to)
        end++;
    if (first->from == first->to)
        return end;
    struct degree *source = &profile->degrees[first->from], *to = &profile->degrees[first->to];
    source->out += 1.0;
    to->in += 1.0;
    to->source = first->from;
    source->elements_out += (double)(end - begin);
    to->elements_in += (double)(end - begin);
    profile->largest = fmax(profile->largest, (double)(end - begin));
    groups_join(&profile->groups, first->from, first->to);
    return end;
}

/* Whether two pairs of one source are of the same elements. */
static bool same_elements(const struct notes *notes, size_t a, size_t b, size_t end)
{
    if (end - b != b - a)
        return false;
    for (size_t k = 0; k < b - a; k++)
        if (notes->needs[a + k].element != notes->needs[b + k].element)
            return false;
    return true;
}

static struct traffic classify(const struct notes *notes)
{
    struct profile profile = profile_new((size_t)notes->layout->processors);
    for (size_t before = 0, at = 0, end; at < notes->count; before = at, at = end) {
        end = add_pair(&profile, notes, at);
        if (at > 0 && notes->needs[before].from == notes->needs[at].from)
            profile.same &= same_elements(notes, before, at, end);
    }
    const struct traffic traffic = profile_classify(&profile);
    profile_free(&profile);
    return traffic;
}

/* ---- whether it can be done ---- */

static bool is_in(const struct reference *reference, int loop)
{
    for (int d = 0; reference && d < reference->dimensions; d++)
        if (reference->subscripts[d].by[loop] != 0.0)
            return true;
    return false;
}

static void find_what_matters(struct notes *notes)
{
    for (int l = 0; l < notes->nest->depth; l++) {
        notes->matters[l] = is_in(notes->home, l) || is_in(notes->reads->references[0], l);
        for (int inner = l + 1; inner < notes->nest->depth; inner++)
            notes->matters[l] |= notes->nest->outer[inner][l];
    }
}

/* Elements are numbered one after the other. */
static double elements_of(const struct notes *notes)
{
    double elements = 1.0;
    for (int d = 0; d < notes->data_lies->dimensions; d++)
        elements *= notes->data_lies->along[d].elements;
    return elements;
}

/* A nest whose box is much too large is refused before anything is done: what bounds cut off it is
   rarely more than three quarters. */
static int check_size(const struct notes *notes)
{
    struct range ranges[LOOPS_MOST] = {
        {0.0, 0.0}
    };
    double iterations = elements_of(notes) > 0x1p53 ? (double)INFINITY : 1.0;
    for (int l = 0; l < notes->nest->depth; l++) {
        if (notes->turn->fixed[l])
            continue;
        if (nest_hull(notes->nest, l, notes->turn->fixed, notes->turn->at, ranges, &ranges[l],
                      notes->error) != 0)
            return -1;
        iterations *= notes->matters[l] ? range_count(ranges[l]) : 1.0;
    }
    return iterations > 4.0 * ITERATIONS_MOST ? too_large(notes) : 0;
}

int enumerate_traffic(struct traffic *traffic, const struct reads *reads,
                      const struct reference *home, const struct nest *nest,
                      const struct turn *turn, const struct array_layout *lies,
                      const struct layout *layout, struct error *error)
{
    const struct program *program = nest->program;
    struct notes notes = {.reads = reads,
                          .home = home,
                          .nest = nest,
                          .turn = turn,
                          .layout = layout,
                          .home_lies = home ? layout_of(layout, program, home->array) : NULL,
                          .data_lies = lies,
                          .error = error};
    double at[LOOPS_MOST];
    for (int l = 0; l < LOOPS_MOST; l++)
        at[l] = turn->at[l];
    find_what_matters(&notes);
    int status = check_size(&notes);
    if (status == 0)
        status = note_loops(&notes, 0, at);
    if (status == 0) {
        drop_repeated(&notes);
        *traffic = classify(&notes);
    }
    free(notes.needs);
    return status;
}
