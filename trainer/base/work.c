#include "trainer/base/work.h"

#include <mpi.h>
#include <stdint.h>
#include <time.h>

static const double simulated_unit_s = 2e-9;

/* The sink: what is written to it may be looked at by anybody. */
static volatile uint64_t chain = 1;

static void sleep_s(double wanted_s)
{
    struct timespec time = {(time_t)wanted_s, 0};
    time.tv_nsec = (long)(1e9 * (wanted_s - (double)time.tv_sec) + 0.5);
    nanosleep(&time, NULL);
}

/* Each step needs the one before. noinline: the same code with and without a message around it. */
__attribute__((noinline)) static uint64_t steps(uint64_t from, uint64_t count)
{
    uint64_t x = from;
    for (uint64_t i = 0; i < count; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        __asm__ volatile("" : "+r"(x)); /* not two steps in one */
    }
    return x;
}

void work(double units, bool simulated)
{
    if (simulated)
        sleep_s(units * simulated_unit_s);
    else
        chain = steps(chain, (uint64_t)units);
}
