/* Collective calls. What blocks is started and waited for, giving the processor away. All processes
   do so, or none. Bytes are counted as the table's communication patterns count them. */
#include "recorder/record.h"

/* In a communicator of one process nothing is sent; between two groups of processes what a root is
   differs from one to another, so that these are left as they are. */
static bool is_started(MPI_Comm comm)
{
    int is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    return !is_inter && communicator_size(communicator_number(comm)) > 1;
}

/* `note` notes the call; `blocking` and `started` are the library's calls. */
#define COLLECTIVE(note, blocking, started)                                                        \
    {                                                                                              \
        MPI_Request request;                                                                       \
        int status;                                                                                \
        const bool is_recorded = record_enter();                                                   \
        if (is_recorded)                                                                           \
            note;                                                                                  \
        if (!is_recorded || !is_started(comm))                                                     \
            status = blocking;                                                                     \
        else if ((status = started) == MPI_SUCCESS)                                                \
            status = record_wait(&request, MPI_STATUS_IGNORE);                                     \
        record_leave();                                                                            \
        return status;                                                                             \
    }

static void note(enum record_operation operation, MPI_Comm comm, int root, uint64_t bytes)
{
    record_call(operation, comm, root, 0, bytes, 0);
}

EXPORTED int MPI_Barrier(MPI_Comm comm)
    COLLECTIVE(note(RECORD_BARRIER, comm, MPI_PROC_NULL, 0), PMPI_Barrier(comm),
               PMPI_Ibarrier(comm, &request))

        EXPORTED int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
            COLLECTIVE(note(RECORD_BROADCAST, comm, root, record_bytes(count, type)),
                       PMPI_Bcast(buffer, count, type, root, comm),
                       PMPI_Ibcast(buffer, count, type, root, comm, &request))

                EXPORTED int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type,
                                        MPI_Op op, int root, MPI_Comm comm)
                    COLLECTIVE(note(RECORD_REDUCE, comm, root, record_bytes(count, type)),
                               PMPI_Reduce(from, to, count, type, op, root, comm),
                               PMPI_Ireduce(from, to, count, type, op, root, comm, &request))

