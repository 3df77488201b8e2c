#include "trainer/rehearsal/subcommunicators.h"

#include "model/base/allocation.h"

#include <stdlib.h>

struct companies companies_new(void)
{
    struct companies it;
    MPI_Comm_rank(MPI_COMM_WORLD, &it.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &it.processors);
    it.of = memory_new((size_t)it.processors + 1, sizeof *it.of);
    return it;
}

void companies_free(struct companies *companies)
{
    for (int size = 0; size <= companies->processors; size++)
        if (companies->of[size].size > 0 && companies->of[size].comm != MPI_COMM_NULL) {
            MPI_Comm_free(&companies->of[size].comm);
            MPI_Comm_free(&companies->of[size].mirrored);
        }
    free(companies->of);
}

const struct company *companies_take(struct companies *companies, int size)
{
    struct company *it = &companies->of[size];
    if (it->size > 0)
        return it;
    it->size = size;
    it->count = companies->processors / size;
    it->number = companies->rank / size;
    it->rank = companies->rank % size;
    const int color = it->number < it->count ? it->number : MPI_UNDEFINED;
    it->mirrored = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, color, it->rank, &it->comm);
    if (it->comm != MPI_COMM_NULL)
        MPI_Comm_split(it->comm, 0, -it->rank, &it->mirrored);
    return it;
}
