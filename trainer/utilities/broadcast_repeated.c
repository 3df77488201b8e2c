/* broadcast-repeated: broadcasts from one and the same root, one behind another, as a loop makes
   them: MPI_Bcast; p counts participants. What one more of them takes whoever is the last: so many
   and one, less one alone. The root is ahead of those who receive, and several messages are on
   their way at the same time, unless the library's algorithm lets the root wait, or has another one
   begin: so it is the mean of the first processor, the one in the middle and the last as the root.
 */
#include "model/base/allocation.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>

enum { BROADCASTS = 32, ALONE = 3, ROOTS = 3 };

static int root_of(const struct site *site, int number)
{
    return number * (site->processors - 1) / (ROOTS - 1);
}

static double seconds_of(const struct site *site, int number, long broadcasts)
{
    const double start_s = MPI_Wtime();
    for (long i = 0; i < broadcasts; i++)
        MPI_Bcast(site->send, site->bytes, MPI_BYTE, root_of(site, number), site->comm);
    return MPI_Wtime() - start_s;
}

static void setup(struct site *site)
{
    double *alone_s = memory_new(ROOTS, sizeof *alone_s);
    for (int number = 0; number < ROOTS; number++) {
        alone_s[number] = INFINITY;
        for (int i = 0; i < ALONE; i++) {
            MPI_Barrier(site->comm);
            alone_s[number] = fmin(alone_s[number], seconds_of(site, number, 1));
        }
    }
    site->state = alone_s;
}

/* All begin after a barrier, as the one alone did. */
static void run(struct site *site, long times)
{
    const double *const alone_s = site->state;
    for (int number = 0; number < ROOTS; number++) {
        const double start_s = MPI_Wtime();
        MPI_Barrier(site->comm);
        site->excluded_s += MPI_Wtime() - start_s + site->reading_s;
        seconds_of(site, number, BROADCASTS * times + 1);
        site->excluded_s += alone_s[number];
    }
}

static void teardown(struct site *site)
{
    free(site->state);
}

const struct utility utility_broadcast_repeated = {
    .pattern = &pattern_broadcast_repeated,
    .does = "one processor's message to all, one behind another (MPI_Bcast): what one more takes",
    .suite = "collectives",
    .granule_bytes = 1,
    .empty_is_nothing = true,
    .uses_per_run = BROADCASTS * ROOTS,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
