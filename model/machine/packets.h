/* What a message that goes in parts costs for each part: T(n) then has a stair at every multiple of
   the part size, which is no region (003:32, R320; a pipelined broadcast, 001:570). */
#ifndef MODEL_MACHINE_PACKETS_H
#define MODEL_MACHINE_PACKETS_H

#include "model/machine/fit.h"

/* Parts of packet_bytes >= 1 that bytes >= 0 go in: at least one. */
double packets_of(double bytes, double packet_bytes);

/* The cost of a part, us: least squares, robust, of T = a + b n + c parts over the points longer
   than one part, of relative error. 0 where they are too few to tell, or where it would leave a
   point without time. points: all with times above 0. */
double packets_cost_us(const struct observation *points, size_t count, double packet_bytes);

#endif
