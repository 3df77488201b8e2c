#include "trainer/utilities/neighbours.h"

#include "model/cost/grid.h"

void neighbours_find(const struct site *site, int directions, struct line *lines)
{
    int sides[DIRECTIONS_MOST], step = 1;
    grid_sides(site->processors, directions, sides);
    for (int d = directions - 1; d >= 0; d--) {
        const int position = site->rank / step % sides[d];
        lines[d] = (struct line){
            .position = position,
            .below = position > 0 ? site->rank - step : MPI_PROC_NULL,
            .above = position + 1 < sides[d] ? site->rank + step : MPI_PROC_NULL,
        };
        step *= sides[d];
    }
}
