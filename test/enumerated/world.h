/* Where the arrays of a description lie, read from its text with nothing of model/segment: the
   enumeration that the derivation is compared with. */
#ifndef TEST_ENUMERATED_WORLD_H
#define TEST_ENUMERATED_WORLD_H

#include "model/segment/program/program.h"

enum { RANK = 3, ARRAYS = 8, PROCESSORS = 16 };

struct lying {
    int rank, extent[RANK], elements;
    int grid[RANK], block[RANK]; /* grid dimension, -1: not distributed */
    bool cyclic[RANK];
};

struct world {
    const struct program *program;
    const struct candidate *candidate;
    struct scope *scope;
    int grid_count, grid[RANK], processors;
    struct lying arrays[ARRAYS];
};

/* A candidate on some processors; the scope has the parameters and gets p0, p1, ... */
void world_lay_grid(struct world *it);
void world_lay_arrays(struct world *it);

/* Changes the layouts as they are changed before the segment of that number. */
void world_redistribute(struct world *it, size_t number);

/* The whole value of an expression; fails the test otherwise. */
int world_value(const struct world *it, const char *text);
void world_set(const struct world *it, const char *name, double value);

/* The coordinate of a processor along a grid dimension. */
int world_coordinate(const struct world *it, int processor, int g);

/* On the way between two processors one coordinate after the other is put right: where one is when
   those before `along` are. */
int world_halfway(const struct world *it, int to, int from, int along);

/* The subscript along a dimension of an element given by its number. */
int lying_subscript(const struct lying *lies, int d, int element);

bool world_has(const struct world *it, const struct lying *lies, int processor, int element);

/* From whom a processor takes an element: the copy that differs in as few coordinates as may be. */
int world_source(const struct world *it, const struct lying *lies, int processor, int element);

#endif
