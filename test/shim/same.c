/* A program that knows nothing of the shim: MPI_Bcast, which the shim may have replaced, against
   PMPI_Bcast, which is the library's, bit by bit.

     same SEED TRIALS   drawn communicators, roots, lengths and data types, other types of the same
                        signature on every processor; messages of its own under way: prints "same",
                        or what differs
     same between COUNT so many broadcasts over intercommunicators, which have nothing to choose
     same many COUNT    so many communicators at a time, a broadcast on each, then all over again;
                        prints "same" if that many were to be had */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 18, AT = 1 << 14, TAG = 77, MOST_BYTES = 20000 };

static unsigned long state; /* of the draws, which are the same on all ranks */

static int draw(int below)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (int)((state >> 33) % (unsigned long)below);
}

/* ---- data types ---- */

/* char and int, with the hole that C leaves, or without. */
static MPI_Datatype record_type(int tight)
{
    const int blocks[] = {1, 1};
    const MPI_Aint places[] = {0, tight ? 1 : 4};
    const MPI_Datatype types[] = {MPI_CHAR, MPI_INT};
    MPI_Datatype open, closed;
    MPI_Type_create_struct(2, blocks, places, types, &open);
    MPI_Type_create_resized(open, 0, tight ? 5 : 8, &closed);
    MPI_Type_free(&open);
    return closed;
}

/* `group` elements with gaps behind, in backward order, or before the address of the buffer. */
static MPI_Datatype places_type(MPI_Datatype element, int group, const int places[])
{
    MPI_Datatype type;
    MPI_Type_create_indexed_block(group, 1, places, element, &type);
    return type;
}

static MPI_Datatype shifted_type(MPI_Datatype element, int group)
{
    MPI_Datatype row, type;
    MPI_Aint least, extent;
    MPI_Type_contiguous(group, element, &row);
    MPI_Type_get_extent(element, &least, &extent);
    MPI_Type_create_resized(row, -3 * extent, (group + 4) * extent, &type);
    MPI_Type_free(&row);
    return type;
}

static MPI_Datatype duplicate_type(MPI_Datatype element, int group)
{
    MPI_Datatype row, type;
    MPI_Type_contiguous(group, element, &row);
    MPI_Type_dup(row, &type);
    MPI_Type_free(&row);
    return type;
}

enum kind { ROW, GAPS, DUPLICATE, ABSOLUTE, SHIFTED, BACKWARDS, BEFORE, KINDS };

/* SimGrid 3.32 ends with a segmentation fault, with or without the shim, where an indexed type has
   places before the address; and it steps over indexed types and over types with holes by their
   size, so that its own broadcast loses bytes where a rank with such a type passes them on to one
   with another. There such types are the same on all ranks. */
#ifdef SMPI_H
enum { FIRST = 5, OWN_KINDS = SHIFTED, RECORDS_DIFFER = 0 };
#else
enum { FIRST = 0, OWN_KINDS = KINDS, RECORDS_DIFFER = 1 };
#endif

static MPI_Datatype group_type(int kind, MPI_Datatype element, int group)
{
    static const int backwards[] = {2, 1, 0}, before[] = {FIRST - 2, FIRST - 5, FIRST + 1};
    MPI_Datatype type;
    switch (kind) {
    case ROW:
        MPI_Type_contiguous(group, element, &type);
        return type;
    case GAPS:
        MPI_Type_vector(group, 1, 2, element, &type);
        return type;
    case BACKWARDS:
        return places_type(element, group, backwards + 3 - group);
    case BEFORE:
        return places_type(element, group, before);
    case SHIFTED:
        return shifted_type(element, group);
    default:
        return duplicate_type(element, group);
    }
}

/* What one rank gives to a broadcast. */
struct given {
    void *buffer;
    int count;
    MPI_Datatype type;
};

