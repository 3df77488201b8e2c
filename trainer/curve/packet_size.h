/* Whether messages travel in packets, of how many bytes, and up to which message. */
#ifndef TRAINER_CURVE_PACKET_SIZE_H
#define TRAINER_CURVE_PACKET_SIZE_H

#include "trainer/curve/running.h"

/* Where the points so far look like a staircase, asks on both sides of steps that it foretells:
   the curve's packets, to the byte where the noise allows, or as it was. */
int packets_find(struct running *run, struct error *error);

/* The same where the regions look like one and none was found before. */
int packets_find_among(struct running *run, const struct list *regions, struct error *error);

#endif
