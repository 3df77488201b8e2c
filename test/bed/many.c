/* What single uses of the trainer's utilities take among all ranks of a simulated machine, beside
   which is held what a table of fewer ranks says of them: prints "UTILITY,PROCESSORS,BYTES,TIME_US"
   of every utility named and every size. All begin at one time of the common clock, and what counts
   is whose time the utility's is.

       many BYTES,... UTILITY... */
#include "trainer/utilities/utilities.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZES_MOST = 32, NAMES_LONGEST = 400 };

static void sleep_until(double when_s)
{
    const double wanted_s = when_s - MPI_Wtime();
    struct timespec time = {(time_t)wanted_s, 0};
    time.tv_nsec = (long)(1e9 * (wanted_s - (double)time.tv_sec) + 0.5);
    nanosleep(&time, NULL);
}

/* To all the root's. Not by MPI_Bcast nor MPI_Allreduce, whose first call in SimGrid may be
   preceded by messages from all to all: among 1024 they take minutes. */
static double of_root_s(double mine_s)
{
    int processors;
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    double *to_all_s = malloc((size_t)processors * sizeof *to_all_s), roots_s = mine_s;
    for (int i = 0; i < processors; i++)
        to_all_s[i] = mine_s;
    MPI_Scatter(to_all_s, 1, MPI_DOUBLE, &roots_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(to_all_s);
    return roots_s;
}

static double over_all_s(double mine_s, MPI_Op op)
{
    double all_s = 0.0;
    MPI_Reduce(&mine_s, &all_s, 1, MPI_DOUBLE, op, 0, MPI_COMM_WORLD);
    return of_root_s(all_s);
}

/* All are there by then. */
static void begin_together(void)
{
    sleep_until(over_all_s(MPI_Wtime(), MPI_MAX) + 1.0);
}

/* What SimGrid does once, before the first of them. */
static void warm_up(struct site *site, const struct utility *utility)
{
    if (utility->pattern == &pattern_broadcast || utility->pattern == &pattern_combine)
        MPI_Bcast(site->send, 1, MPI_BYTE, 0, site->comm);
}

static double time_s(struct site *site, const struct utility *utility)
{
    site->excluded_s = 0.0;
    if (utility->setup)
        utility->setup(site);
    warm_up(site, utility);
    begin_together();
    if (utility->measures == MEASURES_RECEIVER && site->rank == 0)
        sleep_until(MPI_Wtime() + 1.0); /* all messages are there */
    const double start_s = MPI_Wtime();
    if (utility->pattern == &pattern_broadcast)
        MPI_Bcast(site->send, site->bytes, MPI_BYTE, 0, site->comm);
    else
        utility->run(site, 1);
    const double mine_s = MPI_Wtime() - start_s - site->excluded_s;
    const double sum_s = over_all_s(mine_s, MPI_SUM), longest_s = over_all_s(mine_s, MPI_MAX);
    const double roots_s = of_root_s(mine_s);
    if (utility->teardown)
        utility->teardown(site);
    if (utility->across == ACROSS_MEAN)
        return sum_s / site->processors;
    return utility->across == ACROSS_MAXIMUM || utility->pattern == &pattern_broadcast ? longest_s
                                                                                       : roots_s;
}

/* Buffers that all ranks share: nobody looks at what arrives. */
static void measure(struct site *site, const struct utility *utility)
{
    const int messages = utility->messages ? utility->messages(site->processors) : 1;
    const size_t room = (size_t)messages * (size_t)(site->bytes + 8) + 4096;
    site->send = SMPI_SHARED_MALLOC(room);
    site->receive = SMPI_SHARED_MALLOC(room);
    const double time_us = 1e6 * time_s(site, utility);
    if (site->rank == 0) {
        printf("%s,%d,%d,%.6g\n", utility->pattern->name, site->processors, site->bytes, time_us);
        fflush(stdout);
    }
    SMPI_SHARED_FREE(site->send);
    SMPI_SHARED_FREE(site->receive);
}

static int sizes_of(const char *text, int sizes[SIZES_MOST])
{
    char copy[NAMES_LONGEST];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *rest = copy, *one; (one = strsep(&rest, ",")) && count < SIZES_MOST;)
        sizes[count++] = atoi(one);
    return count;
}

int main(int argc, char **argv)
{
    struct site site = {.is_exact = true};
    int sizes[SIZES_MOST];
    MPI_Init(&argc, &argv);
    const int sizes_count = argc > 1 ? sizes_of(argv[1], sizes) : 0;
    site.comm = MPI_COMM_WORLD;
    MPI_Comm_rank(site.comm, &site.rank);
    MPI_Comm_size(site.comm, &site.processors);
    for (int name = 2; name < argc; name++)
        for (int i = 0; i < sizes_count; i++) {
            const int utility = utilities_named(argv[name]);
            site.bytes = sizes[i];
            if (utility >= 0)
                measure(&site, utilities[utility]);
        }
    MPI_Finalize();
    return 0;
}
