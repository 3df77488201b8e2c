/* One moment of the machine's own disturbance (trainer/engine/noise.h): every rank does the same
   small work again and again, all at the same time. */
#include "trainer/engine/noise.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/engine/probe.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { TIMES_MOST = 4096, TRIES = 5 };

/* What the work lasts at least, and also as so many readings of the clock; how long a moment is. */
static const double quantum_s = 5e-6, readings = 50.0, moment_s = 0.01;

struct memory_of_noise {
    uint64_t state;
    long steps; /* of the work */
    double times_us[TIMES_MOST];
};

/* A chain of operations on registers (xorshift): nothing else can make it longer. */
static double work_s(struct memory_of_noise *memory)
{
    uint64_t x = memory->state;
    const double begin_s = clock_s();
    for (long i = 0; i < memory->steps; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    memory->state = x;
    return clock_s() - begin_s;
}

static double least_of_some(struct memory_of_noise *memory)
{
    double least_s = work_s(memory);
    for (int i = 1; i < TRIES; i++)
        least_s = fmin(least_s, work_s(memory));
    return least_s;
}

static void *begin(const struct probe_context *context)
{
    struct memory_of_noise *memory = memory_new(1, sizeof *memory);
    const double least_s = fmax(quantum_s, readings * context->reading_s);
    memory->state = 88172645463325252u;
    memory->steps = 64;
    while (least_of_some(memory) < least_s)
        memory->steps += memory->steps / 8;
    return memory;
}

/* results: the longest quantum of all ranks, the longest interruption, then sums (struct
   noise_moment). */
static void perform(void *state, const struct probe_context *context, const void *order,
                    double results[PROBE_RESULTS])
{
    struct memory_of_noise *memory = state;
    size_t count = 0;
    (void)order;
    MPI_Barrier(context->comm);
    const double end_s = clock_s() + moment_s;
    do
        memory->times_us[count++] = 1e6 * work_s(memory);
    while (count < TIMES_MOST && clock_s() < end_s);
    const struct noise_moment mine = noise_moment_of(memory->times_us, count);
    const double longest[] = {mine.quantum_us, mine.longest_us};
    const double sums[] = {mine.time_us, mine.lost_us, mine.interruptions};
    MPI_Reduce(longest, results, 2, MPI_DOUBLE, MPI_MAX, 0, context->comm);
    MPI_Reduce(sums, &results[2], 3, MPI_DOUBLE, MPI_SUM, 0, context->comm);
}

const struct probe noise_probe = {.begin = begin, .perform = perform, .end = free};
