#include "model/segment/traffic/enumerate.h"

#include "model/base/allocation.h"
#include "model/segment/loops/track.h"
#include "model/segment/loops/visit.h"
#include "model/segment/traffic/transfers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_MOST = 20000000 };

struct notes {
    struct visit visit;
    struct tracks tracks;
    int run_loop, run_track; /* iterations that are noted together; -1: none are */
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

/* A nest whose box is much too large is refused before anything is done: what bounds cut off it is
   rarely more than three quarters. */
static bool is_too_large(const struct notes *notes, double elements, double processors)
{
    const double together =
        notes->run_loop < 0 ? 1.0 : range_count(notes->visit.ranges[notes->run_loop]);
    return elements > 0x1p53 || elements * processors > 0x1p62 ||
           visit_iterations(&notes->visit) > 4.0 * ITERATIONS_MOST * together;
}

/* ---- one iteration ---- */

static void add_number(const struct track *track, double element, struct known_number *number)
{
    if (!track->owners)
        return;
    const uint64_t owner = track_owner(track, element);
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
    for (int t = notes->tracks.home_count; t < notes->tracks.count; t++) {
        const struct track *track = &notes->tracks.items[t];
        const int d = track->dimension;
        const double element =
            elements[t] + read->subscripts[d].constant - first->subscripts[d].constant;
        if (!track_holds(track, element))
            return read->array->scalar ? 0 : outside(notes, read, track, element);
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
    for (int t = 0; t < notes->tracks.home_count; t++) {
        if (!track_holds(&notes->tracks.items[t], elements[t]))
            return outside(notes, notes->visit.home, &notes->tracks.items[t], elements[t]);
        add_number(&notes->tracks.items[t], elements[t], &home);
    }
    for (size_t k = 0; k < notes->visit.reads->count; k++)
        if (note_read(notes, notes->visit.reads->references[k], elements, &home, weight) != 0)
            return -1;
    return 0;
}

/* ---- iterations of one loop together ---- */

/* The innermost loop that runs, if its values differ in nothing but the elements along one track.
 */
static void find_run(struct notes *notes)
{
    const struct visit *visit = &notes->visit;
    int l = visit->nest->depth - 1;
    while (l >= 0 && visit->turn->fixed[l])
        l--;
    notes->run_loop = notes->run_track = -1;
    if (l < 0 || !visit->matters[l] || visit->stops[l].count > 0 || visit->leads[l].by != LEAD_NONE)
        return;
    notes->run_track = tracks_moved(&notes->tracks, l);
    notes->run_loop = notes->run_track < 0 ? -1 : l;
}

/* Home's coordinates; false where it is outside its array. */
static bool home_number(const struct notes *notes, const double *elements,
                        struct known_number *home)
{
    *home = (struct known_number){0, 0};
    for (int t = 0; t < notes->tracks.home_count; t++) {
        if (!track_holds(&notes->tracks.items[t], elements[t]))
            return false;
        add_number(&notes->tracks.items[t], elements[t], home);
    }
    return true;
}

/* The elements of one read: those of the run's track from its first element on, and of the others
   the one that they are at. False where some are outside. */
static bool run_of(const struct notes *notes, const struct reference *read, const double *elements,
                   struct range moved, struct transfers_run *run)
{
    const struct reference *first = notes->visit.reads->references[0];
    *run = (struct transfers_run){.track = &notes->tracks.items[notes->run_track]};
    for (int t = notes->tracks.home_count; t < notes->tracks.count; t++) {
        const struct track *track = &notes->tracks.items[t];
        const int d = track->dimension;
        const double element =
            elements[t] + read->subscripts[d].constant - first->subscripts[d].constant;
        const struct range ends = t == notes->run_track
                                      ? (struct range){element + moved.first, element + moved.last}
                                      : (struct range){element, element};
        if (!track_holds(track, ends.first) || !track_holds(track, ends.last))
            return false;
        if (t == notes->run_track) {
            run->first = (uint64_t)(ends.first - track->range.first);
            run->last = (uint64_t)(ends.last - track->range.first);
            continue;
        }
        run->line += track->stride * (uint64_t)(element - track->range.first);
        add_number(track, element, &run->data);
    }
    return true;
}

/* Notes all values of the loop at once. *done: false where some lie outside, which is found out one
   by one. */
static int note_run(struct notes *notes, struct range range, const double *elements, double weight,
                    bool *done)
{
    const double by = notes->tracks.items[notes->run_track].subscript->by[notes->run_loop];
    const struct range moved = by > 0.0 ? range : (struct range){-range.last, -range.first};
    struct known_number home;
    struct transfers_run run;
    *done = home_number(notes, elements, &home);
    for (size_t k = 0; k < notes->visit.reads->count && *done; k++) {
        if (!run_of(notes, notes->visit.reads->references[k], elements, moved, &run)) {
            *done = false;
            break;
        }
        notes->seen += 1.0;
        if (notes->seen > ITERATIONS_MOST ||
            !transfers_add_run(&notes->transfers, &run, &home, weight,
                               notes->visit.nest->program->effort))
            return too_large(notes);
    }
    return 0;
}

/* ---- all iterations ---- */

static int note_loops(struct notes *notes, int l, double *at, const double *elements,
                      double weight);

/* The loop has a value. */
static int note_value(struct notes *notes, int l, double *at, const double *elements, double weight)
{
    double here[TRACKS_MOST];
    for (int t = 0; t < notes->tracks.count; t++) {
        const double by = notes->tracks.items[t].subscript->by[l];
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
    for (int t = 0; t < notes->tracks.home_count; t++)
        if (notes->tracks.items[t].dimension == dimension)
            return &notes->tracks.items[t];
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
        const size_t owner = track && track_holds(track, element) ? track_owner(track, element) : 0;
        if (seen[owner])
            continue;
        seen[owner] = true;
        left--;
        status = note_value(notes, l, at, elements, weight);
    }
    free(seen);
    return status;
}

static int note_values(struct notes *notes, int l, double *at, const double *elements,
                       double weight, struct range range)
{
    bool done = false;
    if (l == notes->run_loop && range.first <= range.last &&
        note_run(notes, range, elements, weight, &done) != 0)
        return -1;
    for (at[l] = range.first; at[l] <= range.last && !done; at[l] += 1.0)
        if (note_value(notes, l, at, elements, weight) != 0)
            return -1;
    return 0;
}

static int note_loops(struct notes *notes, int l, double *at, const double *elements, double weight)
{
    struct range range;
    if (l == notes->visit.turn->depth)
        return note_iteration(notes, elements, weight);
    if (notes->visit.turn->fixed[l])
        return note_loops(notes, l + 1, at, elements, weight);
    if (notes->visit.stops[l].count > 0)
        return note_stops(notes, l, at, elements, weight);
    if (nest_range(notes->visit.nest, l, at, &range, notes->error) != 0)
        return -1;
    if (!notes->visit.matters[l])
        range.last = fmin(range.first, range.last);
    if (notes->visit.leads[l].by != LEAD_NONE)
        return note_leads(notes, l, at, elements, weight, range);
    return note_values(notes, l, at, elements, weight, range);
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

/* What its coordinates are worth in processors' numbers. */
static void number_track(const struct notes *notes, struct track *track)
{
    const struct transfers *transfers = &notes->transfers;
    const int g = track->along->grid_dimension;
    if (g < 0)
        return;
    track->number = transfers->strides[g];
    track->shared = transfers->by_home[g] && transfers->by_data[g] ? track->number : 0;
}

static int note_all(struct notes *notes)
{
    double at[LOOPS_MOST], elements[TRACKS_MOST];
    memcpy(at, notes->visit.turn->at, sizeof at);
    tracks_find_owners(&notes->tracks);
    for (int t = 0; t < notes->tracks.count; t++) {
        number_track(notes, &notes->tracks.items[t]);
        elements[t] = notes->tracks.items[t].start = start_of(notes, &notes->tracks.items[t]);
    }
    return note_loops(notes, 0, at, elements, 1.0);
}

static void notes_free(struct notes *notes)
{
    tracks_free(&notes->tracks);
    visit_free(&notes->visit);
    transfers_free(&notes->transfers);
}

static int enumerate(struct notes *notes, const struct layout *layout, struct traffic *traffic)
{
    if (visit_prepare(&notes->visit, notes->error) != 0)
        return -1;
    const double elements = tracks_make(&notes->tracks, &notes->visit);
    find_run(notes);
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
