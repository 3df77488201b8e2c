/* Communication that overlaps computation, as far as the table says (Doerfler, Host Processor
   Overhead). */
#ifndef FORECAST_PREDICT_OVERLAPPING_H
#define FORECAST_PREDICT_OVERLAPPING_H

#include "forecast/predict/segment_prediction.h"

/* Adds a line to the segment that takes back what overlaps: of messages between two processors the
   share that the table's availability leaves for work, but no more than there is work. Collectives
   do not overlap. */
void overlap_communication(struct segment_prediction *segment, const struct machine *machine);

/* The share of a message's transfer that is left for work, for one size: of the sending and the
   receiving side the lesser, interpolated over the logarithm of the size, beyond the sizes that the
   table has the nearest, with COST_EXTRAPOLATED_BYTES in *flags. NAN: the table has none. */
double availability(const struct machine *machine, double bytes, unsigned *flags);

#endif
