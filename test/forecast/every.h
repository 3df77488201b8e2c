/* Every layout of some arrays over one grid, written as a candidate and predicted as a described
   one would be: what a search is compared with. */
#ifndef TEST_FORECAST_EVERY_H
#define TEST_FORECAST_EVERY_H

#include "forecast/predict/study.h"

enum { EVERY_SLOTS = 64 };

struct every {
    const struct program *program; /* borrowed */
    const char *grid[2];           /* sizes */
    int rank;                      /* of the grid */
    int kinds;                     /* 1: BLOCK; 2: CYCLIC, too */
    int slots;                     /* dimensions of all arrays; set by every_add */
    size_t slot_array[EVERY_SLOTS];
};

/* Adds an array that is aligned to none. False: there are too many dimensions. */
bool every_add(struct every *every, size_t array);

/* How many candidates there are. */
double every_count(const struct every *every);

/* Shows them all, one after the other; what is shown is released afterwards. */
void every_take(const struct every *every, void (*take)(void *to, const struct candidate *layout),
                void *to);

/* Its predicted time; INFINITY where there is none. */
double every_predicted_us(struct study *study, const struct candidate *candidate);

#endif
