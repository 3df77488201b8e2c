/* What choosing costs and gains: the simulated time of every broadcast algorithm and of the shim's
   MPI_Bcast, at lengths and processor counts that are drawn.

     regret SEED LENGTHS MOST_BYTES ROOTS
                      a row for each: p, bytes, then us of the shim, 1m, rd, prd, bt, pbt, bc,
                      and the root; p = 2 to all, LENGTHS drawn for each p, from rank 0 or, where
   ROOTS is any, from a drawn one. The table of FORECOST_TABLE says what the shim takes and how long
   parts are. */
#include "broadcast/algorithm.h"
#include "model/machine/broadcast.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the simulated processors (platform.cpp). */
static const double FLOPS_PER_S = 1e9;

/* One broadcast to be timed. */
struct subject {
    MPI_Comm comm;
    int root, bytes;
    const struct tree *tree; /* NULL: MPI_Bcast or PMPI_Bcast */
    int part_bytes;
    bool is_shim;
};

static void run(const struct subject *subject, char *buffer)
{
    const struct broadcast broadcast = {subject->tree, subject->comm, subject->root, 1,
                                        subject->part_bytes};
    if (subject->tree)
        broadcast_run(&broadcast, buffer, subject->bytes);
    else if (subject->is_shim)
        MPI_Bcast(buffer, subject->bytes, MPI_BYTE, subject->root, subject->comm);
    else
        PMPI_Bcast(buffer, subject->bytes, MPI_BYTE, subject->root, subject->comm);
}

/* The simulated processors have one clock, so that they can begin together. */
static double begin_together(MPI_Comm comm)
{
    double now_s = MPI_Wtime(), start_s;
    MPI_Allreduce(&now_s, &start_s, 1, MPI_DOUBLE, MPI_MAX, comm);
    start_s += 1e-4;
    while ((now_s = MPI_Wtime()) < start_s)
        smpi_execute_flops(FLOPS_PER_S * (start_s - now_s));
    return start_s;
}

/* Until the last one has it. */
static double time_us(const struct subject *subject, char *buffer)
{
    double latest_s;
    const double start_s = begin_together(subject->comm);
    run(subject, buffer);
    const double end_s = MPI_Wtime();
    MPI_Allreduce(&end_s, &latest_s, 1, MPI_DOUBLE, MPI_MAX, subject->comm);
    return 1e6 * (latest_s - start_s);
}

static int part_bytes(const struct machine *machine, enum broadcast_algorithm algorithm)
{
    const double bytes = broadcast_part_bytes(machine, algorithm);
    return bytes < INT_MAX ? (int)bytes : INT_MAX;
}

static void print_row(const struct machine *machine, const struct subject *subject, char *buffer)
{
    static const struct tree *const trees[] = {&tree_flat,   &tree_doubling, &tree_doubling,
                                               &tree_binary, &tree_binary,   NULL};
    double times_us[1 + BROADCAST_COUNT];
    int rank, processors;
    MPI_Comm_rank(subject->comm, &rank);
    MPI_Comm_size(subject->comm, &processors);
    struct subject one = *subject;
    one.is_shim = true;
    run(&one, buffer); /* makes what is made once */
    times_us[0] = time_us(&one, buffer);
    one.is_shim = false;
    for (int i = 0; i < BROADCAST_COUNT; i++) {
        one.tree = trees[i];
        one.part_bytes = part_bytes(machine, (enum broadcast_algorithm)i);
        times_us[1 + i] = time_us(&one, buffer);
    }
    if (rank != 0)
        return;
    printf("%d %d", processors, subject->bytes);
    for (int i = 0; i <= BROADCAST_COUNT; i++)
        printf(" %.9g", times_us[i]);
    printf(" %d\n", subject->root);
}

static double drawn(unsigned *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (*seed >> 8) / 16777216.0;
}

static void print_rows(const struct machine *machine, unsigned seed, int lengths, int most_bytes,
                       bool any_root)
{
    int rank, size;
    char *buffer = calloc((size_t)most_bytes + 1, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int p = 2; p <= size; p++) {
        struct subject subject = {.root = 0};
        MPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &subject.comm);
        for (int i = 0; i < lengths; i++) {
            subject.bytes = (int)pow(most_bytes, drawn(&seed));
            const int root = (int)(p * drawn(&seed));
            subject.root = any_root ? root : 0;
            if (rank < p)
                print_row(machine, &subject, buffer);
        }
        if (rank < p)
            MPI_Comm_free(&subject.comm);
    }
    free(buffer);
}

int main(int argc, char **argv)
{
    struct machine machine;
    MPI_Init(&argc, &argv);
    if (argc != 5 || machine_read(&machine, getenv("FORECOST_TABLE"), NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    print_rows(&machine, (unsigned)atoi(argv[1]), atoi(argv[2]), atoi(argv[3]),
               strcmp(argv[4], "any") == 0);
    machine_free(&machine);
    MPI_Finalize();
    return 0;
}
