/* A candidate partitioning laid out on p processors: the grid, and where every array lies. */
#ifndef MODEL_SEGMENT_PROGRAM_LAYOUT_H
#define MODEL_SEGMENT_PROGRAM_LAYOUT_H

#include "model/segment/program/distribution.h"
#include "model/segment/program/program.h"

struct layout {
    int grid_dimensions;
    double grid[DIMENSIONS_MOST]; /* processors along each */
    double processors;            /* their product */
    size_t array_count;
    struct array_layout {
        int dimensions;
        double extent[DIMENSIONS_MOST]; /* of the array; `along` may have more elements */
        struct distribution along[DIMENSIONS_MOST];
        bool has_halo;
        double halo[DIMENSIONS_MOST]; /* elements kept beyond a processor's own, on either side */
        struct place halo_place;
    } * arrays; /* owned; in the program's order */
    /* Along each grid dimension: by how many elements a processor computes beyond what it owns, on
       either side, though others do so too. 0 but while a halo is derived (halo.h). */
    double beyond[DIMENSIONS_MOST];
};

/* Lays candidate out; scope has the parameters and p, and gets p0, p1, ... of the grid.
   Errors at their place: a grid that is not of whole numbers or whose product is not p, a
   distribution that does not fit; particular ones (error.h) where another p may do. Release with
   layout_free. */
int layout_make(struct layout *layout, const struct program *program,
                const struct candidate *candidate, struct scope *scope, struct error *error);

/* The same with what a redistribution changes: the arrays that it names, and those aligned to them.
   The scope is as layout_make left it. Release with layout_free. */
int layout_change(struct layout *layout, const struct layout *before, const struct program *program,
                  const struct redistribute *redistribute, struct scope *scope,
                  struct error *error);

void layout_free(struct layout *layout);

/* Where an array of the program lies. */
const struct array_layout *layout_of(const struct layout *layout, const struct program *program,
                                     const struct array *array);

/* The dimension of the array that lies along a grid dimension, or -1. */
int array_layout_along(const struct array_layout *array, int grid_dimension);

/* Whether two arrays lie alike: the same extents, blocks and grid dimensions. */
bool array_layout_same(const struct array_layout *a, const struct array_layout *b);

#endif
