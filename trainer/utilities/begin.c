#include "trainer/utilities/begin.h"

#include "trainer/base/clock.h"

#include <math.h>

enum { TAG_HANDSHAKE = 91 };

bool begin_clock_is_global(void)
{
    int *is_global = NULL, is_set = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &is_global, &is_set);
    return is_set && *is_global;
}

void begin_at(const struct delayer *delayer, double begin_s)
{
    delay_s(delayer, fmax(0.0, begin_s - clock_s()));
}

/* After everybody is out of the barrier and knows: as long after it as it took the slowest, twice
   (the window of SKaMPI). */
static void begin_together(const struct site *site, const struct delayer *delayer, double before_s)
{
    const double now_s = clock_s();
    double begin_s = now_s + 2.0 * (now_s - before_s);
    MPI_Allreduce(MPI_IN_PLACE, &begin_s, 1, MPI_DOUBLE, MPI_MAX, site->comm);
    begin_at(delayer, begin_s);
}

static void tell_root(const struct site *site)
{
    if (site->rank != 0)
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_HANDSHAKE, site->comm);
    for (int other = 1; site->rank == 0 && other < site->processors; other++)
        MPI_Recv(NULL, 0, MPI_BYTE, other, TAG_HANDSHAKE, site->comm, MPI_STATUS_IGNORE);
}

/* A barrier releases some ranks before others, by up to a message's time; and among many it takes
   more messages than most of what is measured. */
void begin_lined_up(const struct site *site, const struct delayer *delayer, bool told)
{
    const double before_s = clock_s();
    if (site->processors == 2 || !told)
        MPI_Barrier(site->comm);
    if (told)
        tell_root(site);
    else if (begin_clock_is_global())
        begin_together(site, delayer, before_s);
}
