#include "trainer/rehearsal/walk.h"

#include <math.h>
#include <string.h>

/* ---- one operation on every element of a strip ---- */

#define ON_STRIP(name, operation)                                                                  \
    static void name(double *restrict v, long n, double c)                                         \
    {                                                                                              \
        for (long k = 0; k < n; k++) {                                                             \
            double x = v[k];                                                                       \
            operation;                                                                             \
            v[k] = x;                                                                              \
        }                                                                                          \
    }

ON_STRIP(add_one, x += c)
ON_STRIP(add_four, x += c; x += c; x += c; x += c)
ON_STRIP(multiply_one, x *= c)
ON_STRIP(multiply_four, x *= c; x *= c; x *= c; x *= c)
ON_STRIP(divide_one, x /= c)
ON_STRIP(root_one, (void)c; x = sqrt(x))

static void multiply_add(double *restrict v, long n, double c, double d)
{
    for (long k = 0; k < n; k++)
        v[k] = v[k] * c + d;
}

/* ---- one reference on every element ---- */

#define FROM_ARRAY(name, operation)                                                                \
    static void name(double *restrict v, const double *restrict a, long step, long n, double c)    \
    {                                                                                              \
        (void)c;                                                                                   \
        if (step == 1)                                                                             \
            for (long k = 0; k < n; k++)                                                           \
                v[k] = operation(a[k]);                                                            \
        else                                                                                       \
            for (long k = 0; k < n; k++)                                                           \
                v[k] = operation(a[k * step]);                                                     \
    }

#define TAKEN(x) (x)
#define ADDED(x) (v[k] + (x))
#define MULTIPLIED(x) (v[k] * (x))
#define MULTIPLY_ADDED(x) (v[k] * c + (x))

FROM_ARRAY(take, TAKEN)
FROM_ARRAY(take_adding, ADDED)
FROM_ARRAY(take_multiplying, MULTIPLIED)
FROM_ARRAY(take_multiply_adding, MULTIPLY_ADDED)

static void put(double *a, long step, const double *v, long n)
{
    if (step == 1)
        memcpy(a, v, (size_t)n * sizeof *a);
    else
        for (long k = 0; k < n; k++)
            a[k * step] = v[k];
}

/* ---- a strip ---- */

/* Operations of a strip that are still to be done, per element. */
struct owed {
    long of[OPERATION_COUNT];
};

/* Averages such as half an addition an element are whole ones of every other strip. */
static struct owed owed_of(const struct walk *walk)
{
    struct owed owed;
    for (int k = 0; k < OPERATION_COUNT; k++) {
        const double each = fmax(0.0, walk->operations.of[k] - walk->chain.of[k]);
        owed.of[k] = (long)(floor((walk->strips + 1.0) * each) - floor(walk->strips * each));
    }
    return owed;
}

static bool pay(struct walk *walk, struct owed *owed, enum operation operation, long n)
{
    if (owed->of[operation] == 0)
        return false;
    owed->of[operation]--;
    walk->done.of[operation] += (double)n;
    return true;
}

/* Every read after the first meets what was read before in one of the statement's operations; where
   those are too few, in an addition more. */
static void take_read(struct walk *walk, struct owed *owed, const double *a, long step, double *v,
                      long n)
{
    const double c = walk->operands.factor;
    if (pay(walk, owed, OPERATION_ADD, n)) {
        take_adding(v, a, step, n, c);
    } else if (pay(walk, owed, OPERATION_MADD, n)) {
        take_multiply_adding(v, a, step, n, c);
    } else if (pay(walk, owed, OPERATION_MUL, n)) {
        take_multiplying(v, a, step, n, c);
    } else {
        take_adding(v, a, step, n, c);
        walk->done.of[OPERATION_ADD] += (double)n;
    }
}

static void several(double *v, long n, double c, long times, void one(double *, long, double),
                    void four(double *, long, double))
{
    for (; four && times >= 4; times -= 4)
        four(v, n, c);
    for (; times > 0; times--)
        one(v, n, c);
}

