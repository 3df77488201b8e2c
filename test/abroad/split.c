// Splits a program's time into what it spends in MPI and the rest, without changing the program:
// linked with it, these functions stand before the library's own.
//
// What is between the first and the second call of MPI_Wtime is window 1, what is between the third
// and the fourth window 2, and so on: programs time themselves so. Without any, what is between
// MPI_Init and MPI_Finalize is the only window. SPLIT_WINDOW says which one counts (default 1).
// When it ends the program does, after a line
//
//   split: SECONDS in all, SECONDS in MPI, N calls, N bytes sent, SECONDS outside, SECONDS in turn
//
// of the rank that took longest, each of them; bytes and calls of the busiest. SPLIT_WINDOW=0 takes
// all of the program. What reading the clock takes is left out.
//
// Ranks that compute do not reach MPI at once, and who is early waits there. With
// SPLIT_REPETITIONS=N the window's calls are taken as N parts of as many; `in turn` is what the
// rank took in MPI that took the least, part by part: it waited the least. Else it is 0.
//
// With SPLIT_GAUGE=1 there is a line more, "gauge: SECONDS SECONDS": what a message of 8 bytes
// takes between the first two ranks, when the program begins and when the window ends. It tells in
// which state the machine was. 0 on one rank.
#include <float.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct tally {
    double seconds, calls, bytes;
};

static struct tally inside, before; // of MPI: so far, and when the window began
static int boundaries;              // of windows, passed so far
static double begun;
static double gauged_before;
static double tick;   // what a reading of the clock takes
static double *marks; // of MPI, at the end of each call
static size_t marks_count, marks_room;

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

// The least of the clock's readings in a row.
static void time_clock(void)
{
    tick = 1.0;
    for (int i = 0; i < 20; i++) {
        const double start = PMPI_Wtime();
        for (int k = 0; k < 100; k++)
            PMPI_Wtime();
        const double each = (PMPI_Wtime() - start) / 100.0;
        tick = each < tick ? each : tick;
    }
}

// In MPI up to the call of that number in the window.
static double mark_at(size_t number)
{
    return number > 0 ? marks[(size_t)before.calls + number - 1] : before.seconds;
}

// Part by part, of the rank that was in MPI the shortest, of those that have as many calls.
static double in_turn(void)
{
    const char *const text = getenv("SPLIT_REPETITIONS");
    const size_t parts = (text != NULL) ? (size_t)atol(text) : 0;
    const size_t calls = (size_t)(inside.calls - before.calls);
    double sum = 0.0;
    for (size_t i = 0; i < parts; i++) {
        double mine = DBL_MAX, least;
        if (calls >= parts)
            mine = mark_at((i + 1) * calls / parts) - mark_at(i * calls / parts);
        PMPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        sum += least < DBL_MAX ? least : 0.0;
    }
    return sum;
}

// Half of a round trip, the least of some.
static double gauge(void)
{
    enum { TAG = 32000, BATCHES = 20, TRIPS = 20 };
    double message = 0.0, least = DBL_MAX;
    int rank, size;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int batch = 0; batch < BATCHES && size > 1 && rank < 2; batch++) {
        const double start = PMPI_Wtime();
        for (int trip = 0; trip < TRIPS; trip++) {
            if (rank == 0)
                PMPI_Send(&message, 1, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD);
            PMPI_Recv(&message, 1, MPI_DOUBLE, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1)
                PMPI_Send(&message, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
        }
        const double each = (PMPI_Wtime() - start) / (2.0 * TRIPS);
        least = each < least ? each : least;
    }
    return least < DBL_MAX ? least : 0.0;
}

static int is_gauged(void)
{
    return getenv("SPLIT_GAUGE") != NULL;
}

// Prints what the window took, the same on all ranks' behalf.
static void report(double now)
{
    const double calls = inside.calls - before.calls;
    const double all = now - begun - 2.0 * tick * calls, within = inside.seconds - before.seconds;
    const double turn = in_turn();
    const double mine[5] = {all, within, calls, inside.bytes - before.bytes, all - within};
    double most[5];
    int rank;
    PMPI_Reduce(mine, most, 5, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("split: %.9f in all, %.9f in MPI, %.0f calls, %.0f bytes sent, %.9f outside, %.9f "
               "in turn\n",
               most[0], most[1], most[2], most[3], most[4], turn);
    if (is_gauged()) {
        const double after = gauge();
        if (rank == 0)
            printf("gauge: %.9f %.9f\n", gauged_before, after);
    }
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

// The first collective call of a kind, and of a broadcast of every algorithm, may set up what later
// ones use: that is no part of any window.
static void set_up(void)
{
    const double mine = 0.0;
    double sum;
    PMPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int bytes = 1; bytes <= (int)sizeof sum; bytes++)
        PMPI_Bcast(&sum, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    PMPI_Barrier(MPI_COMM_WORLD);
}

int MPI_Init(int *argc, char ***argv)
{
    const int status = PMPI_Init(argc, argv);
    set_up();
    time_clock();
    if (is_gauged())
        gauged_before = gauge();
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

static void keep_mark(void)
{
    if (marks_count == marks_room) {
        marks_room = 2 * marks_room + 65536;
        marks = realloc(marks, marks_room * sizeof *marks);
        if (marks == NULL)
            abort();
    }
    marks[marks_count++] = inside.seconds;
}

static int counted(double start, double bytes, int status)
{
    inside.seconds += PMPI_Wtime() - start - tick;
    inside.bytes += bytes;
    inside.calls++;
    keep_mark();
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
