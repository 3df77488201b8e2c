/* Processors on the grid that is nearest to a square, as the patterns among neighbours along two
   directions have them (Balasundaram, Static Performance Estimator), and on its like of other
   dimensions. */
#ifndef MODEL_COST_GRID_H
#define MODEL_COST_GRID_H

/* The number of processors along the shorter side, 1 where processors >= 1 is a prime. */
int grid_shorter_side(int processors);

/* The sides of the grid of so many directions that is nearest to a cube, the longest first; their
   product is processors >= 1. */
void grid_sides(int processors, int directions, int *sides);

#endif
