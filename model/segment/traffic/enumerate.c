#include "model/segment/traffic/enumerate.h"

#include "model/base/allocation.h"
#include "model/segment/traffic/transfers.h"
#include "model/segment/traffic/visit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_MOST = 20000000, TRACKS_MOST = 2 * DIMENSIONS_MOST };

/* One dimension of home or of the data. */
struct track {
    const struct affine *subscript;
    const struct distribution *along;
    int dimension;      /* of the data */
    double start;       /* with the loops that have a value, all others at 0 */
    struct range range; /* of the elements in all iterations, within the array */
    uint32_t *owners;   /* coordinates, from the range's first on; NULL: not on the grid; owned */
    uint64_t stride;    /* between elements, as they are numbered: of the data */
    uint64_t number, shared; /* from one coordinate to the next: of processors' numbers */
};

struct notes {
    struct visit visit;
    struct track tracks[TRACKS_MOST]; /* home's dimensions, then the data's */
    int home_count, count;
    struct transfers transfers;
    double seen;
    struct error *error;
};

static struct place place_of(const struct notes *notes, const struct reference *reference)
{
    return program_place(notes->visit.nest->program, reference->text->place);
}

static int too_large(const struct notes *notes)
{
    return error_particular_at(
        notes->error, place_of(notes, notes->visit.reads->references[0]),
        "'%.60s' couples loops, and it is too large to be enumerated: write its "
        "communication as a call",
        notes->visit.reads->references[0]->text->text);
}

/* ---- elements and their owners ---- */

/* The elements that a subscript reaches, whatever its constant is. */
static struct range reach(const struct notes *notes, const struct affine *subscript)
{
    struct range reached = {0.0, 0.0};
    for (int l = 0; l < notes->visit.nest->depth; l++) {
        if (subscript->by[l] == 0.0)
            continue;
        const double a = subscript->by[l] * notes->visit.ranges[l].first;
        const double b = subscript->by[l] * notes->visit.ranges[l].last;
        reached.first += fmin(a, b);
        reached.last += fmax(a, b);
    }
    return reached;
}

/* constants: from the least to the greatest. */
static struct track track_of(const struct notes *notes, const struct affine *subscript,
                             const struct distribution *along, struct range constants)
{
    struct track track = {.subscript = subscript, .along = along};
    const struct range reached = reach(notes, subscript);
    track.range.first = fmax(0.0, reached.first + constants.first + along->offset);
    track.range.last = fmin(along->elements - 1.0, reached.last + constants.last + along->offset);
    return track;
}

static void find_owners(const struct notes *notes, struct track *track)
{
    const int g = track->along->grid_dimension;
    if (g < 0)
        return;
    track->number = notes->transfers.strides[g];
    track->shared = notes->transfers.by_home[g] && notes->transfers.by_data[g] ? track->number : 0;
    track->owners = memory_new((size_t)range_count(track->range), sizeof *track->owners);
    for (size_t i = 0; i < (size_t)range_count(track->range); i++)
        track->owners[i] =
            (uint32_t)distribution_owner(track->along, track->range.first + (double)i);
}

static void add_home_tracks(struct notes *notes)
{
    for (int d = 0; notes->visit.home && d < notes->visit.home->dimensions; d++) {
        const struct affine *subscript = &notes->visit.home->subscripts[d];
        const struct distribution *along = &notes->visit.home_lies->along[d];
        if (along->grid_dimension < 0)
            continue;
        struct track *track = &notes->tracks[notes->count++];
        *track = track_of(notes, subscript, along,
                          (struct range){subscript->constant, subscript->constant});
        track->dimension = d;
    }
    notes->home_count = notes->count;
}

/* The data's last dimension varies fastest. Returns how many elements there are in the box. */
static double add_data_tracks(struct notes *notes)
{
    const struct reads *reads = notes->visit.reads;
    double elements = 1.0;
    for (int d = reads->references[0]->dimensions - 1; d >= 0; d--) {
        struct range constants = {INFINITY, -INFINITY};
        for (size_t k = 0; k < reads->count; k++) {
            constants.first = fmin(constants.first, reads->references[k]->subscripts[d].constant);
            constants.last = fmax(constants.last, reads->references[k]->subscripts[d].constant);
        }
        struct track track = track_of(notes, &reads->references[0]->subscripts[d],
                                      &notes->visit.data_lies->along[d], constants);
        track.dimension = d;
        track.stride = elements < 0x1p53 ? (uint64_t)elements : 0;
        elements *= range_count(track.range);
        notes->tracks[notes->count++] = track;
    }
    return elements;
}

