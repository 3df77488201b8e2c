/* Expressions such as "cdiv(N, p)" over named values. A text is read once, into a tree, which then
   has a value wherever its names have values, and an affine form where some of its names are
   indices of loops.

   From the loosest to the tightest: c ? a : b, ||, &&, comparisons, + -, * /, a sign, ^ (from the
   right). Functions: floor ceil rint abs sign sqrt exp ln log log2 log10 ilog2 cdiv mod min max sum
   avg if(c, a, b), and those of angles. Division is real. Constants: _pi, _e. Numbers may have
   suffixes: 64k, 1MiB (number.h).
 */
#ifndef MODEL_BASE_EXPRESSION_H
#define MODEL_BASE_EXPRESSION_H

#include "model/base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { SCOPE_NAMES_MOST = 128, EXPRESSION_LENGTH_MOST = 1000, INDICES_MOST = 12 };

/* ---- named values ---- */

struct scope;

struct scope *scope_new(void);
void scope_free(struct scope *scope); /* NULL is allowed */

/* Sets a name to a value, adding it if it is new. An error where the text is no name (letters,
   digits and _, not beginning with a digit), is a constant's, or there are too many. */
int scope_set(struct scope *scope, const char *name, double value, struct place place,
              struct error *error);

/* Whether there is such a name; its value in *value (may be NULL). */
bool scope_get(const struct scope *scope, const char *name, double *value);

/* Removes the names that were added last, so that count are left; see scope_count. */
void scope_cut(struct scope *scope, size_t count);
size_t scope_count(const struct scope *scope);

/* ---- expressions ---- */

struct expression {
    char *text;        /* as it was written */
    size_t name_count; /* the names in it, each once, functions and constants left out */
    char **names;
    struct expression_nodes *nodes; /* expression_nodes.h */
};

/* Reads a text that stands at place in its file. NULL with *error set where it is no expression, or
   calls a function that there is not. Release with expression_free. */
struct expression *expression_read(const char *text, struct place place, struct error *error);
void expression_free(struct expression *expression); /* NULL is allowed */

/* Whether the expression (NULL: none) has that name in it. */
bool expression_names(const struct expression *expression, const char *name);

/* Whether all its names are in the scope. Otherwise an error tells the nearest. The place of this
   and the following functions is that of the text. */
int expression_check(const struct expression *expression, const struct scope *scope,
                     struct place place, struct error *error);

/* The value. Errors: those of expression_check, and a value that is not finite. */
int expression_value(const struct expression *expression, const struct scope *scope,
                     struct place place, double *value, struct error *error);

/* The same where a whole number is needed. */
int expression_whole(const struct expression *expression, const struct scope *scope,
                     struct place place, double *value, struct error *error);

/* ---- affine forms ---- */

/* constant + the sum of by[i] x index i. */
struct affine {
    double constant, by[INDICES_MOST];
};

/* The indices of loops, outermost first, which have whole values from least to most; where these
   are not known they are infinite. */
struct indices {
    size_t count;
    const char *const *names;
    const double *least, *most;
};

/* The affine form that equals the expression wherever the indices are in their ranges: it is
   derived from the operations, exactly, and never tried at values. min, max, if, floor, mod and the
   like are affine where the ranges decide them: min(i, N) with i below N is i. *index becomes -1,
   or the outermost index in which the expression is not affine (*affine is not of use then).
   Errors: those of expression_value. */
int expression_affine(const struct expression *expression, const struct indices *indices,
                      const struct scope *scope, struct place place, struct affine *affine,
                      int *index, struct error *error);

/* Whether the value only rises, or only falls, as the index of that number rises, whatever the
   others are: its extremes are at the ends of the index's range. False also where that is not
   known. */
bool expression_is_monotone(const struct expression *expression, const struct indices *indices,
                            const struct scope *scope, size_t index);

#endif
