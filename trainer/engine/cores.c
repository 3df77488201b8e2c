#include "trainer/engine/cores.h"

#include <mpi.h>
#include <sched.h>
#include <string.h>

static const char *const binding_shared = "more ranks than cores";

/* The node's ranks, and the cores that they may use together. */
struct node_cores {
    MPI_Comm comm;
    int rank, ranks;
    cpu_set_t mine, all;
};

static bool ask(struct node_cores *node)
{
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node->comm);
    MPI_Comm_rank(node->comm, &node->rank);
    MPI_Comm_size(node->comm, &node->ranks);
    int known = sched_getaffinity(0, sizeof node->mine, &node->mine) == 0, all_known;
    MPI_Allreduce(&node->mine, &node->all, sizeof node->all, MPI_BYTE, MPI_BOR, node->comm);
    MPI_Allreduce(&known, &all_known, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all_known;
}

/* True where it is so on any node. */
static bool anywhere(bool here)
{
    int mine = here, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* The core number `rank` of those that all may use. */
static void bind_to_own(const struct node_cores *node)
{
    cpu_set_t own;
    size_t core = 0;
    for (int before = 0; before < node->rank || !CPU_ISSET(core, &node->all); core++)
        before += CPU_ISSET(core, &node->all) != 0;
    CPU_ZERO(&own);
    CPU_SET(core, &own);
    sched_setaffinity(0, sizeof own, &own);
}

static int take(const struct options *options, const struct node_cores *node, const char **binding,
                struct error *error)
{
    const int cores = CPU_COUNT(&node->all);
    if (anywhere(node->ranks > cores)) {
        *binding = binding_shared;
        if (options->oversubscribe)
            return 0;
        return error_set(error,
                         "%d ranks share %d cores, which would measure the scheduler: start fewer "
                         "ranks a node, or say --oversubscribe to have the table marked",
                         node->ranks, cores);
    }
    *binding = "by the launcher";
    if (!anywhere(CPU_EQUAL(&node->mine, &node->all)))
        return 0;
    *binding = "a core each, by the trainer";
    bind_to_own(node);
    return 0;
}

int cores_take(const struct options *options, bool simulated, const char **binding,
               struct error *error)
{
    struct node_cores node;
    *binding = NULL;
    if (simulated)
        return 0;
    const bool known = ask(&node);
    const int status = known ? take(options, &node, binding, error) : 0;
    MPI_Comm_free(&node.comm);
    return status;
}

bool cores_are_shared(const char *binding)
{
    return binding && strcmp(binding, binding_shared) == 0;
}
