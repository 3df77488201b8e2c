#include "trainer/node/compiled.h"

#include "model/base/allocation.h"
#include "trainer/node/units.h"

#include <gsl/gsl_sort.h>
#include <string.h>

enum { PASSES = 8 };

/* The last one becomes a call of the library, and says nothing of others. */
enum { ORDINARY = COMPILED_LOOPS - 1 };

static struct compiled_arrays arrays = {.length = COMPILED_LENGTH,
                                        .side = COMPILED_SIDE,
                                        .depth = COMPILED_DEPTH,
                                        .breadth = COMPILED_BREADTH,
                                        .half = COMPILED_HALF};

const size_t compiled_count = COMPILED_LOOPS + COMPILED_CHAINS;

bool compiled_is_chain(size_t loop)
{
    return loop >= COMPILED_LOOPS;
}

double compiled_begin(const struct compiled_code *code, size_t loop)
{
    for (size_t i = 0; i < sizeof arrays.a / sizeof *arrays.a; i++)
        arrays.a[i] = arrays.b[i] = arrays.c[i] = arrays.d[i] = 1.0 + 1e-3 * (double)i;
    compiled_run(&(struct compiled_item){code, loop});
    return PASSES * (compiled_is_chain(loop) ? COMPILED_LENGTH - 1 : code->loops[loop].iterations);
}

/* The compiler may know neither the loop nor what is in the arrays. */
void compiled_run(void *item)
{
    const struct compiled_item *of = item;
    compiled_pass *run = compiled_is_chain(of->loop)
                             ? of->code->chains[of->loop - COMPILED_LOOPS].run
                             : of->code->loops[of->loop].run;
    struct compiled_arrays *it = &arrays;
    __asm__ volatile("" : "+r"(run), "+r"(it) : : "memory");
    for (int pass = 0; pass < PASSES; pass++)
        run(it);
}

/* ---- their share of the bound ---- */

static struct operations operations_of(const struct compiled_loop *loop)
{
    struct operations operations;
    _Static_assert(sizeof operations.of == sizeof loop->operations, "each operation has a count");
    memcpy(operations.of, loop->operations, sizeof operations.of);
    return operations;
}

void compiled_set(struct compilation *compilation, const struct node *node, const double *cycles)
{
    double shares[COMPILED_LOOPS];
    for (size_t i = 0; i < COMPILED_LOOPS; i++) {
        const struct compiled_loop *loop = &compiled_code.loops[i];
        const struct operations operations = operations_of(loop);
        struct compiled_kernel *kernel = list_add(&compiled_kernel_record, &compilation->kernels);
        kernel->name = memory_copy_text(loop->name);
        kernel->compiled_share = shares[i] = node_bound_cycles(node, &operations, NULL) / cycles[i];
    }
    gsl_sort(shares, 1, ORDINARY);
    compilation->share = shares[ORDINARY / 2];
    compilation->share_low = shares[0];
    compilation->share_high = shares[ORDINARY - 1];
    for (size_t i = 0; i < COMPILED_CHAINS; i++)
        compilation->latency_cycles.of[compiled_code.chains[i].operation] =
            units_round(cycles[COMPILED_LOOPS + i]);
}
