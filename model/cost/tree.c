#include "model/cost/tree.h"

static int flat_parent(int me, int processors)
{
    (void)me;
    (void)processors;
    return 0;
}

static int flat_child(int me, int processors, int which)
{
    return me == 0 && which + 1 < processors ? which + 1 : -1;
}

const struct tree tree_flat = {"1m", true, flat_parent, flat_child};

/* The power of two at or below me >= 1: the stage in which me receives, as a distance. */
static int highest_power(int me)
{
    int power = 1;
    while (power <= me / 2)
        power *= 2;
    return power;
}

static int doubling_parent(int me, int processors)
{
    (void)processors;
    return me - highest_power(me);
}

static int doubling_child(int me, int processors, int which)
{
    long distance = me == 0 ? 1 : 2L * highest_power(me);
    while (which-- > 0 && distance < processors)
        distance *= 2;
    return me + distance < processors ? (int)(me + distance) : -1;
}

const struct tree tree_doubling = {"rd", false, doubling_parent, doubling_child};

static int binary_parent(int me, int processors)
{
    (void)processors;
    return (me - 1) / 2;
}

static int binary_child(int me, int processors, int which)
{
    const long child = 2L * me + 1 + which;
    return which < 2 && child < processors ? (int)child : -1;
}

const struct tree tree_binary = {"bt", false, binary_parent, binary_child};

/* The lowest bit of me; of the root the first power of two that reaches all. */
static long lowest_power(int me, int processors)
{
    long power = 1;
    while (me != 0 ? (me / power) % 2 == 0 : power < processors)
        power *= 2;
    return power;
}

static int binomial_parent(int me, int processors)
{
    return me - (int)lowest_power(me, processors);
}

static int binomial_child(int me, int processors, int which)
{
    for (long distance = lowest_power(me, processors) / 2; distance > 0; distance /= 2)
        if (me + distance < processors && which-- == 0)
            return (int)(me + distance);
    return -1;
}

const struct tree tree_binomial = {"binomial", false, binomial_parent, binomial_child};
