/* Where the iterations of a statement run (rule "Work"): owner computes. */
#ifndef MODEL_SEGMENT_LOOPS_HOME_H
#define MODEL_SEGMENT_LOOPS_HOME_H

#include "model/segment/loops/reference.h"
#include "model/segment/program/layout.h"

/* Along one grid dimension: the loop whose index the owner follows, or none (all coordinates
   execute, or one alone). */
struct home_axis {
    enum { AXIS_ALL, AXIS_ONE, AXIS_LOOP } kind;
    struct subscript subscript; /* AXIS_ONE: its constant; AXIS_LOOP: the element of an index */
    struct distribution along;
    double beyond;         /* elements that it executes beyond its own, of blocks in one round */
    struct effort *effort; /* borrowed */
};

struct home {
    int grid_dimensions;
    double grid[DIMENSIONS_MOST];
    struct home_axis axes[DIMENSIONS_MOST];
};

/* Follows a reference through its array's layout, where the fixed loops have the values `at`.
   reference NULL: every processor executes. False where a subscript along a grid dimension couples
   loops, or two of them follow the same loop. */
bool home_of(struct home *home, const struct reference *reference, const struct layout *layout,
             const struct program *program, const bool *fixed, const double *at);

/* The grid dimension along which home follows a loop; -1: none. */
int home_following(const struct home *home, int loop);

/* The values of the axis' loop, within the range, that a coordinate executes: of its own block, and
   beyond it where it has any of its own. Of AXIS_LOOP, a subscript of coefficient 1 or -1, and
   blocks in one round. */
struct range home_run(const struct home_axis *axis, double coordinate, struct range range);

/* Of AXIS_LOOP, whose range is not empty: the elements of the home that it goes through, each of
   which runs on its owner alone. False where it leaves some out, or others run them too. */
bool home_elements(const struct home_axis *axis, const struct range *ranges,
                   struct range *elements);

/* How many values of the axis' loop run on each coordinate, into counts (of along.processors; for
   AXIS_ALL and AXIS_ONE: 1 where it executes). ranges: of all loops. */
void home_counts(const struct home_axis *axis, const struct range *ranges, double processors,
                 double *counts);

/* The most of these counts, and all together, without looking at every coordinate. False where that
   has to be. */
bool home_shares(const struct home_axis *axis, const struct range *ranges, double processors,
                 double *most, double *total);

/* Makes the grid smaller by the coordinates that own nothing of the home, nor of the data, NULL for
   none: they have no part in anything, and of a hundred thousand processors those that share a
   hundred columns are looked at. Distributions that are made smaller go one round, so that owners
   stay the same. */
void home_leave_out_idle(struct home *home, struct array_layout *data);

#endif
