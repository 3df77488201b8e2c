#include "trainer/rehearsal/plain.h"

/* Without its flags a multiply-add is two instructions, and a square root calls a function. */
#if !defined __NO_MATH_ERRNO__
#error                                                                                             \
    "expected -ffp-contract=fast -fno-math-errno, which Makefile.am gives this object by its name"
#endif

/* Additions of sources; the operation in which the last ones meet them; the one that follows; and
   how far apart neighbours are. */
enum { ADDS_MOST = 6 };
enum join { JOIN_NONE, JOIN_PRODUCT, JOIN_MULTIPLY_ADD };
enum tail { TAIL_NONE, TAIL_MULTIPLY, TAIL_MULTIPLY_ADD, TAIL_DIVIDE, TAIL_OTHER };
enum stride {
    STRIDE_ONE,
    STRIDE_SCALED, /* one factor is the same for all elements, the rest as before */
    STRIDE_ANY
};

#define NUMBER(adds, join, tail, stride)                                                           \
    (1 + (((adds)*3 + (int)(join)) * 4 + (int)(tail)) * 3 + (int)(stride))

enum { SUM_OF_PRODUCTS = 1 + (ADDS_MOST + 1) * 3 * 4 * 3, SUM_OF_SQUARES };

/* ---- one loop, of which every combination is compiled ---- */

#define INLINED static inline __attribute__((always_inline))

INLINED const double *begin(const struct source *source, long from)
{
    return source->at + from * source->step;
}

INLINED double finish(double value, const struct operands *with, enum tail tail)
{
    switch (tail) {
    case TAIL_MULTIPLY:
        return value * with->factor;
    case TAIL_MULTIPLY_ADD:
        return value * with->factor + with->addend;
    case TAIL_DIVIDE:
        return value / with->divisor;
    default:
        return value;
    }
}

#define AT(a, step) (stride == STRIDE_ANY ? a[k * (step)] : a[k])
#define BEGIN(i)                                                                                   \
    const struct source *const source##i = &row->sources[adds >= i ? i : 0];                       \
    const double *const a##i = begin(source##i, from);                                             \
    const long step##i = source##i->step;
