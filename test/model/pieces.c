/* How a box of elements lies in memory, against walking through it. */
#include "model/segment/traffic/traffic.h"

#include "test/suite.h"

enum { EXTENT_MOST = 4, DIMENSIONS = 3 };

/* A box in the corner of an array. */
struct box {
    int extent[DIMENSIONS], part[DIMENSIONS];
};

static bool is_in(const struct box *box, bool fortran, int at)
{
    for (int k = 0; k < DIMENSIONS; k++) {
        const int d = fortran ? k : DIMENSIONS - 1 - k;
        if (at % box->extent[d] >= box->part[d])
            return false;
        at /= box->extent[d];
    }
    return true;
}

static enum pieces walked(const struct box *box, bool fortran)
{
    int elements = 0, runs = 0, size = 1;
    for (int d = 0; d < DIMENSIONS; d++)
        size *= box->extent[d];
    for (int at = 0; at < size; at++) {
        const bool in = is_in(box, fortran, at);
        elements += in;
        runs += in && (at == 0 || !is_in(box, fortran, at - 1));
    }
    return runs == 1 ? PIECES_ONE : runs == elements ? PIECES_ELEMENTS : PIECES_RUNS;
}

static enum pieces told(const struct box *box, enum order order)
{
    const struct array array = {.order = order};
    struct array_layout lies = {.dimensions = DIMENSIONS};
    double elements[DIMENSIONS_MOST] = {0.0};
    for (int d = 0; d < DIMENSIONS; d++) {
        lies.extent[d] = box->extent[d];
        lies.along[d].grid_dimension = -1;
        elements[d] = box->part[d];
    }
    return pieces_of(&array, &lies, elements);
}

/* The number of the box, digit by digit. */
static struct box box_of(int number)
{
    struct box box;
    for (int d = 0; d < DIMENSIONS; d++) {
        box.extent[d] = 1 + number % EXTENT_MOST;
        number /= EXTENT_MOST;
        box.part[d] = 1 + number % EXTENT_MOST;
        number /= EXTENT_MOST;
    }
    return box;
}

START_TEST(every_small_box_lies_as_a_walk_says)
{
    int several = 0;
    for (int number = 0; number < 1 << 4 * DIMENSIONS; number++) {
        const struct box box = box_of(number);
        bool fits = true;
        for (int d = 0; d < DIMENSIONS; d++)
            fits = fits && box.part[d] <= box.extent[d];
        if (!fits)
            continue;
        ck_assert_int_eq(told(&box, ORDER_C), walked(&box, false));
        ck_assert_int_eq(told(&box, ORDER_FORTRAN), walked(&box, true));
        ck_assert_int_eq(told(&box, ORDER_UNTOLD), PIECES_ONE);
        several += walked(&box, false) != PIECES_ONE;
    }
    ck_assert_int_gt(several, 100);
}
END_TEST

SUITE("pieces", every_small_box_lies_as_a_walk_says)
