#include "trainer/node/core_clock.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <time.h>

/* Addition is not among them: some cores add small constants while they rename registers. A sample
   lasts 20 us, so that the tick of the clock is no part of it. */
enum {
    STEPS = 80000,
    SOME_STEPS = 20000,
    FEW_STEPS = 4000,
    SAMPLES = 60,
    CHAINS = 4,
    READINGS = 100,
    ATTEMPTS = 5
};

/* Chains that are farther apart than this were disturbed, or are not what they seem. */
static const double agreement = 0.02;

/* Nothing about the value is known to the compiler from here on. */
#define OPAQUE(value) __asm__ volatile("" : "+r"(value))

double core_clock_now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

#define CHAIN(name, step)                                                                          \
    static double name(int steps, uint64_t x, uint64_t y)                                          \
    {                                                                                              \
        const double start_ns = core_clock_now_ns();                                               \
        for (int i = 0; i < steps / 20; i++) {                                                     \
            step step step step step step step step step step;                                     \
            step step step step step step step step step step;                                     \
        }                                                                                          \
        OPAQUE(x);                                                                                 \
        return core_clock_now_ns() - start_ns;                                                     \
    }

CHAIN(exclusive_or, x ^= y; OPAQUE(x); OPAQUE(y);)
CHAIN(complement, x = ~x; OPAQUE(x); OPAQUE(y);)
CHAIN(subtraction, x -= y; OPAQUE(x); OPAQUE(y);)
CHAIN(rotation, x = x << 7 | x >> 57; OPAQUE(x); OPAQUE(y);)

/* Five instructions that do nothing beside each step; long ones, of which x86 decodes as many. */
#if defined __x86_64__
#define NOTHING "nopl 0x40(%%rax)\n "
#else
#define NOTHING "nop\n "
#endif
#define CROWDED_STEP                                                                               \
    x ^= y;                                                                                        \
    OPAQUE(x);                                                                                     \
    OPAQUE(y);                                                                                     \
    __asm__ volatile(NOTHING NOTHING NOTHING NOTHING NOTHING ::);
/* In twos: the loop takes instructions as well. */
CHAIN(crowded_twos, CROWDED_STEP CROWDED_STEP)

/* What a reading of the clock adds to a sample. */
static double least_reading_ns(int readings)
{
    double least_ns = INFINITY;
    for (int i = 0; i < readings; i++) {
        const double start_ns = core_clock_now_ns();
        least_ns = fmin(least_ns, core_clock_now_ns() - start_ns);
    }
    return least_ns;
}

static double agreed_ghz(double reading)
{
    static double (*const chains[CHAINS])(int, uint64_t, uint64_t) = {exclusive_or, complement,
                                                                      subtraction, rotation};
    double ghz[CHAINS];
    for (int k = 0; k < CHAINS; k++) {
        double least_ns = INFINITY;
        for (int i = 0; i < SAMPLES; i++)
            least_ns = fmin(least_ns, chains[k](STEPS, 12345, 678));
        ghz[k] = STEPS / (least_ns - reading);
    }
    gsl_sort(ghz, 1, CHAINS);
    /* One chain may cost more than a cycle a step, or less; two that agree, the fastest first. */
    for (int k = CHAINS - 1; k > 0; k--)
        if (ghz[k] - ghz[k - 1] < agreement * ghz[k])
            return ghz[k];
    return NAN;
}

double core_clock_ghz(void)
{
    const double reading = least_reading_ns(READINGS);
    double ghz = NAN;
    for (int i = 0; i < ATTEMPTS && isnan(ghz); i++)
        ghz = agreed_ghz(reading);
    return ghz;
}

double core_clock_cycle_ns(void)
{
    return exclusive_or(STEPS, 12345, 678) / STEPS;
}

double core_clock_short_cycle_ns(double reading_ns)
{
    return (exclusive_or(FEW_STEPS, 12345, 678) - reading_ns) / FEW_STEPS;
}

double core_clock_crowded_cycle_ns(void)
{
    return crowded_twos(SOME_STEPS / 2, 12345, 678) / SOME_STEPS;
}
