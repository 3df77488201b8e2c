/* The functions of p that a cost may use: one more is a row of bases.h, and its function in
   basis.c. */
#ifndef MODEL_COST_BASIS_H
#define MODEL_COST_BASIS_H

#include "model/base/names.h"

#include <stddef.h>

enum basis {
#define BASIS(identifier, ...) BASIS_##identifier,
#include "model/cost/bases.h"
#undef BASIS
    BASIS_COUNT
};

/* The name in machine tables: "1", "p", "p-1", "log2(p)", "D"... */
const char *basis_name(size_t basis);

/* All of them, for messages. Returns text. */
const char *basis_names(char text[NAMES_TEXT]);

/* The basis with that name, or BASIS_COUNT. */
size_t basis_named(const char *name);

/* How fast the function grows with p, slowest first. */
enum growth {
    GROWTH_NONE,
    GROWTH_ROOT_OF_LOGARITHM,
    GROWTH_LOGARITHMIC,
    GROWTH_SQUARED_LOGARITHM,
    GROWTH_ROOT,
    GROWTH_LINEAR,
    GROWTH_QUADRATIC,
    GROWTH_CUBIC
};
enum growth basis_growth(size_t basis);

/* What that says of the algorithm, in a few words: "logarithmic in p: a tree". "" for a
   constant. */
const char *growth_says(enum growth growth);

/* The function at p >= 1; D is floor(log2 p); heap(p) is the number of messages,
   one after another, until the last of a binary tree of p has its own. */
double basis_value(size_t basis, double p);

#endif
