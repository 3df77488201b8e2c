/* One dimension of home, or of the data, that an enumeration goes along: which elements there are,
   and who has them. */
#ifndef MODEL_SEGMENT_LOOPS_TRACK_H
#define MODEL_SEGMENT_LOOPS_TRACK_H

#include "model/segment/loops/visit.h"

#include <stdint.h>

struct track {
    const struct affine *subscript;
    const struct distribution *along;
    int dimension;      /* of the array */
    double start;       /* with the loops that have a value, all others at 0 */
    struct range range; /* of the elements in all iterations, within the array */
    uint32_t *owners;   /* coordinates, from the range's first on; NULL: not on the grid; owned */
    uint64_t stride;    /* between elements, as they are numbered: of the data */
    uint64_t number, shared; /* from one coordinate to the next: of processors' numbers */
};

enum { TRACKS_MOST = 2 * DIMENSIONS_MOST };

struct tracks {
    struct track items[TRACKS_MOST]; /* home's that are on the grid, then the data's */
    int home_count, count;
};

/* With the elements that the visit's iterations reach. Returns how many elements of the data there
   are in the box. Release with tracks_free. */
double tracks_make(struct tracks *tracks, const struct visit *visit);

/* Finds who has each element, where they are distributed. */
void tracks_find_owners(struct tracks *tracks);

/* The track of the data that the loop alone moves along, element by element, and nothing of home
   with it; -1: there is none such. */
int tracks_moved(const struct tracks *tracks, int loop);

void tracks_free(struct tracks *tracks);

static inline bool track_holds(const struct track *track, double element)
{
    return element >= track->range.first && element <= track->range.last;
}

static inline uint32_t track_owner(const struct track *track, double element)
{
    return track->owners[(size_t)(element - track->range.first)];
}

#endif
