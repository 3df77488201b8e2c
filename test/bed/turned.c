/* What the packed many-to-many leaves, run under the simulated MPI with any number of ranks: a
   matrix of which each has some rows, turned, and behind it what is left of each message. Prints
   "turned", or "different". */
#include "trainer/utilities/utilities.h"

#include <stdio.h>
#include <stdlib.h>

/* Of the element in a row and a column of the whole matrix. */
static double element(size_t row, size_t column)
{
    return 1e6 * (double)row + (double)column;
}

struct made {
    size_t rows, columns, left;
};

/* Each rank's own, number k of what it has for that rank. */
static double rest(size_t from, size_t to, size_t k)
{
    return -1e6 * (double)from - 1e3 * (double)to - (double)k;
}

static void fill(double *matrix, const struct made *made, size_t rank, size_t p)
{
    for (size_t i = 0; i < made->rows; i++)
        for (size_t j = 0; j < made->columns * p; j++)
            *matrix++ = element(rank * made->rows + i, j);
    for (size_t to = 0; to < p; to++)
        for (size_t k = 0; k < made->left; k++)
            *matrix++ = rest(rank, to, k);
}

static int count_wrong(const double *matrix, const struct made *made, size_t rank, size_t p)
{
    int wrong = 0;
    for (size_t i = 0; i < made->columns; i++)
        for (size_t j = 0; j < made->rows * p; j++)
            wrong += *matrix++ != element(j, rank * made->columns + i);
    for (size_t from = 0; from < p; from++)
        for (size_t k = 0; k < made->left; k++)
            wrong += *matrix++ != rest(from, rank, k);
    return wrong;
}

/* Blocks of that shape are what messages of so many elements have to make. */
static int differs(size_t rows, size_t columns, size_t left)
{
    const struct made made = {rows, columns, left};
    const size_t elements = rows * columns + left;
    struct site site = {.comm = MPI_COMM_WORLD, .bytes = (int)(elements * sizeof(double))};
    MPI_Comm_rank(site.comm, &site.rank);
    MPI_Comm_size(site.comm, &site.processors);
    const size_t p = (size_t)site.processors;
    double *const send = calloc(2 * p * elements, sizeof *send);
    double *const receive = calloc(2 * p * elements, sizeof *receive);
    site.send = (char *)send;
    site.receive = (char *)receive;
    fill(send + p * elements, &made, (size_t)site.rank, p);
    utility_many_to_many_packed.run(&site, 1);
    const int wrong = count_wrong(send + p * elements, &made, (size_t)site.rank, p);
    free(send);
    free(receive);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, all_wrong, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wrong += differs(1, 1, 0) + differs(5, 1, 0) + differs(8, 1, 7) + differs(8, 8, 6) +
             differs(16, 18, 1) + differs(24, 22, 3);
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all_wrong ? "different" : "turned");
    MPI_Finalize();
    return all_wrong != 0;
}
