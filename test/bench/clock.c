/* How well consecutive probes of the core's clock agree. The core changes its clock by itself, in
   steps; so of two probes that differ it is told whether each agrees with its other
   neighbour (a step between them) or not (the clock moved while one was taken, or the probe is no
   better). For people; no test depends on it. */
#include "trainer/node/core_clock.h"

#include <math.h>
#include <stdio.h>

enum { PROBES = 400 };

static const double agreement = 0.003;

static int agree(double one, double other)
{
    return fabs(one / other - 1.0) <= agreement;
}

int main(void)
{
    static double ghz[PROBES];
    int alike = 0, steps = 0, odd = 0;
    for (int i = 0; i < PROBES; i++)
        ghz[i] = core_clock_ghz();
    for (int i = 1; i + 2 < PROBES; i++)
        if (agree(ghz[i], ghz[i + 1]))
            alike++;
        else if (agree(ghz[i - 1], ghz[i]) && agree(ghz[i + 1], ghz[i + 2]))
            steps++;
        else
            odd++;
    printf("clock: %d pairs of consecutive probes within %g %%, %d steps of the clock, %d others\n",
           alike, 100.0 * agreement, steps, odd);
    return 0;
}
