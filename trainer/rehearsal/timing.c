#include "trainer/rehearsal/timing.h"

#include "trainer/base/clock.h"
#include "trainer/base/watchdog.h"
#include "trainer/engine/measure.h"

#include <math.h>

/* A round takes at most this share of what the budget leaves to a segment: warming up, finding out
   how many rounds make a batch, and three batches are about ten of them. */
static const double round_share = 0.05;
static const double least_share = 1.0 / 4096.0;

/* However much the budget leaves: a segment is known by then. */
static const double patience_s_most = 8.0;

/* In place of a number of rounds, as rank 0 says it. */
enum { NO_MORE = 0, NO_TIME = -1 };

/* ---- rounds, of which rank 0 decides how many ---- */

/* Times are those of the rank that took the most, as programs' own clocks report them. */
static double run_rounds(struct timing *it, long rounds)
{
    struct deadline *deadline = it->phase->deadline;
    double mine_s[3], most_s[3];
    phase_run(it->phase, rounds, &mine_s[0], &mine_s[1]);
    mine_s[1] += mine_s[0];
    mine_s[2] = deadline ? deadline->seen : 0;
    MPI_Allreduce(mine_s, most_s, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (deadline)
        deadline->seen = deadline->over = (int)most_s[2];
    it->compute_s += most_s[0];
    it->communicate_s += most_s[1] - most_s[0];
    return most_s[1];
}

/* Before it has begun: as the rounds before were. */
static bool has_time(const struct timing *it, long rounds)
{
    const struct deadline *deadline = it->phase->deadline;
    return !deadline || clock_s() + it->each_s * (double)rounds <= deadline->end_s;
}

/* A measure_batch. An end that is agreed on is no error: *error is not looked at then. */
static int run_batch(void *state, long rounds, struct batch_time *took, struct error *error)
{
    struct timing *it = state;
    struct deadline *deadline = it->phase->deadline;
    (void)error;
    long order = has_time(it, rounds) ? rounds : NO_TIME;
    watchdog_wait();
    MPI_Bcast(&order, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    if (order == NO_TIME) {
        deadline->seen = deadline->over = DEADLINE_OVER;
        watchdog_rest();
        return -1;
    }
    const double begin_s = clock_s();
    *took = (struct batch_time){1e6 * run_rounds(it, rounds), 1.0};
    it->each_s = (clock_s() - begin_s) / (double)rounds;
    watchdog_rest();
    return deadline_is_over(deadline) ? -1 : 0;
}

static void follow(struct timing *it)
{
    struct deadline *deadline = it->phase->deadline;
    for (long order = 1; order > NO_MORE && !deadline_is_over(deadline);) {
        watchdog_wait();
        MPI_Bcast(&order, 1, MPI_LONG, 0, MPI_COMM_WORLD);
        if (order > NO_MORE)
            run_rounds(it, order);
        else if (order == NO_TIME)
            deadline->seen = deadline->over = DEADLINE_OVER;
        watchdog_rest();
    }
}

static struct measure_plan plan_of(const struct timing *it)
{
    const struct options *options = it->options;
    return (struct measure_plan){
        .accuracy = options->accuracy,
        .confidence = options->confidence,
        .batch_us = it->simulated ? 0.0 : 200.0,
        .batches_least = 20,
        .batches_most = 200,
        /* Times are of whole sweeps, also where a share of them is run. */
        .point_us_most = 1e6 * fmin(it->patience_s, 2.0) / it->phase->share,
    };
}

static int lead(struct timing *it, struct point *point, struct error *error)
{
    const struct measure_plan plan = plan_of(it);
    long order = NO_MORE;
    const int status = measure(&plan, run_batch, it, point, error);
    if (deadline_is_over(it->phase->deadline))
        return 0;
    MPI_Bcast(&order, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return status;
}

/* ---- how much of a sweep ---- */

/* As the budget allows: from little, as long as a round is short. */
static void choose_share(struct timing *it)
{
    struct rehearsal_phase *phase = it->phase;
    double share = phase->share = least_share;
    for (bool enough = false; !enough && !deadline_is_over(phase->deadline); phase->share = share) {
        const double start_s = clock_s();
        run_rounds(it, 1);
        double spent_s = clock_s() - start_s;
        MPI_Bcast(&spent_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        const double more =
            round_share * fmin(it->patience_s, patience_s_most) / fmax(spent_s, 1e-9);
        it->each_s = spent_s;
        enough = share == 1.0 || more < 2.0;
        if (!enough)
            share = fmin(1.0, share * fmin(8.0, more));
    }
}

/* Whatever it asks of the clock is no part of a time. */
static void try_shares(struct timing *it)
{
    struct deadline *deadline = it->phase->deadline;
    if (it->simulated)
        return;
    deadline->agrees = true;
    choose_share(it);
    deadline->agrees = false;
}

int timing_measure(struct timing *timing, struct point *point, struct error *error)
{
    *point = (struct point){0};
    try_shares(timing);
    timing->compute_s = timing->communicate_s = 0.0;
    if (deadline_is_over(timing->phase->deadline))
        return 0;
    if (timing->rank == 0)
        return lead(timing, point, error);
    follow(timing);
    return 0;
}
