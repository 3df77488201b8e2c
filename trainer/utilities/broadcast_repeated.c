/* broadcast-repeated: broadcasts from one and the same root, one behind another, as a loop makes
   them: MPI_Bcast; p counts participants. What one more of them takes whoever is the last
   (repeated.h). The root is ahead of those who receive, unless the library's algorithm lets it
   wait, or has another one begin: so it is the mean of the first processor, the one in the middle
   and the last as the root. */
#include "trainer/utilities/repeated.h"
#include "trainer/utilities/utilities.h"

enum { ROOTS = 3 };

static void broadcast(const struct site *site, int root)
{
    MPI_Bcast(site->send, site->bytes, MPI_BYTE, root, site->comm);
}

static void setup(struct site *site)
{
    repeated_setup(site, broadcast, ROOTS);
}

static void run(struct site *site, long times)
{
    repeated_run(site, times, broadcast, ROOTS);
}

const struct utility utility_broadcast_repeated = {
    .pattern = &pattern_broadcast_repeated,
    .does = "one processor's message to all, one behind another (MPI_Bcast): what one more takes",
    .suite = "collectives",
    .granule_bytes = 1,
    .empty_is_nothing = true,
    .piles_up = 4,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .setup = setup,
    .run = run,
    .teardown = repeated_teardown,
};
