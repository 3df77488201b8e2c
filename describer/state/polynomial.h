/* Polynomials over symbols: subscripts, bounds and extents. They are immutable, and live in the
   arena of their algebra. */
#ifndef DESCRIBER_STATE_POLYNOMIAL_H
#define DESCRIBER_STATE_POLYNOMIAL_H

#include "describer/state/symbol.h"

enum { DEGREE_MOST = 6, TERMS_MOST = 40 };

struct term {
    double factor;
    int degree;
    struct symbol *symbols[DEGREE_MOST]; /* in the order of their numbers */
};

struct polynomial {
    int count;
    struct term terms[];
};

struct algebra {
    struct arena *arena;
    bool is_exceeded; /* something had more terms, or a higher degree, than are kept */
};

typedef const struct polynomial *polynomial;

polynomial polynomial_constant(struct algebra *algebra, double value);
polynomial polynomial_symbol(struct algebra *algebra, struct symbol *symbol);
polynomial polynomial_term(struct algebra *algebra, struct term term);

/* a + factor * b */
polynomial polynomial_sum(struct algebra *algebra, polynomial a, polynomial b, double factor);
polynomial polynomial_plus(struct algebra *algebra, polynomial a, double constant);
polynomial polynomial_product(struct algebra *algebra, polynomial a, polynomial b);
polynomial polynomial_scaled(struct algebra *algebra, polynomial a, double factor);

/* What is multiplied with the symbol, and what is not. */
polynomial polynomial_coefficient(struct algebra *algebra, polynomial a,
                                  const struct symbol *symbol);
polynomial polynomial_rest(struct algebra *algebra, polynomial a, const struct symbol *symbol);

/* Without what depends on which processor it is. */
polynomial polynomial_without_rank(struct algebra *algebra, polynomial a);
bool polynomial_has_rank(polynomial a);

bool polynomial_is_constant(polynomial a, double *value);
bool polynomial_equal(struct algebra *algebra, polynomial a, polynomial b);
bool polynomial_has(polynomial a, const struct symbol *symbol);
bool polynomial_has_index(polynomial a);
bool polynomial_is_affine(polynomial a); /* in the indices of loops */

/* a = quotient * divisor + rest, by long division with the highest term of the divisor: where the
   divisor has names, no term of the rest has all of that term's. A number is divided by a number to
   the nearest quotient. */
void polynomial_divide(struct algebra *algebra, polynomial a, polynomial divisor,
                       polynomial *quotient, polynomial *rest);

/* Whether every symbol of `divisor` is in the term; then what is left in *rest. */
bool term_divided(const struct term *term, const struct term *divisor, struct term *rest);
bool term_same_symbols(const struct term *a, const struct term *b);

double polynomial_value(polynomial a); /* at the values of its symbols */

/* As an expression of the description language, with `space` around signs. */
const char *polynomial_text(struct algebra *algebra, polynomial a, const char *space);

/* Notes that what it names is used. */
void polynomial_use(polynomial a);

#endif
