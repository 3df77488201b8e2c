/* Overlap of computation and communication: post, work, wait, with ever more work (Doerfler, Host
   Processor Overhead). */
#include "trainer/micro/overlap_probe.h"

#include "model/base/allocation.h"
#include "model/fit/points.h"
#include "model/fit/summary.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/micro/microbenchmarks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    BATCHES = 7,          /* for one loop time: their median */
    FINAL_BATCHES = 15,   /* of the last loop, of its work alone and of hardly any work, in turn */
    RETRIES = 3,          /* while the interval is too wide */
    CONCLUSIONS = 3,      /* of which the middle one stands */
    GROWTH = 1,           /* attempts of points: while the work grows, */
    CONCLUSION = 2,       /* and what stands in the table */
    ITERATIONS_TRIED = 10 /* and enough where the clock is exact */
};

static const double bytes_most = 4.0 * 1024 * 1024; /* Doerfler, Host Processor Overhead, Usage */

/* Work that no transfer can outlast; the loop ends before. */
static const double work_most = 1e12;

/* A loop in which work dominates takes this share of the stop threshold at least. */
static const double well_beyond = 1.4 / 1.5;

/* An availability that is known to less is measured again. */
static const double certain = 0.1;

/* The whole suite, both sides, may take so long, s. */
static const double suite_s_most = 10.0;

/* What is measured, and on what. */
struct overlapping {
    struct run *run;
    struct overlap_order order;
    double end_s;
    bool is_trial; /* nothing is kept */
};

/* ---- the rows of the source's program (Usage): work, iter_t, base_t ---- */

static struct summary summary_of_one(double time_us)
{
    return summary_of(&time_us, 1, 0.95);
}

/* "overlap-send-loop-1024": what is one of loop, base, work; 1024 is the amount of work. */
static void keep_point(struct overlapping *overlapping, const char *what, double work, int attempt,
                       const struct summary *iteration)
{
    const struct overlap_order *order = &overlapping->order;
    if (overlapping->is_trial)
        return;
    struct point point = {.processors = 2.0,
                          .bytes = order->bytes,
                          .repetitions = (double)order->iterations * (double)iteration->count,
                          .minimum_us = iteration->minimum,
                          .median_us = iteration->median,
                          .mean_us = iteration->mean,
                          .standard_deviation_us = iteration->standard_deviation,
                          .maximum_us = iteration->maximum,
                          .half_width_us = 0.5 * (iteration->median_high - iteration->median_low),
                          .attempt = attempt};
    snprintf(point.utility, sizeof point.utility, "overlap-%s-%s-%.0f",
             order->receive ? "receive" : "send", what, work);
    run_keep_point(overlapping->run, &point);
}

/* ---- loop times ---- */

/* us of one iteration with so much work. */
static double batch(struct overlapping *overlapping, double work, bool message)
{
    double results[PROBE_RESULTS];
    overlapping->order.work = work;
    overlapping->order.message = message;
    engine_probe(overlapping->run->engine, PROBE_OVERLAP, &overlapping->order,
                 sizeof overlapping->order, results);
    return fmax(results[0], 0.0) / (double)overlapping->order.iterations;
}

static struct summary loop_of(struct overlapping *overlapping, double work)
{
    double samples[BATCHES];
    const size_t count = overlapping->run->simulated ? 1 : BATCHES;
    for (size_t i = 0; i < count; i++)
        samples[i] = batch(overlapping, work, true);
    return summary_of(samples, count, 0.95);
}

static void choose_iterations(struct overlapping *overlapping)
{
    const double told = overlapping->run->options->overlap_iterations;
    overlapping->order.iterations = isnan(told) ? ITERATIONS_TRIED : (long)told;
    if (!isnan(told) || overlapping->run->simulated)
        return;
    batch(overlapping, 1.0, true); /* the first messages of a size are not like the others */
    const double once_us = batch(overlapping, 1.0, true);
    overlapping->order.iterations =
        overlap_iterations(once_us, engine_clock(overlapping->run->engine)->tick_us);
}

