#include "trainer/loops/batches.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { SOME = 3, ENOUGH = 16 };

/* What else interrupts makes batches longer, never shorter. */
static const double undisturbed = 0.1;

/* Of the time between two interruptions: some batches that are no longer than such a share of it
   lie between two; those of one run are to be shorter, as it is not known so well beforehand. */
static const double between = 0.6, surely_between = 0.35;

/* Such batches are two thirds as long, yet long against a reading of the clock; others are long
   against what interrupts them. */
static const double wanted = 0.3, shortest_s = 20e-6, longest_s = 0.0005;

/* Long interruptions meet few batches: those at either end are left out of a mean. */
static const double extreme = 0.125;

/* As on a core of one's own (trainer/node/spread.c). */
static const double crowding_most = 1.02;

void batches_add(struct batches *batches, double time_s, double before, double behind)
{
    const size_t place = batches->count < BATCHES_MOST
                             ? batches->count++
                             : gsl_stats_max_index(batches->crowdings, 1, BATCHES_MOST);
    /* No chain takes less than itself: what is below 1 is a disturbed reading of the clock. */
    const double least = fmax(1.0, fmin(before, behind));
    batches->times_s[place] = time_s;
    batches->crowdings[place] = fmax(before, behind);
    if (batches->crowding_least == 0.0 || least < batches->crowding_least)
        batches->crowding_least = least;
}

bool batches_is_quiet(const struct batches *batches, double crowding)
{
    return crowding <= crowding_most * fmax(1.0, batches->crowding_least);
}

static size_t quiet_count(const struct batches *batches)
{
    size_t count = 0;
    for (size_t i = 0; i < batches->count; i++)
        count += batches_is_quiet(batches, batches->crowdings[i]);
    return count;
}

bool batches_are_some(const struct batches *batches)
{
    return batches->count >= SOME;
}

bool batches_are_enough(const struct batches *batches)
{
    return quiet_count(batches) >= ENOUGH;
}

bool batches_are_quiet(const struct batches *batches)
{
    return quiet_count(batches) >= SOME;
}

double batches_runs(const struct interruptions *seen, double run_s, bool is_together)
{
    const double apart_s = interruptions_apart_s(seen, longest_s);
    const double wanted_s = fmin(fmax(wanted * apart_s, shortest_s), longest_s);
    if (is_together || run_s > surely_between * apart_s)
        return fmax(1.0, round(longest_s / run_s));
    return fmax(1.0, floor(wanted_s / run_s));
}

/* Of sorted ones. */
static double mean_within(const double *times_s, size_t count)
{
    const size_t end = (size_t)(extreme * (double)count);
    return gsl_stats_mean(times_s + end, 1, count - 2 * end);
}

double batches_time(struct batches *batches, const struct interruptions *seen)
{
    const size_t count = batches_are_quiet(batches) ? quiet_count(batches) : batches->count;
    gsl_sort2(batches->crowdings, 1, batches->times_s, 1, batches->count);
    gsl_sort(batches->times_s, 1, count);
    const double least_s =
        gsl_stats_quantile_from_sorted_data(batches->times_s, 1, count, undisturbed);
    if (least_s <= between * interruptions_apart_s(seen, least_s))
        return least_s;
    return mean_within(batches->times_s, count) * (1.0 - interruptions_share(seen, least_s));
}
