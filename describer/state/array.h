/* The arrays that a program computes with, found by what the source calls them. */
#ifndef DESCRIBER_STATE_ARRAY_H
#define DESCRIBER_STATE_ARRAY_H

#include "describer/source/syntax.h"
#include "describer/state/outline.h"

struct array {
    const char *name;   /* in the description: no other has it */
    const char *wanted; /* as the source calls it */
    int rank;
    polynomial extents[RANK_MOST]; /* NULL: not known */
    double element_bytes;
    bool is_scalar;              /* a variable of the program, which is combined or broadcast */
    bool is_used;                /* in what is gone through */
    bool is_written;             /* in what is described */
    const char *told[RANK_MOST]; /* extents that a directive says; NULL: none */
    bool has_members;            /* its last dimension are the members of a record */
    bool is_whole; /* of records that are used with all their members: an element is a record */
    bool is_flat;  /* in the source, where its dimensions are computed with */
    const struct array *lies_in; /* whose elements its rows point at; NULL: none */
    bool is_member;              /* of records: its dimensions are those of their array */
    /* The values of a scalar lie beside this array's elements, each dimension beside that one. */
    const struct array *beside;
    int beside_dimension[RANK_MOST];
    const struct array *changes_with; /* the array beside which it lies, as they change places */
    bool is_private;                  /* each iteration of a loop has one for itself (privates.c) */
    /* Of such a one, the subscripts of `beside` that say
       which iteration it is, before its own; then beside_dimension is of these, and of its own ones
       (-1: along none). */
    int prefix_count;
    polynomial prefix[RANK_MOST];
    const struct declaration *declaration; /* of the variable that it is; or NULL */
    const char *of_main; /* the name that the driving main gives it, until those of functions are
                            taken; NULL: it has its name */
    struct place place;
};

struct arrays {
    struct arena *arena;
    struct array **items;
    int count, room;
};

/* A new array, named as is wanted or nearly so. */
struct array *array_add(struct arrays *arrays, const char *wanted, struct place place);

/* Gives an array of main its name, or nearly so. */
void array_rename(struct arrays *arrays, struct array *array, const char *wanted);

/* Gives arrays that are used the names that they want, where one that is not used has them. */
void arrays_rename(struct arrays *arrays);

/* The array of that name; NULL: there is none. */
struct array *array_find(const struct arrays *arrays, const char *name);

bool reference_equal(struct algebra *algebra, const struct reference *a, const struct reference *b);
bool reference_has(const struct reference *reference, const struct symbol *symbol);

/* As the description writes it: u[i-1][j]. */
const char *reference_text(struct algebra *algebra, const struct reference *reference);

/* How many iterations of the loop over `index` element a is ahead of b: the one of iteration i + d
   is b's of iteration i. Returns whether they ever meet so. */
bool reference_shift(struct algebra *algebra, const struct reference *a, const struct reference *b,
                     const struct symbol *index, int *iterations);

#endif
