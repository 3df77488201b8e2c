#include "broadcast/algorithm.h"

#include "model/base/allocation.h"

#include <stdlib.h>

enum { TAG = 77 };

/* One rank's place in a running broadcast. */
struct place_in_tree {
    const struct broadcast *of;
    int me, processors; /* me is relative to the root */
};

static int absolute(const struct place_in_tree *place, int relative)
{
    const int rank = place->of->root + place->of->direction * relative;
    return (rank + place->processors) % place->processors;
}

static int child_of(const struct place_in_tree *place, int which)
{
    const int child = place->of->tree->child(place->me, place->processors, which);
    return child < 0 ? -1 : absolute(place, child);
}

static void send_in_turn(const struct place_in_tree *place, const char *part, int bytes)
{
    for (int which = 0, child; (child = child_of(place, which)) >= 0; which++)
        MPI_Send(part, bytes, MPI_BYTE, child, TAG, place->of->comm);
}

static void send_at_once(const struct place_in_tree *place, const char *part, int bytes)
{
    MPI_Request *requests = memory_new((size_t)place->processors, sizeof(MPI_Request));
    int started = 0;
    for (int child; (child = child_of(place, started)) >= 0; started++)
        MPI_Isend(part, bytes, MPI_BYTE, child, TAG, place->of->comm, &requests[started]);
    MPI_Waitall(started, requests, MPI_STATUSES_IGNORE);
    free(requests);
}

static void pass_on(const struct place_in_tree *place, char *part, int bytes)
{
    const struct tree *tree = place->of->tree;
    if (place->me != 0)
        MPI_Recv(part, bytes, MPI_BYTE, absolute(place, tree->parent(place->me, place->processors)),
                 TAG, place->of->comm, MPI_STATUS_IGNORE);
    if (tree->sends_at_once)
        send_at_once(place, part, bytes);
    else
        send_in_turn(place, part, bytes);
}

void broadcast_run(const struct broadcast *broadcast, char *buffer, int bytes)
{
    struct place_in_tree place = {.of = broadcast};
    int rank;
    MPI_Comm_rank(broadcast->comm, &rank);
    MPI_Comm_size(broadcast->comm, &place.processors);
    place.me =
        (broadcast->direction * (rank - broadcast->root) + place.processors) % place.processors;
    int done = 0;
    do {
        const int left = bytes - done;
        const int now = left < broadcast->part_bytes ? left : broadcast->part_bytes;
        pass_on(&place, buffer + done, now);
        done += now;
    } while (done < bytes);
}
