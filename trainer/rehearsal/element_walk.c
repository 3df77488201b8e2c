#include "trainer/rehearsal/element_walk.h"

#include "trainer/rehearsal/plain.h"

#include <math.h>

/* Without its flags a multiply-add is two instructions, and a square root calls a function. */
#if !defined __NO_MATH_ERRNO__
#error                                                                                             \
    "expected -ffp-contract=fast -fno-math-errno, which Makefile.am gives this object by its name"
#endif

/* ---- what is done with a row ---- */

/* The frequent ones stay in a register, where their latency is all that they take. */
enum chaining { CHAIN_NONE, CHAIN_OF_ADD, CHAIN_OF_MADD, CHAIN_ANY };

/* The same for every element of the row. */
struct plan {
    struct row row;
    int plain;                   /* the number of its plain loop; 0: in blocks */
    long owed[OPERATION_COUNT];  /* operations that no source takes part in */
    long chain[OPERATION_COUNT]; /* that need an earlier element's result */
    enum chaining chaining;
    long distance, slot;
    double *carried;
    double last;
    bool varies;            /* from row to row */
    struct operations each; /* all that is done with an element */
};

/* Waits for the element `distance` before: once per operation of the chain. */
static double do_chain(struct plan *plan, double value)
{
    double x = plan->carried[plan->slot];
    for (long i = 0; i < plan->chain[OPERATION_ADD]; i++)
        x += value;
    for (long i = 0; i < plan->chain[OPERATION_MUL]; i++)
        x *= plan->row.with.factor;
    for (long i = 0; i < plan->chain[OPERATION_MADD]; i++)
        x = x * plan->row.with.factor + value;
    for (long i = 0; i < plan->chain[OPERATION_DIV]; i++)
        x /= plan->row.with.divisor;
    for (long i = 0; i < plan->chain[OPERATION_SQRT]; i++)
        x = sqrt(x);
    plan->carried[plan->slot] = x;
    plan->slot = plan->slot + 1 == plan->distance ? 0 : plan->slot + 1;
    return x;
}

/* ---- some elements, which stay in registers ---- */

#define EIGHT(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define FOUR(DO) DO(0) DO(1) DO(2) DO(3)
#define ONE(DO) DO(0)

#define NONE_YET(k) double v##k = 0.0;
#define TAKE_NEXT(k) v##k = a[k];
#define ADD_NEXT(k) v##k += a[k];
#define MULTIPLY_ADD_NEXT(k) v##k = v##k * c + a[k];
#define MULTIPLY_NEXT(k) v##k *= a[k];
#define ADD_PRODUCT(k) v##k += a[k * step] * b[k * b_step];
#define TAKE_FAR(k) v##k = a[k * step];
#define ADD_FAR(k) v##k += a[k * step];
#define MULTIPLY_ADD_FAR(k) v##k = v##k * c + a[k * step];
#define MULTIPLY_FAR(k) v##k *= a[k * step];
#define ADD(k) v##k += with.addend;
#define MULTIPLY(k) v##k *= with.factor;
#define MULTIPLY_ADD(k) v##k = v##k * with.factor + with.addend;
#define DIVIDE(k) v##k /= with.divisor;
#define ROOT(k) v##k = sqrt(v##k);
#define CHAIN(k) v##k = do_chain(plan, v##k);
#define CHAIN_ADD(k) v##k = x = x + v##k;
#define CHAIN_MULTIPLY_ADD(k) v##k = x = x * c + v##k;

#define PUT(k) to[k * to_step] = v##k;