/* ---- one size on one side ---- */

/* How far apart loop times are that should be the same, as a share: half of the middle half of them
   is two thirds of a standard deviation. */
static double scatter_of(struct overlapping *overlapping)
{
    double samples[FINAL_BATCHES];
    if (overlapping->run->simulated)
        return 0.0;
    for (size_t i = 0; i < FINAL_BATCHES; i++)
        samples[i] = batch(overlapping, 1.0, true);
    const struct summary summary = summary_of(samples, FINAL_BATCHES, 0.95); /* sorts */
    const double half_us = 0.5 * (summary_quantile(samples, FINAL_BATCHES, 0.75) -
                                  summary_quantile(samples, FINAL_BATCHES, 0.25));
    return summary.median > 0.0 ? 1.5 * half_us / summary.median : 0.0;
}

/* Doubles the work until it dominates; returns how much that is. */
static double grow_work(struct overlapping *overlapping,
                        const struct overlap_thresholds *thresholds, struct overlap_base *base)
{
    double work = 1.0;
    while (work < work_most) {
        const struct summary loop = loop_of(overlapping, work);
        const bool is_last = overlap_take(base, loop.median, thresholds);
        const struct summary average = summary_of_one(base->transfer_us);
        keep_point(overlapping, "loop", work, GROWTH, &loop);
        keep_point(overlapping, "base", work, GROWTH, &average);
        if (is_last)
            break;
        work *= 2.0;
    }
    return work;
}

static double half_width(const struct summary *summary)
{
    return 0.5 * (summary->median_high - summary->median_low);
}

/* What stands in the table, and the times behind it. */
struct conclusion {
    struct overlap overlap;
    double work;
    struct summary loop, alone, base;
};

/* The last loop, its work alone and the loop with hardly any work, in turn: what changes meanwhile
   changes all three. */
static void conclude(struct overlapping *overlapping, double work, struct conclusion *conclusion)
{
    struct overlap *overlap = &conclusion->overlap;
    double with[FINAL_BATCHES], without[FINAL_BATCHES], idle[FINAL_BATCHES];
    const bool simulated = overlapping->run->simulated;
    const size_t count = simulated ? 1 : FINAL_BATCHES;
    for (size_t i = 0; i < count; i++) {
        with[i] = batch(overlapping, work, true);
        without[i] = batch(overlapping, work, false);
        idle[i] = simulated ? overlap->transfer_us : batch(overlapping, 1.0, true);
    }
    conclusion->work = work;
    conclusion->loop = summary_of(with, count, 0.95);
    conclusion->alone = summary_of(without, count, 0.95);
    conclusion->base = summary_of(idle, count, 0.95);
    overlap->loop_us = conclusion->loop.median;
    overlap->work_us = conclusion->alone.median;
    overlap->transfer_us = conclusion->base.median;
    overlap_conclude(
        overlap, simulated ? (double)NAN
                           : hypot(half_width(&conclusion->loop), half_width(&conclusion->alone)));
}

/* Several times; the middle one of the availabilities stands. */
static void conclude_often(struct overlapping *overlapping, double work,
                           struct conclusion *conclusion)
{
    struct conclusion found[CONCLUSIONS] = {*conclusion};
    const size_t count = overlapping->run->simulated ? 1 : CONCLUSIONS;
    for (size_t i = 0; i < count; i++) {
        found[i].overlap = conclusion->overlap;
        conclude(overlapping, work, &found[i]);
        for (size_t k = i;
             k > 0 && found[k - 1].overlap.availability > found[k].overlap.availability; k--) {
            const struct conclusion swapped = found[k];
            found[k] = found[k - 1];
            found[k - 1] = swapped;
        }
    }
    *conclusion = found[count / 2];
}

