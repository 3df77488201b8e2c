#include "trainer/engine/distances.h"

#include "trainer/utilities/utilities.h"

#include <math.h>

/* Distances that differ by more are no noise. The near and far nodes of the SP2 differ by 2 to 6 %
   (Abandah, IBM SP2, section 2.3): what differs by less is asked by turns, and counts where every
   time of the farther one is longer, which chance makes of one in 252. Less than the last is the
   clock's. */
static const double clearly = 1.1, least = 1.001;
enum { TURNS = 5 };

/* Partners one by one up to here, then in steps of the square root of two, and the last. */
enum { ALL_UPTO = 32, PARTNERS_MOST = ALL_UPTO + 64 };

struct distance {
    int other;
    double time_us;
};

/* What asks, and how. */
struct asking {
    const struct measure_plan *plan;
    struct engine *engine;
};

static int next_partner(int other, int processors)
{
    const int next = other < ALL_UPTO ? other + 1 : (int)ceil(M_SQRT2 * other);
    return other < processors - 1 && next > processors - 1 ? processors - 1 : next;
}

static int ask(const struct asking *asking, int other, double *time_us, struct error *error)
{
    struct point point = {0};
    engine_choose_pair(asking->engine, utilities_named(pattern_point_to_point.name), other);
    engine_size(asking->engine, 0);
    if (measure(asking->plan, engine_batch, asking->engine, &point, error) != 0)
        return -1;
    *time_us = point.minimum_us;
    return 0;
}

/* Whether the one is farther than the other by more than their own errors. */
static int is_farther(const struct asking *asking, const struct distance *far,
                      const struct distance *near, bool *farther, struct error *error)
{
    double near_most_us = near->time_us, far_least_us = far->time_us, time_us;
    *farther = far_least_us > clearly * near_most_us;
    if (*farther)
        return 0;
    for (int turn = 1; turn < TURNS && far_least_us > least * near_most_us; turn++) {
        if (ask(asking, near->other, &time_us, error) != 0)
            return -1;
        near_most_us = fmax(near_most_us, time_us);
        if (ask(asking, far->other, &time_us, error) != 0)
            return -1;
        far_least_us = fmin(far_least_us, time_us);
    }
    *farther = far_least_us > least * near_most_us;
    return 0;
}

/* The first rank that is farther, between one that is near and one that is not, by halving. */
static int find_first_far(const struct asking *asking, int near, int far, double near_most_us,
                          int *first, struct error *error)
{
    while (far - near > 1) {
        const int middle = near + (far - near) / 2;
        double time_us;
        if (ask(asking, middle, &time_us, error) != 0)
            return -1;
        *(time_us <= near_most_us ? &near : &far) = middle;
    }
    *first = far;
    return 0;
}

/* There is one that is farther. */
static int count_together(const struct asking *asking, const struct distance *all,
                          double near_most_us, int *together, struct error *error)
{
    int first = 0;
    while (all[first].time_us <= near_most_us)
        first++;
    const int near = first > 0 ? all[first - 1].other : 0;
    return find_first_far(asking, near, all[first].other, near_most_us, together, error);
}

static int look_through(const struct asking *asking, const struct distance *all, int count,
                        struct distances *distances, struct error *error)
{
    const struct distance *near = &all[0], *nearest = &all[0], *farthest = &all[0];
    bool farther;
    for (int i = 1; i < count; i++) {
        if (all[i].time_us < nearest->time_us)
            nearest = &all[i];
        if (all[i].time_us > farthest->time_us)
            farthest = &all[i];
    }
    if (is_farther(asking, near, nearest, &farther, error) != 0)
        return -1;
    near = farther ? nearest : near;
    distances->near = near->other;
    distances->near_us = near->time_us;
    if (is_farther(asking, farthest, near, &farther, error) != 0)
        return -1;
    if (!farther)
        return 0;
    distances->far = farthest->other;
    distances->far_us = farthest->time_us;
    const double near_most_us =
        fmin(clearly * near->time_us, 0.5 * (near->time_us + farthest->time_us));
    return count_together(asking, all, near_most_us, &distances->together, error);
}

int distances_measure(const struct measure_plan *plan, struct engine *engine, int processors,
                      struct distances *distances, struct error *error)
{
    const struct asking asking = {plan, engine};
    struct distance all[PARTNERS_MOST] = {0};
    int count = 0;
    *distances = (struct distances){.near = 1, .far = -1, .near_us = NAN, .far_us = NAN};
    if (processors == 2)
        return 0;
    for (int other = 1; other < processors; other = next_partner(other, processors)) {
        all[count].other = other;
        if (ask(&asking, other, &all[count++].time_us, error) != 0)
            return -1;
    }
    const int status = look_through(&asking, all, count, distances, error);
    engine_tell_distances(engine, distances->together, distances->near_us, distances->far_us);
    return status;
}
