/* What MPI's own calls take on the simulated bed, beside which the trainer's utilities are held:
   prints "UTILITY ALONE_US LOOP_US" for messages of so many bytes. Alone: all begin at one time of
   the common clock, until the last one is done. In a loop: as programs repeat the call, one after
   another, the mean of them. Of utilities that are one more of a loop both are that: so many and
   one, less one alone, the mean over the roots.

       patterns BYTES */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPETITIONS = 20, TAG = 1 };

struct world {
    int rank, processors, bytes, root;
    char *send, *receive;
};

static void reduce(const struct world *it)
{
    MPI_Reduce(it->send, it->receive, it->bytes / 8, MPI_DOUBLE, MPI_SUM, it->root, MPI_COMM_WORLD);
}

static void broadcast(const struct world *it)
{
    MPI_Bcast(it->send, it->bytes, MPI_BYTE, it->root, MPI_COMM_WORLD);
}

static void scatter(const struct world *it)
{
    MPI_Scatter(it->send, it->bytes, MPI_BYTE, it->receive, it->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void gather(const struct world *it)
{
    MPI_Gather(it->send, it->bytes, MPI_BYTE, it->receive, it->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void reduce_scatter(const struct world *it)
{
    MPI_Reduce_scatter_block(it->send, it->receive, it->bytes / 8, MPI_DOUBLE, MPI_SUM,
                             MPI_COMM_WORLD);
}

static void all_gather_in_place(const struct world *it)
{
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, it->receive, it->bytes, MPI_BYTE,
                  MPI_COMM_WORLD);
}

static void shift_by(const struct world *it, int distance)
{
    const int to = (it->rank + distance) % it->processors;
    const int from = (it->rank - distance + it->processors) % it->processors;
    MPI_Sendrecv(it->send + (size_t)to * (size_t)it->bytes, it->bytes, MPI_BYTE, to, TAG,
                 it->receive + (size_t)from * (size_t)it->bytes, it->bytes, MPI_BYTE, from, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void shift(const struct world *it)
{
    shift_by(it, 1);
}

static void staged(const struct world *it)
{
    for (int distance = 1; distance < it->processors; distance++)
        shift_by(it, distance);
}

static void to_itself(const struct world *it)
{
    MPI_Request request;
    MPI_Irecv(it->receive, it->bytes, MPI_BYTE, it->rank, TAG, MPI_COMM_WORLD, &request);
    MPI_Send(it->send, it->bytes, MPI_BYTE, it->rank, TAG, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static const struct {
    const char *utility;
    void (*call)(const struct world *it);
    int roots; /* of one more of a loop: the first processor, and the last, and the middle */
} calls[] = {
    {"reduce",              reduce,              0},
    {"scatter",             scatter,             0},
    {"gather",              gather,              0},
    {"reduce-scatter",      reduce_scatter,      0},
    {"all-gather-in-place", all_gather_in_place, 0},
    {"shift",               shift,               0},
    {"many-to-many-staged", staged,              0},
    {"to-itself",           to_itself,           0},
    {"reduce-repeated",     reduce,              1},
    {"broadcast-repeated",  broadcast,           3},
};

static void sleep_until(double when_s)
{
    const double wanted_s = when_s - MPI_Wtime();
    struct timespec time = {(time_t)wanted_s, 0};
    time.tv_nsec = (long)(1e9 * (wanted_s - (double)time.tv_sec) + 0.5);
    nanosleep(&time, NULL);
}

/* From a time at which all are there until the last one is done with so many calls. */
static double together_s(const struct world *it, size_t call, int times)
{
    double begin_s = MPI_Wtime(), end_s;
    MPI_Allreduce(MPI_IN_PLACE, &begin_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    begin_s += 1.0;
    sleep_until(begin_s);
    for (int i = 0; i < times; i++)
        calls[call].call(it);
    end_s = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, &end_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return end_s - begin_s;
}

static double one_more_s(struct world *it, size_t call)
{
    const int roots = calls[call].roots;
    double sum_s = 0.0;
    for (int number = 0; number < roots; number++) {
        it->root = roots > 1 ? number * (it->processors - 1) / (roots - 1) : 0;
        sum_s += together_s(it, call, REPETITIONS + 1) - together_s(it, call, 1);
    }
    it->root = 0;
    return sum_s / roots / REPETITIONS;
}

int main(int argc, char **argv)
{
    struct world it = {.root = 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &it.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &it.processors);
    it.bytes = argc > 1 ? atoi(argv[1]) : 8;
    it.send = calloc((size_t)it.processors, (size_t)it.bytes);
    it.receive = calloc((size_t)it.processors, (size_t)it.bytes);
    for (size_t call = 0; call < sizeof calls / sizeof *calls; call++) {
        const bool one_more = calls[call].roots > 0;
        const double alone_s = one_more ? one_more_s(&it, call) : together_s(&it, call, 1);
        const double loop_s = one_more ? alone_s : together_s(&it, call, REPETITIONS) / REPETITIONS;
        if (it.rank == 0)
            printf("%s %.4f %.4f\n", calls[call].utility, 1e6 * alone_s, 1e6 * loop_s);
    }
    free(it.send);
    free(it.receive);
    MPI_Finalize();
    return 0;
}
