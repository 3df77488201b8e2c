/* What the machine's own disturbance looked like while it was calibrated: the same small work done
   again and again, for moments spread over the calibration (a fixed work quantum, as noise
   benchmarks have it). For a reader; nothing is computed with it. */
#ifndef MODEL_MICRO_NOISE_H
#define MODEL_MICRO_NOISE_H

#include "model/records/record.h"

struct noise {
    double moments;                 /* that it was looked at */
    double quantum_us;              /* what the work takes, the median over the moments */
    double low_us, high_us;         /* 5 % and 95 % of the moments are below */
    double interrupted_share;       /* of the processors' time, lost to what else used them */
    double interruptions_per_s;     /* of a processor */
    double interruption_us;         /* how long, on average; NAN: there was none */
    double interruption_longest_us; /* NAN: there was none */
};

extern const struct record noise_record;

#endif
