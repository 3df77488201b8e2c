/* Messages that travel in packets: times rise by equal steps at equal distances (Abandah, IBM SP2,
   section 2.3, at 217 + 232 i bytes; Balasundaram, Static Performance Estimator, every 1024 bytes).
   Regions are fitted to what is left when the staircase is taken out (found: packets_guess.h). */
#ifndef MODEL_FIT_PACKETS_H
#define MODEL_FIT_PACKETS_H

#include "model/fit/fit.h"

/* Every begun packet costs so much. bytes = 0: there are no packets. */
struct packets {
    double bytes, first_bytes; /* what a packet, and what the first one, has room for */
    double each_us;
    double upto_bytes; /* longer messages do not travel in packets; INFINITY: all do */
};

/* How many packets a message is: at least one. */
double packets_of(const struct packets *packets, double bytes);

/* fit_regions, where the edges and the end of the staircase are known: what a packet costs is
   fitted to the points, and the regions up to its end have packets. */
int packets_fit(const struct packets *packets, const struct observation *observations, size_t count,
                const struct fit_plan *plan, struct list *regions, struct error *error);

/* The line through the points of a region (none held out) that travel in the packets of `like`. */
struct region packets_fit_region(const struct region *like, const struct observation *points,
                                 size_t count);

/* The packets of the regions, which have one kind of them; false: none has. */
bool packets_among(const struct list *regions, struct packets *packets);

/* The same region without packets: at most half of a packet's cost away from it. */
struct region packets_smoothed(const struct region *region);

#endif