/* A nest whose box is much too large is refused before anything is done: what bounds cut off it is
   rarely more than three quarters. */
static bool is_too_large(const struct notes *notes, double elements, double processors)
{
    return elements > 0x1p53 || elements * processors > 0x1p62 ||
           visit_iterations(&notes->visit) > 4.0 * ITERATIONS_MOST;
}

/* ---- one iteration ---- */

static bool is_within(const struct track *track, double element)
{
    return element >= track->range.first && element <= track->range.last;
}

static uint32_t owner_of(const struct track *track, double element)
{
    return track->owners[(size_t)(element - track->range.first)];
}

static void add_number(const struct track *track, double element, struct known_number *number)
{
    if (!track->owners)
        return;
    const uint64_t owner = owner_of(track, element);
    number->all += owner * track->number;
    number->shared += owner * track->shared;
}

static int outside(const struct notes *notes, const struct reference *reference,
                   const struct track *track, double element)
{
    return error_at(notes->error, place_of(notes, reference),
                    "'%.60s' reaches %g: the array has 0 to %g there", reference->text->text,
                    element, track->along->elements - 1.0);
}

/* elements: of the tracks, with the first read's constants. */
static int note_read(struct notes *notes, const struct reference *read, const double *elements,
                     const struct known_number *home, double weight)
{
    const struct reference *first = notes->visit.reads->references[0];
    struct known_number data = {0, 0};
    uint64_t number = 0;
    for (int t = notes->home_count; t < notes->count; t++) {
        const struct track *track = &notes->tracks[t];
        const int d = track->dimension;
        const double element =
            elements[t] + read->subscripts[d].constant - first->subscripts[d].constant;
        if (!is_within(track, element))
            return outside(notes, read, track, element);
        number += track->stride * (uint64_t)(element - track->range.first);
        add_number(track, element, &data);
    }
    notes->seen += 1.0;
    return notes->seen <= ITERATIONS_MOST &&
                   transfers_add(&notes->transfers, number, home, &data, weight)
               ? 0
               : too_large(notes);
}

static int note_iteration(struct notes *notes, const double *elements, double weight)
{
    struct known_number home = {0, 0};
    if (!effort_take(notes->visit.nest->program->effort, 1.0))
        return too_large(notes);
    for (int t = 0; t < notes->home_count; t++) {
        if (!is_within(&notes->tracks[t], elements[t]))
            return outside(notes, notes->visit.home, &notes->tracks[t], elements[t]);
        add_number(&notes->tracks[t], elements[t], &home);
    }
    for (size_t k = 0; k < notes->visit.reads->count; k++)
        if (note_read(notes, notes->visit.reads->references[k], elements, &home, weight) != 0)
            return -1;
    return 0;
}

/* ---- all iterations ---- */

static int note_loops(struct notes *notes, int l, double *at, const double *elements,
                      double weight);

/* The loop has a value. */
static int note_value(struct notes *notes, int l, double *at, const double *elements, double weight)
{
    double here[TRACKS_MOST];
    for (int t = 0; t < notes->count; t++) {
        const double by = notes->tracks[t].subscript->by[l];
        here[t] = by == 0.0 ? elements[t] : elements[t] + by * at[l];
    }
    return note_loops(notes, l + 1, at, here, weight);
}

static int note_stops(struct notes *notes, int l, double *at, const double *elements, double weight)
{
    const struct stops *stops = &notes->visit.stops[l];
    for (size_t i = 0; i < stops->count; i++) {
        at[l] = stops->items[i].value;
        if (note_value(notes, l, at, elements, weight * stops->items[i].weight) != 0)
            return -1;
    }
    return 0;
}

static const struct track *home_track(const struct notes *notes, int dimension)
{
    for (int t = 0; t < notes->home_count; t++)
        if (notes->tracks[t].dimension == dimension)
            return &notes->tracks[t];
    return NULL;
}

