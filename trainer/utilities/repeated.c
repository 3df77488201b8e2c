#include "trainer/utilities/repeated.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/utilities/begin.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

/* The loop without those, of one call, is timed so often, and the shortest counts. */
enum { TRIES = 3, CALLS = 32, CALLS_LEAST = 4 };

/* Of large messages, fewer calls are as good: nobody is ahead by more than what the library keeps
   for him. Thirty-two of all sizes took half of the time of all suites. */
static const double run_bytes_most = 4e6;

/* Where the clock is exact, so few more calls than these tell, once: of the events of a simulation
   among 16 the 33 of a loop of reductions were nine in ten. What is on its way at one time takes
   its square: of 64 KB among 64, in parts of 1 KB, twelve calls took minutes, and of 3 KB among
   1024 36 s. One call more than one tells the same of 16 KB and more, within 0.2 % among 32. */
enum { EXACT_BEFORE = 4, EXACT_CALLS = 8, EXACT_CALLS_LEAST = 1 };
static const double exact_run_bytes_most = 32768.0, exact_run_bytes_of_all = 256 * 32768.0;

static int calls_for(const struct site *site)
{
    if (site->is_exact) {
        const double run_bytes =
            fmin(exact_run_bytes_most, exact_run_bytes_of_all / site->processors);
        return (int)fmax(EXACT_CALLS_LEAST, fmin(EXACT_CALLS, run_bytes / site->bytes));
    }
    return (int)fmax(CALLS_LEAST, fmin(CALLS, run_bytes_most / site->bytes));
}

static int calls_before(const struct site *site)
{
    return site->is_exact ? (int)fmin(EXACT_BEFORE, calls_for(site)) : 1;
}

static int root_of(const struct site *site, int number, int roots)
{
    return roots > 1 ? number * (site->processors - 1) / (roots - 1) : 0;
}

static double seconds_of(const struct site *site, repeated_call *call, int root, long calls)
{
    const double start_s = clock_s();
    for (long i = 0; i < calls; i++)
        call(site, root);
    return clock_s() - start_s;
}

/* A barrier lets some go before others: of 33 reductions of 8 bytes among 16 that was a fifth.
   Where the clock is exact, all begin at one time of it. */
static void begin_together(const struct site *site)
{
    const struct delayer delayer = {site->reading_s, true};
    if (site->is_exact)
        begin_lined_up(site, &delayer, false);
    else
        MPI_Barrier(site->comm);
}

static double shorter_s(const struct site *site, repeated_call *call, int root)
{
    begin_together(site);
    return seconds_of(site, call, root, calls_before(site));
}

void repeated_setup(struct site *site, repeated_call *call, int roots)
{
    double *before_s = memory_new((size_t)roots, sizeof *before_s);
    site->uses_per_run = calls_for(site) * roots;
    for (int number = 0; number < roots && !site->is_exact; number++) {
        before_s[number] = INFINITY;
        for (int i = 0; i < TRIES; i++)
            before_s[number] =
                fmin(before_s[number], shorter_s(site, call, root_of(site, number, roots)));
    }
    site->state = before_s;
}

/* Those who are ahead when it begins have sent something already: all begin together, as those of
   the shorter loop did. An exact clock's is part of the run: so long a setup would make whoever
   waits for its end late for the batch, which then counts for nothing. */
void repeated_run(struct site *site, long times, repeated_call *call, int roots)
{
    const double *const before_s = site->state;
    const long calls = site->uses_per_run / roots * times + calls_before(site);
    for (int number = 0; number < roots; number++) {
        const int root = root_of(site, number, roots);
        const double start_s = clock_s();
        const double less_s = site->is_exact ? shorter_s(site, call, root) : before_s[number];
        begin_together(site);
        site->excluded_s += clock_s() - start_s + site->reading_s;
        seconds_of(site, call, root, calls);
        site->excluded_s += less_s;
    }
}

void repeated_teardown(struct site *site)
{
    free(site->state);
}
