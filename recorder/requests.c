/* Requests: what is under way. MPICH gives one handle to all sends that are done at once, so that
   the uses of a handle are counted. */
#include "recorder/record.h"

#include "model/base/allocation.h"

#include <stdlib.h>

struct request {
    MPI_Request handle;
    bool is_taken, is_persistent;
    long uses; /* that are under way */
    enum record_operation operation;
    MPI_Comm comm;
    int partner, tag;
    uint64_t bytes;
};

static struct {
    struct request *items; /* by the hash of their handles */
    size_t room, taken;
    long open;  /* uses of all */
    bool moved; /* something was opened since the last note */
} requests;

static struct request *slot_of(MPI_Request handle)
{
    size_t at = ((size_t)handle * 11400714819323198485u >> 20) % requests.room;
    while (requests.items[at].is_taken && requests.items[at].handle != handle)
        at = (at + 1) % requests.room;
    return &requests.items[at];
}

/* Room for one more. Handles that nobody waits for any more are left behind. */
static void make_room(void)
{
    if (2 * (requests.taken + 1) < requests.room)
        return;
    const struct request *old = requests.items;
    const size_t room = requests.room;
    size_t kept = 0;
    for (size_t i = 0; i < room; i++)
        kept += old[i].uses > 0 || old[i].is_persistent;
    requests.room = kept * 4 < 1024 ? 1024 : kept * 4;
    requests.items = memory_new(requests.room, sizeof *requests.items);
    requests.taken = kept;
    for (size_t i = 0; i < room; i++)
        if (old[i].uses > 0 || old[i].is_persistent)
            *slot_of(old[i].handle) = old[i];
    free((void *)old);
}

void request_open(MPI_Request request, enum record_operation operation, MPI_Comm comm, int partner,
                  int tag, uint64_t bytes, bool is_persistent)
{
    if (request == MPI_REQUEST_NULL)
        return;
    make_room();
    struct request *slot = slot_of(request);
    requests.taken += !slot->is_taken;
    const long uses = slot->is_taken ? slot->uses : 0;
    *slot =
        (struct request){request, true, is_persistent, uses, operation, comm, partner, tag, bytes};
    if (is_persistent)
        return;
    slot->uses++;
    requests.open++;
    requests.moved = true;
    record_call(operation, comm, partner, tag, bytes, 0);
}

void request_start(MPI_Request request)
{
    struct request *slot = requests.room ? slot_of(request) : NULL;
    if (!slot || !slot->is_taken)
        return;
    slot->uses++;
    requests.open++;
    requests.moved = true;
    record_call(slot->operation, slot->comm, slot->partner, slot->tag, slot->bytes, 0);
}

void request_close(MPI_Request request)
{
    struct request *slot = request == MPI_REQUEST_NULL || !requests.room ? NULL : slot_of(request);
    if (!slot || !slot->is_taken || slot->uses == 0)
        return;
    slot->uses--;
    requests.open--;
}

void requests_note_done(bool has_moved)
{
    requests.moved |= has_moved;
    if (requests.open != 0 || !requests.moved)
        return;
    requests.moved = false;
    record_call(RECORD_DONE, MPI_COMM_NULL, MPI_PROC_NULL, 0, 0, 0);
}
