/* many-to-many-staged: a transposition as programs write it that call no MPI_Alltoall: p - 1
   stages, in the s-th of which every processor sends a message of n bytes to the s-th one after it
   and receives one from the s-th one before it by MPI_Sendrecv, until the last one has everything.
   What stays with its processor is not copied. n is the message of one pair, p counts
   participants; between two it is an exchange. */
#include "trainer/utilities/utilities.h"

enum { TAG = 13 };

static void stage(const struct site *site, int number)
{
    const int to = (site->rank + number) % site->processors;
    const int from = (site->rank + site->processors - number) % site->processors;
    const size_t bytes = (size_t)site->bytes;
    MPI_Sendrecv(site->send + (size_t)to * bytes, site->bytes, MPI_BYTE, to, TAG,
                 site->receive + (size_t)from * bytes, site->bytes, MPI_BYTE, from, TAG, site->comm,
                 MPI_STATUS_IGNORE);
}

static void run(struct site *site, long times)
{
    for (long i = 0; i < times; i++)
        for (int number = 1; number < site->processors; number++)
            stage(site, number);
}

const struct utility utility_many_to_many_staged = {
    .pattern = &pattern_many_to_many_staged,
    .does = "every processor sends a message to each other, in p - 1 stages",
    .suite = "collectives",
    .granule_bytes = 1,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .messages = one_message_of_each,
    .run = run,
};
