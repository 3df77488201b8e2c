/* Processors on the grid that is nearest to a square, as the patterns among neighbours along two
   directions have them (Balasundaram, Static Performance Estimator), and on its like of other
   dimensions. */
#ifndef MODEL_COST_GRID_H
#define MODEL_COST_GRID_H

/* The number of processors along the shorter side, 1 where processors >= 1 is a prime. */
int grid_shorter_side(int processors);

enum { GRID_DIRECTIONS_MOST = 3 };

/* The sides of the grid of 1 to GRID_DIRECTIONS_MOST directions that is about a cube, the longest
   first; their product is processors >= 1. Where the number has too few divisors the last ones are
   1: 58 processors make 29 x 2 x 1. */
void grid_sides(int processors, int directions, int *sides);

/* The last of these. */
int grid_shortest_side(int processors, int directions);

#endif
