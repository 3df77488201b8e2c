/* What a synchronisation takes more behind computation (model/micro/waiting.h). */
#include "model/base/number.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/micro/microbenchmarks.h"
#include "trainer/micro/waiting_probe.h"

#include <math.h>

/* Runs of each setting: from the least to the most of five the median of all lies in 15 of 16
   cases, whatever they are distributed like. */
enum { RUNS = 5, DIGITS = 4, PART_DIGITS = 7, TIMES_LEAST = 6, TIMES_MOST = 4000 };

static const double lengths_us[] = {10, 40, 160, 640, 2560, 10240};
enum { LENGTHS = sizeof lengths_us / sizeof *lengths_us };

/* The suite takes so long on a real machine where no computation has to be repeated more often than
   its share allows, and is ended after 6 s. On a simulated one so many computations of each length
   tell the mean of the largest of 64 to 5 %, trained among 4. */
static const double suite_s = 4.0, suite_s_most = 6.0;
enum { COMPUTED_SIMULATED = 16000, TIMES_SIMULATED_LEAST = 25 };

/* Processor counts that are measured: two, all, and where these are far apart one between. The laws
   of waiting_answer say the others. On a simulated machine, which has no noise of its own, all. */
static int first_count(const struct run *run)
{
    return run->simulated ? run->processors : 2;
}

static int next_count(int count, int processors)
{
    const int between = (int)sqrt(2.0 * processors);
    return count < between && between < processors ? between : processors;
}

/* There every other length, and nothing that is in memory. */
static int next_length(const struct run *run, int length)
{
    return length + (run->simulated ? 2 : 1);
}

static int settings_of(const struct run *run)
{
    int counts = 1;
    for (int count = first_count(run); count < run->processors;
         count = next_count(count, run->processors))
        counts++;
    return counts * LENGTHS * WAITING_WORKS;
}

/* How often a run computes, so that all runs end within left_s, computations taken alone. */
static int times_of(const struct run *run, int processors, double work_us, double left_s)
{
    const double setting_s = suite_s / settings_of(run);
    const double times =
        run->simulated ? fmax(TIMES_SIMULATED_LEAST, COMPUTED_SIMULATED / RUNS / processors)
                       : fmin(TIMES_MOST, fmax(TIMES_LEAST, 1e6 * setting_s / RUNS / work_us));
    return (int)fmin(times, fmax(0.0, 1e6 * left_s / RUNS / work_us));
}

static void fill_parts(struct waiting *row, const double *means_us)
{
    for (int part = 0; part < WAITING_PARTS_MOST; part++)
        *(struct waiting_part *)list_add(&waiting_part_record, &row->parts) =
            (struct waiting_part){waiting_share(part), number_rounded(means_us[part], PART_DIGITS)};
}

/* The parts are of the most processors: these tell most of single computations. */
static void measure_among(struct run *run, struct waiting *row, int processors, int times)
{
    const struct waiting_order order = {.processors = processors,
                                        .work = row->work,
                                        .times = times,
                                        .runs = RUNS,
                                        .work_us = row->work_us};
    double results[PROBE_RESULTS];
    engine_probe(run->engine, PROBE_WAITING, &order, sizeof order, results);
    *(struct waiting_among *)list_add(&waiting_among_record, &row->among) =
        (struct waiting_among){processors, number_rounded(results[WAITING_RESULT], DIGITS),
                               number_rounded(results[WAITING_RESULT_LOW], DIGITS),
                               number_rounded(results[WAITING_RESULT_HIGH], DIGITS)};
    list_free(&waiting_part_record, &row->parts);
    row->least_us = number_rounded(results[WAITING_LEAST], PART_DIGITS);
    fill_parts(row, &results[WAITING_PARTS]);
}

/* False where the time for it ended; what is there stays. */
static bool measure_row(struct run *run, struct machine *machine, int work, double work_us,
                        double end_s)
{
    struct waiting *row = NULL;
    for (int count = first_count(run);; count = next_count(count, run->processors)) {
        const int times = times_of(run, count, work_us, end_s - clock_s());
        if (times < TIMES_LEAST || interruption_or_after(end_s))
            return false;
        if (!row) {
            row = list_add(&waiting_record, &machine->waiting);
            row->work = work;
            row->work_us = work_us;
        }
        measure_among(run, row, count, times);
        if (count >= run->processors)
            return true;
    }
}

int waiting_measure(struct run *run, struct machine *machine, struct error *error)
{
    const int works = run->simulated ? 1 : WAITING_WORKS;
    const double end_s =
        run->simulated ? run->share_end_s : fmin(run->share_end_s, clock_s() + suite_s_most);
    bool all = true;
    (void)error;
    list_free(&waiting_record, &machine->waiting);
    if (run->processors < 2) {
        run_not_measured(machine, "waiting", "it needs at least 2 processors");
        return 0;
    }
    for (int i = 0; i < LENGTHS && all; i = next_length(run, i))
        for (int work = 0; work < works && all; work++)
            all = measure_row(run, machine, work, lengths_us[i], end_s);
    if (!all)
        run_not_measured(machine, "waiting behind longer computations", "the time for it ended");
    progress_part(&run->progress, "waiting          behind computations of 10 us to 10 ms");
    return 0;
}

double waiting_foresee_s(struct run *run)
{
    double sum_s = 0.0;
    if (run->crowded || run->processors < 2)
        return 0.0;
    for (int count = first_count(run);; count = next_count(count, run->processors)) {
        for (int i = 0; i < LENGTHS; i = next_length(run, i))
            sum_s += 1e-6 * lengths_us[i] * RUNS * times_of(run, count, lengths_us[i], INFINITY);
        if (count >= run->processors)
            break;
    }
    return run->simulated ? sum_s : fmin(suite_s_most, WAITING_WORKS * sum_s);
}
