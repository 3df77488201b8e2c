#include "trainer/base/group.h"

#include <stdbool.h>

enum { TAG = 90 };

static bool is_among(struct group_ranks ranks, int rank)
{
    return rank >= ranks.from && rank <= ranks.upto && (rank - ranks.from) % ranks.step == 0;
}

static MPI_Comm comm_of(MPI_Group world, int first, int last, int step)
{
    int range[1][3] = {
        {first, last, step}
    };
    MPI_Group some;
    MPI_Comm comm;
    MPI_Group_range_incl(world, 1, range, &some);
    MPI_Comm_create_group(MPI_COMM_WORLD, some, TAG, &comm);
    MPI_Group_free(&some);
    return comm;
}

struct group group_none(void)
{
    return (struct group){MPI_COMM_NULL, MPI_COMM_NULL};
}

struct group group_new(struct group_ranks ranks)
{
    struct group it = group_none();
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!is_among(ranks, rank))
        return it;
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    it.comm = comm_of(world, ranks.from, ranks.upto, ranks.step);
    it.mirrored = comm_of(world, ranks.upto, ranks.from, -ranks.step);
    MPI_Group_free(&world);
    return it;
}

void group_free(struct group *group)
{
    if (group->comm == MPI_COMM_NULL)
        return;
    MPI_Comm_free(&group->comm);
    MPI_Comm_free(&group->mirrored);
}
