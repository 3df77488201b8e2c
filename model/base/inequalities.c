#include "model/base/inequalities.h"

#include "model/base/allocation.h"
#include "model/base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 5000 };

static double common_divisor(const struct inequalities *system, const double *by)
{
    double divisor = 0.0;
    for (int i = 0; i < system->unknowns && divisor != 1.0; i++)
        divisor = number_common_divisor(divisor, fabs(by[i]));
    return divisor;
}

static bool same_slopes(const struct inequalities *system, const struct row *a, const struct row *b)
{
    for (int i = 0; i < system->unknowns; i++)
        if (a->by[i] != b->by[i])
            return false;
    return true;
}

static bool is_known(const struct inequalities *system, const struct row *row)
{
    for (size_t k = 0; k < system->rows.count; k++) {
        struct row *other = &system->rows.items[k];
        if (!same_slopes(system, other, row))
            continue;
        other->most = fmin(other->most, row->most);
        return true;
    }
    return false;
}

/* For one row more, whose coefficients beyond the unknowns are not set. */
static struct row *room_for_row(struct inequalities *system)
{
    if (system->rows.count == system->rows.room) {
        system->rows.room = 2 * system->rows.room + 16;
        system->rows.items =
            memory_grow(system->rows.items, system->rows.room, sizeof *system->rows.items);
    }
    return &system->rows.items[system->rows.count];
}

void inequalities_at_most(struct inequalities *system, const double *by, double most)
{
    const double divisor = common_divisor(system, by);
    if (divisor == 0.0) {
        system->impossible |= most < 0.0;
        return;
    }
    struct row *row = room_for_row(system);
    for (int i = 0; i < system->unknowns; i++)
        row->by[i] = by[i] / divisor;
    row->most = floor(most / divisor);
    if (!is_known(system, row))
        system->rows.count++;
}

void inequalities_equal(struct inequalities *system, const double *by, double value)
{
    double negative[UNKNOWNS_MOST];
    const double divisor = common_divisor(system, by);
    if (divisor != 0.0 && fmod(value, divisor) != 0.0)
        system->impossible = true;
    for (int i = 0; i < system->unknowns; i++)
        negative[i] = -by[i];
    inequalities_at_most(system, by, value);
    inequalities_at_most(system, negative, -value);
}

/* The unknown whose elimination makes the fewest new rows; -1: none is left. */
static int next_unknown(const struct inequalities *system)
{
    int best = -1;
    double fewest = INFINITY;
    for (int i = 0; i < system->unknowns; i++) {
        double above = 0.0, below = 0.0;
        for (size_t k = 0; k < system->rows.count; k++) {
            above += system->rows.items[k].by[i] > 0.0;
            below += system->rows.items[k].by[i] < 0.0;
        }
        if (above + below > 0.0 && above * below - above - below < fewest) {
            fewest = above * below - above - below;
            best = i;
        }
    }
    return best;
}

/* From a x + r <= m and -b x + s <= n follows b r + a s <= b m + a n. */
static void combine(struct inequalities *system, const struct row *upper, const struct row *lower,
                    int unknown)
{
    const double a = upper->by[unknown], b = -lower->by[unknown];
    double by[UNKNOWNS_MOST];
    for (int i = 0; i < system->unknowns; i++)
        by[i] = i == unknown ? 0.0 : b * upper->by[i] + a * lower->by[i];
    inequalities_at_most(system, by, b * upper->most + a * lower->most);
}

/* Rows without the unknown stay as they are, each other than all others. */
static void take_over(struct inequalities *system, const struct row *row)
{
    struct row *taken = room_for_row(system);
    memcpy(taken->by, row->by, (size_t)system->unknowns * sizeof *row->by);
    taken->most = row->most;
    system->rows.count++;
}

static void eliminate(struct inequalities *system, int unknown)
{
    struct list_of_rows old = system->rows;
    system->rows = (struct list_of_rows){0};
    for (size_t k = 0; k < old.count; k++)
        if (old.items[k].by[unknown] == 0.0)
            take_over(system, &old.items[k]);
    for (size_t u = 0; u < old.count && system->rows.count < ROWS_MOST; u++)
        for (size_t l = 0; l < old.count && system->rows.count < ROWS_MOST; l++)
            if (old.items[u].by[unknown] > 0.0 && old.items[l].by[unknown] < 0.0)
                combine(system, &old.items[u], &old.items[l], unknown);
    free(old.items);
}

bool inequalities_hold(struct inequalities *system)
{
    for (int unknown = next_unknown(system); unknown >= 0 && !system->impossible;
         unknown = next_unknown(system)) {
        eliminate(system, unknown);
        if (system->rows.count >= ROWS_MOST)
            return true;
    }
    return !system->impossible;
}

void inequalities_free(struct inequalities *system)
{
    free(system->rows.items);
    *system = (struct inequalities){0};
}
