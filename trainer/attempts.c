#include "trainer/attempts.h"

#include "model/machine/points.h"

#include <math.h>
#include <stdlib.h>

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
    swept->moved = sweep_moved(&looks);
    if (swept->moved > SWEEP_MOVED_MOST || looks.region_off > region_off_most)
        swept->disturbance = "times changed while they were measured";
    return 0;
}

/* What the points themselves say, and not how well the fit follows them: who measures again until a
   fit and its held-out points agree chooses its own error. */
static bool is_better(const struct swept *now, const struct swept *before)
{
    return !now->disturbance || now->moved < before->moved;
}

/* A sweep of which more moved than makes a mixture cannot need it more. */
static bool may_repeat(const struct attempts *attempts, const struct swept *swept)
{
    const double need = fmin(1.0, swept->moved / SWEEP_MOVED_MOST);
    return swept->disturbance && attempts->may_repeat(attempts->state, need);
}

int attempts_sweep(const struct attempts *attempts, const struct sweep_plan *plan,
                   struct swept *swept, struct error *error)
{
    *attempts->number = 1;
    for (int tries = 1;; tries++, ++*attempts->number) {
        struct swept now = {0};
        const int status = sweep_once(attempts, plan, &now, error);
        const bool is_over = attempts->is_over(attempts->state);
        const bool stands = status != 0 || tries == 1 || (!is_over && is_better(&now, swept));
        swept_free(stands ? swept : &now);
        if (stands)
            *swept = now;
        if (status != 0)
            return status;
        if (is_over || tries >= attempts->most || !may_repeat(attempts, swept)) {
            if (!stands)
                attempts_keep_again(attempts, swept);
            return 0;
        }
    }
}
