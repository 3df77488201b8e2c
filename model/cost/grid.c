#include "model/cost/grid.h"

int grid_shorter_side(int processors)
{
    int side = 1;
    for (int i = 2; i * i <= processors; i++)
        if (processors % i == 0)
            side = i;
    return side;
}
