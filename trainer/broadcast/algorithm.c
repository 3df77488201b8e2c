#include "trainer/broadcast/algorithm.h"

#include "model/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { TAG = 77 };

const struct broadcast_algorithm broadcast_algorithms[BROADCAST_ALGORITHMS] = {
    {"1m",  &tree_flat,     false},
    {"rd",  &tree_doubling, false},
    {"prd", &tree_doubling, true },
    {"bt",  &tree_binary,   false},
    {"pbt", &tree_binary,   true },
    {"bc",  NULL,           false},
};

const struct broadcast_algorithm *broadcast_algorithm_named(const char *name)
{
    for (size_t i = 0; i < BROADCAST_ALGORITHMS; i++)
        if (strcmp(broadcast_algorithms[i].name, name) == 0)
            return &broadcast_algorithms[i];
    return NULL;
}

/* One rank's place in a running broadcast. */
struct place_in_tree {
    const struct tree *tree;
    int me, root, processors; /* me is relative to the root */
    MPI_Comm comm;
};

static int absolute(const struct place_in_tree *place, int relative)
{
    return (relative + place->root) % place->processors;
}

static int send_in_turn(const struct place_in_tree *place, const void *part, int count,
                        MPI_Datatype type)
{
    int status = MPI_SUCCESS;
    for (int which = 0, child; status == MPI_SUCCESS; which++) {
        child = place->tree->child(place->me, place->processors, which);
        if (child < 0)
            break;
        status = MPI_Send(part, count, type, absolute(place, child), TAG, place->comm);
    }
    return status;
}

static int send_at_once(const struct place_in_tree *place, const void *part, int count,
                        MPI_Datatype type)
{
    MPI_Request *requests = memory_new((size_t)place->processors, sizeof(MPI_Request));
    int started = 0, status = MPI_SUCCESS;
    for (int child; status == MPI_SUCCESS; started++) {
        child = place->tree->child(place->me, place->processors, started);
        if (child < 0)
            break;
        status = MPI_Isend(part, count, type, absolute(place, child), TAG, place->comm,
                           &requests[started]);
    }
    const int completed = MPI_Waitall(started, requests, MPI_STATUSES_IGNORE);
    free(requests);
    return status == MPI_SUCCESS ? completed : status;
}

static int pass_on(const struct place_in_tree *place, void *part, int count, MPI_Datatype type)
{
    if (place->me != 0) {
        const int parent = absolute(place, place->tree->parent(place->me, place->processors));
        const int status = MPI_Recv(part, count, type, parent, TAG, place->comm, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS)
            return status;
    }
    return place->tree->sends_at_once ? send_at_once(place, part, count, type)
                                      : send_in_turn(place, part, count, type);
}

int broadcast_run(const struct broadcast_algorithm *algorithm, void *buffer, int count,
                  MPI_Datatype type, int root, MPI_Comm comm, int part_elements)
{
    if (!algorithm->tree)
        return MPI_Bcast(buffer, count, type, root, comm);
    struct place_in_tree place = {.tree = algorithm->tree, .root = root, .comm = comm};
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &place.processors);
    place.me = (rank - root + place.processors) % place.processors;
    MPI_Aint lower, extent;
    MPI_Type_get_extent(type, &lower, &extent);
    const int step = algorithm->in_parts && part_elements < count ? part_elements : count;
    int done = 0, status = MPI_SUCCESS;
    do {
        const int now = count - done < step ? count - done : step;
        status = pass_on(&place, (char *)buffer + done * extent, now, type);
        done += now;
    } while (done < count && status == MPI_SUCCESS);
    return status;
}

int broadcast_next_root(const struct broadcast_algorithm *algorithm, int root, int processors)
{
    const int last = algorithm->tree ? tree_last_receiver(algorithm->tree, processors, NULL) : 1;
    return (root + last) % processors;
}
