/* estimator rank --fastest: the winner of each setting, in one row. */
#include "estimator/commands/rank_run.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

/* Candidates that are nearer than this are said to be alike: no table is good for less. */
static const double alike = 0.01;

/* "rows (+20 %)": the next candidate takes so much longer. The caller releases it. */
static char *winner_text(const struct ranking *ranking)
{
    const struct ranked *items = ranking->items;
    const double best_us = items->prediction.whole.total_us;
    size_t next = 1;
    while (next < ranking->count &&
           items[next].prediction.whole.total_us - best_us <= alike * best_us)
        next++;
    if (ranking->count == 1 || next == ranking->count)
        return memory_copy_text(ranking->count == 1 ? items->candidate->name : "all alike");
    const double longer = items[next].prediction.whole.total_us / best_us - 1.0;
    return memory_format("%s%s (+%.0f %%)", items->candidate->name,
                         next > 1 ? " and others alike" : "", 100.0 * longer);
}

void rank_add_fastest(struct rank_run *run, const struct machine *machine,
                      const struct ranking *ranking, double processors, double alone_us)
{
    char flags[COST_FLAGS_TEXT];
    const struct segment_prediction *whole = &ranking->items->prediction.whole;
    struct report *report = run->report;
    char *winner = winner_text(ranking);
    if (run->several_machines)
        report_text(report, machine->machine.name);
    report_number(report, processors);
    for (size_t i = 0; i < run->axes.count; i++)
        report_number(report, axis_value(&run->axes.items[i]));
    report_text(report, winner);
    report_time(report, whole->total_us, whole->low_us, whole->high_us);
    report_number(report, 100.0 * whole->communicate_us / whole->total_us);
    report_number(report, alone_us / whole->total_us);
    report_text(report, cost_flags_print(segment_flags(whole), flags));
    free(winner);
    run->rows++;
}