/* The address as part of the type, as for MPI_BOTTOM. */
static struct given absolute(struct given given)
{
    MPI_Aint address;
    MPI_Datatype type;
    MPI_Get_address(given.buffer, &address);
    MPI_Type_create_hindexed(1, &given.count, &address, given.type, &type);
    MPI_Type_free(&given.type);
    return (struct given){MPI_BOTTOM, 1, type};
}

static struct given give(char *buffer, int kind, MPI_Datatype element, int group, int count)
{
    struct given given = {buffer + AT, count, group_type(kind, element, group)};
    if (kind == ABSOLUTE)
        given = absolute(given);
    MPI_Type_commit(&given.type);
    return given;
}

/* ---- one trial ---- */

struct trial {
    MPI_Comm comm;
    int rank, processors, root;
    int element, group, count, kind;
};

static void fill(char *buffer, const struct trial *trial)
{
    for (int i = 0; i < ROOM; i++)
        buffer[i] = trial->rank == trial->root ? (char)(i * 31 + trial->count) : (char)trial->rank;
}

static MPI_Datatype element_type(const struct trial *trial)
{
    switch (trial->element) {
    case 0:
        return MPI_CHAR;
    case 1:
        return MPI_INT;
    default:
        return record_type(RECORDS_DIFFER && trial->rank % 2);
    }
}

/* broadcast: MPI_Bcast or PMPI_Bcast. */
static void broadcast_into(char *buffer, const struct trial *trial,
                           int (*broadcast)(void *, int, MPI_Datatype, int, MPI_Comm))
{
    MPI_Datatype element = element_type(trial);
    struct given given = give(buffer, trial->kind, element, trial->group, trial->count);
    fill(buffer, trial);
    broadcast(given.buffer, given.count, given.type, trial->root, trial->comm);
    MPI_Type_free(&given.type);
    if (trial->element == 2)
        MPI_Type_free(&element);
}

/* The same without any type of our own. */
static void broadcast_plain(char *buffer, const struct trial *trial,
                            int (*broadcast)(void *, int, MPI_Datatype, int, MPI_Comm))
{
    fill(buffer, trial);
    broadcast(buffer + AT, trial->group * trial->count, trial->element == 1 ? MPI_INT : MPI_CHAR,
              trial->root, trial->comm);
}

/* The program's own messages, around the broadcast: the root to the next. */
struct under_way {
    int sent[2], received[2];
    MPI_Request requests[2];
};

static void start(struct under_way *messages, const struct trial *trial)
{
    const int next = (trial->root + 1) % trial->processors;
    messages->requests[0] = messages->requests[1] = MPI_REQUEST_NULL;
    messages->sent[0] = trial->count;
    messages->sent[1] = trial->root;
    messages->received[0] = messages->received[1] = -1;
    if (trial->rank == next)
        MPI_Irecv(messages->received, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, trial->comm,
                  &messages->requests[0]);
    if (trial->rank == trial->root && trial->count % 2)
        MPI_Isend(messages->sent, 2, MPI_INT, next, TAG, trial->comm, &messages->requests[1]);
}

static int finish(struct under_way *messages, const struct trial *trial)
{
    const int next = (trial->root + 1) % trial->processors;
    if (trial->rank == trial->root && trial->count % 2 == 0)
        MPI_Isend(messages->sent, 2, MPI_INT, next, TAG, trial->comm, &messages->requests[1]);
    MPI_Waitall(2, messages->requests, MPI_STATUSES_IGNORE);
    return trial->rank == next &&
           (messages->received[0] != trial->count || messages->received[1] != trial->root);
}

static int differs(const struct trial *trial)
{
    static char ours[ROOM], theirs[ROOM];
    struct under_way messages;
    start(&messages, trial);
    if (trial->kind < 0) {
        broadcast_plain(ours, trial, MPI_Bcast);
        broadcast_plain(theirs, trial, PMPI_Bcast);
    } else {
        broadcast_into(ours, trial, MPI_Bcast);
        broadcast_into(theirs, trial, PMPI_Bcast);
    }
    const int mixed_up = finish(&messages, trial);
    const int different = memcmp(ours, theirs, ROOM) != 0;
    if (mixed_up || different)
        printf("%s: rank %d of %d, root %d, %d x %d of element %d, kind %d\n",
               mixed_up ? "message" : "broadcast", trial->rank, trial->processors, trial->root,
               trial->count, trial->group, trial->element, trial->kind);
    return mixed_up || different;
}

