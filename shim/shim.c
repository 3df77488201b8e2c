/* libforecost-bcast: MPI_Bcast by the algorithm that a machine table says is the fastest, for
   programs that know nothing of it (LD_PRELOAD). What stands between them and the library. */
#include "broadcast/algorithm.h"
#include "shim/companion.h"
#include "shim/payload.h"
#include "shim/table.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

/* The calls that are replaced have no argument to carry it: the one state of the shim. Written in
   MPI_Init and MPI_Finalize, but for the counts. */
static struct {
    bool chooses; /* false: everything is left to the library */
    struct companions companions;
    atomic_ulong used[BROADCAST_COUNT];
} shim;

static const struct tree *const trees[BROADCAST_COUNT] = {
    [BROADCAST_1M] = &tree_flat,      [BROADCAST_RD] = &tree_doubling,
    [BROADCAST_PRD] = &tree_doubling, [BROADCAST_BT] = &tree_binary,
    [BROADCAST_PBT] = &tree_binary,   [BROADCAST_BC] = NULL,
};

/* ---- one broadcast ---- */

/* The bytes of a message, which are the same on all processors; -1: the library must see to it,
   because it is wrong or nothing or too long. */
static int message_bytes(MPI_Count count, MPI_Datatype datatype)
{
    MPI_Count each;
    if (count <= 0 || count > INT_MAX || datatype == MPI_DATATYPE_NULL)
        return -1;
    PMPI_Type_size_x(datatype, &each);
    return each <= 0 || each > INT_MAX / count ? -1 : (int)(each * count);
}

static void run(const struct companion *companion, const struct broadcast_choice *choice,
                const struct message *message, int bytes, int root)
{
    int rank;
    PMPI_Comm_rank(companion->comm, &rank);
    const struct broadcast broadcast = {trees[choice->algorithm], companion->comm, root, 1,
                                        choice->part_bytes};
    struct payload payload = payload_begin(message, bytes, rank == root, companion->comm);
    broadcast_run(&broadcast, payload.bytes, bytes);
    payload_end(&payload, message, rank == root, companion->comm);
}

/* False: nothing was done, the library shall do it. So do all processors of comm or none. */
static bool broadcast(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    if (!shim.chooses || comm == MPI_COMM_NULL)
        return false;
    const int bytes = message_bytes(count, datatype);
    if (bytes < 0)
        return false;
    struct companion *companion = companion_of(&shim.companions, comm);
    if (companion->comm == MPI_COMM_NULL || root < 0 || root >= companion->processors)
        return false;
    const struct broadcast_choice *choice =
        broadcast_choice_at(companion_choices(&shim.companions, companion, comm, root), bytes);
    atomic_fetch_add_explicit(&shim.used[choice->algorithm], 1, memory_order_relaxed);
    if (choice->algorithm == BROADCAST_BC)
        return false;
    const struct message message = {buffer, (int)count, datatype};
    run(companion, choice, &message, bytes, root);
    return true;
}

/* ---- begin and end ---- */

static void begin(void)
{
    struct machine machine;
    if (!table_share(MPI_COMM_WORLD, &machine))
        return;
    companions_begin(&shim.companions, &machine);
    shim.chooses = true;
}

/* For those who ask with FORECOST_REPORT what was chosen. */
static void report(void)
{
    int rank;
    const char *asked = getenv("FORECOST_REPORT");
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0 || !asked || !*asked)
        return;
    char line[400] = "";
    int length = 0;
    for (size_t i = 0; i < BROADCAST_COUNT; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, " %s %lu",
                           broadcast_name(i), atomic_load(&shim.used[i]));
    fprintf(stderr, "forecost-bcast:%s\n", line);
}

/* Before MPI ends, while communicators can be freed. What the program still does within
   MPI_Finalize is left to the library, on all processors. */
static void end(void)
{
    if (!shim.chooses)
        return;
    shim.chooses = false;
    report();
    companions_end(&shim.companions);
}

/* ---- what the program calls ---- */

EXPORTED int MPI_Init(int *argc, char ***argv)
{
    const int status = PMPI_Init(argc, argv);
    if (status == MPI_SUCCESS)
        begin();
    return status;
}

EXPORTED int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const int status = PMPI_Init_thread(argc, argv, required, provided);
    if (status == MPI_SUCCESS)
        begin();
    return status;
}

EXPORTED int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    if (broadcast(buffer, count, datatype, root, comm))
        return MPI_SUCCESS;
    return PMPI_Bcast(buffer, count, datatype, root, comm);
}

#if MPI_VERSION >= 4
EXPORTED int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
                         MPI_Comm comm)
{
    if (broadcast(buffer, count, datatype, root, comm))
        return MPI_SUCCESS;
    return PMPI_Bcast_c(buffer, count, datatype, root, comm);
}
#endif

EXPORTED int MPI_Finalize(void)
{
    end();
    return PMPI_Finalize();
}
