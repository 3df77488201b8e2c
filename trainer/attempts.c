#include "trainer/attempts.h"

#include "model/machine/points.h"

#include <stdlib.h>

/* Where a larger share of the points came out otherwise when asked again, the curve is a mixture of
   two machines. */
static const double moved_most = 0.2;

/* A region whose median point came out otherwise by more, when asked once more at the end, does not
   say what the machine does: 10 % is what is promised, and this look has noise of its own. */
static const double region_off_most = 0.08;

/* Where interruptions took a larger share of the time, what is shorter than they are may still be
   right, and what is longer is not. */
static const double lost_most = 0.15;

void swept_free(struct swept *swept)
{
    free(swept->points.items);
    list_free(&region_record, &swept->regions);
    *swept = (struct swept){0};
}

const char *attempts_interrupted(const struct list *points)
{
    const struct point *items = points->items;
    double spent_us = 0.0, lost_us = 0.0;
    for (size_t i = 0; i < points->count; i++) {
        spent_us += items[i].spent_us;
        lost_us += items[i].lost_us;
    }
    return lost_us > lost_most * spent_us ? "ranks were interrupted" : NULL;
}

void attempts_keep_again(const struct attempts *attempts, struct swept *swept)
{
    ++*attempts->number;
    for (size_t i = 0; i < swept->points.count; i++)
        ((struct point *)swept->points.items + i)->attempt = *attempts->number;
    attempts->keep(attempts->state, &swept->points);
}

static int sweep_once(const struct attempts *attempts, const struct sweep_plan *plan,
                      struct swept *swept, struct error *error)
{
    struct sweep_looks looks;
    const char *around;
    attempts->begin(attempts->state);
    if (sweep(plan, attempts->measure, attempts->state, &swept->points, &swept->regions, &looks,
              error) != 0)
        return -1;
    if (looks.looked > 0)
        attempts_keep_again(attempts, swept);
    if (attempts->look_around(attempts->state, &around, error) != 0)
        return -1;
    swept->disturbance = attempts_interrupted(&swept->points);
    if (around)
        swept->disturbance = around;
    if ((double)looks.moved > moved_most * (double)looks.looked ||
        looks.region_off > region_off_most)
        swept->disturbance = "times changed while they were measured";
    return 0;
}

int attempts_sweep(const struct attempts *attempts, const struct sweep_plan *plan,
                   struct swept *swept, struct error *error)
{
    *attempts->number = 1;
    for (int tries = 1; tries <= attempts->most; tries++, ++*attempts->number) {
        struct swept now = {0};
        const int status = sweep_once(attempts, plan, &now, error);
        const bool is_over = attempts->is_over(attempts->state);
        if (status == 0 && is_over && tries > 1) {
            swept_free(&now);
            attempts_keep_again(attempts, swept);
            return 0;
        }
        swept_free(swept);
        *swept = now;
        if (status != 0 || !now.disturbance || is_over)
            return status;
    }
    return 0;
}
