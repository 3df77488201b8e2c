/* Counts what each process of an MPI program sends: a library put before it (LD_PRELOAD), which
   knows nothing of the describer. Every process writes one line into the file that
   FORECOST_COUNT names, with its number behind it: messages, bytes, partners in ascending order,
   collective operations, and the bytes that it gives in them. */
#include <mpi.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROCESSES_MOST = 1024 };

static double messages, bytes, collectives, given;
static bool is_partner[PROCESSES_MOST];

static double size_of(double count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return count * size;
}

static void count_message(int count, MPI_Datatype type, int to, MPI_Comm communicator)
{
    MPI_Group own, world;
    int all;
    if (to == MPI_PROC_NULL)
        return;
    messages++;
    bytes += size_of(count, type);
    PMPI_Comm_group(communicator, &own);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(own, 1, &to, world, &all);
    PMPI_Group_free(&own);
    PMPI_Group_free(&world);
    if (all >= 0 && all < PROCESSES_MOST)
        is_partner[all] = true;
}

static void count_collective(double count, MPI_Datatype type)
{
    collectives++;
    given += count > 0 ? size_of(count, type) : 0;
}

#define SENDS(name)                                                                                \
    int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm c)  \
    {                                                                                              \
        count_message(count, type, to, c);                                                         \
        return PMPI_##name(buffer, count, type, to, tag, c);                                       \
    }
SENDS(Send)
SENDS(Ssend)
SENDS(Bsend)
SENDS(Rsend)

#define SENDS_LATER(name)                                                                          \
    int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm c,  \
                   MPI_Request *request)                                                           \
    {                                                                                              \
        count_message(count, type, to, c);                                                         \
        return PMPI_##name(buffer, count, type, to, tag, c, request);                              \
    }
SENDS_LATER(Isend)
SENDS_LATER(Issend)
SENDS_LATER(Ibsend)
SENDS_LATER(Irsend)

/* Requests that are started again and again: what each sends. */
enum { STARTED_MOST = 256 };
static struct {
    MPI_Request request;
    MPI_Datatype type;
    MPI_Comm communicator;
    int count, to;
} kept[STARTED_MOST];
static int kept_count;

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm c,
                  MPI_Request *request)
{
    const int status = PMPI_Send_init(buffer, count, type, to, tag, c, request);
    if (kept_count < STARTED_MOST) {
        kept[kept_count].request = *request;
        kept[kept_count].type = type;
        kept[kept_count].communicator = c;
        kept[kept_count].count = count;
        kept[kept_count++].to = to;
    }
    return status;
}

static void count_start(MPI_Request request)
{
    for (int i = 0; i < kept_count; i++)
        if (kept[i].request == request)
            count_message(kept[i].count, kept[i].type, kept[i].to, kept[i].communicator);
}

int MPI_Start(MPI_Request *request)
{
    count_start(*request);
    return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request requests[])
{
    for (int i = 0; i < count; i++)
        count_start(requests[i]);
    return PMPI_Startall(count, requests);
}

int MPI_Sendrecv(const void *buffer, int count, MPI_Datatype type, int to, int tag, void *into,
                 int most, MPI_Datatype as, int from, int its, MPI_Comm c, MPI_Status *status)
{
    count_message(count, type, to, c);
    return PMPI_Sendrecv(buffer, count, type, to, tag, into, most, as, from, its, c, status);
}

int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int tag, int from,
                         int its, MPI_Comm c, MPI_Status *status)
{
    count_message(count, type, to, c);
    return PMPI_Sendrecv_replace(buffer, count, type, to, tag, from, its, c, status);
}

int MPI_Barrier(MPI_Comm c)
{
    count_collective(0, MPI_BYTE);
    return PMPI_Barrier(c);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm c)
{
    count_collective(count, type);
    return PMPI_Bcast(buffer, count, type, root, c);
}

int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm c)
{
    count_collective(count, type);
    return PMPI_Reduce(from, to, count, type, op, root, c);
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c)
{
    count_collective(count, type);
    return PMPI_Allreduce(from, to, count, type, op, c);
}

int MPI_Scan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c)
{
    count_collective(count, type);
    return PMPI_Scan(from, to, count, type, op, c);
}

