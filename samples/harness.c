#include "samples/harness.h"

#include "samples/core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SAMPLES_SIMULATED
#include <smpi/smpi.h>
#endif

static const double tolerance = 1e-9;

/* A core that was idle takes about so long until its clock is what it stays at. */
static const double warming_s = 0.25;

/* Other guests of a machine use it for milliseconds to minutes: looking for longer than this for a
   moment without them would not find many more. */
static const double patience_us = 2e6;

/* One look can be right by chance, where the chain alone was interrupted. */
static const int wide_looks_least = 3;

/* ---- arguments ---- */

void harness_require(const struct harness *harness, bool is_so, const char *message)
{
    if (is_so)
        return;
    if (harness->rank == 0)
        fprintf(stderr, "%s\n", message);
    MPI_Finalize();
    exit(2);
}

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(words, word); at && length > 0; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return true;
    return false;
}

static bool set_value(const char *argument, const char *name, int least, int *value)
{
    const size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0 || argument[length] != '=')
        return false;
    char *end;
    const long number = strtol(argument + length + 1, &end, 10);
    if (*end || end == argument + length + 1 || number < least || number > 1000000)
        return false;
    *value = (int)number;
    return true;
}

static bool take(struct harness *harness, const char *argument,
                 struct harness_parameter *parameters)
{
    if (strcmp(argument, "--check") == 0)
        return harness->check = true;
    if (set_value(argument, "operation_ns", 0, &harness->operation_ns) ||
        set_value(argument, "repetitions", 1, &harness->repetitions))
        return true;
    for (; parameters->name; parameters++)
        if (set_value(argument, parameters->name, 1, &parameters->value))
            return true;
    return false;
}

void harness_begin(struct harness *harness, int argc, char **argv, const char *candidates,
                   struct harness_parameter *parameters)
{
    char message[240];
    *harness = (struct harness){.comm = MPI_COMM_WORLD, .repetitions = 1, .current = -1};
    MPI_Init(&argc, &argv);
    harness->begin_s = MPI_Wtime();
    MPI_Comm_rank(harness->comm, &harness->rank);
    MPI_Comm_size(harness->comm, &harness->processors);
    snprintf(message, sizeof message, "expected a candidate (%s), NAME=VALUE and --check",
             candidates);
    harness_require(harness, argc > 1 && has_word(candidates, argv[1]), message);
    harness->candidate = argv[1];
    for (int i = 2; i < argc; i++) {
        snprintf(message, sizeof message, "'%.80s': expected NAME=VALUE of a parameter, or --check",
                 argv[i]);
        harness_require(harness, take(harness, argv[i], parameters), message);
    }
    harness->sieve = (struct sieve){.wanted = harness->repetitions, .patience_us = patience_us};
}

bool harness_is(const struct harness *harness, const char *candidate)
{
    return strcmp(harness->candidate, candidate) == 0;
}

/* ---- times ---- */

/* What has passed since the last stamp belongs to what was going on. */
static void stamp(struct harness *harness)
{
    const double now_s = MPI_Wtime();
    if (harness->current >= 0) {
        struct harness_segment *segment = &harness->segments[harness->current];
        *(harness->communicates ? &segment->communicate_s : &segment->compute_s) +=
            now_s - harness->stamp_s;
    }
    harness->stamp_s = now_s;
}