static void do_owed(struct walk *walk, const struct owed *owed, double *v, long n)
{
    const struct operands *with = &walk->operands;
    several(v, n, with->addend, owed->of[OPERATION_ADD], add_one, add_four);
    several(v, n, with->factor, owed->of[OPERATION_MUL], multiply_one, multiply_four);
    for (long i = 0; i < owed->of[OPERATION_MADD]; i++)
        multiply_add(v, n, with->factor, with->addend);
    several(v, n, with->divisor, owed->of[OPERATION_DIV], divide_one, NULL);
    several(v, n, 0.0, owed->of[OPERATION_SQRT], root_one, NULL);
    for (int k = OPERATION_ADD; k <= OPERATION_SQRT; k++)
        walk->done.of[k] += (double)n * (double)owed->of[k];
}

/* Each element waits for the one `distance` before it: once per operation of the chain. */
static void do_chain(struct walk *walk, double *v, long n)
{
    const struct operands with = walk->operands;
    long times[OPERATION_COUNT];
    for (int k = 0; k < OPERATION_COUNT; k++) {
        times[k] = lround(walk->chain.of[k]);
        walk->done.of[k] += (double)n * (double)times[k];
    }
    for (long k = 0, slot = 0; k < n; k++, slot = slot + 1 == walk->distance ? 0 : slot + 1) {
        double x = walk->carried[slot];
        for (long i = 0; i < times[OPERATION_ADD]; i++)
            x += v[k];
        for (long i = 0; i < times[OPERATION_MUL]; i++)
            x *= with.factor;
        for (long i = 0; i < times[OPERATION_MADD]; i++)
            x = x * with.factor + v[k];
        for (long i = 0; i < times[OPERATION_DIV]; i++)
            x /= with.divisor;
        for (long i = 0; i < times[OPERATION_SQRT]; i++)
            x = sqrt(x);
        walk->carried[slot] = v[k] = x;
    }
}

static bool is_chained(const struct walk *walk)
{
    for (int k = OPERATION_ADD; k <= OPERATION_SQRT; k++)
        if (walk->chain.of[k] >= 0.5)
            return true;
    return false;
}

static void do_strip(struct walk *walk, const long *at, long write_at, long from, long n)
{
    double v[WALK_STRIP] = {0.0};
    struct owed owed = owed_of(walk);
    const int inner = walk->depth - 1;
    for (int i = 0; i < walk->read_count; i++) {
        const long step = walk->reads[i].step[inner];
        const double *a = walk->reads[i].base + at[i] + from * step;
        if (i == 0)
            take(v, a, step, n, 0.0);
        else
            take_read(walk, &owed, a, step, v, n);
        walk->done.of[OPERATION_LOAD] += (double)n;
    }
    do_owed(walk, &owed, v, n);
    if (is_chained(walk))
        do_chain(walk, v, n);
    if (walk->writes) {
        const long step = walk->written.step[inner];
        put(walk->written.base + write_at + from * step, step, v, n);
        walk->done.of[OPERATION_STORE] += (double)n;
    }
    walk->value = v[n - 1];
    walk->strips += 1.0;
}

/* ---- rows ---- */

static long offset_at(const struct walked *reference, const long *index, int loops)
{
    long offset = reference->offset;
    for (int l = 0; l < loops; l++)
        offset += reference->step[l] * index[l];
    return offset;
}

static void do_row(struct walk *walk, double row)
{
    long index[WALK_STEPS] = {0}, at[WALK_READS] = {0};
    for (int l = walk->depth - 2; l >= 0; l--) {
        const double trips = fmax(1.0, walk->trips[l]);
        index[l] = (long)fmod(row, trips);
        row = floor(row / trips);
    }
    for (int i = 0; i < walk->read_count; i++)
        at[i] = offset_at(&walk->reads[i], index, walk->depth - 1);
    const long write_at = walk->writes ? offset_at(&walk->written, index, walk->depth - 1) : 0;
    for (long from = 0; from < walk->length; from += WALK_STRIP)
        do_strip(walk, at, write_at, from,
                 walk->length - from < WALK_STRIP ? walk->length - from : WALK_STRIP);
}

void walk_rows(struct walk *walk, double first, double end)
{
    for (double row = first; row < end; row += 1.0)
        do_row(walk, row);
}
