#include "shim/payload.h"

#include "model/base/allocation.h"

#include <stdlib.h>

static int combiner_of(MPI_Datatype datatype)
{
    int integers, addresses, datatypes, combiner;
    PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner);
    return combiner;
}

static bool is_predefined(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

static bool lies_in_a_row(MPI_Datatype datatype);

/* Of a duplicate, or of neighbours without a gap: as the type that they are made of. */
static bool made_of_one_in_a_row(MPI_Datatype datatype)
{
    int count;
    MPI_Aint no_address;
    MPI_Datatype inner;
    PMPI_Type_get_contents(datatype, 1, 0, 1, &count, &no_address, &inner);
    const bool is = lies_in_a_row(inner);
    if (!is_predefined(combiner_of(inner)))
        PMPI_Type_free(&inner);
    return is;
}

/* The extent alone does not tell: the parts of a type may stand in any order. */
static bool lies_in_a_row(MPI_Datatype datatype)
{
    int bytes;
    MPI_Aint least, extent;
    PMPI_Type_get_extent(datatype, &least, &extent);
    PMPI_Type_size(datatype, &bytes);
    if (least != 0 || extent != bytes)
        return false;
    const int combiner = combiner_of(datatype);
    return is_predefined(combiner) ||
           ((combiner == MPI_COMBINER_CONTIGUOUS || combiner == MPI_COMBINER_DUP) &&
            made_of_one_in_a_row(datatype));
}

/* MPICH packs nothing from MPI_BOTTOM, its null pointer: the same data as seen from a place that is
   none. */
static struct message from_somewhere(const struct message *message)
{
    static char somewhere;
    MPI_Aint address;
    struct message moved = {&somewhere, 1, MPI_DATATYPE_NULL};
    PMPI_Get_address(&somewhere, &address);
    address = -address;
    PMPI_Type_create_hindexed(1, &message->count, &address, message->datatype, &moved.datatype);
    PMPI_Type_commit(&moved.datatype);
    return moved;
}

static void pack(const struct message *message, const struct payload *payload, MPI_Comm comm)
{
    int packed = 0;
    PMPI_Pack(message->buffer, message->count, message->datatype, payload->bytes, payload->count,
              &packed, comm);
}

static void unpack(const struct message *message, const struct payload *payload, MPI_Comm comm)
{
    int unpacked = 0;
    PMPI_Unpack(payload->bytes, payload->count, &unpacked, message->buffer, message->count,
                message->datatype, comm);
}

/* Either of the two above. */
static void copy(const struct message *message, const struct payload *payload, MPI_Comm comm,
                 void (*way)(const struct message *, const struct payload *, MPI_Comm))
{
    if (message->buffer != MPI_BOTTOM) {
        way(message, payload, comm);
        return;
    }
    struct message moved = from_somewhere(message);
    way(&moved, payload, comm);
    PMPI_Type_free(&moved.datatype);
}

struct payload payload_begin(const struct message *message, int count, bool is_root, MPI_Comm comm)
{
    if (lies_in_a_row(message->datatype))
        return (struct payload){message->buffer, count, false};
    const struct payload payload = {memory_new((size_t)count, 1), count, true};
    if (is_root)
        copy(message, &payload, comm, pack);
    return payload;
}

void payload_end(struct payload *payload, const struct message *message, bool is_root,
                 MPI_Comm comm)
{
    if (!payload->is_copy)
        return;
    if (!is_root)
        copy(message, payload, comm, unpack);
    free(payload->bytes);
}
