/* What a utility may take among more processors than it was measured among: what all laws say that
   explain the measured times about as well. */
#ifndef MODEL_MACHINE_BEYOND_H
#define MODEL_MACHINE_BEYOND_H

#include "model/cost/cost.h"

struct envelope {
    double low_us, high_us;
};

/* Of a cost with by_processors, for bytes >= 0 at p = processors as it counts them, beyond the
   last: the least and the most of time_us, which its own law says there, and of the laws a + b f(p)
   of one function of p each that explain what answers at the measured counts with at most 2.5 times
   the error of the best of all, which is at least `error_least` (relative); each meets what answers
   at the last count. And of the power of p through the last count and one at most half of it. */
struct envelope beyond_laws(const struct cost *cost, double bytes, double processors,
                            double time_us, double error_least);

#endif
