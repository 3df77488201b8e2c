/* scatter: one processor has a message of n bytes for each, itself included: MPI_Scatter, until the
   last one has its own, from when all begin (rotation.h). p counts participants. one-to-many ends
   when the sender is done. */
#include "trainer/utilities/rotation.h"
#include "trainer/utilities/utilities.h"

static void scatter(const struct site *site, int root)
{
    MPI_Scatter(site->send, site->bytes, MPI_BYTE, site->receive, site->bytes, MPI_BYTE, root,
                site->comm);
}

static void setup(struct site *site)
{
    rotation_set_up(site, scatter);
}

const struct utility utility_scatter = {
    .pattern = &pattern_scatter,
    .does = "one processor sends a message of its own to each, until the last has it (MPI_Scatter)",
    .suite = "collectives",
    .granule_bytes = 1,
    .empty_is_nothing = true,
    .rooted = true,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .messages = one_message_of_each,
    .setup = setup,
    .run = rotation_run,
    .teardown = rotation_tear_down,
};
