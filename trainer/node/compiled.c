#include "trainer/node/compiled.h"

#include "model/base/allocation.h"
#include "trainer/node/units.h"

#include <complex.h>
#include <gsl/gsl_sort.h>
#include <math.h>

/* Five arrays fit the smallest first cache that there is. */
enum { LENGTH = 560, SIDE = 28, DEPTH = 8, BREADTH = 32, HALF = 128, PASSES = 8 };

struct arrays {
    double a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE], d[SIDE * SIDE];
    double sum;
    long length, side, depth, breadth, half; /* which the compiler does not know */
};

/* ---- loops as people write them ---- */

static void relax(struct arrays *it)
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
    static void name(struct arrays *it)                                                            \
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

static void dot(struct arrays *it)
{
    const double *restrict const b = it->b, *restrict const c = it->c;
    double sum = 0.0;
    for (long i = 0; i < it->length; i++)
        sum += b[i] * c[i];
    it->sum = sum;
}

/* The inside of a block of 3 x DEPTH x BREADTH. */
static void relax_block(struct arrays *it)
{
    const double *restrict const u = it->b;
    double *restrict const v = it->a;
    const long row = it->breadth, plane = row * it->depth;
    for (long j = 1; j < it->depth - 1; j++)
        for (long at = plane + j * row + 1; at < plane + (j + 1) * row - 1; at++)
            v[at] = 0.4 * u[at] + 0.1 * (u[at - plane] + u[at + plane] + u[at - row] + u[at + row] +
                                         u[at - 1] + u[at + 1]);
}

static void transpose(struct arrays *it)
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
static void butterfly(struct arrays *it)
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
    static void name(struct arrays *it)                                                            \
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

/* A square root is one instruction whatever the compiler, and its chains end in 1. */
static const struct {
    enum operation operation;
    void (*run)(struct arrays *arrays);
} chains[] = {
    {OPERATION_ADD,  chain_of_add },
    {OPERATION_MUL,  chain_of_mul },
    {OPERATION_MADD, chain_of_madd},
    {OPERATION_DIV,  chain_of_div },
};
enum { CHAINS = sizeof chains / sizeof *chains };

/* Essential operations of an iteration (Abandah, IBM SP2, section 5.3): what is in a register from
   the iteration before is not loaded again. The names are what a statement's `kernel` says. */
static const struct loop {
    const char *name;
    void (*run)(struct arrays *arrays);
    double iterations;
    struct operations operations;
} loops[] = {
    {"stencil-5",  relax,       (SIDE - 2) * (SIDE - 2),     {{3, 1, 0, 0, 0, 3, 1}}},
    {"stencil-7",  relax_block, (DEPTH - 2) * (BREADTH - 2), {{5, 1, 1, 0, 0, 5, 1}}},
    {"triad",      triad,       LENGTH,                      {{0, 0, 1, 0, 0, 2, 1}}},
    {"axpy",       axpy,        LENGTH,                      {{0, 0, 1, 0, 0, 2, 1}}},
    {"scale",      scale,       LENGTH,                      {{0, 1, 0, 0, 0, 1, 1}}},
    {"divide",     divide,      LENGTH,                      {{0, 0, 0, 1, 0, 1, 1}}},
    {"add-three",  add_three,   LENGTH,                      {{2, 0, 0, 0, 0, 3, 1}}},
    {"hydro",      hydro,       LENGTH,                      {{0, 1, 2, 0, 0, 2, 1}}},
    {"difference", difference,  LENGTH,                      {{1, 0, 0, 0, 0, 1, 1}}},
    {"dot",        dot,         LENGTH,                      {{0, 0, 1, 0, 0, 2, 0}}},
    {"transpose",  transpose,   SIDE *SIDE,                  {{0, 0, 0, 0, 0, 1, 1}}},
    {"butterfly",  butterfly,   HALF,                        {{6, 4, 0, 0, 0, 4, 4}}},
    {"clear",      clear,       LENGTH,                      {{0, 0, 0, 0, 0, 0, 1}}},
};
enum { LOOPS = sizeof loops / sizeof *loops };

/* The last one becomes a call of the library, and says nothing of others. */
enum { ORDINARY = LOOPS - 1 };

/* ---- their share of the bound ---- */

static struct arrays arrays = {
    .length = LENGTH, .side = SIDE, .depth = DEPTH, .breadth = BREADTH, .half = HALF};

const size_t compiled_count = LOOPS + CHAINS;

bool compiled_is_chain(size_t loop)
{
    return loop >= LOOPS;
}

double compiled_begin(size_t loop)
{
    for (size_t i = 0; i < SIDE * SIDE; i++)
        arrays.a[i] = arrays.b[i] = arrays.c[i] = arrays.d[i] = 1.0 + 1e-3 * (double)i;
    compiled_run(&loop);
    return PASSES * (compiled_is_chain(loop) ? LENGTH - 1 : loops[loop].iterations);
}

/* The compiler may know neither the loop nor what is in the arrays. */
void compiled_run(void *loop)
{
    const size_t which = *(const size_t *)loop;
    void (*run)(struct arrays *) =
        compiled_is_chain(which) ? chains[which - LOOPS].run : loops[which].run;
    struct arrays *it = &arrays;
    __asm__ volatile("" : "+r"(run), "+r"(it) : : "memory");
    for (int pass = 0; pass < PASSES; pass++)
        run(it);
}

void compiled_set(struct node *node, const double *cycles)
{
    double shares[LOOPS];
    for (size_t i = 0; i < LOOPS; i++) {
        struct compiled_kernel *kernel = list_add(&compiled_kernel_record, &node->kernels);
        kernel->name = memory_copy_text(loops[i].name);
        kernel->compiled_share = shares[i] =
            node_bound_cycles(node, &loops[i].operations, NULL) / cycles[i];
    }
    gsl_sort(shares, 1, ORDINARY);
    node->compiled_share = shares[ORDINARY / 2];
    node->compiled_share_low = shares[0];
    node->compiled_share_high = shares[ORDINARY - 1];
    for (size_t i = 0; i < CHAINS; i++)
        node->compiled_latency_cycles.of[chains[i].operation] = units_round(cycles[LOOPS + i]);
}
