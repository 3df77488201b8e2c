#include "forecast/price/rings.h"

#include "model/machine/structure.h"

#include <math.h>

/* Links of a ring that leave blocks of so many processors. */
static double leaving(double processors, double block)
{
    return block < processors ? ceil(processors / block) : 0.0;
}

static bool ask(const struct machine *machine, const struct cost *shift, double processors,
                double bytes, double *time_us)
{
    struct cost_answer answer;
    if (structure_answer(machine, shift, bytes, processors, &answer, NULL) != 0 ||
        !(answer.time_us > 0.0))
        return false;
    *time_us = answer.time_us;
    return true;
}

/* The mean over the links, and the fastest of them; those within larger blocks are no faster. */
static bool ask_links(const struct machine *machine, const struct cost *shift, double processors,
                      double bytes, double *mean_us, double *least_us)
{
    double block = shift->processors.least, sum_us, link_us;
    if (!ask(machine, shift, fmin(block, processors), bytes, &link_us))
        return false;
    *least_us = link_us;
    sum_us = (processors - leaving(processors, block)) * link_us;
    for (; block < processors; block *= 2.0) {
        double its_us;
        if (!ask(machine, shift, fmin(2.0 * block, processors), bytes, &its_us))
            return false;
        link_us = fmax(link_us, its_us);
        sum_us += (leaving(processors, block) - leaving(processors, 2.0 * block)) * link_us;
    }
    *mean_us = sum_us / processors;
    return true;
}

/* Half or twice as many links may be slow, and long messages fill a slow link for longer than a
   processor is busy. */
struct distance rings_distance(const struct machine *machine, const struct cost *shift,
                               double processors, double bytes, double in_a_row)
{
    double one_us, mean_us, least_us;
    const struct distance alone = {1.0, 1.0, 1.0, 0};
    if (!machine->machine.measured || !(in_a_row > 1.0) || !(shift->processors.least >= 2.0) ||
        !ask(machine, shift, processors, bytes, &one_us) ||
        !ask_links(machine, shift, processors, bytes, &mean_us, &least_us) || mean_us >= one_us)
        return alone;
    const double few_us = least_us + 0.5 * (mean_us - least_us),
                 many_us = fmin(
                     one_us, fmax(least_us + 2.0 * (mean_us - least_us), 0.5 * (mean_us + one_us)));
    const double first = 1.0 / in_a_row, others = 1.0 - first;
    return (struct distance){first + others * mean_us / one_us, first + others * few_us / one_us,
                             first + others * many_us / one_us, 0};
}
