#include "model/machine/basis.h"

#include <math.h>
#include <string.h>

static double one(double p)
{
    (void)p;
    return 1.0;
}

static double p_itself(double p)
{
    return p;
}

static double p_minus_1(double p)
{
    return p - 1.0;
}

static double p_minus_2(double p)
{
    return p - 2.0;
}

static double p_squared(double p)
{
    return p * p;
}

static double p_cubed(double p)
{
    return p * p * p;
}

/* D of the SP1/SP2 report: floor(log2 p), the dimension of the largest hypercube within p. */
static double dimension(double p)
{
    return p >= 1.0 ? floor(log2(p)) : 0.0;
}

static double dimension_squared(double p)
{
    return dimension(p) * dimension(p);
}

static double root_dimension(double p)
{
    return sqrt(dimension(p));
}

static double real_log2(double p)
{
    return p >= 1.0 ? log2(p) : 0.0;
}

static double ceil_log2(double p)
{
    return ceil(real_log2(p));
}

static const struct {
    const char *name;
    double (*value)(double p);
    enum growth growth;
} rows[BASIS_COUNT] = {
    {"1",             one,               GROWTH_NONE       },
    {"p",             p_itself,          GROWTH_LINEAR     },
    {"p-1",           p_minus_1,         GROWTH_LINEAR     },
    {"p-2",           p_minus_2,         GROWTH_LINEAR     },
    {"p^2",           p_squared,         GROWTH_SUPERLINEAR},
    {"p^3",           p_cubed,           GROWTH_SUPERLINEAR},
    {"sqrt(p)",       sqrt,              GROWTH_LINEAR     },
    {"log2(p)",       real_log2,         GROWTH_LOGARITHMIC},
    {"D",             dimension,         GROWTH_LOGARITHMIC},
    {"D^2",           dimension_squared, GROWTH_LOGARITHMIC},
    {"sqrt(D)",       root_dimension,    GROWTH_LOGARITHMIC},
    {"ceil(log2(p))", ceil_log2,         GROWTH_LOGARITHMIC},
};

enum growth basis_growth(size_t basis)
{
    return rows[basis].growth;
}

const char *basis_name(size_t basis)
{
    return rows[basis].name;
}

size_t basis_named(const char *name)
{
    size_t basis = 0;
    while (basis < BASIS_COUNT && strcmp(rows[basis].name, name) != 0)
        basis++;
    return basis;
}

double basis_value(size_t basis, double p)
{
    return rows[basis].value(p);
}
