/* The broadcasts by trees against MPI_Bcast, run under the simulated MPI with any number of ranks.

     broadcasts same         every tree, root, direction, part size and length leaves the bytes that
                             MPI_Bcast leaves: prints "same", or what differs
     broadcasts naive BYTES  one broadcast the way not to time it, us: barrier, then rank 0's and
   all other clocks from their own start, the largest (for comparison)        */
#include "broadcast/algorithm.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000, GUARD = 8 };

static const struct tree *const trees[] = {&tree_flat, &tree_doubling, &tree_binary};

static void fill(char *buffer, int rank, int root, int bytes)
{
    for (int i = 0; i < bytes + GUARD; i++)
        buffer[i] = rank == root && i < bytes ? (char)(i * 31 + root * 7 + 1) : (char)-1;
}

static int differs(const struct broadcast *broadcast, int rank, int bytes)
{
    static char ours[MOST + GUARD], theirs[MOST + GUARD];
    fill(ours, rank, broadcast->root, bytes);
    fill(theirs, rank, broadcast->root, bytes);
    broadcast_run(broadcast, ours, bytes);
    MPI_Bcast(theirs, bytes, MPI_BYTE, broadcast->root, broadcast->comm);
    if (memcmp(ours, theirs, (size_t)bytes + GUARD) == 0)
        return 0;
    printf("%s: rank %d, root %d, direction %d, %d bytes in parts of %d\n", broadcast->tree->name,
           rank, broadcast->root, broadcast->direction, bytes, broadcast->part_bytes);
    return 1;
}

static int compare_all(int rank, int size)
{
    static const int lengths[] = {0, 1, 7, 1000, 8192, 8193, MOST};
    static const int parts[] = {1000, 8192, INT_MAX};
    int wrong = 0;
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
        for (int root = 0; root < size; root++)
            for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
                for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
                    const int direction = (root + (int)n) % 2 ? 1 : -1;
                    const struct broadcast one = {trees[t], MPI_COMM_WORLD, root, direction,
                                                  parts[k]};
                    wrong += differs(&one, rank, lengths[n]);
                }
    return wrong;
}

static double naive_us(int bytes)
{
    char *buffer = calloc((size_t)bytes + 1, 1);
    const struct broadcast rd = {&tree_doubling, MPI_COMM_WORLD, 0, 1, INT_MAX};
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    broadcast_run(&rd, buffer, bytes);
    const double mine_s = MPI_Wtime() - start_s;
    double most_s;
    MPI_Allreduce(&mine_s, &most_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    free(buffer);
    return 1e6 * most_s;
}

int main(int argc, char **argv)
{
    int rank, size, all_wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2) {
        const double time_us = naive_us(atoi(argv[2]));
        if (rank == 0)
            printf("%.6g\n", time_us);
    } else {
        const int wrong = compare_all(rank, size);
        MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%s\n", all_wrong ? "different" : "same");
    }
    MPI_Finalize();
    return all_wrong != 0;
}
