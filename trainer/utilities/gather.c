/* gather: every processor has a message of n bytes for one of them, which has one for itself, too:
   MPI_Gather, until the root has all, from when all begin (rotation.h). p counts participants.
   many-to-one is what the receiver has to do when all messages have arrived. */
#include "trainer/utilities/rotation.h"
#include "trainer/utilities/utilities.h"

static void gather(const struct site *site, int root)
{
    MPI_Gather(site->send, site->bytes, MPI_BYTE, site->receive, site->bytes, MPI_BYTE, root,
               site->comm);
}

static void setup(struct site *site)
{
    rotation_set_up(site, gather);
}

const struct utility utility_gather = {
    .pattern = &pattern_gather,
    .does = "every processor sends a message to one, until that one has all (MPI_Gather)",
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
