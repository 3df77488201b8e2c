#include "trainer/utilities/rotation.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"

#include <math.h>
#include <stdlib.h>

/* Of each distance so many rounds of so many repetitions, of which the quickest round counts. */
enum { ROUNDS = 3, REPETITIONS = 8 };

/* No more distances are tried once that took so long: about as long as a point. */
static const double trying_s_most = 0.05;

struct rotation {
    rotation_use *use;
    int distance; /* from one root to the next */
};

static void repeat(const struct site *site, const struct rotation *rotation, long times)
{
    int root = 0;
    for (long i = 0; i < times; i++) {
        rotation->use(site, root);
        root = (root + rotation->distance) % site->processors;
    }
}

/* A round, as the processor that it takes longest sees it. */
static double round_s(const struct site *site, const struct rotation *rotation)
{
    MPI_Barrier(site->comm);
    const double start_s = clock_s();
    repeat(site, rotation, REPETITIONS);
    double mine_s = clock_s() - start_s;
    MPI_Allreduce(MPI_IN_PLACE, &mine_s, 1, MPI_DOUBLE, MPI_MAX, site->comm);
    return mine_s;
}

/* *spent_s grows by what the rounds took, and is the same on all processors. */
static double quickest_round_s(const struct site *site, const struct rotation *rotation,
                               double *spent_s)
{
    double quickest_s = INFINITY;
    for (int i = 0; i < ROUNDS && (i == 0 || *spent_s < trying_s_most); i++) {
        const double this_s = round_s(site, rotation);
        quickest_s = fmin(quickest_s, this_s);
        *spent_s += this_s;
    }
    return quickest_s;
}

/* Trees have children at powers of two, on either side. */
static int find_distance(const struct site *site, const struct rotation *rotation)
{
    double longest_s = -1.0, spent_s = 0.0;
    int found = 1;
    for (int power = 1; power < site->processors; power *= 2)
        for (int side = 0; side < 2 && spent_s < trying_s_most; side++) {
            const int distance = side == 0 ? power : site->processors - power;
            const struct rotation tried = {rotation->use, distance};
            const double time_s = quickest_round_s(site, &tried, &spent_s);
            if (time_s > longest_s)
                found = distance;
            longest_s = fmax(longest_s, time_s);
        }
    return found;
}

/* Two have one distance. On an exact clock one repetition alone is timed. */
void rotation_set_up(struct site *site, rotation_use *use)
{
    struct rotation *rotation = memory_new(1, sizeof *rotation);
    *rotation = (struct rotation){use, 1};
    if (site->processors > 2 && !site->is_exact)
        rotation->distance = find_distance(site, rotation);
    site->state = rotation;
}

void rotation_run(struct site *site, long times)
{
    repeat(site, site->state, times);
}

void rotation_tear_down(struct site *site)
{
    free(site->state);
}
