/* Staircases in sight, in points or among regions, whose edges a sweep then asks for to the byte.
 */
#ifndef MODEL_FIT_PACKETS_GUESS_H
#define MODEL_FIT_PACKETS_GUESS_H

#include "model/fit/packets.h"

/* A staircase that is to be asked for. slope_us: what a byte costs besides. */
struct packets_guess {
    struct packets packets;
    double slope_us;
};

enum { PACKETS_GUESSES = 4 };

/* The staircases that explain the points (sorted by bytes; sizes are multiples of granule) so much
   better than a line does, the best first: their edges are as near as the points say. Returns how
   many there are in sight. */
size_t packets_guess(const struct observation *points, size_t count, double granule,
                     struct packets_guess guesses[PACKETS_GUESSES]);

/* The same, where three regions one after the other may be two equal steps. */
bool packets_guess_among(const struct list *regions, struct packets_guess *guess);

#endif
