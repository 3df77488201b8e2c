#include "shim/companion.h"

#include "model/base/allocation.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* MPI libraries have some thousand communicators in all, and most of them are the program's. */
enum { PRIVATE_MOST = 256 };

/* ---- the end ---- */

/* Called by MPI when the program's communicator is freed, and through companions_end. */
static int end(MPI_Comm comm, int key, void *value, void *extra)
{
    struct companion *companion = value;
    struct companions *companions = extra;
    (void)comm;
    (void)key;
    if (companion->comm != MPI_COMM_NULL) {
        PMPI_Comm_free(&companion->comm);
        atomic_fetch_sub(&companions->private_communicators, 1);
    }
    for (int root = 0; root < companion->processors; root++)
        free(companion->by_root[root].items);
    free(companion->by_root);
    free(companion);
    return MPI_SUCCESS;
}

void companions_end(struct companions *companions)
{
    void *value;
    int is_there;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, companions->key, &value, &is_there);
    if (is_there)
        PMPI_Comm_delete_attr(MPI_COMM_WORLD, companions->key);
    PMPI_Comm_free_keyval(&companions->key);
    machine_free(&companions->machine);
    for (struct known_choices *known = atomic_exchange(&companions->known, NULL); known;) {
        struct known_choices *next = known->next;
        free(known->choices.items);
        free(known);
        known = next;
    }
}

/* ---- the beginning ---- */

/* Whether all of comm are of this MPI_COMM_WORLD, where all have the same table or none. One that
   was spawned, or connected to, may have no shim at all; everyone on its communicators sees that
   not all are of one world. */
static bool is_of_one_world(MPI_Comm comm, int processors)
{
    MPI_Group group, world;
    int *ranks = memory_new((size_t)processors, 2 * sizeof *ranks);
    int *const in_world = ranks + processors;
    bool is = true;
    for (int i = 0; i < processors; i++)
        ranks[i] = i;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, processors, ranks, world, in_world);
    for (int i = 0; i < processors; i++)
        is = is && in_world[i] != MPI_UNDEFINED;
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    free(ranks);
    return is;
}

static bool may_choose(MPI_Comm comm, int *processors)
{
    int is_inter;
    PMPI_Comm_test_inter(comm, &is_inter);
    PMPI_Comm_size(comm, processors);
    return !is_inter && *processors > 1 && is_of_one_world(comm, *processors);
}

static bool all_are_the_library(const struct broadcast_choices *choices)
{
    for (size_t i = 0; i < choices->count; i++)
        if (choices->items[i].algorithm != BROADCAST_BC)
            return false;
    return true;
}

/* The choices for a number of processors and a root take some ms; many communicators have the same.
 */
static const struct broadcast_choices *choices_for(struct companions *companions, int processors,
                                                   int root)
{
    struct known_choices *first = atomic_load(&companions->known);
    for (const struct known_choices *known = first; known; known = known->next)
        if (known->processors == processors && known->root == root)
            return &known->choices;
    struct known_choices *made = memory_new(1, sizeof *made);
    *made = (struct known_choices){first, processors, root,
                                   broadcast_choices_from(&companions->machine, processors, root)};
    /* Another thread may have made the same: no harm. */
    while (!atomic_compare_exchange_weak(&companions->known, &made->next, made))
        continue;
    return &made->choices;
}

/* One processor chooses, so that all take the same whatever their arithmetic. */
static void choose_together(struct companions *companions, MPI_Comm comm,
                            struct companion *companion, int root)
{
    enum { INTS = sizeof(struct broadcast_choice) / sizeof(int) };
    struct broadcast_choices *choices = &companion->by_root[root];
    const struct broadcast_choices *mine = NULL;
    int rank, count = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        mine = choices_for(companions, companion->processors, root);
        count = (int)mine->count;
    }
    PMPI_Bcast(&count, 1, MPI_INT, 0, comm);
    choices->count = (size_t)count;
    choices->items = memory_new(choices->count, sizeof *choices->items);
    if (mine)
        memcpy(choices->items, mine->items, choices->count * sizeof *choices->items);
    PMPI_Bcast(choices->items, count * INTS, MPI_INT, 0, comm);
}

/* Whether there is anything but the library to choose, and a communicator to be had for it. */
static bool are_worth_it(struct companions *companions, MPI_Comm comm,
                         const struct companion *companion)
{
    int is = (companion->depends_on_root || !all_are_the_library(&companion->by_root[0])) &&
             atomic_load(&companions->private_communicators) < PRIVATE_MOST;
    PMPI_Bcast(&is, 1, MPI_INT, 0, comm);
    return is;
}

/* Not MPI_Comm_dup, which would call the program's copy functions for its own attributes. Without a
   communicator to be had the program goes on as without the shim. */
static MPI_Comm private_of(MPI_Comm comm)
{
    MPI_Errhandler handler;
    MPI_Group group;
    MPI_Comm made = MPI_COMM_NULL;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_get_errhandler(comm, &handler);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (PMPI_Comm_create(comm, group, &made) != MPI_SUCCESS)
        made = MPI_COMM_NULL;
    /* SimGrid's MPI has none before one is set. */
    PMPI_Comm_set_errhandler(comm, handler == MPI_ERRHANDLER_NULL ? MPI_ERRORS_ARE_FATAL : handler);
    if (handler != MPI_ERRHANDLER_NULL)
        PMPI_Errhandler_free(&handler);
    PMPI_Group_free(&group);
    if (made != MPI_COMM_NULL)
        PMPI_Comm_set_errhandler(made, MPI_ERRORS_ARE_FATAL);
    return made;
}

static struct companion *begin(struct companions *companions, MPI_Comm comm)
{
    struct companion *companion = memory_new(1, sizeof *companion);
    int processors;
    companion->comm = MPI_COMM_NULL;
    if (!may_choose(comm, &processors))
        return companion;
    companion->processors = processors;
    companion->depends_on_root = broadcast_depends_on_root(&companions->machine);
    companion->by_root = memory_new((size_t)processors, sizeof *companion->by_root);
    choose_together(companions, comm, companion, 0);
    if (are_worth_it(companions, comm, companion))
        companion->comm = private_of(comm);
    if (companion->comm != MPI_COMM_NULL)
        atomic_fetch_add(&companions->private_communicators, 1);
    return companion;
}

struct companion *companion_of(struct companions *companions, MPI_Comm comm)
{
    void *value;
    int is_there;
    PMPI_Comm_get_attr(comm, companions->key, &value, &is_there);
    if (is_there)
        return value;
    struct companion *companion = begin(companions, comm);
    PMPI_Comm_set_attr(comm, companions->key, companion);
    return companion;
}

const struct broadcast_choices *companion_choices(struct companions *companions,
                                                  struct companion *companion, MPI_Comm comm,
                                                  int root)
{
    const int kind = companion->depends_on_root ? root : 0;
    if (!companion->by_root[kind].items)
        choose_together(companions, comm, companion, kind);
    return &companion->by_root[kind];
}

void companions_begin(struct companions *companions, const struct machine *machine)
{
    companions->machine = *machine;
    atomic_init(&companions->known, NULL);
    atomic_init(&companions->private_communicators, 0);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &companions->key, companions);
}
