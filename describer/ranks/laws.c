#include "describer/ranks/laws.h"

#include <math.h>

static double of_p(double p)
{
    return p;
}

static double half(double p)
{
    return floor(p / 2);
}

static double levels(double p)
{
    return ceil(log2(p));
}

static double whole_levels(double p)
{
    return floor(log2(p));
}

static double square(double p)
{
    return p * p;
}

static double of_levels(double p)
{
    return p * log2(p);
}

/* Laws that count messages: all others; every second one; the levels of a tree, or the dimensions
   of a hypercube; each to each; a tree within which all are handed on. The simplest comes first. */
static const struct {
    double (*value)(double p);
    const char *definition; /* NULL: p itself, or its square */
    const char *name;
} laws[] = {
    {of_p,         NULL,             NULL    },
    {half,         "floor(p / 2)",   "half"  },
    {levels,       "ceil(log2(p))",  "levels"},
    {whole_levels, "floor(log2(p))", "levels"},
    {square,       NULL,             NULL    },
    {of_levels,    "p * log2(p)",    "handed"},
};

enum { AT = 16 }; /* where the walk's values hold (prepare.c) */

static polynomial term_of(struct describer *describer, size_t i)
{
    struct algebra *algebra = &describer->algebra;
    polynomial p = polynomial_symbol(algebra, describer->processors);
    if (laws[i].definition)
        return polynomial_symbol(algebra, symbol_derived(&describer->symbols, laws[i].name,
                                                         laws[i].definition, laws[i].value(AT)));
    return laws[i].value == square ? polynomial_product(algebra, p, p) : p;
}

polynomial law_of(struct describer *describer, const int *p, const double *values, int count)
{
    struct algebra *algebra = &describer->algebra;
    bool is_constant = true;
    for (int i = 1; i < count; i++)
        is_constant = is_constant && values[i] == values[0];
    if (is_constant)
        return polynomial_constant(algebra, values[0]);
    for (size_t l = 0; l < sizeof laws / sizeof *laws && count >= 3; l++) {
        double (*value)(double) = laws[l].value;
        const double first = value(p[0]), last = value(p[count - 1]);
        if (first == last)
            continue;
        const double slope = (values[count - 1] - values[0]) / (last - first);
        const double base = values[0] - slope * first;
        bool fits = fabs(slope - round(2 * slope) / 2) < 1e-9;
        for (int i = 0; i < count && fits; i++)
            fits = fabs(base + slope * value(p[i]) - values[i]) < 1e-9 * (1 + fabs(values[i]));
        if (fits)
            return polynomial_plus(
                algebra, polynomial_scaled(algebra, term_of(describer, l), round(2 * slope) / 2),
                round(2 * base) / 2);
    }
    return NULL;
}
