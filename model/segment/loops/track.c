#include "model/segment/loops/track.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

/* The elements that a subscript reaches, whatever its constant is. */
static struct range reach(const struct visit *visit, const struct affine *subscript)
{
    struct range reached = {0.0, 0.0};
    for (int l = 0; l < visit->nest->depth; l++) {
        if (subscript->by[l] == 0.0)
            continue;
        const double a = subscript->by[l] * visit->ranges[l].first;
        const double b = subscript->by[l] * visit->ranges[l].last;
        reached.first += fmin(a, b);
        reached.last += fmax(a, b);
    }
    return reached;
}

static struct track track_of(const struct visit *visit, const struct affine *subscript,
                             const struct distribution *along, struct range constants)
{
    struct track track = {.subscript = subscript, .along = along};
    const struct range reached = reach(visit, subscript);
    track.range.first = fmax(0.0, reached.first + constants.first + along->offset);
    track.range.last = fmin(along->elements - 1.0, reached.last + constants.last + along->offset);
    return track;
}

static void find_owners(struct track *track)
{
    const size_t count = (size_t)range_count(track->range);
    if (track->along->grid_dimension < 0)
        return;
    track->owners = memory_new(count, sizeof *track->owners);
    for (size_t i = 0; i < count; i++)
        track->owners[i] =
            (uint32_t)distribution_owner(track->along, track->range.first + (double)i);
}

static void add_home_tracks(struct tracks *tracks, const struct visit *visit)
{
    for (int d = 0; visit->home && d < visit->home->dimensions; d++) {
        const struct affine *subscript = &visit->home->subscripts[d];
        const struct distribution *along = &visit->home_lies->along[d];
        if (along->grid_dimension < 0)
            continue;
        struct track *track = &tracks->items[tracks->count++];
        *track = track_of(visit, subscript, along,
                          (struct range){subscript->constant, subscript->constant});
        track->dimension = d;
    }
    tracks->home_count = tracks->count;
}

/* The data's last dimension varies fastest. Returns how many elements there are in the box. */
static double add_data_tracks(struct tracks *tracks, const struct visit *visit)
{
    const struct reads *reads = visit->reads;
    double elements = 1.0;
    for (int d = reads->references[0]->dimensions - 1; d >= 0; d--) {
        struct range constants = {INFINITY, -INFINITY};
        for (size_t k = 0; k < reads->count; k++) {
            constants.first = fmin(constants.first, reads->references[k]->subscripts[d].constant);
            constants.last = fmax(constants.last, reads->references[k]->subscripts[d].constant);
        }
        struct track track = track_of(visit, &reads->references[0]->subscripts[d],
                                      &visit->data_lies->along[d], constants);
        track.dimension = d;
        track.stride = elements < 0x1p53 ? (uint64_t)elements : 0;
        elements *= range_count(track.range);
        tracks->items[tracks->count++] = track;
    }
    return elements;
}

double tracks_make(struct tracks *tracks, const struct visit *visit)
{
    *tracks = (struct tracks){0};
    add_home_tracks(tracks, visit);
    return add_data_tracks(tracks, visit);
}

int tracks_moved(const struct tracks *tracks, int loop)
{
    int found = -1;
    for (int t = 0; t < tracks->count; t++) {
        const double by = tracks->items[t].subscript->by[loop];
        if (by == 0.0)
            continue;
        if (t < tracks->home_count || found >= 0 || fabs(by) != 1.0)
            return -1;
        found = t;
    }
    return found;
}

void tracks_find_owners(struct tracks *tracks)
{
    for (int t = 0; t < tracks->count; t++)
        find_owners(&tracks->items[t]);
}

void tracks_free(struct tracks *tracks)
{
    for (int t = 0; t < tracks->count; t++)
        free(tracks->items[t].owners);
}
