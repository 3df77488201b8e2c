#include "trainer/curve/looks.h"

#include <math.h>

/* A time that moved by more of itself was measured on another machine, as it were; one that moved
   by less than the other is the same time, and the mean of both knows it better than either. */
static const double change_most = 0.22, agreement_most = 0.1;

/* Where it is more, the curve is a mixture of two machines. */
static const double moved_most = 0.2;

static double change(const struct running *run, const struct point *point,
                     const struct point *before)
{
    const double before_us = running_time_us(run, before);
    return fabs(running_time_us(run, point) - before_us) / before_us;
}

/* The one whose time lies between those of the other two. */
static const struct point *between(const struct running *run, const struct point *a,
                                   const struct point *b, const struct point *c)
{
    const double a_us = running_time_us(run, a), b_us = running_time_us(run, b);
    const double c_us = running_time_us(run, c);
    const bool ab = a_us <= b_us, bc = b_us <= c_us, ac = a_us <= c_us;
    return ab == bc ? b : ab == ac ? c : a;
}

bool sweep_is_mixture(const struct sweep_looks *looks)
{
    return (double)looks->moved > moved_most * (double)looks->looked;
}

static void replace(struct running *run, struct point *point, const struct point *by)
{
    const double before_us = running_time_us(run, point);
    for (size_t i = 0; i < run->count; i++)
        if (run->sorted[i].bytes == point->bytes && run->sorted[i].time_us == before_us) {
            run->sorted[i].time_us = running_time_us(run, by);
            run->sorted[i].half_width_us = by->half_width_us;
            break;
        }
    *point = *by;
}

/* The mean of two times that agree; else two of three decide: a shared machine has moods that last
   for a few points and not for the next ones. Held-out points too: what they hold is a time like
   any other. */
static int look_again(struct running *run, size_t i, struct error *error)
{
    struct point *point = (struct point *)run->points->items + i;
    struct point again = {0}, third = {0};
    const struct ask what = {point->bytes, point->held_out, true};
    if (point->half_width_us == 0.0)
        return 0;
    if (running_ask(run, &what, &again, error) != 0)
        return -1;
    if (run->spent)
        return 0;
    run->looks.looked++;
    const double changed = change(run, &again, point);
    if (changed <= agreement_most) {
        const struct point both = points_mean(point, &again);
        replace(run, point, &both);
        return 0;
    }
    run->looks.moved += changed > change_most;
    if (running_ask(run, &what, &third, error) != 0)
        return -1;
    if (!run->spent)
        replace(run, point, between(run, point, &again, &third));
    return 0;
}

int looks_again(struct running *run, struct error *error)
{
    for (; !run->plan->trusting && run->looked < run->points->count && !run->spent; run->looked++)
        if (look_again(run, run->looked, error) != 0)
            return -1;
    return 0;
}
