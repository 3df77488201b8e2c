/* What else ran beside the ranks since the last order, by the system's books: a processor that
   somebody else uses, or a memory, shows in no single time where it is used all the while. */
#include "trainer/engine/probe.h"

#include "model/base/allocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The books have no finer lines than a hundredth of a second a core. */
static const double least_s = 0.2;

struct books {
    double time_s;
    double busy_s; /* of all cores of the node, whoever it was, the hypervisor's others included */
    double own_s;  /* of this rank */
};

struct memory_of_bystanders {
    MPI_Comm node;
    struct books before;
};

static double seconds(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* 0 where the system does not tell. */
static double busy_s(void)
{
    FILE *stream = fopen("/proc/stat", "r");
    double user = 0, nice = 0, kernel = 0, idle, disk, hard = 0, soft = 0, stolen = 0;
    if (!stream)
        return 0.0;
    const int read = fscanf(stream, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &kernel,
                            &idle, &disk, &hard, &soft, &stolen);
    fclose(stream);
    return read == 8 ? (user + nice + kernel + hard + soft + stolen) / (double)sysconf(_SC_CLK_TCK)
                     : 0.0;
}

static struct books look(void)
{
    return (struct books){seconds(CLOCK_MONOTONIC), busy_s(), seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

static void *begin(const struct probe_context *context)
{
    struct memory_of_bystanders *memory = memory_new(1, sizeof *memory);
    MPI_Comm_split_type(context->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &memory->node);
    memory->before = look();
    return memory;
}

static void end(void *state)
{
    struct memory_of_bystanders *memory = state;
    MPI_Comm_free(&memory->node);
    free(memory);
}

/* results[0]: how many cores' time others used on the node where they used most. */
static void perform(void *state, const struct probe_context *context, const void *order,
                    double results[PROBE_RESULTS])
{
    struct memory_of_bystanders *memory = state;
    const struct books now = look(), before = memory->before;
    const double own_s = now.own_s - before.own_s, time_s = now.time_s - before.time_s;
    double ranks_s, others = 0.0;
    (void)order;
    MPI_Allreduce(&own_s, &ranks_s, 1, MPI_DOUBLE, MPI_SUM, memory->node);
    if (time_s > least_s)
        others = (now.busy_s - before.busy_s - ranks_s) / time_s;
    MPI_Reduce(&others, results, 1, MPI_DOUBLE, MPI_MAX, 0, context->comm);
    memory->before = now;
}

const struct probe bystanders_probe = {.begin = begin, .perform = perform, .end = end};