/* Again while that may make it better. */
static void conclude_well(struct overlapping *overlapping, double work, double stop,
                          struct conclusion *conclusion)
{
    const struct overlap *overlap = &conclusion->overlap;
    conclude_often(overlapping, work, conclusion);
    if (overlapping->run->simulated)
        return;
    /* One slow loop can pass for the end: the work is then not yet what takes the time. */
    for (; work < work_most && overlap->loop_us < well_beyond * stop * overlap->transfer_us;
         work *= 2.0)
        conclude_often(overlapping, 2.0 * work, conclusion);
    for (int i = 0; i < RETRIES && overlap->high - overlap->low > certain; i++)
        conclude_often(overlapping, work, conclusion);
}

static void keep_conclusion(struct overlapping *overlapping, const struct conclusion *it)
{
    keep_point(overlapping, "loop", it->work, CONCLUSION, &it->loop);
    keep_point(overlapping, "work", it->work, CONCLUSION, &it->alone);
    keep_point(overlapping, "base", it->work, CONCLUSION, &it->base);
}

static struct overlap_thresholds thresholds_of(struct overlapping *overlapping)
{
    const struct options *options = overlapping->run->options;
    const double base = isnan(options->overlap_base)
                            ? overlap_base_threshold(scatter_of(overlapping))
                            : options->overlap_base;
    return (struct overlap_thresholds){fmin(base, options->overlap_stop), options->overlap_stop};
}

static struct overlap measure_size(struct overlapping *overlapping, int bytes)
{
    struct overlap_base base = {0};
    overlapping->order.bytes = bytes;
    choose_iterations(overlapping);
    const struct overlap_thresholds thresholds = thresholds_of(overlapping);
    const double work = grow_work(overlapping, &thresholds, &base);
    struct conclusion conclusion = {
        .overlap = {.side = overlapping->order.receive ? OVERLAP_RECEIVE : OVERLAP_SEND,
                    .bytes = bytes,
                    .iterations = (double)overlapping->order.iterations,
                    .transfer_us = base.transfer_us,
                    .base_threshold = thresholds.base}
    };
    conclude_well(overlapping, work, thresholds.stop, &conclusion);
    keep_conclusion(overlapping, &conclusion);
    return conclusion.overlap;
}

/* ---- all sizes, both sides ---- */

/* 0, 2, 4, 8, ... (Doerfler, Host Processor Overhead, Usage), with --quick every other; the least
   that is asked for comes first, whichever it is. */
static double next_bytes(double bytes, const struct options *options)
{
    double next = 2.0;
    while (next <= bytes)
        next *= options->points < 48 ? 4.0 : 2.0;
    return next;
}

/* What the next size takes, when the last two took so long: as many times as long again, but no
   more than its bytes are. */
static double expected_s(double took_s, double before_s, const struct options *options)
{
    const double bytes_more = next_bytes(2.0, options) / 2.0;
    return took_s * fmax(1.0, fmin(bytes_more, before_s > 0.0 ? took_s / before_s : 1.0));
}

static void measure_side(struct overlapping *overlapping, struct machine *machine)
{
    const struct options *options = overlapping->run->options;
    const double most = fmin(options->bytes_most, bytes_most);
    double took_s = 0.0, before_s = 0.0;
    for (double bytes = options->bytes_least; bytes <= most; bytes = next_bytes(bytes, options)) {
        const double begin_s = clock_s();
        if (interruption_or_after(overlapping->end_s - expected_s(took_s, before_s, options))) {
            char *what = memory_format("overlap, %s from %.0f bytes on",
                                       overlapping->order.receive ? "receive" : "send", bytes);
            run_not_measured(machine, what, "the time for it ended");
            free(what);
            return;
        }
        const struct overlap overlap = measure_size(overlapping, (int)bytes);
        *(struct overlap *)list_add(&overlap_record, &machine->overlap) = overlap;
        before_s = took_s;
        took_s = clock_s() - begin_s;
    }
}