int MPI_Exscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c)
{
    count_collective(count, type);
    return PMPI_Exscan(from, to, count, type, op, c);
}

int MPI_Gather(const void *from, int count, MPI_Datatype type, void *to, int each, MPI_Datatype as,
               int root, MPI_Comm c)
{
    count_collective(count, type);
    return PMPI_Gather(from, count, type, to, each, as, root, c);
}

int MPI_Gatherv(const void *from, int count, MPI_Datatype type, void *to, const int counts[],
                const int begins[], MPI_Datatype as, int root, MPI_Comm c)
{
    count_collective(count, type);
    return PMPI_Gatherv(from, count, type, to, counts, begins, as, root, c);
}

int MPI_Scatter(const void *from, int count, MPI_Datatype type, void *to, int each, MPI_Datatype as,
                int root, MPI_Comm c)
{
    count_collective(count, type);
    return PMPI_Scatter(from, count, type, to, each, as, root, c);
}

/* What it receives: what the root gives is the sum of these. */
int MPI_Scatterv(const void *from, const int counts[], const int begins[], MPI_Datatype type,
                 void *to, int each, MPI_Datatype as, int root, MPI_Comm c)
{
    count_collective(each, as);
    return PMPI_Scatterv(from, counts, begins, type, to, each, as, root, c);
}

int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int each,
                  MPI_Datatype as, MPI_Comm c)
{
    count_collective(from == MPI_IN_PLACE ? each : count, from == MPI_IN_PLACE ? as : type);
    return PMPI_Allgather(from, count, type, to, each, as, c);
}

int MPI_Allgatherv(const void *from, int count, MPI_Datatype type, void *to, const int counts[],
                   const int begins[], MPI_Datatype as, MPI_Comm c)
{
    int own;
    PMPI_Comm_rank(c, &own);
    count_collective(from == MPI_IN_PLACE ? counts[own] : count, from == MPI_IN_PLACE ? as : type);
    return PMPI_Allgatherv(from, count, type, to, counts, begins, as, c);
}

int MPI_Alltoall(const void *from, int count, MPI_Datatype type, void *to, int each,
                 MPI_Datatype as, MPI_Comm c)
{
    count_collective(from == MPI_IN_PLACE ? each : count, from == MPI_IN_PLACE ? as : type);
    return PMPI_Alltoall(from, count, type, to, each, as, c);
}

/* The mean of the parts: one for each process. */
static double mean_of(const int *counts, MPI_Comm c)
{
    int size;
    double sum = 0;
    PMPI_Comm_size(c, &size);
    for (int i = 0; i < size; i++)
        sum += counts[i];
    return sum / size;
}

int MPI_Alltoallv(const void *from, const int *counts, const int *begins, MPI_Datatype type,
                  void *to, const int *each, const int *at, MPI_Datatype as, MPI_Comm c)
{
    const int is_in_place = from == MPI_IN_PLACE;
    count_collective(mean_of(is_in_place ? each : counts, c), is_in_place ? as : type);
    return PMPI_Alltoallv(from, counts, begins, type, to, each, at, as, c);
}

int MPI_Reduce_scatter(const void *from, void *to, const int *counts, MPI_Datatype type, MPI_Op op,
                       MPI_Comm c)
{
    count_collective(mean_of(counts, c), type);
    return PMPI_Reduce_scatter(from, to, counts, type, op, c);
}

int MPI_Reduce_scatter_block(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm c)
{
    count_collective(count, type);
    return PMPI_Reduce_scatter_block(from, to, count, type, op, c);
}

int MPI_Finalize(void)
{
    const char *name = getenv("FORECOST_COUNT"), *blank = "";
    char path[4096];
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s.%04d", name ? name : "count", rank);
    FILE *out = fopen(path, "w");
    if (out) {
        fprintf(out, "%d,%.0f,%.0f,", rank, messages, bytes);
        for (int i = 0; i < PROCESSES_MOST; i++)
            if (is_partner[i]) {
                fprintf(out, "%s%d", blank, i);
                blank = " ";
            }
        fprintf(out, ",%.0f,%.0f\n", collectives, given);
        fclose(out);
    }
    return PMPI_Finalize();
}
