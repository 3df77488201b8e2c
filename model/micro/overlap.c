#include "model/micro/overlap.h"

#include <math.h>

const struct overlap_thresholds overlap_default = {1.02, 1.5};

/* From the default up to well below the stop: "must be well above it" (Doerfler, Host Processor
   Overhead, Method). */
static const double base_least = 1.02, base_most = 1.25;

bool overlap_take(struct overlap_base *base, double loop_us,
                  const struct overlap_thresholds *thresholds)
{
    if (base->count == 0) {
        base->transfer_us = loop_us;
        base->count = 1;
        return false;
    }
    base->frozen = base->frozen || loop_us > thresholds->base * base->transfer_us;
    if (!base->frozen) {
        base->count++;
        base->transfer_us += (loop_us - base->transfer_us) / (double)base->count;
    }
    return loop_us > thresholds->stop * base->transfer_us;
}

double overlap_base_threshold(double scatter)
{
    return fmin(fmax(1.0 + 3.0 * scatter, base_least), base_most);
}

long overlap_iterations(double once_us, double tick_us)
{
    static const double usual_us = 200.0, longest_us = 1e5, ticks_least = 1000.0;
    static const double least = 3.0, usual_most = 1000.0;
    const double batch_us = fmax(usual_us, fmin(ticks_least * tick_us, longest_us));
    const double most = usual_most * batch_us / usual_us;
    return (long)fmin(fmax(ceil(batch_us / fmax(once_us, 1e-3)), least), most);
}

static double share(double overhead_us, double transfer_us)
{
    if (!(transfer_us > 0.0))
        return 0.0;
    return fmin(fmax(1.0 - overhead_us / transfer_us, 0.0), 1.0);
}

void overlap_conclude(struct overlap *overlap, double scatter_us)
{
    const double overhead_us = overlap->loop_us - overlap->work_us;
    overlap->overhead_us = fmax(overhead_us, 0.0);
    overlap->availability = share(overhead_us, overlap->transfer_us);
    overlap->low = overlap->high = NAN;
    if (isnan(scatter_us))
        return;
    overlap->low = share(overhead_us + scatter_us, overlap->transfer_us);
    overlap->high = share(overhead_us - scatter_us, overlap->transfer_us);
}
