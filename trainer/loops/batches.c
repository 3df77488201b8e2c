#include "trainer/loops/batches.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { SOME = 3, ENOUGH = 16 };

/* What else interrupts makes batches longer, never shorter. */
static const double undisturbed = 0.1;

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

double batches_time(struct batches *batches)
{
    const size_t count = batches_are_quiet(batches) ? quiet_count(batches) : batches->count;
    gsl_sort2(batches->crowdings, 1, batches->times_s, 1, batches->count);
    gsl_sort(batches->times_s, 1, count);
    return gsl_stats_quantile_from_sorted_data(batches->times_s, 1, count, undisturbed);
}
