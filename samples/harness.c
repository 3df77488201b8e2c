#include "samples/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SAMPLES_SIMULATED
#include <smpi/smpi.h>
#endif

static const double tolerance = 1e-9;

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
    if (set_value(argument, "operation_ns", 0, &harness->operation_ns))
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
    *harness = (struct harness){.comm = MPI_COMM_WORLD, .current = -1};
    MPI_Init(&argc, &argv);
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

/* ---- the verdict ---- */

static void print_row(const struct harness *harness, const struct harness_segment *segment,
                      const char *check)
{
    const double mine_s[2] = {segment->compute_s, segment->compute_s + segment->communicate_s};
    double most_s[2];
    MPI_Reduce(mine_s, most_s, 2, MPI_DOUBLE, MPI_MAX, 0, harness->comm);
    if (harness->rank == 0)
        printf("%s,%s,%d,%.4f,%.4f,%.4f,%s\n", segment->name, harness->candidate,
               harness->processors, 1e6 * most_s[0], 1e6 * (most_s[1] - most_s[0]), 1e6 * most_s[1],
               check);
}

int harness_end(struct harness *harness, double error)
{
    struct harness_segment all = {.name = "all"};
    double worst;
    MPI_Allreduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, harness->comm);
    const bool is_wrong = harness->check && !(worst <= tolerance);
    const char *check = !harness->check ? "unchecked" : is_wrong ? "wrong" : "right";
    if (harness->rank == 0)
        printf("segment,candidate,processors,compute_us,communicate_us,total_us,check\n");
    for (int i = 0; i < harness->count; i++) {
        all.compute_s += harness->segments[i].compute_s;
        all.communicate_s += harness->segments[i].communicate_s;
        print_row(harness, &harness->segments[i], check);
    }
    print_row(harness, &all, check);
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

int harness_side(int processors)
{
    return 1 << (int)ceil(log2(processors) / 2.0);
}
