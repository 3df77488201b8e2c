#include "trainer/base/delay.h"

#include "trainer/base/clock.h"

#include <mpi.h>
#include <time.h>

static void sleep_s(double wanted_s)
{
    struct timespec time = {(time_t)wanted_s, 0};
    time.tv_nsec = (long)(1e9 * (wanted_s - (double)time.tv_sec) + 0.5);
    nanosleep(&time, NULL);
}

/* From the middle of the first reading to the middle of the last there is their difference; half a
   reading before and half after are one more. */
double delay_s(const struct delayer *delayer, double wanted_s)
{
    const double start_s = clock_s();
    double now_s = start_s;
    if (delayer->simulated) {
        sleep_s(wanted_s);
        now_s = clock_s();
    } else {
        while (now_s - start_s + delayer->reading_s < wanted_s)
            now_s = clock_s();
    }
    return now_s - start_s + delayer->reading_s;
}
