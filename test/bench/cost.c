/* How many costs a second one core answers. For people; no test depends on it.
     cost TABLE */
#include "model/machine/machine.h"

#include <stdio.h>
#include <time.h>

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Answers one utility over sizes and processor counts for about half a second. */
static void bench(const struct cost *cost)
{
    double sum_us = 0.0, elapsed_s = 0.0;
    size_t count = 0;
    for (const double start_s = now_s(); elapsed_s < 0.5; elapsed_s = now_s() - start_s)
        for (double p = 2.0; p <= 32.0; p++)
            for (double n = 1.0; n <= 1048576.0; n *= 2.0, count++) {
                struct cost_answer answer;
                if (cost_answer(cost, n, p, &answer, NULL) == 0)
                    sum_us += answer.time_us;
            }
    printf("%-16s %6.1f million answers a second (%.3g us in all)\n", cost->utility,
           (double)count / elapsed_s / 1e6, sum_us);
}

int main(int argc, char **argv)
{
    struct machine machine;
    struct error error;
    char line[800];
    if (argc != 2 || machine_read(&machine, argv[1], &error) != 0) {
        fprintf(stderr, "%s\n", argc == 2 ? error_line(&error, line, sizeof line) : "cost TABLE");
        return 2;
    }
    const struct cost *costs = machine.communication.items;
    for (size_t i = 0; i < machine.communication.count; i++)
        bench(&costs[i]);
    machine_free(&machine);
    return 0;
}