/* ---- the draws ---- */

static MPI_Comm drawn_comm(int rank)
{
    MPI_Comm comm;
    switch (draw(4)) {
    case 0: /* the halves, backwards */
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comm);
        return comm;
    case 1: /* all but rank 0 */
        MPI_Comm_split(MPI_COMM_WORLD, rank ? 0 : MPI_UNDEFINED, rank, &comm);
        return comm;
    case 2:
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        return comm;
    default:
        return MPI_COMM_WORLD;
    }
}

static int drawn_count(int element, int group)
{
    static const int bytes[] = {0,    1,    2,    3,    7,    99,   999,  1000,
                                1001, 1999, 2000, 2001, 8191, 8192, 8193, MOST_BYTES};
    static const int size[] = {1, 4, 5};
    const int near = bytes[draw(sizeof bytes / sizeof *bytes)] / size[element] / group;
    return draw(2) ? near : draw(near + 1);
}

/* A type of its own on every rank, or the same on all; -1: none of our own. */
static int drawn_kind(int rank, int element)
{
    const int common = draw(KINDS + 1) - 1, own = draw(1000), is_own = draw(3);
    if (is_own && common >= 0 && (RECORDS_DIFFER || element < 2))
        return (own + rank * 3) % OWN_KINDS;
    return common;
}

static int try_once(int rank)
{
    struct trial trial = {.comm = drawn_comm(rank)};
    const int root = draw(1000), element = draw(3), group = 1 + draw(3);
    trial.element = element;
    trial.group = group;
    trial.count = drawn_count(element, group);
    trial.kind = drawn_kind(rank, element);
    if (trial.kind < 0 && element == 2)
        trial.element = 0;
    if (trial.comm == MPI_COMM_NULL)
        return 0;
    MPI_Comm_rank(trial.comm, &trial.rank);
    MPI_Comm_size(trial.comm, &trial.processors);
    trial.root = root % trial.processors;
    const int wrong = differs(&trial);
    if (trial.comm != MPI_COMM_WORLD)
        MPI_Comm_free(&trial.comm);
    return wrong;
}

/* Between the even and the odd ranks. */
static int try_between(int rank, int size)
{
    MPI_Comm half, between;
    if (size < 2)
        return 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, TAG, &between);
    int value = rank == 0 ? 12345 : 0;
    MPI_Bcast(&value, 1, MPI_INT, rank == 0 ? MPI_ROOT : rank % 2 ? 0 : MPI_PROC_NULL, between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    return rank % 2 && value != 12345;
}

static int try_many(int count)
{
    MPI_Comm *comms = calloc((size_t)count, sizeof *comms);
    int wrong = 0;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < count; i++) {
            int value = i;
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
            MPI_Bcast(&value, 1, MPI_INT, 0, comms[i]);
            wrong += value != i;
        }
        for (int i = 0; i < count; i++)
            MPI_Comm_free(&comms[i]);
    }
    free(comms);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, size, wrong = 0, all_wrong;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (strcmp(argv[1], "many") == 0) {
        wrong = try_many(atoi(argv[2]));
    } else if (strcmp(argv[1], "between") == 0) {
        for (int i = 0; i < atoi(argv[2]); i++)
            wrong += try_between(rank, size);
    } else {
        state = strtoul(argv[1], NULL, 10);
        for (int i = 0; i < atoi(argv[2]); i++)
            wrong += try_once(rank);
    }
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all_wrong ? "different" : "same");
    MPI_Finalize();
    return all_wrong != 0;
}
