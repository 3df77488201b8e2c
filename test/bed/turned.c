/* What the packed many-to-many leaves, run under the simulated MPI with any number of ranks: the
   matrix of which each has w rows, turned. Prints "turned", or "different". */
#include "trainer/utilities.h"

#include <stdio.h>
#include <stdlib.h>

/* Of the element in a row and a column of the whole matrix. */
static double element(size_t row, size_t column)
{
    return 1e6 * (double)row + (double)column;
}

/* As many elements for each other rank as given; those beyond a square travel unturned. */
static int differs(size_t elements, size_t w)
{
    struct site site = {.comm = MPI_COMM_WORLD, .bytes = (int)(elements * sizeof(double))};
    int wrong = 0;
    MPI_Comm_rank(site.comm, &site.rank);
    MPI_Comm_size(site.comm, &site.processors);
    const size_t p = (size_t)site.processors, mine = (size_t)site.rank * w;
    double *const send = calloc(2 * p * elements + 1, sizeof *send);
    double *const receive = calloc(2 * p * elements + 1, sizeof *receive);
    double *const matrix = send + p * elements;
    site.send = (char *)send;
    site.receive = (char *)receive;
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < w * p; j++)
            matrix[i * w * p + j] = element(mine + i, j);
    utility_many_to_many_packed.run(&site, 1);
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < w * p; j++)
            wrong += matrix[i * w * p + j] != element(j, mine + i);
    free(send);
    free(receive);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, all_wrong, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wrong += differs(1, 1) + differs(64, 8) + differs(70, 8) + differs(17 * 17, 17);
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all_wrong ? "different" : "turned");
    MPI_Finalize();
    return all_wrong != 0;
}
