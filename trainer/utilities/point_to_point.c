/* point-to-point (Abandah, IBM SP2, section 2.3): A sends to B, B returns the message at once; half
   of the round trip, timed by A. What is repeated is the round trip. */
#include "trainer/utilities/utilities.h"

enum { TAG = 1 };

static void run(struct site *site, long times)
{
    const int partner = 1 - site->rank;
    for (long i = 0; i < times; i++) {
        if (site->rank == 0)
            MPI_Send(site->send, site->bytes, MPI_BYTE, partner, TAG, site->comm);
        MPI_Recv(site->receive, site->bytes, MPI_BYTE, partner, TAG, site->comm, MPI_STATUS_IGNORE);
        if (site->rank == 1)
            MPI_Send(site->send, site->bytes, MPI_BYTE, partner, TAG, site->comm);
    }
}

const struct utility utility_point_to_point = {
    .pattern = &pattern_point_to_point,
    .does = "a message one way: half of a round trip",
    .suite = "patterns",
    .granule_bytes = 1,
    .uses_per_run = 2,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_ROOT,
    .run = run,
};

const struct utility utility_point_to_point_far = {
    .pattern = &pattern_point_to_point_far,
    .does = "a message one way, to the farthest processor",
    .suite = "distance",
    .granule_bytes = 1,
    .uses_per_run = 2,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_ROOT,
    .run = run,
};