static void report_part(struct run *run, const struct machine *machine)
{
    const struct overlap *overlaps = machine->overlap.items;
    double least = 1.0, most = 0.0;
    for (size_t i = 0; i < machine->overlap.count; i++) {
        least = fmin(least, overlaps[i].availability);
        most = fmax(most, overlaps[i].availability);
    }
    char *line =
        memory_format("%-16s %zu sizes and sides, %.0f to %.0f %% of transfers left for work",
                      "overlap", machine->overlap.count, 100.0 * least, 100.0 * most);
    progress_part(&run->progress, machine->overlap.count ? line : "overlap          not measured");
    free(line);
}

int overlap_measure(struct run *run, struct machine *machine, struct error *error)
{
    struct overlapping overlapping = {.run = run};
    const double now_s = clock_s();
    (void)error;
    for (int receive = 0; receive <= 1; receive++) {
        const double whole_s = run->share_end_s - now_s;
        const double allowed_s = run->simulated ? whole_s : fmin(whole_s, suite_s_most);
        overlapping.end_s = now_s + allowed_s * (receive ? 1.0 : 0.5);
        overlapping.order.receive = receive;
        measure_side(&overlapping, machine);
    }
    report_part(run, machine);
    return 0;
}

/* ---- how long it takes ---- */

/* Units of work take about so long. */
static const double unit_us = 2e-3;

/* Where the clock is exact, in batches of messages without work: each doubling of the work, from
   one unit to half as long again as a transfer, takes one and all of them together two more; at its
   end work and message, and the work alone. */
static double batches_of_size(const struct run *run, double transfer_us)
{
    const double stop = run->options->overlap_stop;
    return fmax(0.0, log2(stop * transfer_us / unit_us)) + 4.0 * stop;
}

static double exact_size_s(struct overlapping *overlapping, int bytes)
{
    overlapping->order.bytes = bytes;
    choose_iterations(overlapping);
    const double begin_s = clock_s();
    const double transfer_us = batch(overlapping, 1.0, true);
    return (clock_s() - begin_s) * batches_of_size(overlapping->run, transfer_us);
}

/* Elsewhere how often a size is tried again depends on what else the processors do, and nothing but
   trying tells. */
static double tried_size_s(struct overlapping *overlapping, int bytes)
{
    const double begin_s = clock_s();
    measure_size(overlapping, bytes);
    return clock_s() - begin_s;
}

/* One size of so many is tried, of one side and of the other in turn, and the largest. */
enum { SIZES_A_TRIAL = 4 };

/* Those between two that were tried are between them. */
static double tried_s(struct overlapping *overlapping, double most)
{
    const struct options *options = overlapping->run->options;
    double sum_s = 0.0, before_s = 0.0;
    int since = 0;
    for (double bytes = options->bytes_least; bytes <= most; bytes = next_bytes(bytes, options)) {
        since++;
        if (since < SIZES_A_TRIAL && sum_s > 0.0 && next_bytes(bytes, options) <= most)
            continue;
        const double took_s = tried_size_s(overlapping, (int)bytes);
        sum_s += took_s + (since - 1) * sqrt(before_s * took_s);
        before_s = took_s;
        since = 0;
        overlapping->order.receive = !overlapping->order.receive;
    }
    return sum_s;
}

static double exact_s(struct overlapping *overlapping, double most)
{
    const struct options *options = overlapping->run->options;
    double sum_s = 0.0;
    for (double bytes = options->bytes_least; bytes <= most; bytes = next_bytes(bytes, options))
        sum_s += exact_size_s(overlapping, (int)bytes);
    return sum_s;
}

double overlap_foresee_s(struct run *run)
{
    const double most = fmin(run->options->bytes_most, bytes_most);
    struct overlapping overlapping = {.run = run, .is_trial = true};
    if (run->crowded)
        return 0.0;
    return run->simulated ? 2.0 * exact_s(&overlapping, most)
                          : fmin(2.0 * tried_s(&overlapping, most), suite_s_most);
}
