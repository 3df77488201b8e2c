#include "trainer/utilities/repeated.h"

#include "model/base/allocation.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

enum { ALONE = 3, CALLS = 32, CALLS_LEAST = 4 };

/* Of large messages, fewer calls are as good: nobody is ahead by more than what the library keeps
   for him. Thirty-two of all sizes took half of the time of all suites. */
static const double run_bytes_most = 4e6;

static int calls_for(const struct site *site)
{
    return (int)fmax(CALLS_LEAST, fmin(CALLS, run_bytes_most / site->bytes));
}

static int root_of(const struct site *site, int number, int roots)
{
    return roots > 1 ? number * (site->processors - 1) / (roots - 1) : 0;
}

static double seconds_of(const struct site *site, repeated_call *call, int root, long calls)
{
    const double start_s = MPI_Wtime();
    for (long i = 0; i < calls; i++)
        call(site, root);
    return MPI_Wtime() - start_s;
}

void repeated_setup(struct site *site, repeated_call *call, int roots)
{
    double *alone_s = memory_new((size_t)roots, sizeof *alone_s);
    site->uses_per_run = calls_for(site) * roots;
    for (int number = 0; number < roots; number++) {
        alone_s[number] = INFINITY;
        for (int i = 0; i < ALONE; i++) {
            MPI_Barrier(site->comm);
            alone_s[number] =
                fmin(alone_s[number], seconds_of(site, call, root_of(site, number, roots), 1));
        }
    }
    site->state = alone_s;
}

/* Those who are ahead when it begins have sent something already: all begin after a barrier, as the
   one alone did. */
void repeated_run(struct site *site, long times, repeated_call *call, int roots)
{
    const double *const alone_s = site->state;
    const long calls = site->uses_per_run / roots * times + 1;
    for (int number = 0; number < roots; number++) {
        const double start_s = MPI_Wtime();
        MPI_Barrier(site->comm);
        site->excluded_s += MPI_Wtime() - start_s + site->reading_s;
        seconds_of(site, call, root_of(site, number, roots), calls);
        site->excluded_s += alone_s[number];
    }
}

void repeated_teardown(struct site *site)
{
    free(site->state);
}
