/* many-to-one (Abandah, IBM SP2, section 2.6): the receiver receives p different messages from p
   different processors; the time for the receiver to finish. p counts sources.

   The sources call it hard to time, because reception must be separated from waiting and travel.
   Here a message counts as there when MPI_Iprobe has seen it: each time the receiver first probes
   until every source's message has arrived, which is left out of the time, and then receives them
   all, which is the time. A message too long to be buffered has announced itself only; its travel
   is then part of its reception, as it is for a program. */
#include "trainer/utilities/utilities.h"

#include "trainer/base/clock.h"

enum { TAG = 5 };

static int messages(int processors)
{
    return processors - 1;
}

/* Probing drives the library until all have arrived. */
static void await(struct site *site)
{
    const double start_s = clock_s();
    for (int from = 1; from < site->processors; from++) {
        int arrived = 0;
        while (!arrived)
            MPI_Iprobe(from, TAG, site->comm, &arrived, MPI_STATUS_IGNORE);
    }
    site->excluded_s += clock_s() - start_s + site->reading_s;
}

static void receive_all(const struct site *site)
{
    for (int from = 1; from < site->processors; from++)
        MPI_Recv(site->receive + (size_t)(from - 1) * (size_t)site->bytes, site->bytes, MPI_BYTE,
                 from, TAG, site->comm, MPI_STATUS_IGNORE);
}

static void run(struct site *site, long times)
{
    for (long i = 0; i < times; i++)
        if (site->rank == 0) {
            await(site);
            receive_all(site);
        } else {
            MPI_Send(site->send, site->bytes, MPI_BYTE, 0, TAG, site->comm);
        }
}

const struct utility utility_many_to_one = {
    .pattern = &pattern_many_to_one,
    .does = "one processor receives a message from each other, all of them already there",
    .suite = "patterns",
    .granule_bytes = 1,
    .rooted = true,
    .uses_per_run = 1,
    .measures = MEASURES_RECEIVER,
    .across = ACROSS_ROOT,
    .messages = messages,
    .run = run,
};
