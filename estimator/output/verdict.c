#include "estimator/output/verdict.h"

#include "model/base/printable.h"

#include <math.h>
#include <stdlib.h>

static void print_name(const struct ranked *item, FILE *stream)
{
    char *name = printable(item->candidate->name);
    fputs(name, stream);
    free(name);
}

/* Prints all that share the first rank; returns how many. */
static size_t print_winners(const struct ranking *ranking, FILE *stream)
{
    size_t count = 0;
    for (; count < ranking->count && ranking->items[count].rank == 1; count++) {
        fputs(count > 0 ? " = " : "", stream);
        print_name(&ranking->items[count], stream);
    }
    return count;
}

static void print_lead(const struct ranking *ranking, size_t winners, FILE *stream)
{
    const struct ranked *next = &ranking->items[winners];
    const double best_us = ranking->items->prediction.whole.total_us;
    const double times = next->prediction.whole.total_us / best_us;
    if (!(best_us > 0.0))
        fputs(", ahead of ", stream);
    else if (times < 2.0)
        fprintf(stream, ", %.2g %% ahead of ", 100.0 * (times - 1.0));
    else
        fprintf(stream, ", %.3g times as fast as ", times);
    print_name(next, stream);
}

/* Less is rounding. */
static const double least_error = 1e-4;

/* Between which the lead lies: what both share cancels. */
static void print_interval(const struct ranking *ranking, size_t winners, FILE *stream)
{
    const struct ranked *next = &ranking->items[winners];
    const double low = next->odds.times_low, high = next->odds.times_high;
    if (ranking->no_odds || !(ranking->items->prediction.whole.total_us > 0.0) ||
        high - low < least_error * high)
        return;
    if (next->prediction.whole.total_us < 2.0 * ranking->items->prediction.whole.total_us)
        fprintf(stream, " (90 %%: %.2g to %.2g %%)", 100.0 * (low - 1.0), 100.0 * (high - 1.0));
    else
        fprintf(stream, " (90 %%: %.3g to %.3g)", low, high);
}

/* Where something has no error, such as computation at a node's bound, the others' are the least
   that there is. */
static void print_error(const struct segment_prediction *best, FILE *stream)
{
    const double error = best->high_us / best->total_us - 1.0;
    const char *least = best->no_error ? "at least " : "";
    if (!(best->total_us > 0.0) || error < least_error)
        return;
    if (error < 1.0)
        fprintf(stream, "; time uncertain by %s+/- %.2g %%", least, 100.0 * error);
    else
        fprintf(stream, "; time uncertain by %sa factor of %.2g", least, 1.0 + error);
}

static double probability_of(const struct ranking *ranking, size_t winners)
{
    double sum = 0.0;
    for (size_t i = 0; i < winners; i++)
        sum += ranking->items[i].odds.best;
    return sum;
}

void verdict_print(const struct ranking *ranking, FILE *stream)
{
    const size_t winners = print_winners(ranking, stream);
    if (winners < ranking->count) {
        print_lead(ranking, winners, stream);
        print_interval(ranking, winners, stream);
    } else {
        fputs(ranking->count > 1 ? ": no difference" : ": the only one", stream);
    }
    print_error(&ranking->items->prediction.whole, stream);
    if (ranking->no_odds)
        fprintf(stream, winners < ranking->count ? "; no confidence for the order: %s" : "; %s",
                ranking->no_odds);
    else if (winners < ranking->count)
        fprintf(stream, "; the best with probability %.2g", probability_of(ranking, winners));
    putc('\n', stream);
}

/* Simulated machines, which are the same in every launch, have no date. */
bool verdict_is_of_one_launch(const struct machine *machine)
{
    const struct provenance *measured = machine->machine.measured;
    const struct cost *costs = machine->communication.items;
    for (size_t i = 0; measured && measured->date && i < machine->communication.count; i++)
        if (isnan(costs[i].launches))
            return true;
    return false;
}
