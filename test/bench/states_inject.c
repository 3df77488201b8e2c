/* A machine of two states, as states.sh injects them: loaded before a program (LD_PRELOAD), it
   makes point-to-point calls and collectives of MPI longer in some spells, by so many us and ns a
   byte.

   STATES_SHARE: of the time that is slow, 0 to 1; STATES_PERIOD_S: of a quick spell and a slow one
   together (1); STATES_US, STATES_NS_PER_BYTE: what a call takes more (3, 0.2). The ranks of one
   host share the clock that tells the spells. */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static double number_of(const char *name, double otherwise)
{
    const char *const text = getenv(name);
    return text ? atof(text) : otherwise;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void delay(double bytes)
{
    static double share = -1.0, period_s, us, ns_per_byte;
    if (share < 0.0) {
        period_s = number_of("STATES_PERIOD_S", 1.0);
        us = number_of("STATES_US", 3.0);
        ns_per_byte = number_of("STATES_NS_PER_BYTE", 0.2);
        share = number_of("STATES_SHARE", 0.5);
    }
    const double start_s = now_s();
    if (fmod(start_s / period_s, 1.0) >= share)
        return;
    const double end_s = start_s + 1e-6 * us + 1e-9 * ns_per_byte * bytes;
    while (now_s() < end_s)
        continue;
}

static double bytes_of(int count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return (double)count * size;
}

#define DELAYED(name, parameters, bytes, arguments)                                                \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        delay(bytes);                                                                              \
        return PMPI_##name arguments;                                                              \
    }

DELAYED(Send, (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
        bytes_of(count, type), (data, count, type, to, tag, comm))
DELAYED(Isend,
        (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
         MPI_Request *request),
        bytes_of(count, type), (data, count, type, to, tag, comm, request))
DELAYED(Sendrecv,
        (const void *sent, int count, MPI_Datatype type, int to, int tag, void *got, int got_count,
         MPI_Datatype got_type, int from, int got_tag, MPI_Comm comm, MPI_Status *status),
        bytes_of(count, type),
        (sent, count, type, to, tag, got, got_count, got_type, from, got_tag, comm, status))
DELAYED(Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),
        bytes_of(count, type), (data, count, type, root, comm))
DELAYED(Allreduce,
        (const void *data, void *result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        bytes_of(count, type), (data, result, count, type, op, comm))
