#include "model/cost/basis.h"

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

/* A binary tree numbered as a heap, whose nodes send to the left, then to the right (Abandah, IBM
   SP2, section 3.6): a left child waits one message longer than its parent, a right child two. The
   last of p to receive is served after the whole number in 2 log2((p + 1) / 2) messages: one more
   each time that p + 1 passes a power of two, or one and a half of it. */
static double heap(double p)
{
    double messages = 0.0;
    for (double power = 2.0; power < p + 1.0; power *= 2.0)
        messages += (p + 1.0 >= 1.5 * power) + (p + 1.0 >= 2.0 * power);
    return messages;
}

static const struct {
    const char *name;
    double (*value)(double p);
    enum growth growth;
} rows[] = {
#define BASIS(identifier, name, function, growth) {name, function, growth},
#include "model/cost/bases.h"
#undef BASIS
};

enum growth basis_growth(size_t basis)
{
    return rows[basis].growth;
}

const char *growth_says(enum growth growth)
{
    static const char *const says[] = {
        [GROWTH_NONE] = "",
        [GROWTH_ROOT_OF_LOGARITHM] = "hardly grows with p",
        [GROWTH_LOGARITHMIC] = "logarithmic in p: a tree",
        [GROWTH_SQUARED_LOGARITHM] = "square of a logarithm of p: a tree, and more",
        [GROWTH_ROOT] = "square root of p: a grid",
        [GROWTH_LINEAR] = "linear in p: one after the other",
        [GROWTH_QUADRATIC] = "quadratic in p: congestion",
        [GROWTH_CUBIC] = "cubic in p: do not extrapolate",
    };
    return says[growth];
}

const char *basis_name(size_t basis)
{
    return rows[basis].name;
}

const char *basis_names(char text[NAMES_TEXT])
{
    const char *names[BASIS_COUNT + 1] = {0};
    for (size_t i = 0; i < BASIS_COUNT; i++)
        names[i] = basis_name(i);
    return names_listed(text, names);
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
