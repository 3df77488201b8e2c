/* How one dimension of n elements lies on p processors of a grid dimension (rule "Ownership"):
   blocks of `block` elements dealt out in turn. BLOCK is one round of blocks of ceil(n/p); CYCLIC
   is blocks of one. All kinds share the closed forms; one more kind is one row of
   distribution.c. */
#ifndef MODEL_SEGMENT_PROGRAM_DISTRIBUTION_H
#define MODEL_SEGMENT_PROGRAM_DISTRIBUTION_H

#include "model/base/error.h"
#include "model/base/expression.h"
#include "model/base/names.h"

#include <stdbool.h>

struct distribution {
    int grid_dimension; /* -1: not distributed, every processor has all */
    double elements;    /* n */
    double processors;  /* p of the grid dimension; 1 where not distributed */
    double block;       /* b */
    double offset; /* where among the n the array's element 0 lies: not 0 where it is aligned */
};

/* The name of a kind, from 0; NULL: there are no more. A search that is short of time tries the
   first alone. */
const char *distribution_kind(size_t kind);

/* Whether a search tries that kind with blocks of several sizes also. */
bool distribution_sizes_are_tried(size_t kind);

/* All kinds with and without the size of a block, for messages. Returns text. */
const char *distribution_kinds(char text[NAMES_TEXT]);

/* "BLOCK", "BLOCK(b)", "CYCLIC", "CYCLIC(b)" or "*", with b an expression, each with an optional
   "@dimension" of the grid. */
struct spelling {
    bool is_all; /* "*"; the rest is not set then */
    size_t kind;
    struct expression *block, *dimension; /* owned; NULL: not told */
};

/* Reads a text that stands at place in its file. NULL with *error set where it is none. Release
   with spelling_free. */
struct spelling *spelling_read(const char *text, struct place place, struct error *error);
void spelling_free(struct spelling *spelling); /* NULL is allowed */

/* Whether all names in it are in the scope. */
int spelling_check(const struct spelling *spelling, const struct scope *scope, struct place place,
                   struct error *error);

/* Fills block and grid_dimension (-1 for "*", and for NULL; *next_dimension, which is then
   advanced, where none is named); elements and processors are set before. */
int distribution_make(struct distribution *distribution, const struct spelling *spelling,
                      struct place place, const struct scope *scope, const double *grid,
                      int grid_dimensions, int *next_dimension, struct error *error);

/* The coordinate that owns element i, 0 <= i < n. */
double distribution_owner(const struct distribution *distribution, double element);

/* How many of the elements first..last (both included; none if last < first) coordinate q owns. */
double distribution_count(const struct distribution *distribution, double coordinate, double first,
                          double last);

/* The same of all coordinates, into counts (of `processors`). */
void distribution_counts(const struct distribution *distribution, double first, double last,
                         double *counts);

/* How many coordinates own any of the elements first..last. */
double distribution_owners_within(const struct distribution *distribution, double first,
                                  double last);

/* How many of them the coordinate owns that owns the most. */
double distribution_most(const struct distribution *distribution, double first, double last);

/* How many coordinates own anything: from 0 on. */
double distribution_owners(const struct distribution *distribution);

/* Whether every coordinate owns one contiguous piece. */
bool distribution_is_contiguous(const struct distribution *distribution);

#endif
