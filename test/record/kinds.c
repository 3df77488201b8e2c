/* Calls of all kinds, some of them in a loop of so many iterations: kinds [ITERATIONS]. Prints what
   was received, and of process 0 how much memory it has taken. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { N = 40 };
static double a[4 * N], b[4 * N], all[64 * N], more[64 * N];

static double sum(const double *of, int count)
{
    double s = 0.0;
    for (int i = 0; i < count; i++)
        s += of[i] * (i + 1);
    return s;
}

/* To the next one around, by each kind of sending. */
static void around(int rank, int p)
{
    const int next = (rank + 1) % p, before = (rank + p - 1) % p;
    MPI_Request r[4];
    MPI_Status s;
    int flag = 0, index, some, indices[4];
    static char room[64 * N];
    MPI_Irecv(b, N, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Send(a, N, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
    MPI_Wait(&r[0], &s);
    MPI_Irecv(b + N, N, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, &r[0]);
    MPI_Issend(a, N, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(a, 3, MPI_DOUBLE, next, 3, MPI_COMM_WORLD);
    MPI_Recv(b + 2 * N, N, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &s);
    int size;
    void *old;
    MPI_Buffer_detach(&old, &size);
    MPI_Sendrecv(a, 5, MPI_DOUBLE, next, 4, b + 3 * N, N, MPI_DOUBLE, before, 4, MPI_COMM_WORLD, &s);
    MPI_Sendrecv_replace(a + N, 7, MPI_DOUBLE, before, 5, next, 5, MPI_COMM_WORLD, &s);
    MPI_Irecv(all, N, MPI_DOUBLE, before, 6, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(a, N, MPI_DOUBLE, next, 6, MPI_COMM_WORLD, &r[1]);
    for (int left = 2; left > 0; left--)
        MPI_Waitany(2, r, &index, &s);
    MPI_Irecv(all, N, MPI_DOUBLE, before, 7, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(a, N, MPI_DOUBLE, next, 7, MPI_COMM_WORLD, &r[1]);
    for (int left = 2; left > 0; left -= some)
        MPI_Waitsome(2, r, &some, indices, MPI_STATUSES_IGNORE);
    MPI_Isend(a, 2, MPI_DOUBLE, next, 8, MPI_COMM_WORLD, &r[0]);
    MPI_Probe(before, 8, MPI_COMM_WORLD, &s);
    MPI_Recv(b, 2, MPI_DOUBLE, before, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!flag)
        MPI_Test(&r[0], &flag, &s);
    MPI_Isend(a, 2, MPI_DOUBLE, next, 9, MPI_COMM_WORLD, &r[0]);
    for (flag = 0; !flag;)
        MPI_Iprobe(before, 9, MPI_COMM_WORLD, &flag, &s);
    MPI_Irecv(b, 2, MPI_DOUBLE, before, 9, MPI_COMM_WORLD, &r[1]);
    for (flag = 0; !flag;)
        MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
    MPI_Recv(b, 2, MPI_DOUBLE, MPI_PROC_NULL, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(b, 2, MPI_DOUBLE, MPI_PROC_NULL, 9, MPI_COMM_WORLD);
}

/* Started again and again, with a type of every other element. */
static void again(int rank, int p, int times)
{
    MPI_Request r[2];
    MPI_Datatype every_other;
    MPI_Type_vector(10, 1, 2, MPI_DOUBLE, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Recv_init(b, 10, MPI_DOUBLE, (rank + p - 1) % p, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(a, 1, every_other, (rank + 1) % p, 1, MPI_COMM_WORLD, &r[1]);
    for (int i = 0; i < times; i++) {
        if (i % 2)
            MPI_Startall(2, r);
        else
            MPI_Start(&r[0]), MPI_Start(&r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    MPI_Type_free(&every_other);
}

static void among(MPI_Comm c)
{
    int p, counts[64], begins[64];
    MPI_Comm_size(c, &p);
    for (int i = 0; i < p; i++) {
        counts[i] = 3;
        begins[i] = 3 * i;
    }
    MPI_Barrier(c);
    MPI_Bcast(a, 3, MPI_DOUBLE, p - 1, c);
    MPI_Reduce(a, all, N, MPI_DOUBLE, MPI_SUM, 0, c);
    MPI_Allreduce(a, all, N, MPI_DOUBLE, MPI_MAX, c);
    MPI_Allreduce(MPI_IN_PLACE, a, 2, MPI_DOUBLE, MPI_MIN, c);
    MPI_Scan(a, all, 4, MPI_DOUBLE, MPI_SUM, c);
    MPI_Exscan(a, all, 4, MPI_DOUBLE, MPI_SUM, c);
    MPI_Gather(a, 4, MPI_DOUBLE, all, 4, MPI_DOUBLE, 0, c);
    MPI_Gatherv(a, 3, MPI_DOUBLE, all, counts, begins, MPI_DOUBLE, 0, c);
    MPI_Scatter(all, 4, MPI_DOUBLE, b, 4, MPI_DOUBLE, 0, c);
    MPI_Scatterv(all, counts, begins, MPI_DOUBLE, b, 3, MPI_DOUBLE, 0, c);
    MPI_Allgather(a, 4, MPI_DOUBLE, all, 4, MPI_DOUBLE, c);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DOUBLE, all, 4, MPI_DOUBLE, c);
    MPI_Allgatherv(a, 3, MPI_DOUBLE, all, counts, begins, MPI_DOUBLE, c);
    MPI_Alltoall(all, 2, MPI_DOUBLE, more, 2, MPI_DOUBLE, c);
    MPI_Alltoallv(all, counts, begins, MPI_DOUBLE, more, counts, begins, MPI_DOUBLE, c);
    MPI_Reduce_scatter_block(all, b, 2, MPI_DOUBLE, MPI_SUM, c);
    MPI_Reduce_scatter(all, b, counts, MPI_DOUBLE, MPI_SUM, c);
}

int main(int argc, char **argv)
{
    int rank, p, sides[2] = {0, 0}, rings[2] = {1, 1}, from, to;
    MPI_Comm half, grid, copy;
    MPI_Status s;
    struct rusage usage;
    MPI_Init(&argc, &argv);
    const int iterations = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 0; i < 4 * N; i++)
        a[i] = i + 1000 * rank;
    around(rank, p);
    again(rank, p, 10);
    among(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    among(half);
    int own, others;
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &others);
    if (others > 1 && own < 2)
        MPI_Sendrecv(a, 9, MPI_DOUBLE, 1 - own, 0, b, 9, MPI_DOUBLE, 1 - own, 0, half, &s);
    for (int i = 0; i < 3; i++) {
        MPI_Comm_dup(half, &copy);
        MPI_Barrier(copy);
        MPI_Comm_free(&copy);
    }
    MPI_Dims_create(p, 2, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, rings, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &from, &to);
    MPI_Sendrecv(a, 11, MPI_DOUBLE, to, 0, b, 11, MPI_DOUBLE, from, 0, grid, &s);
    /* A loop that has loops inside: of messages between two, or of the last one to itself. */
    const int other = p % 2 && rank == p - 1 ? rank : rank ^ 1;
    for (int i = 0; i < iterations / 10; i++) {
        for (int k = 0; k < 8; k++)
            MPI_Sendrecv(a, 1, MPI_DOUBLE, other, 0, b, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &s);
        for (int k = 0; k < 2; k++)
            MPI_Sendrecv(a, 2, MPI_DOUBLE, rank, 0, b, 2, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &s);
    }
    double own_sum = sum(b, 4 * N) + sum(more, N), total;
    MPI_Reduce(&own_sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    getrusage(RUSAGE_SELF, &usage);
    if (rank == 0)
        argc > 1 ? printf("memory %ld\n", usage.ru_maxrss) : printf("sum %.17g\n", total);
    MPI_Comm_free(&half);
    MPI_Comm_free(&grid);
    return MPI_Finalize();
}
