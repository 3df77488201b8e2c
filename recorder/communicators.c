/* Communicators by who is in them: the same number of the same group, in order of making, on all
   processes. */
#include "recorder/record.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

enum { GRID_MOST = 8 };

struct communicator {
    MPI_Comm comm; /* MPI_COMM_NULL: it was freed */
    int size, *world;
    int copy; /* of those with the same members that exist at the same time */
    int dimensions, sides[GRID_MOST], rings[GRID_MOST];
};

static struct {
    struct communicator *items;
    size_t count;
} known;

static bool has_same_members(const struct communicator *a, const struct communicator *b)
{
    return a->size == b->size &&
           memcmp(a->world, b->world, (size_t)a->size * sizeof *a->world) == 0;
}

static bool is_alike(const struct communicator *a, const struct communicator *b)
{
    const size_t bytes = (size_t)b->dimensions * sizeof *b->sides;
    return has_same_members(a, b) && a->dimensions == b->dimensions && a->copy == b->copy &&
           memcmp(a->sides, b->sides, bytes) == 0 && memcmp(a->rings, b->rings, bytes) == 0;
}

/* Of two groups the other one's members are who a rank stands for. */
static void find_members(struct communicator *it, MPI_Comm comm)
{
    int is_inter;
    MPI_Group own, world;
    PMPI_Comm_test_inter(comm, &is_inter);
    if (is_inter)
        PMPI_Comm_remote_group(comm, &own);
    else
        PMPI_Comm_group(comm, &own);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(own, &it->size);
    int *ranks = memory_new((size_t)it->size, sizeof *ranks);
    it->world = memory_new((size_t)it->size, sizeof *it->world);
    for (int i = 0; i < it->size; i++)
        ranks[i] = i;
    PMPI_Group_translate_ranks(own, it->size, ranks, world, it->world);
    PMPI_Group_free(&own);
    PMPI_Group_free(&world);
    free(ranks);
    if (is_inter)
        record_count("an intercommunicator");
}

static int add(MPI_Comm comm)
{
    struct communicator it = {.comm = comm};
    int topology, coordinates[GRID_MOST];
    find_members(&it, comm);
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_CART && PMPI_Cartdim_get(comm, &it.dimensions) == MPI_SUCCESS) {
        if (it.dimensions > GRID_MOST)
            it.dimensions = 0;
        else
            PMPI_Cart_get(comm, it.dimensions, it.sides, it.rings, coordinates);
    }
    for (bool taken = true; taken; it.copy += taken) {
        taken = false;
        for (size_t i = 0; i < known.count; i++)
            taken |= known.items[i].comm != MPI_COMM_NULL && known.items[i].copy == it.copy &&
                     has_same_members(&known.items[i], &it);
    }
    for (size_t i = 0; i < known.count; i++)
        if (known.items[i].comm == MPI_COMM_NULL && is_alike(&known.items[i], &it)) {
            known.items[i].comm = comm;
            free(it.world);
            return (int)i;
        }
    known.items = memory_grow(known.items, known.count + 1, sizeof *known.items);
    known.items[known.count] = it;
    return (int)known.count++;
}

int communicator_number(MPI_Comm comm)
{
    for (size_t i = 0; i < known.count; i++)
        if (known.items[i].comm == comm)
            return (int)i;
    return add(comm);
}

int communicator_size(int number)
{
    return known.items[number].size;
}

int communicator_world_rank(int number, int rank)
{
    if (rank == MPI_ANY_SOURCE)
        return RECORD_ANYBODY;
    return rank < 0 || rank >= known.items[number].size ? RECORD_NOBODY
                                                        : known.items[number].world[rank];
}

void communicators_write(FILE *out)
{
    for (size_t i = 0; i < known.count; i++) {
        const struct communicator *it = &known.items[i];
        fprintf(out, "communicator %zu copy %d grid %d", i, it->copy, it->dimensions);
        for (int d = 0; d < it->dimensions; d++)
            fprintf(out, " %d%s", it->sides[d], it->rings[d] ? "o" : "");
        fprintf(out, " members %d", it->size);
        for (int k = 0; k < it->size; k++)
            fprintf(out, " %d", it->world[k]);
        fputc('\n', out);
    }
}

/* ---- what makes and frees them: seen at once, as all processes make them in the same order ----
 */

/* Defines the wrapper of a call that makes *made. */
#define MAKES(name, parameters, arguments)                                                         \
    EXPORTED int MPI_##name parameters                                                             \
    {                                                                                              \
        const bool is_recorded = record_enter();                                                   \
        const int status = PMPI_##name arguments;                                                  \
        if (is_recorded && status == MPI_SUCCESS && *made != MPI_COMM_NULL)                        \
            communicator_number(*made);                                                            \
        record_leave();                                                                            \
        return status;                                                                             \
    }

MAKES(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
MAKES(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made))
MAKES(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))
MAKES(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
      (comm, type, key, info, made))
MAKES(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made))
MAKES(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made),
      (comm, group, tag, made))
MAKES(Cart_create,
      (MPI_Comm comm, int dimensions, const int sides[], const int rings[], int reorder,
       MPI_Comm *made),
      (comm, dimensions, sides, rings, reorder, made))
MAKES(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), (comm, remain, made))
MAKES(Graph_create,
      (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *made),
      (comm, nodes, index, edges, reorder, made))
MAKES(Dist_graph_create,
      (MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
       const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
      (comm, n, sources, degrees, destinations, weights, info, reorder, made))
MAKES(Dist_graph_create_adjacent,
      (MPI_Comm comm, int in, const int sources[], const int weights[], int out,
       const int destinations[], const int its[], MPI_Info info, int reorder, MPI_Comm *made),
      (comm, in, sources, weights, out, destinations, its, info, reorder, made))
MAKES(Intercomm_create,
      (MPI_Comm comm, int leader, MPI_Comm peers, int remote, int tag, MPI_Comm *made),
      (comm, leader, peers, remote, tag, made))
MAKES(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made))

static void forget(MPI_Comm comm)
{
    for (size_t i = 0; i < known.count; i++)
        if (known.items[i].comm == comm)
            known.items[i].comm = MPI_COMM_NULL;
}

EXPORTED int MPI_Comm_free(MPI_Comm *comm)
{
    if (record_enter())
        forget(*comm);
    const int status = PMPI_Comm_free(comm);
    record_leave();
    return status;
}

EXPORTED int MPI_Comm_disconnect(MPI_Comm *comm)
{
    if (record_enter())
        forget(*comm);
    const int status = PMPI_Comm_disconnect(comm);
    record_leave();
    return status;
}
