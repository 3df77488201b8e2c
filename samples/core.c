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

/* A chain of exclusive ors takes a cycle a step: the core's clock goes up and down by a tenth. In
   one piece, which is the same however the program is compiled. */
double core_cycle_us(int steps)
{
    const double begin_us = core_now_us();
    for (int i = 0; i < steps / PIECE; i++) {
#if defined __x86_64__
        __asm__ volatile(".rept 100\n xor %%rdx, %%rax\n .endr" : : : "rax", "cc");
#elif defined __aarch64__
        __asm__ volatile(".rept 100\n eor x9, x9, x10\n .endr" : : : "x9");
#else
        return (double)NAN;
#endif
    }
    return (core_now_us() - begin_us) / steps;
}

double core_crowded_cycle_us(int steps)
{
    const double begin_us = core_now_us();
    for (int i = 0; i < steps / PIECE; i++) {
#if defined __x86_64__
        __asm__ volatile(".rept 100\n xor %%rdx, %%rax\n"
                         ".rept 3\n nopl 0x40(%%rax)\n .endr\n .endr"
                         :
                         :
                         : "rax", "cc");
#elif defined __aarch64__
        __asm__ volatile(".rept 100\n eor x9, x9, x10\n nop\n nop\n nop\n .endr" : : : "x9");
#else
        return (double)NAN;
#endif
    }
    return (core_now_us() - begin_us) / steps;
}
