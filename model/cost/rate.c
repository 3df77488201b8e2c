#include "model/cost/rate.h"

#include "model/cost/pattern.h"

#include <math.h>

double rate_mb_per_s(const char *utility, double bytes, double processors, double time_us)
{
    return bytes > 0.0 && time_us > 0.0
               ? pattern_rate_messages(utility, processors) * bytes / time_us
               : (double)NAN;
}
