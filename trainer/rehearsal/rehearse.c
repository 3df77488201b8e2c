#include "trainer/rehearsal/rehearse.h"

#include "model/base/memory.h"
#include "model/segment/schedule.h"
#include "trainer/clock.h"
#include "trainer/interruption.h"
#include "trainer/measure.h"
#include "trainer/rehearsal/scene.h"
#include "trainer/rehearsal/script.h"
#include "trainer/watchdog.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A round takes at most this share of what the budget leaves to a segment: warming up, finding out
   how many rounds make a batch, and three batches are about ten of them. */
static const double round_share = 0.05;
static const double least_share = 1.0 / 4096.0;

struct rehearsal {
    const struct options *options;
    bool simulated;
    int rank;
    struct companies companies;
    struct clock clock;
    double bytes_most;
    struct script script; /* of rank 0 */
    double end_s;
    int scenes_left;
    double compute_s, communicate_s; /* of all batches of the present scene */
};

/* ---- rounds, of which rank 0 decides how many ---- */

struct batch {
    struct rehearsal *it;
    struct scene *scene;
};

/* Times are those of the rank that took the most, as programs' own clocks report them. */
static double run_rounds(struct batch *batch, long rounds)
{
    double mine_s[2], most_s[2];
    scene_run(batch->scene, rounds, &mine_s[0], &mine_s[1]);
    mine_s[1] += mine_s[0];
    MPI_Allreduce(mine_s, most_s, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    batch->it->compute_s += most_s[0];
    batch->it->communicate_s += most_s[1] - most_s[0];
    return most_s[1];
}

/* A measure_batch. */
static int run_batch(void *state, long rounds, double *elapsed_us, struct error *error)
{
    (void)error;
    watchdog_wait();
    MPI_Bcast(&rounds, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    *elapsed_us = 1e6 * run_rounds(state, rounds);
    watchdog_rest();
    return 0;
}

static void follow(struct batch *batch)
{
    for (long rounds = 1; rounds > 0;) {
        watchdog_wait();
        MPI_Bcast(&rounds, 1, MPI_LONG, 0, MPI_COMM_WORLD);
        if (rounds > 0)
            run_rounds(batch, rounds);
        watchdog_rest();
    }
}

static struct measure_plan plan_of(const struct rehearsal *it, const struct scene *scene,
                                   double patience_s)
{
    const struct options *options = it->options;
    return (struct measure_plan){
        .accuracy = options->accuracy,
        .confidence = options->confidence,
        .batch_us = it->simulated ? 0.0 : 200.0,
        .batches_least = 20,
        .batches_most = 200,
        /* Times are of whole sweeps, also where a share of them is run. */
        .point_us_most = 1e6 * fmin(patience_s, 2.0) / scene->share,
    };
}

static int measure_scene(struct batch *batch, double patience_s, struct point *point,
                         struct error *error)
{
    const struct measure_plan plan = plan_of(batch->it, batch->scene, patience_s);
    long end = 0;
    int status = 0;
    *point = (struct point){0};
    if (batch->it->rank != 0) {
        follow(batch);
        return 0;
    }
    status = measure(&plan, run_batch, batch, point, error);
    MPI_Bcast(&end, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return status;
}

/* How much of a sweep the budget allows: from little, as long as a round is short. */
static void choose_share(struct batch *batch, double patience_s)
{
    struct scene *scene = batch->scene;
    double share = scene->share = least_share;
    for (bool enough = false; !enough; scene->share = share) {
        const double start_s = MPI_Wtime();
        run_rounds(batch, 1);
        double spent_s = MPI_Wtime() - start_s;
        MPI_Bcast(&spent_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        const double more = round_share * patience_s / fmax(spent_s, 1e-9);
        enough = share == 1.0 || more < 2.0;
        if (!enough)
            share = fmin(1.0, share * fmin(8.0, more));
    }
}

/* ---- one scene ---- */

/* Negative: a signal came to rank 0, that number. */
static double patience_of(struct rehearsal *it)
{
    double patience_s = fmax(0.01, (it->end_s - MPI_Wtime()) / it->scenes_left);
    if (interruption_signal())
        patience_s = -interruption_signal();
    MPI_Bcast(&patience_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    it->scenes_left--;
    return patience_s;
}

static void write_row(struct rehearsal *it, const struct scene *scene, const struct point *point)
{
    const double sweeps = scene->sweeps, spent_s = it->compute_s + it->communicate_s;
    const double each = scene->analysis.repeat / sweeps;
    const double computes = spent_s > 0.0 ? it->compute_s / spent_s : 0.0;
    const struct script_row row = {
        .repeat = scene->analysis.repeat,
        .rounds = point->repetitions * sweeps * scene->share,
        .compute_us = each * point->median_us * computes,
        .total_us = each * point->median_us,
        .minimum_us = each * point->minimum_us,
        .maximum_us = each * point->maximum_us,
    };
    script_add(&it->script, scene, &row);
}

/* Nothing moves, nothing runs. */
static bool is_empty(const struct scene *scene)
{
    double rows = 0.0;
    for (size_t i = 0; i < scene->stand_ins.count; i++)
        rows += scene->stand_ins.items[i].walk.rows;
    return (scene->move_count == 0 && scene->flow_count == 0 && rows == 0.0) ||
           scene->analysis.repeat == 0.0;
}

static int run_scene(struct rehearsal *it, struct scene *scene, struct error *error)
{
    struct batch batch = {it, scene};
    struct point point = {0};
    const double patience_s = patience_of(it);
    if (patience_s < 0.0)
        return 128 - (int)patience_s;
    const char *wrong = scene_check(scene);
    if (wrong) {
        error_fill(error, place_at(NULL, 0, 0), "%s: what arrived is not what was sent: %s",
                   scene->name, wrong);
        return 1;
    }
    if (!is_empty(scene)) {
        if (!it->simulated)
            choose_share(&batch, patience_s);
        it->compute_s = it->communicate_s = 0.0;
        if (measure_scene(&batch, patience_s, &point, error) != 0)
            return -1;
    }
    if (it->rank == 0)
        write_row(it, scene, &point);
    return 0;
}

static int play(struct rehearsal *it, struct scene *scene, struct error *error)
{
    scene->reading_s = it->simulated ? 0.0 : 1e-6 * it->clock.reading_us;
    int status = scene_make(scene, &it->companies, it->bytes_most, error);
    if (status == 0)
        status = run_scene(it, scene, error);
    scene_free(scene);
    return status;
}

static int play_segment(struct rehearsal *it, const struct subject *subject, size_t number,
                        const struct layout *layout, struct error *error)
{
    const struct segment *segment =
        (const struct segment *)subject->program->segments.items + number;
    struct scene scene = {.name = segment->name, .overlaps = segment->overlap};
    if (analysis_make(&scene.analysis, subject, number, layout, error) != 0)
        return -1;
    if (scene.analysis.sweeps > 1.0) {
        const double sweeps = scene.analysis.sweeps;
        analysis_free(&scene.analysis);
        return error_at(error, program_place(subject->program, segment->place),
                        "a halo exchanged every %g repetitions is not rehearsed: rehearse a "
                        "candidate without it",
                        sweeps);
    }
    if (stand_ins_make(&scene.stand_ins, subject, number, layout, &scene.analysis, it->bytes_most,
                       error) != 0) {
        analysis_free(&scene.analysis);
        return -1;
    }
    return play(it, &scene, error);
}

static int play_changes(struct rehearsal *it, const struct program *program,
                        const struct schedule *schedule, size_t before, struct error *error)
{
    int status = 0;
    for (size_t i = 0; i < schedule->change_count && status == 0; i++) {
        const struct change *change = &schedule->changes[i];
        struct scene scene = {.name = change->name};
        if (change->before != before)
            continue;
        if (analysis_change(&scene.analysis, program, &change->from, &change->to, change->place,
                            change->times, error) != 0)
            return -1;
        status = play(it, &scene, error);
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
                      it->companies.processors, error);
    if (!scope)
        return -1;
    int status = schedule_make(&schedule, program, candidate, scope, error) == 0 ? 0 : 2;
    if (status == 0) {
        status = subject_make(&subject, program, scope, error);
        if (status == 0) {
            if (it->rank == 0)
                script_begin(&it->script, candidate->name, it->companies.processors, scope);
            status = play_all(it, &subject, &schedule, error);
            if (status == 0 && it->rank == 0)
                script_end(&it->script);
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

static int count_scenes(const struct options *options, const struct program *program)
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
    it->scenes_left = count_scenes(options, program);
    it->end_s = MPI_Wtime() + options->budget_s;
    script_names(&it->script, program);
    return play_candidates(it, program, error);
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
        .options = options, .simulated = simulated, .companies = companies_new()};
    it.rank = it.companies.rank;
    it.clock = clock_measure();
    it.bytes_most = room_each(it.companies.processors);
    const int read = read_on_each_rank(&program, options->rehearse, error);
    int status = agree(read, error);
    if (status == 0)
        status = rehearse_program(&it, &program, error);
    if ((status == 0 || status > 128) && it.rank == 0 &&
        script_save(&it.script, options->output_given, error) != 0)
        status = -1;
    if (status == 1 && it.rank == 0) {
        char line[800];
        fprintf(stderr, "trainer: %s\n", error_line(error, line, sizeof line));
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (read == 0)
        program_free(&program);
    script_free(&it.script);
    companies_free(&it.companies);
    return status;
}
