#include "model/cost/tree.h"

#include <stddef.h>

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

const struct tree tree_flat = {"1m", true, flat_parent, flat_child, NULL};

/* In every stage as many have it as have it and as many again. */
static int doubling_depth(int processors)
{
    int stages = 0;
    for (long have = 1; have < processors; have *= 2)
        stages++;
    return stages;
}

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

const struct tree tree_doubling = {"rd", false, doubling_parent, doubling_child, doubling_depth};

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

/* For how many messages a processor waits, counted from 1: behind the first binary digit one for
   each, and one more for a 1, as second children wait for the first. */
static int binary_waits(int number)
{
    int waits = 0;
    for (; number > 1; number /= 2)
        waits += 1 + number % 2;
    return waits;
}

/* The most are those of the last one, or of one before it that ends with ones alone. */
static int binary_depth(int processors)
{
    int most = binary_waits(processors);
    for (long ones = 1; ones <= processors; ones *= 2) {
        const int waits = binary_waits((int)(processors / ones * ones) - 1);
        most = waits > most ? waits : most;
    }
    return most;
}

const struct tree tree_binary = {"bt", false, binary_parent, binary_child, binary_depth};

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

const struct tree tree_binomial = {"binomial", false, binomial_parent, binomial_child,
                                   doubling_depth};
