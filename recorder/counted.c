/* Calls that are not recorded: named and counted, so that nobody takes the recording for whole. */
#include "recorder/record.h"

#define COUNTED(name, parameters, arguments)                                                       \
    EXPORTED int MPI_##name parameters                                                             \
    {                                                                                              \
        if (record_enter())                                                                        \
            record_count("MPI_" #name);                                                            \
        const int status = PMPI_##name arguments;                                                  \
        record_leave();                                                                            \
        return status;                                                                             \
    }

/* One-sided */
#define MOVES(name, constant)                                                                      \
    COUNTED(name,                                                                                  \
            (constant void *own, int count, MPI_Datatype type, int target, MPI_Aint at, int its,   \
             MPI_Datatype as, MPI_Win window),                                                     \
            (own, count, type, target, at, its, as, window))
MOVES(Put, const)
MOVES(Get, )
COUNTED(Accumulate,
        (const void *own, int count, MPI_Datatype type, int target, MPI_Aint at, int its,
         MPI_Datatype as, MPI_Op op, MPI_Win window),
        (own, count, type, target, at, its, as, op, window))
COUNTED(Rput,
        (const void *own, int count, MPI_Datatype type, int target, MPI_Aint at, int its,
         MPI_Datatype as, MPI_Win window, MPI_Request *request),
        (own, count, type, target, at, its, as, window, request))
COUNTED(Rget,
        (void *own, int count, MPI_Datatype type, int target, MPI_Aint at, int its, MPI_Datatype as,
         MPI_Win window, MPI_Request *request),
        (own, count, type, target, at, its, as, window, request))
COUNTED(Get_accumulate,
        (const void *own, int count, MPI_Datatype type, void *result, int results,
         MPI_Datatype result_type, int target, MPI_Aint at, int its, MPI_Datatype as, MPI_Op op,
         MPI_Win window),
        (own, count, type, result, results, result_type, target, at, its, as, op, window))
COUNTED(Fetch_and_op,
        (const void *own, void *result, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op,
         MPI_Win window),
        (own, result, type, target, at, op, window))
COUNTED(Win_fence, (int assertion, MPI_Win window), (assertion, window))

/* Collectives that do not block */
COUNTED(Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request))
COUNTED(Ibcast,
        (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
        (buffer, count, type, root, comm, request))
COUNTED(Ireduce,
        (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root,
         MPI_Comm comm, MPI_Request *request),
        (from, to, count, type, op, root, comm, request))
COUNTED(Iallreduce,
        (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
         MPI_Request *request),
        (from, to, count, type, op, comm, request))
#define SAME_OF_ALL(name)                                                                          \
    COUNTED(name,                                                                                  \
            (const void *from, int count, MPI_Datatype type, void *to, int each, MPI_Datatype as,  \
             MPI_Comm comm, MPI_Request *request),                                                 \
            (from, count, type, to, each, as, comm, request))
SAME_OF_ALL(Iallgather)
SAME_OF_ALL(Ialltoall)
SAME_OF_ALL(Ineighbor_allgather)
SAME_OF_ALL(Ineighbor_alltoall)
COUNTED(Iallgatherv,
        (const void *from, int count, MPI_Datatype type, void *to, const int counts[],
         const int begins[], MPI_Datatype as, MPI_Comm comm, MPI_Request *request),
        (from, count, type, to, counts, begins, as, comm, request))
#define PARTS_OF_ALL(name)                                                                         \
    COUNTED(name,                                                                                  \
            (const void *from, const int counts[], const int begins[], MPI_Datatype type,          \
             void *to, const int each[], const int at[], MPI_Datatype as, MPI_Comm comm,           \
             MPI_Request *request),                                                                \
            (from, counts, begins, type, to, each, at, as, comm, request))
PARTS_OF_ALL(Ialltoallv)
PARTS_OF_ALL(Ineighbor_alltoallv)
#define SAME_WITH_ROOT(name)                                                                       \
    COUNTED(name,                                                                                  \
            (const void *from, int count, MPI_Datatype type, void *to, int each, MPI_Datatype as,  \
             int root, MPI_Comm comm, MPI_Request *request),                                       \
            (from, count, type, to, each, as, root, comm, request))
SAME_WITH_ROOT(Igather)
SAME_WITH_ROOT(Iscatter)
COUNTED(Ireduce_scatter_block,
        (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
         MPI_Request *request),
        (from, to, count, type, op, comm, request))

/* Among neighbours */
#define NEIGHBOURS(name)                                                                           \
    COUNTED(name,                                                                                  \
            (const void *from, int count, MPI_Datatype type, void *to, int each, MPI_Datatype as,  \
             MPI_Comm comm),                                                                       \
            (from, count, type, to, each, as, comm))
NEIGHBOURS(Neighbor_allgather)
NEIGHBOURS(Neighbor_alltoall)
COUNTED(Neighbor_alltoallv,
        (const void *from, const int counts[], const int begins[], MPI_Datatype type, void *to,
         const int each[], const int at[], MPI_Datatype as, MPI_Comm comm),
        (from, counts, begins, type, to, each, at, as, comm))
COUNTED(Neighbor_alltoallw,
        (const void *from, const int counts[], const MPI_Aint begins[], const MPI_Datatype types[],
         void *to, const int each[], const MPI_Aint at[], const MPI_Datatype as[], MPI_Comm comm),
        (from, counts, begins, types, to, each, at, as, comm))

/* Messages that are matched before they are received */
COUNTED(Mprobe, (int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *told),
        (from, tag, comm, message, told))
COUNTED(Improbe,
        (int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *told),
        (from, tag, comm, flag, message, told))
COUNTED(Mrecv, (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *told),
        (buffer, count, type, message, told))
COUNTED(Imrecv,
        (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),
        (buffer, count, type, message, request))
COUNTED(Cancel, (MPI_Request * request), (request))

/* More processes, files */
COUNTED(Comm_spawn,
        (const char *command, char *arguments[], int most, MPI_Info info, int root, MPI_Comm comm,
         MPI_Comm *made, int errors[]),
        (command, arguments, most, info, root, comm, made, errors))
COUNTED(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
        (comm, name, mode, info, file))
