#include "trainer/rehearsal/rehearse.h"

#include "model/base/allocation.h"
#include "model/segment/program/schedule.h"
#include "trainer/base/clock.h"
#include "trainer/base/target.h"
#include "trainer/rehearsal/phase.h"
#include "trainer/rehearsal/rehearsal_report.h"
#include "trainer/rehearsal/timing.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rehearsal {
    const struct options *options;
    bool simulated;
    int rank;
    struct subcommunicators subcommunicators;
    struct clock clock;
    double bytes_most;
    struct rehearsal_report report; /* of rank 0 */
    struct deadline deadline;
    double end_s;
    int phases_left;
    int measured, cut; /* rows, of rank 0 */
};

/* ---- one phase ---- */

/* What is left is for all phases alike, but one that has no shorter repetition may take half of it.
   Every rank; the result is agreed on, as deadline_agree says. */
static int begin_phase(struct rehearsal *it, double *patience_s)
{
    const double left_s = it->end_s - clock_s();
    double seconds[2] = {left_s / it->phases_left--, 0.5 * left_s};
    MPI_Bcast(seconds, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    *patience_s = fmax(0.01, seconds[0]);
    if (it->simulated)
        return 0;
    it->deadline =
        (struct deadline){.end_s = clock_s() + fmax(seconds[0], seconds[1]), .agrees = true};
    return deadline_agree(&it->deadline);
}

static void write_row(struct rehearsal *it, const struct rehearsal_phase *phase,
                      const struct timing *timing, const struct point *point)
{
    const double sweeps = phase->sweeps, spent_s = timing->compute_s + timing->communicate_s;
    const double each = phase->analysis.repeat / sweeps;
    const double computes = spent_s > 0.0 ? timing->compute_s / spent_s : 0.0;
    const struct rehearsal_row row = {
        .repeat = phase->analysis.repeat,
        .rounds = point->repetitions * sweeps * phase->share,
        .compute_us = each * point->median_us * computes,
        .total_us = each * point->median_us,
        .minimum_us = each * point->minimum_us,
        .maximum_us = each * point->maximum_us,
    };
    rehearsal_report_add(&it->report, phase, &row);
    it->measured++;
}

/* A part of a repetition says nothing of the rest. */
static void write_cut(struct rehearsal *it, const struct rehearsal_phase *phase)
{
    rehearsal_report_add_cut(&it->report, phase, "not measured: the budget left too little time");
    it->cut++;
}

/* Nothing moves, nothing runs. */
static bool is_empty(const struct rehearsal_phase *phase)
{
    double rows = 0.0;
    for (size_t i = 0; i < phase->proxy_kernels.count; i++)
        rows += phase->proxy_kernels.items[i].walk.rows;
    return (phase->move_count == 0 && phase->flow_count == 0 && rows == 0.0) ||
           phase->analysis.repeat == 0.0;
}

/* As far as there is time: then the deadline says so. */
static int measure_phase(struct rehearsal *it, struct rehearsal_phase *phase, double patience_s,
                         struct error *error)
{
    struct timing timing = {.options = it->options,
                            .phase = phase,
                            .simulated = it->simulated,
                            .rank = it->rank,
                            .patience_s = patience_s};
    struct point point = {0};
    it->deadline.agrees = false;
    if (!is_empty(phase) && timing_measure(&timing, &point, error) != 0)
        return -1;
    if (it->rank == 0 && !deadline_is_over(phase->deadline))
        write_row(it, phase, &timing, &point);
    return 0;
}

static int run_phase(struct rehearsal *it, struct rehearsal_phase *phase, double patience_s,
                     struct error *error)
{
    const char *wrong = phase_check(phase);
    if (wrong) {
        error_fill(error, place_at(NULL, 0, 0), "%s: what arrived is not what was sent: %s",
                   phase->name, wrong);
        return 1;
    }
    return deadline_is_over(phase->deadline) ? 0 : measure_phase(it, phase, patience_s, error);
}

/* Without its proxy kernels where there is no time. */
static int play(struct rehearsal *it, struct rehearsal_phase *phase, double patience_s,
                struct error *error)
{
    int status = 0;
    phase->reading_s = it->simulated ? 0.0 : 1e-6 * it->clock.reading_us;
    phase->deadline = it->simulated ? NULL : &it->deadline;
    if (!deadline_is_over(phase->deadline))
        status = phase_make(phase, &it->subcommunicators, it->bytes_most, error);
    if (status == 0 && !deadline_is_over(phase->deadline))
        status = run_phase(it, phase, patience_s, error);
    const int over = phase->deadline ? phase->deadline->over : 0;
    if (status == 0 && over == DEADLINE_OVER && it->rank == 0)
        write_cut(it, phase);
    phase_free(phase);
    return status == 0 && over > DEADLINE_OVER ? over : status;
}

static int play_segment(struct rehearsal *it, const struct subject *subject, size_t number,
                        const struct layout *layout, struct error *error)
{
    const struct segment *segment =
        (const struct segment *)subject->program->segments.items + number;
    struct rehearsal_phase phase = {.name = segment->name, .overlaps = segment->overlap};
    double patience_s;
    const int over = begin_phase(it, &patience_s);
    if (analysis_make(&phase.analysis, subject, number, layout, error) != 0)
        return -1;
    if (phase.analysis.sweeps > 1.0) {
        const double sweeps = phase.analysis.sweeps;
        analysis_free(&phase.analysis);
        return error_at(error, program_place(subject->program, segment->place),
                        "a halo exchanged every %g repetitions is not rehearsed: rehearse a "
                        "candidate without it",
                        sweeps);
    }
    if (!over && proxy_kernels_make(&phase.proxy_kernels, subject, number, layout, &phase.analysis,
                                    it->bytes_most, error) != 0) {
        analysis_free(&phase.analysis);
        return -1;
    }
    return play(it, &phase, patience_s, error);
}

static int play_changes(struct rehearsal *it, const struct program *program,
                        const struct schedule *schedule, size_t before, struct error *error)
{
    int status = 0;
    for (size_t i = 0; i < schedule->change_count && status == 0; i++) {
        const struct change *change = &schedule->changes[i];
        struct rehearsal_phase phase = {.name = change->name};
        double patience_s;
        if (change->before != before)
            continue;
        if (analysis_change(&phase.analysis, program, &change->from, &change->to, change->place,
                            change->times, error) != 0)
            return -1;
        begin_phase(it, &patience_s);
        status = play(it, &phase, patience_s, error);
    }
    return status;
}

/* ---- candidates ---- */

static int play_all(struct rehearsal *it, const struct subject *subject,
                    const struct schedule *schedule, struct error *error)
{
    const size_t segments = subject->program->segments.count;
    int status = 0;
    for (size_t i = 0; i <= segments && status == 0; i++) {
        status = play_changes(it, subject->program, schedule, i, error);
        if (status == 0 && i < segments)
            status = play_segment(it, subject, i, &schedule->layouts[i], error);
    }
    return status;
}

/* 2 where the candidate does not fit the processors: *error says why. */
static int play_candidate(struct rehearsal *it, const struct program *program,
                          const struct candidate *candidate, struct error *error)
{
    struct schedule schedule;
    struct subject subject;
    struct scope *scope =
        program_scope(program, it->options->definitions, it->options->definition_count,
                      it->subcommunicators.processors, error);
    if (!scope)
        return -1;
    int status = schedule_make(&schedule, program, candidate, scope, error) == 0 ? 0 : 2;
    if (status == 0) {
        status = subject_make(&subject, program, scope, error);
        if (status == 0) {
            if (it->rank == 0)
                rehearsal_report_begin(&it->report, candidate->name,
                                       it->subcommunicators.processors, scope);
            status = play_all(it, &subject, &schedule, error);
            if (status == 0 && it->rank == 0)
                rehearsal_report_end(&it->report);
            subject_free(&subject);
        }
        schedule_free(&schedule);
    }
    scope_free(scope);
    return status;
}

static void say_left_out(const struct rehearsal *it, const char *name, const struct error *why)
{
    char line[800];
    if (it->rank == 0)
        fprintf(stderr, "trainer: %.60s left out: %s\n", name, error_line(why, line, sizeof line));
}

static int play_candidates(struct rehearsal *it, const struct program *program, struct error *error)
{
    const struct candidate *candidates = program->candidates.items;
    size_t played = 0;
    for (size_t i = 0; i < program->candidates.count; i++) {
        if (it->options->candidate && strcmp(candidates[i].name, it->options->candidate) != 0)
            continue;
        const int status = play_candidate(it, program, &candidates[i], error);
        played += status == 0;
        if (status == 2 && !it->options->candidate)
            say_left_out(it, candidates[i].name, error);
        else if (status != 0)
            return status == 2 ? -1 : status;
    }
    return played > 0 ? 0 : -1;
}

/* ---- the whole ---- */

/* Half of this node's memory, as if all ranks were on it; what rank 0 says. */
static double room_each(int processors)
{
    double bytes = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    bytes = bytes > 0.0 ? bytes / processors : 1e8;
    MPI_Bcast(&bytes, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return bytes;
}

/* Every rank reads the description: where one cannot, none goes on. */
static int agree(int status, struct error *error)
{
    int worst = status;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return worst == 0    ? 0
           : status != 0 ? -1
                         : error_set(error, "another rank cannot read the description");
}

static int count_phases(const struct options *options, const struct program *program)
{
    const struct candidate *candidates = program->candidates.items;
    size_t count = 0;
    for (size_t i = 0; i < program->candidates.count; i++)
        if (!options->candidate || strcmp(candidates[i].name, options->candidate) == 0)
            count += program->segments.count + candidates[i].redistribute.count +
                     (program->repeat.text != NULL);
    return (int)count + 1;
}

static int rehearse_program(struct rehearsal *it, const struct program *program,
                            struct error *error)
{
    const struct options *options = it->options;
    if (options->candidate && !program_candidate(program, options->candidate))
        return error_at(error, place_at(program->path, 0, 0), "no candidate '%.60s'",
                        options->candidate);
    it->phases_left = count_phases(options, program);
    it->end_s = clock_s() + options->budget_s;
    rehearsal_report_names(&it->report, program);
    return play_candidates(it, program, error);
}

/* What was measured is written, unless it is nothing: then a file of before stays. */
static int save(struct rehearsal *it, int status, struct error *error)
{
    const char *path = it->options->output_given;
    if ((status != 0 && status <= 128) || it->rank != 0)
        return status;
    if (it->cut > 0)
        fprintf(stderr,
                "trainer: %d of %d segments and redistributions were not measured: the budget of "
                "%g s left too little time\n",
                it->cut, it->cut + it->measured, it->options->budget_s);
    if (path && it->measured == 0)
        fprintf(stderr, "trainer: nothing was measured: %s is as it was\n", path);
    else if (rehearsal_report_save(&it->report, path, error) != 0)
        return -1;
    return status == 0 && it->measured == 0 ? 1 : status;
}

static void say(const struct error *error)
{
    char line[800];
    fprintf(stderr, "trainer: %s\n", error_line(error, line, sizeof line));
}

/* Rank 0 looks whether the times can be written, before all that takes long. */
static int begin(struct rehearsal *it, const struct program *program, struct error *error)
{
    const char *path = it->options->output_given;
    int status = 0;
    if (it->rank == 0 && path)
        status = target_check(path, "segment,candidate,processors,", "a rehearsal's times", error);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status == 0 ? rehearse_program(it, program, error) : -1;
}

/* Every rank reads the file for itself: what a pipe holds only one of them would get. */
static int read_on_each_rank(struct program *program, const char *path, struct error *error)
{
    struct stat file;
    if (stat(path, &file) == 0 && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode))
        return error_at(error, place_at(path, 0, 0),
                        "is no regular file: every rank reads it for itself");
    return program_read(program, path, error);
}

int rehearse(const struct options *options, bool simulated, struct error *error)
{
    struct program program;
    struct rehearsal it = {
        .options = options, .simulated = simulated, .subcommunicators = subcommunicators_new()};
    it.rank = it.subcommunicators.rank;
    it.clock = clock_measure(simulated);
    it.bytes_most = room_each(it.subcommunicators.processors);
    const int read = read_on_each_rank(&program, options->rehearse, error);
    int status = agree(read, error);
    if (status == 0)
        status = begin(&it, &program, error);
    if (status == 1 && it.rank == 0)
        say(error);
    status = save(&it, status, error);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (read == 0)
        program_free(&program);
    rehearsal_report_free(&it.report);
    subcommunicators_free(&it.subcommunicators);
    return status;
}
