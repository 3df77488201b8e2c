#include "trainer/node/compiled_loops.h"

#include <complex.h>

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

enum {
    LENGTH = COMPILED_LENGTH,
    SIDE = COMPILED_SIDE,
    DEPTH = COMPILED_DEPTH,
    BREADTH = COMPILED_BREADTH,
    HALF = COMPILED_HALF
};

/* ---- loops as people write them ---- */

static void relax(struct compiled_arrays *it)
{
    const double *restrict const u = it->b;
    double *restrict const v = it->a;
    const long side = it->side;
    for (long i = 1; i < side - 1; i++)
        for (long j = 1; j < side - 1; j++)
            v[i * side + j] = 0.25 * (u[(i - 1) * side + j] + u[(i + 1) * side + j] +
                                      u[i * side + j - 1] + u[i * side + j + 1]);
}

#define LOOP(name, body)                                                                           \
    static void name(struct compiled_arrays *it)                                                   \
    {                                                                                              \
        double *restrict const a = it->a;                                                          \
        const double *restrict const b = it->b, *restrict const c = it->c,                         \
                                     *restrict const d = it->d;                                    \
        const long length = it->length;                                                            \
        (void)b, (void)c, (void)d;                                                                 \
        for (long i = 0; i < length; i++)                                                          \
            a[i] = body;                                                                           \
    }

LOOP(triad, b[i] + 0.3 * c[i])
LOOP(scale, 0.3 * b[i])
LOOP(add_three, b[i] + c[i] + d[i])
LOOP(hydro, 0.1 + b[i] * (0.2 * c[i + 10] + 0.3 * c[i + 11]))
LOOP(difference, b[i + 1] - b[i])
LOOP(axpy, a[i] - 0.3 * b[i])
LOOP(divide, b[i] / c[7])
LOOP(clear, 0.0)

static void dot(struct compiled_arrays *it)
{
    const double *restrict const b = it->b, *restrict const c = it->c;
    double sum = 0.0;
    for (long i = 0; i < it->length; i++)
        sum += b[i] * c[i];
    it->sum = sum;
}

/* The inside of a block of 3 x DEPTH x BREADTH. */
static void relax_block(struct compiled_arrays *it)
{
    const double *restrict const u = it->b;
    double *restrict const v = it->a;
    const long row = it->breadth, plane = row * it->depth;
    for (long j = 1; j < it->depth - 1; j++)
        for (long at = plane + j * row + 1; at < plane + (j + 1) * row - 1; at++)
            v[at] = 0.4 * u[at] + 0.1 * (u[at - plane] + u[at + plane] + u[at - row] + u[at + row] +
                                         u[at - 1] + u[at + 1]);
}

static void transpose(struct compiled_arrays *it)
{
    const double *restrict const b = it->b;
    double *restrict const a = it->a;
    const long side = it->side;
    for (long i = 0; i < side; i++)
        for (long j = 0; j < side; j++)
            a[j * side + i] = b[i * side + j];
}

/* Sums and differences of complex numbers, which grow, but in a hundred runs by less than 10^300.
 */
static void butterfly(struct compiled_arrays *it)
{
    double complex *restrict const x = (double complex *)it->a;
    const double complex *restrict const root = (const double complex *)it->d;
    const long half = it->half;
    for (long k = 0; k < half; k++) {
        const double complex turned = x[k + half] * root[k];
        x[k + half] = x[k] - turned;
        x[k] += turned;
    }
}

/* Recurrences through an array, which no compiler turns into partial sums. A pass goes on where the
   one before ended, so that no core begins it earlier; values stay of full mantissas, and far from
   the ends of their range. */
#define CHAIN(name, body)                                                                          \
    static void name(struct compiled_arrays *it)                                                   \
    {                                                                                              \
        double *restrict const a = it->a;                                                          \
        const double *restrict const b = it->b;                                                    \
        const long length = it->length;                                                            \
        (void)b;                                                                                   \
        a[0] = a[length - 1];                                                                      \
        for (long i = 1; i < length; i++)                                                          \
            a[i] = body;                                                                           \
    }

CHAIN(chain_of_add, b[i] + a[i - 1])
CHAIN(chain_of_mul, 0.9999 * a[i - 1])
CHAIN(chain_of_madd, b[i] - 0.3 * a[i - 1])
CHAIN(chain_of_div, b[i] / a[i - 1])

/* Of loops, essential operations (Abandah, IBM SP2, section 5.3): what is in a register from the
   iteration before is not loaded again. A square root is one instruction whatever the compiler, and
   its chains end in 1. */
/* clang-format off */
__attribute__((visibility("default"))) const struct compiled_code compiled_code = {
    COMPILER,
    {
        {"stencil-5",  relax,       (SIDE - 2) * (SIDE - 2),     {3, 1, 0, 0, 0, 3, 1}},
        {"stencil-7",  relax_block, (DEPTH - 2) * (BREADTH - 2), {5, 1, 1, 0, 0, 5, 1}},
        {"triad",      triad,       LENGTH,                      {0, 0, 1, 0, 0, 2, 1}},
        {"axpy",       axpy,        LENGTH,                      {0, 0, 1, 0, 0, 2, 1}},
        {"scale",      scale,       LENGTH,                      {0, 1, 0, 0, 0, 1, 1}},
        {"divide",     divide,      LENGTH,                      {0, 0, 0, 1, 0, 1, 1}},
        {"add-three",  add_three,   LENGTH,                      {2, 0, 0, 0, 0, 3, 1}},
        {"hydro",      hydro,       LENGTH,                      {0, 1, 2, 0, 0, 2, 1}},
        {"difference", difference,  LENGTH,                      {1, 0, 0, 0, 0, 1, 1}},
        {"dot",        dot,         LENGTH,                      {0, 0, 1, 0, 0, 2, 0}},
        {"transpose",  transpose,   SIDE * SIDE,                 {0, 0, 0, 0, 0, 1, 1}},
        {"butterfly",  butterfly,   HALF,                        {6, 4, 0, 0, 0, 4, 4}},
        {"clear",      clear,       LENGTH,                      {0, 0, 0, 0, 0, 0, 1}},
    },
    {
        {0, chain_of_add},
        {1, chain_of_mul},
        {2, chain_of_madd},
        {3, chain_of_div},
    },
};
/* clang-format on */