#define COMBINES(name, operation)                                                                  \
    EXPORTED int MPI_##name(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,   \
                            MPI_Comm comm)                                                         \
        COLLECTIVE(note(operation, comm, MPI_PROC_NULL, record_bytes(count, type)),                \
                   PMPI_##name(from, to, count, type, op, comm),                                   \
                   PMPI_I##name(from, to, count, type, op, comm, &request))
#define PMPI_IAllreduce PMPI_Iallreduce
#define PMPI_IScan PMPI_Iscan
#define PMPI_IExscan PMPI_Iexscan
                        COMBINES(Allreduce, RECORD_ALLREDUCE) COMBINES(Scan, RECORD_SCAN)
                            COMBINES(Exscan, RECORD_SCAN)

                                EXPORTED
    int MPI_Reduce_scatter_block(const void *from, void *to, int count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm)
        COLLECTIVE(note(RECORD_REDUCE_SCATTER, comm, MPI_PROC_NULL, record_bytes(count, type)),
                   PMPI_Reduce_scatter_block(from, to, count, type, op, comm),
                   PMPI_Ireduce_scatter_block(from, to, count, type, op, comm, &request))

    /* Of all parts: the mean, and with it that of each process where all have as much. */
    static uint64_t mean_bytes(const int counts[], MPI_Datatype type, MPI_Comm comm)
{
    uint64_t all = 0;
    const int size = communicator_size(communicator_number(comm));
    for (int i = 0; i < size; i++)
        all += record_bytes(counts[i], type);
    return (all + (uint64_t)size - 1) / (uint64_t)size;
}

EXPORTED int MPI_Reduce_scatter(const void *from, void *to, const int counts[], MPI_Datatype type,
                                MPI_Op op, MPI_Comm comm)
    COLLECTIVE(note(RECORD_REDUCE_SCATTER, comm, MPI_PROC_NULL, mean_bytes(counts, type, comm)),
               PMPI_Reduce_scatter(from, to, counts, type, op, comm),
               PMPI_Ireduce_scatter(from, to, counts, type, op, comm, &request))

        EXPORTED
    int MPI_Gather(const void *from, int count, MPI_Datatype type, void *to, int each,
                   MPI_Datatype as, int root, MPI_Comm comm)
        COLLECTIVE(note(RECORD_GATHER, comm, root,
                        from == MPI_IN_PLACE ? record_bytes(each, as) : record_bytes(count, type)),
                   PMPI_Gather(from, count, type, to, each, as, root, comm),
                   PMPI_Igather(from, count, type, to, each, as, root, comm, &request))

    /* The root knows what all give, and with MPI_IN_PLACE not otherwise what it gives itself. */
    static uint64_t own_of(const int counts[], MPI_Datatype type, MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return record_bytes(counts[rank], type);
}

EXPORTED int MPI_Gatherv(const void *from, int count, MPI_Datatype type, void *to,
                         const int counts[], const int begins[], MPI_Datatype as, int root,
                         MPI_Comm comm)
    COLLECTIVE(note(RECORD_GATHER, comm, root,
                    from == MPI_IN_PLACE ? own_of(counts, as, comm) : record_bytes(count, type)),
               PMPI_Gatherv(from, count, type, to, counts, begins, as, root, comm),
               PMPI_Igatherv(from, count, type, to, counts, begins, as, root, comm, &request))

        EXPORTED
    int MPI_Scatter(const void *from, int count, MPI_Datatype type, void *to, int each,
                    MPI_Datatype as, int root, MPI_Comm comm)
        COLLECTIVE(note(RECORD_SCATTER, comm, root,
                        to == MPI_IN_PLACE ? record_bytes(count, type) : record_bytes(each, as)),
                   PMPI_Scatter(from, count, type, to, each, as, root, comm),
                   PMPI_Iscatter(from, count, type, to, each, as, root, comm, &request))

            EXPORTED
    int MPI_Scatterv(const void *from, const int counts[], const int begins[], MPI_Datatype type,
                     void *to, int each, MPI_Datatype as, int root, MPI_Comm comm)
        COLLECTIVE(note(RECORD_SCATTER, comm, root,
                        to == MPI_IN_PLACE ? own_of(counts, type, comm) : record_bytes(each, as)),
                   PMPI_Scatterv(from, counts, begins, type, to, each, as, root, comm),
                   PMPI_Iscatterv(from, counts, begins, type, to, each, as, root, comm, &request))

#define ALLGATHER(from) ((from) == MPI_IN_PLACE ? RECORD_ALLGATHER_IN_PLACE : RECORD_ALLGATHER)

            EXPORTED int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to,
                                       int each, MPI_Datatype as, MPI_Comm comm)
                COLLECTIVE(note(ALLGATHER(from), comm, MPI_PROC_NULL, record_bytes(each, as)),
                           PMPI_Allgather(from, count, type, to, each, as, comm),
                           PMPI_Iallgather(from, count, type, to, each, as, comm, &request))

                    EXPORTED
    int MPI_Allgatherv(const void *from, int count, MPI_Datatype type, void *to, const int counts[],
                       const int begins[], MPI_Datatype as, MPI_Comm comm)
        COLLECTIVE(note(ALLGATHER(from), comm, MPI_PROC_NULL, mean_bytes(counts, as, comm)),
                   PMPI_Allgatherv(from, count, type, to, counts, begins, as, comm),
                   PMPI_Iallgatherv(from, count, type, to, counts, begins, as, comm, &request))

            EXPORTED int MPI_Alltoall(const void *from, int count, MPI_Datatype type, void *to,
                                      int each, MPI_Datatype as, MPI_Comm comm)
                COLLECTIVE(note(RECORD_ALLTOALL, comm, MPI_PROC_NULL, record_bytes(each, as)),
                           PMPI_Alltoall(from, count, type, to, each, as, comm),
                           PMPI_Ialltoall(from, count, type, to, each, as, comm, &request))

    /* Parts of different lengths: the mean, and the largest of those for others. types: NULL: all
   have the same type. */
    static void note_parts(const int counts[], const MPI_Datatype types[], MPI_Datatype type,
                           MPI_Comm comm)
{
    uint64_t all = 0, most = 0;
    int rank;
    const int size = communicator_size(communicator_number(comm));
    PMPI_Comm_rank(comm, &rank);
    for (int i = 0; i < size; i++) {
        const uint64_t bytes = record_bytes(counts[i], types ? types[i] : type);
        all += bytes;
        most = i != rank && bytes > most ? bytes : most;
    }
    record_call(RECORD_ALLTOALLV, comm, MPI_PROC_NULL, 0,
                (all + (uint64_t)size - 1) / (uint64_t)size, most);
}

EXPORTED int MPI_Alltoallv(const void *from, const int counts[], const int begins[],
                           MPI_Datatype type, void *to, const int each[], const int at[],
                           MPI_Datatype as, MPI_Comm comm)
    COLLECTIVE(note_parts(from == MPI_IN_PLACE ? each : counts, NULL,
                          from == MPI_IN_PLACE ? as : type, comm),
               PMPI_Alltoallv(from, counts, begins, type, to, each, at, as, comm),
               PMPI_Ialltoallv(from, counts, begins, type, to, each, at, as, comm, &request))

        EXPORTED
    int MPI_Alltoallw(const void *from, const int counts[], const int begins[],
                      const MPI_Datatype types[], void *to, const int each[], const int at[],
                      const MPI_Datatype as[], MPI_Comm comm)
        COLLECTIVE(note_parts(from == MPI_IN_PLACE ? each : counts,
                              from == MPI_IN_PLACE ? as : types, MPI_BYTE, comm),
                   PMPI_Alltoallw(from, counts, begins, types, to, each, at, as, comm),
                   PMPI_Ialltoallw(from, counts, begins, types, to, each, at, as, comm, &request))
