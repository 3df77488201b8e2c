/* Distance (Abandah, IBM SP2, section 2.3, generalised): neighbours along one dimension of a grid
   of processors are as far apart in number as its stride says, and on most machines messages to a
   near one take less. The table has exchanges of all processors at several distances: halo-1 at 1,
   halo-1-by-D at D, and exchange-pairs at half of p. */
#ifndef FORECAST_PRICE_DISTANCE_H
#define FORECAST_PRICE_DISTANCE_H

#include "model/machine/machine.h"
#include "model/segment/traffic/traffic.h"

/* By what a cost that was measured at other distances is multiplied, and its interval. */
struct distance {
    double factor, low, high; /* above 0 */
    unsigned flags;           /* COST_OTHER_DISTANCE: the table does not say; all are 1 */
};

/* An exchange with all neighbours of so many bytes along the lines of `halo`, in terms of what the
   cost, of as many directions, takes of so many processors on its own grid; the cost is a halo's,
   or pair by pair (in_turn), or that of pairs. */
struct distance distance_of_halo(const struct machine *machine, const struct cost *cost,
                                 double processors, double bytes, const struct halo_exchange *halo,
                                 bool in_turn);

/* The same in terms of neighbours next to one another: the mean of the lines, and the nearest and
   the farthest of them. */
struct distance distance_of_lines(const struct machine *machine, double bytes,
                                  const struct halo_exchange *halo);

/* How much longer pairs of neighbours take at the least distance when so many messages are under
   way, in terms of one pair alone; 1 where the table does not say, or where they are no more than
   one pair's. */
double distance_crowding(const struct machine *machine, double bytes, double messages);

/* What bytes add to an exchange with all neighbours along the lines of `halo` at once, beyond what
   an empty one takes; NAN where the table does not say. What its processors and wires do for
   messages one way alone, between the same neighbours, takes no more. */
double distance_bytes_us(const struct machine *machine, double bytes,
                         const struct halo_exchange *halo);

/* What neighbours on one of the lines of `halo` take longer than those within a node, for so many
   bytes; at least 0, NAN where the table does not say. */
double distance_farther_us(const struct machine *machine, double bytes,
                           const struct halo_exchange *halo, int line);

/* Whether lines of so many processors leave a node of the machine's: whether neighbours along them
   take most of what the farthest message takes longer than a near one. That it takes longer says
   nothing alone: on a torus far is far, and the next one is never. */
bool distance_leaves(const struct machine *machine, double processors, double bytes,
                     double farther_us);

#endif
