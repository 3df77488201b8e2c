/* No intrinsics: vector extensions of the compiler, and barriers behind which it knows nothing of a
   value. The file is compiled with contraction on, so that x * d + c is one instruction. */
#include "trainer/node/node_kernels.h"

#include "trainer/node/opaque.h"

#include <string.h>

/* Without its flags a multiply-add is two instructions, and a square root calls a function. */
#if !defined __NO_MATH_ERRNO__
#error                                                                                             \
    "expected -ffp-contract=fast -fno-math-errno, which Makefile.am gives this object by its name"
#endif

#ifdef FLOATING_REGISTER

typedef double two __attribute__((vector_size(16)));
typedef double four __attribute__((vector_size(32)));
typedef double eight __attribute__((vector_size(64)));

static bool always(void)
{
    return true;
}

/* ---- steps; chains are numbered, in registers by name: an array costs a store and a load ---- */

/* Loaded, not computed: on some cores a product takes a cycle more for ever after where one of its
   operands was written by an adder, however long ago. */
#define GIVEN(i) (((const number *)numbers)[i])
#define BEGIN(i)                                                                                   \
    number x##i = GIVEN(i);                                                                        \
    OPAQUE(x##i);
#define ADD(i)                                                                                     \
    x##i = x##i + c;                                                                               \
    OPAQUE(x##i);
#define MUL(i)                                                                                     \
    x##i = x##i * d;                                                                               \
    OPAQUE(x##i);
#define MADD(i)                                                                                    \
    x##i = x##i * d + c;                                                                           \
    OPAQUE(x##i);
#define DIV(i)                                                                                     \
    x##i = c / x##i;                                                                               \
    OPAQUE(x##i);
/* Results that nothing waits for: of mixes, in which one kind of chain would hold up the other. */
#define FREE(result)                                                                               \
    {                                                                                              \
        const number x = (result);                                                                 \
        USED(x);                                                                                   \
        OPAQUE(c);                                                                                 \
    }
#define FREE_ADD(i) FREE(c + d)
#define FREE_MUL(i) FREE(c *d)
/* In place: a copy of what it adds to would be one more operation. */
#define FREE_MADD(i)                                                                               \
    x##i = c * d + x##i;                                                                           \
    OPAQUE(x##i);                                                                                  \
    OPAQUE(c);
#define FREE_DIV(i) FREE(c / d)
#define FREE_SQRT(i) FREE(__builtin_sqrt(c))
/* The fixed point has a full mantissa; the addition is taken off afterwards. */
#define SQRT_ADD(i)                                                                                \
    x##i = __builtin_sqrt(x##i) + c;                                                               \
    OPAQUE(x##i);
#define ROOT(i)                                                                                    \
    x##i = __builtin_sqrt(x##i);                                                                   \
    OPAQUE(x##i);
/* Loads from where the result before says: its bits, of which none are left. */
#define LOAD_AFTER(i)                                                                              \
    {                                                                                              \
        long bits;                                                                                 \
        memcpy(&bits, &x##i, sizeof bits);                                                         \
        x##i = *(const double *)((const char *)numbers + (bits & none));                           \
        OPAQUE(x##i);                                                                              \
    }
/* Whoever stores does not know that the next load is from there. */
#define STORE_LOAD(i)                                                                              \
    *to = x##i;                                                                                    \
    __asm__ volatile("" : "+r"(at), "+r"(to) : : "memory");                                        \
    x##i = *at;                                                                                    \
    OPAQUE(x##i);

#define TWELVE(step)                                                                               \
    step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7) step(8) step(9) step(10)       \
        step(11)
/* Twelve of each, so that no result is needed before it is there. */
#define TWELVE_PAIRS(a, b)                                                                         \
    a(0) b(0) a(1) b(1) a(2) b(2) a(3) b(3) a(4) b(4) a(5) b(5) a(6) b(6) a(7) b(7) a(8) b(8) a(9) \
        b(9) a(10) b(10) a(11) b(11)
#define TWELVE_TRIPLES(a, b, f)                                                                    \
    a(0) b(0) f(0) a(1) b(1) f(1) a(2) b(2) f(2) a(3) b(3) f(3) a(4) b(4) f(4) a(5) b(5) f(5) a(6) \
        b(6) f(6) a(7) b(7) f(7) a(8) b(8) f(8) a(9) b(9) f(9) a(10) b(10) f(10) a(11) b(11) f(11)
#define SAME(step)                                                                                 \
    step(0) step(0) step(0) step(0) step(0) step(0) step(0) step(0) step(0) step(0) step(0) step(0)
#define SIX_PAIRS(a, b) a(0) b(0) a(0) b(0) a(0) b(0) a(0) b(0) a(0) b(0) a(0) b(0)
#define TWELVE_ROOTS                                                                               \
    ROOT(0)                                                                                        \
    ROOT(0) ROOT(0) ROOT(0) ROOT(0) ROOT(0) ROOT(0) ROOT(0) ROOT(0) ROOT(0) ROOT(0) SQRT_ADD(0)
#define SIXTEEN(step)                                                                              \
    step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7) step(8) step(9) step(10)       \
        step(11) step(12) step(13) step(14) step(15)

/* ---- kernels ---- */

#define KERNEL(name, type, target, steps)                                                          \
    target static void name(long rounds, double *numbers)                                          \
    {                                                                                              \
        typedef type number;                                                                       \
        number c = GIVEN(12), d = GIVEN(13);                                                       \
        OPAQUE(c);                                                                                 \
        OPAQUE(d);                                                                                 \
        TWELVE(BEGIN)                                                                              \
        for (long i = 0; i < rounds; i++) {                                                        \
            steps                                                                                  \
        }                                                                                          \
        TWELVE(USED_CHAIN)                                                                         \
        USED(d);                                                                                   \
    }
#define USED_CHAIN(i) USED(x##i);

#define LOAD(i)                                                                                    \
    {                                                                                              \
        const number x = at[i];                                                                    \
        USED(x);                                                                                   \
    }
#define STORE(i)                                                                                   \
    to[i] = c;                                                                                     \
    OPAQUE(c);
#define LOAD_STORE(i) LOAD(i) STORE(i)

#define REFERENCES(name, type, target, steps)                                                      \
    target static void name(long rounds, double *numbers)                                          \
    {                                                                                              \
        typedef type number;                                                                       \
        const number *const at = (const number *)numbers;                                          \
        number *const to = (number *)(numbers + KERNEL_NUMBERS / 2);                               \
        number c = GIVEN(12);                                                                      \
        OPAQUE(c);                                                                                 \
        for (long i = 0; i < rounds; i++) {                                                        \
            steps __asm__ volatile("" : : "r"(at), "r"(to) : "memory");                            \
        }                                                                                          \
    }

/* Chains through memory. */
#define THROUGH_MEMORY(name, target, steps)                                                        \
    target static void name(long rounds, double *numbers)                                          \
    {                                                                                              \
        const double *at = numbers;                                                                \
        double *to = numbers, c = numbers[12], d = numbers[13], x0 = numbers[0];                   \
        long none = 0;                                                                             \
        OPAQUE(c);                                                                                 \
        OPAQUE(d);                                                                                 \
        __asm__ volatile("" : "+r"(none), "+r"(at), "+r"(to));                                     \
        for (long i = 0; i < rounds; i++) {                                                        \
            steps                                                                                  \
        }                                                                                          \
        USED(x0);                                                                                  \
    }

#define ALL(prefix, type, target, madd_target)                                                     \
    KERNEL(prefix##_add, type, target, TWELVE(ADD))                                                \
    KERNEL(prefix##_mul, type, target, TWELVE(MUL))                                                \
    KERNEL(prefix##_madd, type, madd_target, TWELVE(MADD))                                         \
    KERNEL(prefix##_div, type, target, TWELVE(DIV))                                                \
    REFERENCES(prefix##_load, type, target, SIXTEEN(LOAD))                                         \
    REFERENCES(prefix##_store, type, target, SIXTEEN(STORE))

#ifdef __x86_64__
#define FMA __attribute__((target("fma")))
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,fma")))
static bool has_fma(void)
{
    return __builtin_cpu_supports("fma");
}
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}
#else
#define FMA
#define has_fma always
#endif

ALL(one, double, , FMA)
ALL(two, two, , FMA)
#ifdef __x86_64__
ALL(four, four, AVX2, AVX2)
ALL(eight, eight, AVX512, AVX512)
#endif

KERNEL(one_sqrt, double, , TWELVE(FREE_SQRT))
KERNEL(chain_add, double, , SAME(ADD))
KERNEL(chain_mul, double, , SAME(MUL))
KERNEL(chain_madd, double, FMA, SAME(MADD))
KERNEL(chain_div, double, , SAME(DIV))
KERNEL(chain_sqrt, double, , TWELVE_ROOTS)
KERNEL(chain_root, double, , SAME(ROOT))
KERNEL(pair_add_mul, double, , SIX_PAIRS(ADD, MUL))
KERNEL(pair_add_madd, double, FMA, SIX_PAIRS(ADD, MADD))
KERNEL(pair_add_div, double, , SIX_PAIRS(ADD, DIV))
KERNEL(pair_add_sqrt, double, , SIX_PAIRS(ADD, ROOT))
KERNEL(pair_mul_madd, double, FMA, SIX_PAIRS(MUL, MADD))
KERNEL(pair_mul_div, double, , SIX_PAIRS(MUL, DIV))
KERNEL(pair_mul_sqrt, double, , SIX_PAIRS(MUL, ROOT))
KERNEL(pair_madd_div, double, FMA, SIX_PAIRS(MADD, DIV))
KERNEL(pair_madd_sqrt, double, FMA, SIX_PAIRS(MADD, ROOT))
KERNEL(pair_div_sqrt, double, , SIX_PAIRS(DIV, ROOT))
THROUGH_MEMORY(load_alone, , SAME(LOAD_AFTER))
THROUGH_MEMORY(load_add, , SIX_PAIRS(LOAD_AFTER, ADD))
THROUGH_MEMORY(load_mul, , SIX_PAIRS(LOAD_AFTER, MUL))
THROUGH_MEMORY(load_madd, FMA, SIX_PAIRS(LOAD_AFTER, MADD))
THROUGH_MEMORY(load_div, , SIX_PAIRS(LOAD_AFTER, DIV))
THROUGH_MEMORY(load_sqrt, , SIX_PAIRS(LOAD_AFTER, ROOT))
THROUGH_MEMORY(store_load, , SAME(STORE_LOAD))
KERNEL(mix_add_mul, double, FMA, TWELVE_PAIRS(FREE_ADD, FREE_MUL))
KERNEL(mix_add_madd, double, FMA, TWELVE_PAIRS(FREE_ADD, FREE_MADD))
KERNEL(mix_mul_madd, double, FMA, TWELVE_PAIRS(FREE_MUL, FREE_MADD))
KERNEL(mix_add_mul_madd, double, FMA, TWELVE_TRIPLES(FREE_ADD, FREE_MUL, FREE_MADD))
KERNEL(mix_div_sqrt, double, , TWELVE_PAIRS(FREE_DIV, FREE_SQRT))
REFERENCES(mix_load_store, double, , SIXTEEN(LOAD_STORE))

/* Round a ring: a core may guess what a load from one place gives. */
enum { RING = 64 };
#define CHASE(i) at = *(const void *const *)at;
static void chain_load(long rounds, double *numbers)
{
    const void *ring[RING], *at = ring;
    (void)numbers;
    for (size_t i = 0; i < RING; i++)
        ring[i] = &ring[(5 * i + 3) % RING];
    __asm__ volatile("" : "+r"(at) : : "memory");
    for (long i = 0; i < rounds; i++) {
        SAME(CHASE)
    }
    __asm__ volatile("" : : "r"(at));
}

#define FOUR_NOPS(i) NOP NOP NOP NOP
static void issue(long rounds, double *numbers)
{
    (void)numbers;
    for (long i = 0; i < rounds; i++) {
        SIXTEEN(FOUR_NOPS)
        SIXTEEN(FOUR_NOPS)
        SIXTEEN(FOUR_NOPS)
    }
}

#define BIT(operation) (1U << OPERATION_##operation)
#define ROWS(prefix, lanes, has, has_madd)                                                         \
    {KERNEL_THROUGHPUT, BIT(ADD), lanes, 12, has, prefix##_add},                                   \
        {KERNEL_THROUGHPUT, BIT(MUL), lanes, 12, has, prefix##_mul},                               \
        {KERNEL_THROUGHPUT, BIT(MADD), lanes, 12, has_madd, prefix##_madd},                        \
        {KERNEL_THROUGHPUT, BIT(DIV), lanes, 12, has, prefix##_div},                               \
        {KERNEL_THROUGHPUT, BIT(LOAD), lanes, 16, has, prefix##_load},                             \
        {KERNEL_THROUGHPUT, BIT(STORE), lanes, 16, has, prefix##_store},

const struct kernel kernels[] = {
  /* clang-format off */
    ROWS(one, 1, always, has_fma)
    {KERNEL_THROUGHPUT, BIT(SQRT), 1, 12, always, one_sqrt},
    {KERNEL_LATENCY, BIT(ADD), 1, 12, always, chain_add},
    {KERNEL_LATENCY, BIT(MUL), 1, 12, always, chain_mul},
    {KERNEL_LATENCY, BIT(MADD), 1, 12, has_fma, chain_madd},
    {KERNEL_LATENCY, BIT(DIV), 1, 12, always, chain_div},
    {KERNEL_LATENCY, BIT(SQRT), 1, 12, always, chain_sqrt},
    {KERNEL_EASY_THROUGHPUT, BIT(DIV), 1, 12, always, one_div},
    {KERNEL_EASY_THROUGHPUT, BIT(SQRT), 1, 12, always, one_sqrt},
    {KERNEL_EASY_LATENCY, BIT(DIV), 1, 12, always, chain_div},
    {KERNEL_EASY_LATENCY, BIT(SQRT), 1, 12, always, chain_root},
    {KERNEL_PAIR, BIT(ADD) | BIT(MUL), 1, 6, always, pair_add_mul},
    {KERNEL_PAIR, BIT(ADD) | BIT(MADD), 1, 6, has_fma, pair_add_madd},
    {KERNEL_PAIR, BIT(ADD) | BIT(DIV), 1, 6, always, pair_add_div},
    {KERNEL_PAIR, BIT(ADD) | BIT(SQRT), 1, 6, always, pair_add_sqrt},
    {KERNEL_PAIR, BIT(MUL) | BIT(MADD), 1, 6, has_fma, pair_mul_madd},
    {KERNEL_PAIR, BIT(MUL) | BIT(DIV), 1, 6, always, pair_mul_div},
    {KERNEL_PAIR, BIT(MUL) | BIT(SQRT), 1, 6, always, pair_mul_sqrt},
    {KERNEL_PAIR, BIT(MADD) | BIT(DIV), 1, 6, has_fma, pair_madd_div},
    {KERNEL_PAIR, BIT(MADD) | BIT(SQRT), 1, 6, has_fma, pair_madd_sqrt},
    {KERNEL_PAIR, BIT(DIV) | BIT(SQRT), 1, 6, always, pair_div_sqrt},
    {KERNEL_PAIR, BIT(STORE) | BIT(LOAD), 1, 12, always, store_load},
    {KERNEL_LATENCY, BIT(LOAD), 1, 12, always, chain_load},
    {KERNEL_LOAD_USE, BIT(LOAD), 1, 12, always, load_alone},
    {KERNEL_LOAD_USE, BIT(ADD), 1, 6, always, load_add},
    {KERNEL_LOAD_USE, BIT(MUL), 1, 6, always, load_mul},
    {KERNEL_LOAD_USE, BIT(MADD), 1, 6, has_fma, load_madd},
    {KERNEL_LOAD_USE, BIT(DIV), 1, 6, always, load_div},
    {KERNEL_LOAD_USE, BIT(SQRT), 1, 6, always, load_sqrt},
    {KERNEL_MIX, BIT(ADD) | BIT(MUL), 1, 12, has_fma, mix_add_mul},
    {KERNEL_MIX, BIT(ADD) | BIT(MADD), 1, 12, has_fma, mix_add_madd},
    {KERNEL_MIX, BIT(MUL) | BIT(MADD), 1, 12, has_fma, mix_mul_madd},
    {KERNEL_MIX, BIT(ADD) | BIT(MUL) | BIT(MADD), 1, 12, has_fma, mix_add_mul_madd},
    {KERNEL_MIX, BIT(DIV) | BIT(SQRT), 1, 12, always, mix_div_sqrt},
    {KERNEL_MIX, BIT(LOAD) | BIT(STORE), 1, 16, always, mix_load_store},
    {KERNEL_ISSUE, 0, 1, 192, always, issue},
    ROWS(two, 2, always, has_fma)
#ifdef __x86_64__
    ROWS(four, 4, has_avx2, has_avx2)
    ROWS(eight, 8, has_avx512, has_avx512)
#endif
  /* clang-format on */
};
const size_t kernels_count = sizeof kernels / sizeof *kernels;

#else

const struct kernel kernels[] = {{0}};
const size_t kernels_count = 0;

#endif
