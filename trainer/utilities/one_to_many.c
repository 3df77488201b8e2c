/* one-to-many (Abandah, IBM SP2, section 2.5): the sender sends p different messages to p different
   processors; the time for the sender to finish sending. The messages are started one after the
   other and completed together; the receivers take them as they come. p counts destinations. */
#include "trainer/utilities/utilities.h"

#include "model/base/allocation.h"

#include <stdlib.h>

enum { TAG = 4 };

static int messages(int processors)
{
    return processors - 1;
}

static void setup(struct site *site)
{
    site->state = memory_new((size_t)site->processors, sizeof(MPI_Request));
}

static void send_all(const struct site *site, MPI_Request *requests)
{
    for (int to = 1; to < site->processors; to++)
        MPI_Isend(site->send + (size_t)(to - 1) * (size_t)site->bytes, site->bytes, MPI_BYTE, to,
                  TAG, site->comm, &requests[to - 1]);
    MPI_Waitall(site->processors - 1, requests, MPI_STATUSES_IGNORE);
}

static void run(struct site *site, long times)
{
    for (long i = 0; i < times; i++)
        if (site->rank == 0)
            send_all(site, site->state);
        else
            MPI_Recv(site->receive, site->bytes, MPI_BYTE, 0, TAG, site->comm, MPI_STATUS_IGNORE);
}

static void teardown(struct site *site)
{
    free(site->state);
}

const struct utility utility_one_to_many = {
    .pattern = &pattern_one_to_many,
    .does = "one processor sends a message of its own to each other, until it is done sending",
    .suite = "patterns",
    .granule_bytes = 1,
    .rooted = true,
    .uses_per_run = 1,
    .measures = MEASURES_SENDER,
    .across = ACROSS_ROOT,
    .tree = TREE_FLAT,
    .messages = messages,
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
