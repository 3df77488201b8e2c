#include "forecast/predict/measured_time.h"

#include "model/segment/program/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What one processor of the machine does, as far as the table says; NAN: it does not. */
static double memory_of(const struct machine *machine)
{
    const struct memory_stream *streams = machine->memory ? machine->memory->streams.items : NULL;
    for (size_t i = 0; streams && i < machine->memory->streams.count; i++)
        if (streams[i].kernel == STREAM_TRIAD)
            return streams[i].mb_per_s;
    return NAN;
}

static double arithmetic_of(const struct machine *machine)
{
    if (!machine->node)
        return NAN;
    const double peak = node_peak_mflops(machine->node);
    return isnan(peak) ? machine->node->rate_mflops : peak;
}

void measured_time_add(struct segment_prediction *segment, const struct machine *machine,
                       const struct segment *described, const struct analysis *analysis)
{
    const struct measured_time *time = &described->time;
    const double us = analysis->measured_us;
    if (isnan(us) || !(us * analysis->repeat > 0.0))
        return;
    if (machine->node && isinf(machine->node->rate_mflops)) { /* it was left out */
        segment->flags |= COST_COMMUNICATION_ONLY;
        return;
    }
    const bool is_same =
        time->machine && machine->machine.name && strcmp(time->machine, machine->machine.name) == 0;
    double by_memory = is_same ? 1.0 : time->memory_mb_per_s / memory_of(machine);
    double by_arithmetic = is_same ? 1.0 : time->mflops / arithmetic_of(machine);
    const bool is_unknown = isnan(by_memory) && isnan(by_arithmetic);
    if (isnan(by_memory))
        by_memory = is_unknown ? 1.0 : by_arithmetic;
    if (isnan(by_arithmetic))
        by_arithmetic = by_memory;
    struct item *item = segment_add_item(segment);
    snprintf(item->what, sizeof item->what, "computation as measured%s%.60s",
             time->machine ? " on " : "", time->machine ? time->machine : "");
    item->computes = true;
    item->pipeline = analysis->pipelines.count > 0 ? 0 : -1;
    item->times = analysis->repeat;
    item->each_us = us * sqrt(by_memory * by_arithmetic);
    item->time_us = item->times * item->each_us;
    const double spread = fabs(log(by_memory / by_arithmetic)) / 2.0;
    uncertain_add_spread(&segment->uncertain, spread, item->time_us);
    item->low_us = item->time_us / uncertain_factor_of(spread);
    item->high_us = item->time_us * uncertain_factor_of(spread);
    item->bytes = item->bytes_least = item->processors = NAN;
    item->flags = is_unknown ? (unsigned)COST_OTHER_NODE : 0;
    segment->no_error |= is_unknown;
    segment->mean_us += item->time_us;
}