static int segment_named(struct harness *harness, const char *name)
{
    int i = 0;
    while (i < harness->count && strcmp(harness->segments[i].name, name) != 0)
        i++;
    if (i == HARNESS_SEGMENTS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (i == harness->count)
        harness->segments[harness->count++].name = name;
    return i;
}

void harness_segment(struct harness *harness, const char *segment)
{
    stamp(harness);
    harness->current = segment_named(harness, segment);
    harness->communicates = false;
}

void harness_stop(struct harness *harness)
{
    stamp(harness);
    harness->current = -1;
}

void harness_start(struct harness *harness, const char *segment)
{
    harness_stop(harness);
    MPI_Barrier(harness->comm);
    harness_segment(harness, segment);
}

void harness_communicate(struct harness *harness)
{
    stamp(harness);
    harness->communicates = true;
}

void harness_compute(struct harness *harness)
{
    stamp(harness);
    harness->communicates = false;
}

void harness_work(const struct harness *harness, double operations)
{
#ifdef SAMPLES_SIMULATED
    if (harness->operation_ns > 0 && operations > 0.0)
        smpi_execute_flops(operations * harness->operation_ns); /* 10^9 of them a second */
#else
    (void)harness;
    (void)operations;
#endif
}

/* ---- repetitions ---- */

static void keep(struct harness *harness, struct harness_segment *segment, int repetition)
{
    const double mine_s[2] = {segment->compute_s, segment->compute_s + segment->communicate_s};
    double most_s[2];
    MPI_Allreduce(mine_s, most_s, 2, MPI_DOUBLE, MPI_MAX, harness->comm);
    if (!segment->kept_compute_s) {
        segment->kept_compute_s = harness_memory((size_t)harness->repetitions, sizeof(double));
        segment->kept_total_s = harness_memory((size_t)harness->repetitions, sizeof(double));
    }
    segment->kept_compute_s[repetition] = most_s[0];
    segment->kept_total_s[repetition] = most_s[1];
}

/* What the repetition took, per segment and in all. */
static void keep_repetition(struct harness *harness, int repetition)
{
    struct harness_segment *const all = &harness->all;
    all->compute_s = all->communicate_s = 0.0;
    for (int i = 0; i < harness->count; i++) {
        struct harness_segment *const segment = &harness->segments[i];
        all->compute_s += segment->compute_s;
        all->communicate_s += segment->communicate_s;
        keep(harness, segment, repetition);
    }
    keep(harness, all, repetition);
}

/* Whether processor 0 says that all are warm. */
static bool is_warm(const struct harness *harness)
{
    int warm = harness->repetitions == 1 || MPI_Wtime() - harness->begin_s > warming_s;
    MPI_Bcast(&warm, 1, MPI_INT, 0, harness->comm);
    return warm;
}

/* How much longer a cycle takes beside other instructions, on this processor. */
static double own_crowding(enum core_crowd crowd)
{
    enum { STEPS = 10000 };
    const double cycle_us = core_cycle_us(STEPS);
    return core_crowded_cycle_us(crowd, STEPS) / cycle_us;
}

/* While processors become warm: whether this one's core issues six instructions a cycle shows in
   any moment in which it is alone. */
static void look_at_width(struct harness *harness)
{
    harness->wide_looks += sieve_is_alone(own_crowding(CORE_FIVE_BESIDE));
}

/* The same on the processor where that is most, by as many instructions as its core has room for.
 */
static double crowding_now(const struct harness *harness)
{
    double most, mine = own_crowding(harness->wide_looks >= wide_looks_least ? CORE_FIVE_BESIDE
                                                                             : CORE_THREE_BESIDE);
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, harness->comm);
    return most;
}

/* Processor 0 says for all, whose clocks differ. */
static bool counts(struct harness *harness)
{
    const double before = harness->crowding;
    double now_us = 1e6 * (MPI_Wtime() - harness->begin_s - warming_s);
    if (harness->repetitions == 1)
        return sieve_takes(&harness->sieve, (double)NAN, now_us);
    harness->crowding = crowding_now(harness);
    MPI_Bcast(&now_us, 1, MPI_DOUBLE, 0, harness->comm);
    return sieve_takes(&harness->sieve, fmax(before, harness->crowding), now_us);
}

bool harness_again(struct harness *harness)
{
    if (!harness->warm) {
        if (harness->repetitions > 1)
            look_at_width(harness);
        harness->warm = is_warm(harness);
        if (harness->warm && harness->repetitions > 1)
            harness->crowding = crowding_now(harness);
    } else if (counts(harness)) {
        keep_repetition(harness, harness->sieve.counted - 1);
    }
    for (int i = 0; i < harness->count; i++)
        harness->segments[i].compute_s = harness->segments[i].communicate_s = 0.0;
    return !sieve_is_full(&harness->sieve);
}