/* Of values with the same owner the one that comes first on the way. */
static int note_leads(struct notes *notes, int l, double *at, const double *elements, double weight,
                      struct range range)
{
    const struct lead *lead = &notes->visit.leads[l];
    const bool up = lead->by == LEAD_FIRST;
    const struct track *track = home_track(notes, lead->dimension);
    const size_t owners = track ? (size_t)track->along->processors : 1;
    bool *seen = memory_new(owners, sizeof *seen);
    size_t left = owners;
    int status = 0;
    for (at[l] = up ? range.first : range.last;
         at[l] >= range.first && at[l] <= range.last && left > 0 && status == 0;
         at[l] += up ? 1.0 : -1.0) {
        const double element = track ? track->start + track->subscript->by[l] * at[l] : 0.0;
        const size_t owner = track && is_within(track, element) ? owner_of(track, element) : 0;
        if (seen[owner])
            continue;
        seen[owner] = true;
        left--;
        status = note_value(notes, l, at, elements, weight);
    }
    free(seen);
    return status;
}

static int note_loops(struct notes *notes, int l, double *at, const double *elements, double weight)
{
    struct range range;
    if (l == notes->visit.turn->depth)
        return note_iteration(notes, elements, weight);
    if (notes->visit.turn->fixed[l])
        return note_value(notes, l, at, elements, weight);
    if (notes->visit.stops[l].count > 0)
        return note_stops(notes, l, at, elements, weight);
    if (nest_range(notes->visit.nest, l, at, &range, notes->error) != 0)
        return -1;
    if (!notes->visit.matters[l])
        range.last = fmin(range.first, range.last);
    if (notes->visit.leads[l].by != LEAD_NONE)
        return note_leads(notes, l, at, elements, weight, range);
    for (at[l] = range.first; at[l] <= range.last; at[l] += 1.0)
        if (note_value(notes, l, at, elements, weight) != 0)
            return -1;
    return 0;
}

/* Where the loops that have a value put it. */
static double start_of(const struct notes *notes, const struct track *track)
{
    const struct turn *turn = notes->visit.turn;
    double start = track->subscript->constant + track->along->offset;
    for (int l = 0; l < turn->depth; l++)
        if (turn->fixed[l] && track->subscript->by[l] != 0.0)
            start += track->subscript->by[l] * turn->at[l];
    return start;
}

static int note_all(struct notes *notes)
{
    double at[LOOPS_MOST], elements[TRACKS_MOST];
    memcpy(at, notes->visit.turn->at, sizeof at);
    for (int t = 0; t < notes->count; t++) {
        find_owners(notes, &notes->tracks[t]);
        notes->tracks[t].start = start_of(notes, &notes->tracks[t]);
        elements[t] = notes->tracks[t].subscript->constant + notes->tracks[t].along->offset;
    }
    return note_loops(notes, 0, at, elements, 1.0);
}

static void notes_free(struct notes *notes)
{
    for (int t = 0; t < notes->count; t++)
        free(notes->tracks[t].owners);
    visit_free(&notes->visit);
    transfers_free(&notes->transfers);
}

static int enumerate(struct notes *notes, const struct layout *layout, struct traffic *traffic)
{
    if (visit_prepare(&notes->visit, notes->error) != 0)
        return -1;
    add_home_tracks(notes);
    const double elements = add_data_tracks(notes);
    if (is_too_large(notes, elements, layout->processors))
        return too_large(notes);
    notes->transfers =
        transfers_new(layout, notes->visit.home_lies, notes->visit.data_lies, elements);
    if (note_all(notes) != 0)
        return -1;
    return transfers_classify(&notes->transfers, notes->visit.nest->program->effort, traffic)
               ? 0
               : too_large(notes);
}

int enumerate_traffic(struct traffic *traffic, const struct reads *reads,
                      const struct reference *home, const struct nest *nest,
                      const struct turn *turn, const struct array_layout *lies,
                      const struct layout *layout, struct error *error)
{
    struct notes notes = {
        .visit = {.reads = reads,
                  .home = home,
                  .nest = nest,
                  .turn = turn,
                  .home_lies = home ? layout_of(layout, nest->program, home->array) : NULL,
                  .data_lies = lies},
        .error = error
    };
    const int status = enumerate(&notes, layout, traffic);
    notes_free(&notes);
    return status;
}