#define ADD(i)                                                                                     \
    if (adds >= i)                                                                                 \
        value += AT(a##i, step##i);

/* All but row and range are constants where it is called. */
INLINED double loop(const struct row *row, long from, long end, int adds, enum join join,
                    enum tail tail, enum stride stride)
{
    const struct operands with = row->with;
    const struct source *const joined = &row->sources[join == JOIN_NONE ? 0 : adds + 1];
    const struct source *const factor = joined + (join == JOIN_PRODUCT ? 1 : 0);
    const bool is_first = stride == STRIDE_SCALED && joined->step == 0;
    const double *const b = begin(is_first ? factor : joined, from);
    const double *const c = begin(is_first ? joined : factor, from);
    const double scale = join == JOIN_PRODUCT ? *c : 0.0;
    const long b_step = joined->step, c_step = factor->step, to_step = row->to_step;
    double *const to = row->to + from * to_step, value = 0.0;
    BEGIN(0)
    BEGIN(1)
    BEGIN(2)
    BEGIN(3)
    BEGIN(4)
    BEGIN(5)
    BEGIN(6)
    for (long k = 0; k < end - from; k++) {
        value = AT(a0, step0);
        ADD(1)
        ADD(2)
        ADD(3)
        ADD(4)
        ADD(5)
        ADD(6)
        if (join == JOIN_PRODUCT)
            value += AT(b, b_step) * (stride == STRIDE_SCALED ? scale : AT(c, c_step));
        if (join == JOIN_MULTIPLY_ADD)
            value = value * with.factor + AT(b, b_step);
        value = finish(value, &with, tail);
        to[stride == STRIDE_ANY ? k * to_step : k] = value;
    }
    return value;
}

/* ---- sums ---- */

/* Several of them, or each product would wait for the one before. */
INLINED double sum(const struct row *row, long from, long end, bool squares)
{
    const struct source *const first = &row->sources[0];
    const struct source *const second = &row->sources[squares ? 0 : 1];
    const double *const a = first->at, *const b = second->at;
    const long step = first->step, b_step = second->step;
    double sums[4] = {*row->to};
    long k = from;
    for (; k + 4 <= end; k += 4)
        for (long i = 0; i < 4; i++)
            sums[i] += a[(k + i) * step] * b[(k + i) * b_step];
    for (; k < end; k++)
        sums[0] += a[k * step] * b[k * b_step];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* ---- which ---- */

/* TAIL_OTHER: more than one operation, or one of another kind. */
static enum tail tail_of(const long *owed)
{
    static const enum tail tails[OPERATION_COUNT] = {[OPERATION_MUL] = TAIL_MULTIPLY,
                                                     [OPERATION_MADD] = TAIL_MULTIPLY_ADD,
                                                     [OPERATION_DIV] = TAIL_DIVIDE};
    enum tail tail = TAIL_NONE;
    for (int k = OPERATION_ADD; k <= OPERATION_SQRT; k++)
        if (owed[k] > 0)
            tail =
                owed[k] == 1 && tail == TAIL_NONE && tails[k] != TAIL_NONE ? tails[k] : TAIL_OTHER;
    return tail;
}

static int find_sum(const struct row *row, enum tail tail)
{
    const bool multiplies = row->sources[1].how == MULTIPLY_ADDED;
    if (row->source_count == 2 && multiplies && tail == TAIL_NONE)
        return SUM_OF_PRODUCTS;
    return row->source_count == 1 && tail == TAIL_MULTIPLY_ADD ? SUM_OF_SQUARES : 0;
}

static enum stride stride_of(const struct row *row, enum join join)
{
    int others = row->to_step != 1, fixed = 0;
    for (int i = 0; i < row->source_count; i++) {
        const bool is_factor = join == JOIN_PRODUCT && i + 2 >= row->source_count;
        fixed += is_factor && row->sources[i].step == 0;
        others += row->sources[i].step != 1 && !(is_factor && row->sources[i].step == 0);
    }
    if (others > 0 || fixed > 1)
        return STRIDE_ANY;
    return fixed == 1 ? STRIDE_SCALED : STRIDE_ONE;
}

int plain_find(const struct row *row, const long *owed, bool writes)
{
    const enum tail tail = tail_of(owed);
    enum join join = JOIN_NONE;
    int at = 1;
    if (!writes || row->source_count == 0 || tail == TAIL_OTHER)
        return 0;
    if (row->to_step == 0)
        return find_sum(row, tail);
    while (at < row->source_count && row->sources[at].how == ADDED)
        at++;
    const int adds = at - 1;
    if (at < row->source_count && row->sources[at].how != MULTIPLIED) {
        join = row->sources[at].how == PRODUCT_ADDED ? JOIN_PRODUCT : JOIN_MULTIPLY_ADD;
        at += join == JOIN_PRODUCT ? 2 : 1;
    }
    if (at != row->source_count || adds > ADDS_MOST)
        return 0;
    return NUMBER(adds, join, tail, stride_of(row, join));
}

#define TAIL(adds, join, tail, stride)                                                             \
    case NUMBER(adds, join, tail, stride):                                                         \
        return loop(row, from, to, adds, join, tail, stride);
#define TAILS(adds, join, stride)                                                                  \
    TAIL(adds, join, TAIL_NONE, stride)                                                            \
    TAIL(adds, join, TAIL_MULTIPLY, stride)                                                        \
    TAIL(adds, join, TAIL_MULTIPLY_ADD, stride)                                                    \
    TAIL(adds, join, TAIL_DIVIDE, stride)
#define STRIDES(adds, join) TAILS(adds, join, STRIDE_ONE) TAILS(adds, join, STRIDE_ANY)
#define JOINS(adds)                                                                                \
    STRIDES(adds, JOIN_NONE)                                                                       \
    STRIDES(adds, JOIN_MULTIPLY_ADD)                                                               \
    STRIDES(adds, JOIN_PRODUCT)                                                                    \
    TAILS(adds, JOIN_PRODUCT, STRIDE_SCALED)

double plain_row(const struct row *row, int number, long from, long to)
{
    switch (number) {
        JOINS(0)
        JOINS(1)
        JOINS(2)
        JOINS(3)
        JOINS(4)
        JOINS(5)
        JOINS(6)
    case SUM_OF_PRODUCTS:
        return sum(row, from, to, false);
    default:
        return sum(row, from, to, true);
    }
}