/* ---- the verdict ---- */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static void print_row(const struct harness *harness, const struct harness_segment *segment,
                      const char *check)
{
    const double compute_us = 1e6 * median(segment->kept_compute_s, harness->repetitions);
    const double total_us = 1e6 * median(segment->kept_total_s, harness->repetitions);
    if (harness->rank == 0)
        printf("%s,%s,%d,%.4f,%.4f,%.4f,%d,%s\n", segment->name, harness->candidate,
               harness->processors, compute_us, total_us - compute_us, total_us,
               harness->sieve.disturbed, check);
}

static void finish_segment(const struct harness *harness, struct harness_segment *segment,
                           const char *check)
{
    print_row(harness, segment, check);
    free(segment->kept_compute_s);
    free(segment->kept_total_s);
}

int harness_end(struct harness *harness, double error)
{
    double worst;
    MPI_Allreduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, harness->comm);
    const bool is_wrong = harness->check && !(worst <= tolerance);
    const char *check = !harness->check ? "unchecked" : is_wrong ? "wrong" : "right";
    if (harness->rank == 0 && harness->sieve.disturbed > 0)
        fprintf(stderr, "of %d repetitions, %d were disturbed\n", harness->repetitions,
                harness->sieve.disturbed);
    if (harness->rank == 0)
        printf("segment,candidate,processors,compute_us,communicate_us,total_us,disturbed,check\n");
    for (int i = 0; i < harness->count; i++)
        finish_segment(harness, &harness->segments[i], check);
    harness->all.name = "all";
    finish_segment(harness, &harness->all, check);
    MPI_Finalize();
    return is_wrong;
}

/* ---- partitionings ---- */

void *harness_memory(size_t count, size_t bytes)
{
    void *memory = calloc(count ? count : 1, bytes);
    if (!memory)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return memory;
}

struct share share_of(int n, int p, int q)
{
    const int block = (n + p - 1) / p, left = n - q * block;
    return (struct share){q * block, left < 0 ? 0 : left < block ? left : block};
}

/* Of two processors each has its own part in `own` and sends `other`. */
static void exchange(const double *own, const double *other, double *to, int count, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    memcpy(to + rank * count, own, (size_t)count * sizeof *to);
    MPI_Sendrecv(other, count, MPI_DOUBLE, 1 - rank, 1, to + (1 - rank) * count, count, MPI_DOUBLE,
                 1 - rank, 1, comm, MPI_STATUS_IGNORE);
}

void harness_all_to_all(const double *from, double *to, int count, MPI_Comm comm)
{
    int rank, processors;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &processors);
    if (processors == 2)
        exchange(from + rank * count, from + (1 - rank) * count, to, count, comm);
    else
        MPI_Alltoall(from, count, MPI_DOUBLE, to, count, MPI_DOUBLE, comm);
}

void harness_all_gather(const double *from, double *to, int count, MPI_Comm comm)
{
    int processors;
    MPI_Comm_size(comm, &processors);
    if (processors == 2)
        exchange(from, from, to, count, comm);
    else
        MPI_Allgather(from, count, MPI_DOUBLE, to, count, MPI_DOUBLE, comm);
}

static void turn_tile(double *to, int to_row, const double *from, int from_row, int rows,
                      int columns, int doubles)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < doubles; k++)
                to[(j * to_row + i) * doubles + k] = from[(i * from_row + j) * doubles + k];
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

void harness_turn(double *to, int to_row, const double *from, int from_row, int width, int doubles)
{
    const int tile = 8;
    for (int i = 0; i < width; i += tile)
        for (int j = 0; j < width; j += tile)
            turn_tile(to + (j * to_row + i) * doubles, to_row, from + (i * from_row + j) * doubles,
                      from_row, least(tile, width - i), least(tile, width - j), doubles);
}

int harness_side(int processors)
{
    return 1 << (int)ceil(log2(processors) / 2.0);
}
