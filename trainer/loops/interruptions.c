#include "trainer/loops/interruptions.h"

#include "trainer/node/core_clock.h"

#include <math.h>

/* A reading of any clock takes less. */
static const double least_s = 2e-6;

/* The last size holds all that are longer. */
static int size_of(double gap_s)
{
    const int size = (int)floor(log2(gap_s / least_s));
    return size < INTERRUPTIONS_SIZES ? size : INTERRUPTIONS_SIZES - 1;
}

void interruptions_age(struct interruptions *seen)
{
    seen->watched_s *= 0.5;
    for (int i = 0; i < INTERRUPTIONS_SIZES; i++) {
        seen->count[i] *= 0.5;
        seen->lost_s[i] *= 0.5;
    }
}

void interruptions_watch(struct interruptions *seen, double for_s)
{
    const double start_ns = core_clock_now_ns(), end_ns = start_ns + 1e9 * for_s;
    double now_ns = start_ns;
    while (now_ns < end_ns) {
        const double next_ns = core_clock_now_ns(), gap_s = 1e-9 * (next_ns - now_ns);
        if (gap_s >= least_s) {
            seen->count[size_of(gap_s)] += 1.0;
            seen->lost_s[size_of(gap_s)] += gap_s;
        }
        now_ns = next_ns;
    }
    seen->watched_s += 1e-9 * (now_ns - start_ns);
}

/* How many sizes hold only what is shorter. */
static int sizes_below(double below_s)
{
    return below_s < least_s ? 0 : size_of(below_s);
}

double interruptions_apart_s(const struct interruptions *seen, double below_s)
{
    double count = 0.0;
    for (int i = 0; i < sizes_below(below_s); i++)
        count += seen->count[i];
    return count > 0.0 ? seen->watched_s / count : (double)INFINITY;
}

double interruptions_share(const struct interruptions *seen, double below_s)
{
    double lost_s = 0.0;
    for (int i = 0; i < sizes_below(below_s); i++)
        lost_s += seen->lost_s[i];
    return lost_s > 0.0 ? lost_s / seen->watched_s : 0.0;
}
