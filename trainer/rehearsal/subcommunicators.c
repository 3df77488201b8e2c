#include "trainer/rehearsal/subcommunicators.h"

#include "model/base/allocation.h"

#include <stdlib.h>

struct subcommunicators subcommunicators_new(void)
{
    struct subcommunicators it;
    MPI_Comm_rank(MPI_COMM_WORLD, &it.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &it.processors);
    it.of = memory_new((size_t)it.processors + 1, sizeof *it.of);
    return it;
}

void subcommunicators_free(struct subcommunicators *subcommunicators)
{
    for (int size = 0; size <= subcommunicators->processors; size++)
        if (subcommunicators->of[size].size > 0)
            group_free(&subcommunicators->of[size].group);
    free(subcommunicators->of);
}

const struct subcommunicator *subcommunicators_take(struct subcommunicators *subcommunicators,
                                                    int size)
{
    struct subcommunicator *it = &subcommunicators->of[size];
    if (it->size > 0)
        return it;
    it->size = size;
    it->count = subcommunicators->processors / size;
    it->number = subcommunicators->rank / size;
    it->rank = subcommunicators->rank % size;
    it->group = group_none();
    if (it->number < it->count)
        it->group =
            group_new((struct group_ranks){it->number * size, (it->number + 1) * size - 1, 1});
    return it;
}
