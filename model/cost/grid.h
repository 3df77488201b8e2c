/* Processors on the grid that is nearest to a square, as the patterns among neighbours along two
   directions have them (Balasundaram, Static Performance Estimator). */
#ifndef MODEL_COST_GRID_H
#define MODEL_COST_GRID_H

/* The number of processors along the shorter side, 1 where processors >= 1 is a prime. */
int grid_shorter_side(int processors);

#endif
