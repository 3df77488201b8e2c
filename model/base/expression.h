/* Expressions such as "cdiv(N, p)" over named values: the only user of muparser.
   + - * / ^, comparisons, floor ceil min max log2 sqrt mod cdiv ilog2 if(c,a,b). Division is real.
   Numbers may have suffixes: 64k, 1MiB (number.h).
 */
#ifndef MODEL_BASE_EXPRESSION_H
#define MODEL_BASE_EXPRESSION_H

#include "model/base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { SCOPE_NAMES_MOST = 128, EXPRESSION_LENGTH_MOST = 1000 };

/* Named values. */
struct scope;

struct scope *scope_new(void);
void scope_free(struct scope *scope); /* NULL is allowed */

/* Sets a name to a value, adding it if it is new. An error where the text is no name (letters,
   digits and _, not beginning with a digit), is a function's, or there are too many. */
int scope_set(struct scope *scope, const char *name, double value, struct place place,
              struct error *error);

/* Whether there is such a name; its value in *value (may be NULL). */
bool scope_get(const struct scope *scope, const char *name, double *value);

/* Removes the names that were added last, so that count are left; see scope_count. */
void scope_cut(struct scope *scope, size_t count);
size_t scope_count(const struct scope *scope);

/* The value of the expression; place is that of the text in its file. Errors: what is not an
   expression, an unknown name (answered with the nearest), a value that is not finite. */
int expression_value(struct scope *scope, const char *text, struct place place, double *value,
                     struct error *error);

/* Whether the text is an expression over names that there are: the same errors but for the value,
   which may be anything. */
int expression_check(struct scope *scope, const char *text, struct place place,
                     struct error *error);

/* The same where a whole number is needed. */
int expression_whole(struct scope *scope, const char *text, struct place place, double *value,
                     struct error *error);

#endif
