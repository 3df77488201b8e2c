#include "model/segment/traffic/recall.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* One row and one column: so many elements, of which every processor needs and has all. */
static bool is_whole(const struct factor *factor)
{
    return factor->coupling.rows == 1 && factor->coupling.columns == 1 &&
           factor->coupling.start[1] == 1;
}

static double whole_elements(const struct needs *needs)
{
    double elements = 1.0;
    for (size_t i = 0; i < needs->factor_count; i++)
        if (is_whole(&needs->factors[i]))
            elements *= needs->factors[i].coupling.entries[0].count;
    return elements;
}

static bool same_values(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static bool same_coupling(const struct coupling *a, const struct coupling *b)
{
    if (a->rows != b->rows || a->columns != b->columns ||
        memcmp(a->start, b->start, (a->rows + 1) * sizeof *a->start) != 0 ||
        !same_values(a->all, b->all, a->columns))
        return false;
    for (size_t k = 0; k < a->start[a->rows]; k++)
        if (a->entries[k].column != b->entries[k].column ||
            a->entries[k].count != b->entries[k].count)
            return false;
    return true;
}

/* But for the elements of the dimensions that are whole. The grids are those of one message. */
static bool are_alike(const struct needs *a, const struct needs *b)
{
    bool alike = a->factor_count == b->factor_count;
    for (int g = 0; g < a->grid_dimensions && alike; g++)
        alike = same_values(a->active[g], b->active[g], (size_t)a->grid[g]);
    for (size_t i = 0; i < a->factor_count && alike; i++) {
        const struct factor *x = &a->factors[i], *y = &b->factors[i];
        alike = x->by == y->by && x->to == y->to &&
                ((is_whole(x) && is_whole(y)) || same_coupling(&x->coupling, &y->coupling));
    }
    return alike;
}

/* Turns differ in who has what is needed before they differ in anything else. */
static size_t slot_of(const struct needs *needs)
{
    size_t slot = 0;
    for (size_t i = 0; i < needs->factor_count; i++)
        if (needs->factors[i].coupling.start[needs->factors[i].coupling.rows] > 0)
            slot = 31 * slot + needs->factors[i].coupling.entries[0].column;
    return slot % RECALL_SLOTS;
}

/* Products of whole numbers: the quotient is one too. */
static double scaled(double elements, double before, double now)
{
    return elements / before * now;
}

static void forget(struct known *known)
{
    if (known)
        needs_free(&known->needs);
    free(known);
}

struct traffic recall_traffic(struct recall *recall, struct needs *needs, const struct array *array,
                              const struct array_layout *lies)
{
    struct known **known = &recall->slots[slot_of(needs)];
    if (!*known || !are_alike(&(*known)->needs, needs)) {
        forget(*known);
        *known = memory_new(1, sizeof **known);
        **known = (struct known){*needs, traffic_of(needs, array, lies)};
        return (*known)->traffic;
    }
    const double before = whole_elements(&(*known)->needs), now = whole_elements(needs);
    struct traffic traffic = (*known)->traffic;
    traffic.elements = scaled(traffic.elements, before, now);
    traffic.single = scaled(traffic.single, before, now);
    traffic.pieces = needs_pieces(needs, array, lies);
    needs_free(needs);
    return traffic;
}

void recall_free(struct recall *recall)
{
    for (size_t i = 0; i < RECALL_SLOTS; i++)
        forget(recall->slots[i]);
}