#define MEET(ALL, HOW)                                                                             \
    if (step == 1) {                                                                               \
        ALL(HOW##_NEXT)                                                                            \
    } else {                                                                                       \
        ALL(HOW##_FAR)                                                                             \
    }                                                                                              \
    break;

#define REPEAT(ALL, operation, DO)                                                                 \
    for (long i = 0; i < plan->owed[operation]; i++) {                                             \
        ALL(DO)                                                                                    \
    }

/* One loop a source and an operation, over elements in registers: a loop over the elements that
   does all operations, as the statement's own code has it, without knowing them when it is
   compiled. */
#define DO_BLOCK(name, ALL, last_value)                                                            \
    static void name(struct plan *plan, long from)                                                 \
    {                                                                                              \
        const struct operands with = plan->row.with;                                               \
        const double c = with.factor;                                                              \
        ALL(NONE_YET)                                                                              \
        for (int i = 0; i < plan->row.source_count; i++) {                                         \
            const long step = plan->row.sources[i].step;                                           \
            const double *const a = plan->row.sources[i].at + from * step;                         \
            switch (plan->row.sources[i].how) {                                                    \
            case TAKEN:                                                                            \
                MEET(ALL, TAKE)                                                                    \
            case ADDED:                                                                            \
                MEET(ALL, ADD)                                                                     \
            case MULTIPLY_ADDED:                                                                   \
                MEET(ALL, MULTIPLY_ADD)                                                            \
            case MULTIPLIED:                                                                       \
                MEET(ALL, MULTIPLY)                                                                \
            case PRODUCT_ADDED: { /* with the next source */                                       \
                const long b_step = plan->row.sources[++i].step;                                   \
                const double *const b = plan->row.sources[i].at + from * b_step;                   \
                ALL(ADD_PRODUCT)                                                                   \
                break;                                                                             \
            }                                                                                      \
            }                                                                                      \
        }                                                                                          \
        REPEAT(ALL, OPERATION_ADD, ADD)                                                            \
        REPEAT(ALL, OPERATION_MUL, MULTIPLY)                                                       \
        REPEAT(ALL, OPERATION_MADD, MULTIPLY_ADD)                                                  \
        REPEAT(ALL, OPERATION_DIV, DIVIDE)                                                         \
        REPEAT(ALL, OPERATION_SQRT, ROOT)                                                          \
        double x = plan->carried[0];                                                               \
        switch (plan->chaining) {                                                                  \
        case CHAIN_NONE:                                                                           \
            break;                                                                                 \
        case CHAIN_OF_ADD:                                                                         \
            ALL(CHAIN_ADD)                                                                         \
            plan->carried[0] = x;                                                                  \
            break;                                                                                 \
        case CHAIN_OF_MADD:                                                                        \
            ALL(CHAIN_MULTIPLY_ADD)                                                                \
            plan->carried[0] = x;                                                                  \
            break;                                                                                 \
        case CHAIN_ANY:                                                                            \
            ALL(CHAIN)                                                                             \
            break;                                                                                 \
        }                                                                                          \
        plan->last = last_value;                                                                   \
        if (plan->row.to && plan->row.to_step != 0) {                                              \
            const long to_step = plan->row.to_step;                                                \
            double *const to = plan->row.to + from * to_step;                                      \
            ALL(PUT)                                                                               \
        }                                                                                          \
    }

DO_BLOCK(do_eight, EIGHT, v7)
DO_BLOCK(do_four, FOUR, v3)
DO_BLOCK(do_one, ONE, v0)

/* ---- rows ---- */

static bool pay(struct plan *plan, enum operation operation)
{
    if (plan->owed[operation] == 0)
        return false;
    plan->owed[operation]--;
    plan->each.of[operation] += 1.0;
    return true;
}

/* Every read after the first meets what was read before in one of the statement's operations; where
   those are too few, in an addition more. Two of them can be the factors of a multiply-add. */
static enum how meet(struct plan *plan, int reads_left)
{
    if (pay(plan, OPERATION_ADD))
        return ADDED;
    if (pay(plan, OPERATION_MADD))
        return reads_left > 1 ? PRODUCT_ADDED : MULTIPLY_ADDED;
    if (pay(plan, OPERATION_MUL))
        return MULTIPLIED;
    plan->each.of[OPERATION_ADD] += 1.0;
    return ADDED;
}

/* Averages such as half an addition an element are whole ones of every other row. */
static void set_operations(struct plan *plan, const struct walk *walk)
{
    long chained = 0;
    plan->each = (struct operations){{0}};
    for (int k = OPERATION_ADD; k <= OPERATION_SQRT; k++) {
        const double each = fmax(0.0, walk->operations.of[k] - walk->chain.of[k]);
        plan->owed[k] =
            (long)(floor((walk->rows_done + 1.0) * each) - floor(walk->rows_done * each));
        plan->chain[k] = lround(walk->chain.of[k]);
        chained += plan->chain[k];
        plan->varies |= each != floor(each);
    }
    plan->chaining = chained == 0                        ? CHAIN_NONE
                     : chained > 1 || plan->distance > 1 ? CHAIN_ANY
                     : plan->chain[OPERATION_ADD] == 1   ? CHAIN_OF_ADD
                     : plan->chain[OPERATION_MADD] == 1  ? CHAIN_OF_MADD
                                                         : CHAIN_ANY;
    for (int i = 0; i < walk->read_count; i++) {
        plan->row.sources[i].how = i == 0 ? TAKEN : meet(plan, walk->read_count - i);
        i += plan->row.sources[i].how == PRODUCT_ADDED;
    }
    plan->plain =
        plan->chaining == CHAIN_NONE ? plain_find(&plan->row, plan->owed, walk->writes) : 0;
    for (int k = OPERATION_ADD; k <= OPERATION_SQRT; k++)
        plan->each.of[k] += (double)(plan->owed[k] + plan->chain[k]);
    plan->each.of[OPERATION_LOAD] = walk->read_count;
    plan->each.of[OPERATION_STORE] = walk->writes && plan->row.to_step != 0;
}

static void begin(struct plan *plan, struct walk *walk)
{
    const int inner = walk->depth - 1;
    *plan = (struct plan){
        .distance = walk->distance,
        .carried = walk->carried,
        .row = {.source_count = walk->read_count,
                .with = walk->operands,
                .to_step = walk->written.step[inner]}
    };
    for (int i = 0; i < walk->read_count; i++)
        plan->row.sources[i].step = walk->reads[i].step[inner];
    set_operations(plan, walk);
}

static long offset_at(const struct walked *reference, const long *index, int loops)
{
    long offset = reference->offset;
    for (int l = 0; l < loops; l++)
        offset += reference->step[l] * index[l];
    return offset;
}

/* The indices of the outer loops, whose product counts rows. */
static void find_row(long *index, const struct walk *walk, double row)
{
    for (int l = walk->depth - 2; l >= 0; l--) {
        const double trips = fmax(1.0, walk->trips[l]);
        index[l] = (long)fmod(row, trips);
        row = floor(row / trips);
    }
}

/* Of the row after. */
static void step_row(long *index, const struct walk *walk)
{
    for (int l = walk->depth - 2; l >= 0; l--) {
        if (++index[l] < (long)walk->trips[l])
            return;
        index[l] = 0;
    }
}

static void go_to_row(struct plan *plan, const struct walk *walk, const long *index)
{
    for (int i = 0; i < walk->read_count; i++)
        plan->row.sources[i].at =
            walk->reads[i].base + offset_at(&walk->reads[i], index, walk->depth - 1);
    if (walk->writes)
        plan->row.to = walk->written.base + offset_at(&walk->written, index, walk->depth - 1);
}

static void do_blocks(struct plan *plan, long from, long to)
{
    long k = from;
    for (; k + 8 <= to; k += 8)
        do_eight(plan, k);
    for (; k + 4 <= to; k += 4)
        do_four(plan, k);
    for (; k < to; k++)
        do_one(plan, k);
}

static void do_row(struct plan *plan, long from, long to)
{
    if (plan->plain > 0 && from < to)
        plan->last = plain_row(&plan->row, plan->plain, from, to);
    else
        do_blocks(plan, from, to);
    if (plan->row.to && plan->row.to_step == 0) /* it stays in a register until then */
        *plan->row.to = plan->last;
}

static void count(struct walk *walk, const struct plan *plan, double elements)
{
    for (int k = 0; k < OPERATION_COUNT; k++)
        walk->done.of[k] += plan->each.of[k] * elements;
    walk->rows_done += 1.0;
}

void walk_rows(struct walk *walk, double first, double end)
{
    walk_parts(walk, first, end, 0, walk->length);
}

void walk_parts(struct walk *walk, double first, double end, long from, long to)
{
    struct plan plan;
    long index[WALK_STEPS] = {0};
    begin(&plan, walk);
    find_row(index, walk, first);
    for (double row = first; row < end; row += 1.0) {
        if (plan.varies)
            set_operations(&plan, walk);
        go_to_row(&plan, walk, index);
        do_row(&plan, from, to);
        count(walk, &plan, (double)(to - from));
        step_row(index, walk);
    }
    walk->value = plan.last;
}
