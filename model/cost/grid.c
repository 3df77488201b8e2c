#include "model/cost/grid.h"

static double power(int base, int exponent)
{
    double result = 1.0;
    while (exponent-- > 0)
        result *= base;
    return result;
}

/* The largest divisor that can be the shortest of so many sides. */
static int shortest_side(int processors, int directions)
{
    int side = 1;
    for (int i = 2; power(i, directions) <= processors; i++)
        if (processors % i == 0)
            side = i;
    return side;
}

int grid_shorter_side(int processors)
{
    return shortest_side(processors, 2);
}

void grid_sides(int processors, int directions, int *sides)
{
    for (int d = directions - 1; d >= 0; d--) {
        sides[d] = d == 0 ? processors : shortest_side(processors, d + 1);
        processors /= sides[d];
    }
}
