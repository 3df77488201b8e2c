/* Where the iterations of a statement run (rule D2): owner computes. */
#ifndef MODEL_SEGMENT_HOME_H
#define MODEL_SEGMENT_HOME_H

#include "model/segment/layout.h"
#include "model/segment/reference.h"

/* Along one grid dimension: the loop whose index the owner follows, or none (all coordinates
   execute, or one alone). */
struct home_axis {
    enum { AXIS_ALL, AXIS_ONE, AXIS_LOOP } kind;
    int loop;       /* AXIS_LOOP: home's subscript is this index + shift */
    double shift;   /* AXIS_LOOP */
    double element; /* AXIS_ONE: the subscript */
    struct distribution along;
};

struct home {
    int grid_dimensions;
    struct home_axis axes[DIMENSIONS_MOST];
};

/* Follows a reference through its array's layout. reference NULL: every processor executes. */
int home_of(struct home *home, const struct reference *reference, const struct layout *layout,
            const struct program *program, struct error *error);

/* How many values of the axis' loop run on a coordinate (1 or 0 for AXIS_ONE, all for AXIS_ALL). */
double home_count(const struct home_axis *axis, const struct nest *nest, double coordinate);

/* The largest over coordinates, and the mean. */
void home_spread(const struct home_axis *axis, const struct nest *nest, double processors,
                 double *most, double *mean);

#endif
