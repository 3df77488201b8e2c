#include "core.h"

#include <math.h>
#include <time.h>

enum { PIECE = 100 };

double core_now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* PIECE steps of a chain of exclusive ors, which takes a cycle a step: the core's clock goes up and
   down by a tenth. In one piece, which is the same however the program is compiled. BESIDE: what
   stands beside each step. */
#if defined __x86_64__
#define CHAIN(beside)                                                                              \
    __asm__ volatile(".rept 100\n xor %%rdx, %%rax\n" beside " .endr" : : : "rax", "cc")
#define BESIDE(count) ".rept " #count "\n nopl 0x40(%%rax)\n .endr\n"
#elif defined __aarch64__
#define CHAIN(beside) __asm__ volatile(".rept 100\n eor x9, x9, x10\n" beside " .endr" : : : "x9")
#define BESIDE(count) ".rept " #count "\n nop\n .endr\n"
#else
#define CHAIN(beside) return (double)NAN
#endif

double core_cycle_us(int steps)
{
    const double begin_us = core_now_us();
    for (int i = 0; i < steps / PIECE; i++)
        CHAIN("");
    return (core_now_us() - begin_us) / steps;
}

double core_crowded_cycle_us(enum core_crowd crowd, int steps)
{
    const double begin_us = core_now_us();
    for (int i = 0; i < steps / PIECE; i++)
        if (crowd == CORE_FIVE_BESIDE)
            CHAIN(BESIDE(5));
        else
            CHAIN(BESIDE(3));
    return (core_now_us() - begin_us) / steps;
}
