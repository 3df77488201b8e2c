#include "trainer/curve/running.h"

#include "model/base/allocation.h"

#include <math.h>

double running_time_us(const struct running *run, const struct point *point)
{
    return point_time_us(point, run->plan->statistic);
}

double running_size(const struct running *run, double bytes)
{
    const double granule = run->plan->granule;
    return fmin(run->plan->bytes_most,
                fmax(run->plan->bytes_least, granule * round(bytes / granule)));
}

bool running_knows(const struct running *run, double bytes)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->sorted[i].bytes == bytes)
            return true;
    return false;
}

static void insert(struct running *run, const struct point *point)
{
    run->sorted = memory_grow(run->sorted, run->count + 1, sizeof *run->sorted);
    size_t at = run->count++;
    for (; at > 0 && run->sorted[at - 1].bytes > point->bytes; at--)
        run->sorted[at] = run->sorted[at - 1];
    run->sorted[at] =
        (struct observation){point->bytes, running_time_us(run, point), point->half_width_us,
                             point->processors, point->held_out};
}

int running_ask(struct running *run, const struct ask *what, struct point *point,
                struct error *error)
{
    const int status = run->measure(run->state, what, point, error);
    run->spent = status > 0;
    return status < 0 ? -1 : 0;
}

int running_measure_anyway(struct running *run, double bytes, bool held_out, struct error *error)
{
    struct point point = {0};
    if (running_ask(run, &(struct ask){.bytes = bytes, .held_out = held_out}, &point, error) != 0)
        return -1;
    if (run->spent)
        return 0;
    *(struct point *)list_add(&point_record, run->points) = point;
    insert(run, &point);
    return 0;
}

int running_measure(struct running *run, double bytes, bool held_out, struct error *error)
{
    run->spent = run->spent || run->count >= run->plan->points_most;
    return run->spent ? 0 : running_measure_anyway(run, bytes, held_out, error);
}
