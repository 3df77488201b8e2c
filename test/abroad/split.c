// Splits a program's time into what it spends in MPI and the rest, without changing the program:
// linked with it, these functions stand before the library's own.
//
// What is between the first and the second call of MPI_Wtime is window 1, what is between the third
// and the fourth window 2, and so on: programs time themselves so. Without any, what is between
// MPI_Init and MPI_Finalize is the only window. SPLIT_WINDOW says which one counts (default 1).
// When it ends the program does, after a line
//
//   split: SECONDS in all, SECONDS in MPI, N calls, N bytes sent
//
// of the rank that took longest, bytes and calls of the busiest. SPLIT_WINDOW=0 takes all of the
// program.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct tally {
    double seconds, calls, bytes;
};

static struct tally inside, before; // of MPI: so far, and when the window began
static int boundaries;              // of windows, passed so far
static double begun;

static int wanted(void)
{
    const char *const text = getenv("SPLIT_WINDOW");
    return (text != NULL) ? atoi(text) : 1;
}

static void begin(void)
{
    before = inside;
    begun = PMPI_Wtime();
}

// Prints what the window took, the same on all ranks' behalf.
static void report(double now)
{
    const double mine[4] = {now - begun, inside.seconds - before.seconds,
                            inside.calls - before.calls, inside.bytes - before.bytes};
    double most[4];
    int rank;
    PMPI_Reduce(mine, most, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("split: %.9f in all, %.9f in MPI, %.0f calls, %.0f bytes sent\n", most[0], most[1],
               most[2], most[3]);
    fflush(stdout);
}

static void end(double now)
{
    report(now);
    PMPI_Finalize();
    exit(0);
}

double MPI_Wtime(void)
{
    boundaries++;
    if (boundaries == 2 * wanted() - 1)
        begin();
    const double now = PMPI_Wtime();
    if (boundaries == 2 * wanted())
        end(now);
    return now;
}

// The first collective call of a kind may set up what later ones use: that is no part of any
// window.
static void set_up(void)
{
    const double mine = 0.0;
    double sum;
    PMPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    PMPI_Barrier(MPI_COMM_WORLD);
}

int MPI_Init(int *argc, char ***argv)
{
    const int status = PMPI_Init(argc, argv);
    set_up();
    begin();
    return status;
}

int MPI_Finalize(void)
{
    if (wanted() == 0 || boundaries == 0)
        report(PMPI_Wtime());
    return PMPI_Finalize();
}

static double bytes_of(int count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (double)count * size;
}

static int counted(double start, double bytes, int status)
{
    inside.seconds += PMPI_Wtime() - start;
    inside.bytes += bytes;
    inside.calls++;
    return status;
}

// A function of MPI that is timed: what it sends of its own, and its call.
#define TIMED(name, parameters, bytes, arguments)                                                  \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        const double start = PMPI_Wtime();                                                         \
        const double sent = bytes;                                                                 \
        return counted(start, sent, PMPI_##name arguments);                                        \
    }

TIMED(Send, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), bytes_of(n, t),
      (b, n, t, to, tag, c))
TIMED(Recv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s), 0,
      (b, n, t, from, tag, c, s))
TIMED(Isend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r),
      bytes_of(n, t), (b, n, t, to, tag, c, r))
TIMED(Irecv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r), 0,
      (b, n, t, from, tag, c, r))
TIMED(Wait, (MPI_Request * r, MPI_Status *s), 0, (r, s))
TIMED(Waitall, (int n, MPI_Request *r, MPI_Status *s), 0, (n, r, s))
TIMED(Sendrecv,
      (const void *b, int n, MPI_Datatype t, int to, int tag, void *b2, int n2, MPI_Datatype t2,
       int from, int tag2, MPI_Comm c, MPI_Status *s),
      bytes_of(n, t), (b, n, t, to, tag, b2, n2, t2, from, tag2, c, s))
TIMED(Barrier, (MPI_Comm c), 0, (c))
TIMED(Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), bytes_of(n, t),
      (b, n, t, root, c))
TIMED(Reduce, (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c),
      bytes_of(n, t), (b, b2, n, t, op, root, c))
TIMED(Allreduce, (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
      bytes_of(n, t), (b, b2, n, t, op, c))
TIMED(Allgather,
      (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2, MPI_Comm c),
      bytes_of(n2, t2), (b, n, t, b2, n2, t2, c))
TIMED(Alltoall,
      (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2, MPI_Comm c),
      bytes_of(n2, t2), (b, n, t, b2, n2, t2, c))
TIMED(Alltoallv,
      (const void *b, const int *n, const int *d, MPI_Datatype t, void *b2, const int *n2,
       const int *d2, MPI_Datatype t2, MPI_Comm c),
      0, (b, n, d, t, b2, n2, d2, t2, c))
