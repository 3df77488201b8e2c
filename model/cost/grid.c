#include "model/cost/grid.h"

static double power(int base, int exponent)
{
    double result = 1.0;
    while (exponent-- > 0)
        result *= base;
    return result;
}

/* The largest divisor that can be the shortest of so many sides. */
static int largest_divisor(int processors, int directions)
{
    int side = 1;
    for (int i = 2; power(i, directions) <= processors; i++)
        if (processors % i == 0)
            side = i;
    return side;
}

/* The longest first. */
static void sort(int *sides, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && sides[k] > sides[k - 1]; k--) {
            const int longer = sides[k];
            sides[k] = sides[k - 1];
            sides[k - 1] = longer;
        }
}

void grid_sides(int processors, int directions, int *sides)
{
    int left = processors;
    for (int d = directions - 1; d >= 0; d--) {
        sides[d] = d == 0 ? left : largest_divisor(left, d + 1);
        left /= sides[d];
    }
    sort(sides, directions);
}

int grid_shortest_side(int processors, int directions)
{
    int sides[GRID_DIRECTIONS_MOST];
    grid_sides(processors, directions, sides);
    return sides[directions - 1];
}

int grid_shorter_side(int processors)
{
    return largest_divisor(processors, 2);
}
