/* The trainer: options, the engine, the table. */
#include "model/base/allocation.h"
#include "model/base/file_out.h"
#include "model/machine/machine.h"
#include "model/machine/machine_check.h"
#include "model/machine/machine_lint.h"
#include "model/machine/things.h"
#include "trainer/base/checkpoint.h"
#include "trainer/base/interruption.h"
#include "trainer/base/options.h"
#include "trainer/base/provenance.h"
#include "trainer/base/simulator.h"
#include "trainer/base/time_limit.h"
#include "trainer/base/topology.h"
#include "trainer/base/watchdog.h"
#include "trainer/calibrate.h"
#include "trainer/engine/cores.h"
#include "trainer/engine/engine.h"
#include "trainer/launches.h"
#include "trainer/loops/measure_loops.h"
#include "trainer/micro/first_touch_probe.h"
#include "trainer/micro/start_up_probe.h"
#include "trainer/micro/swap_only.h"
#include "trainer/outlook.h"
#include "trainer/output.h"
#include "trainer/rehearsal/rehearse.h"
#include "trainer/suites.h"
#include "trainer/utilities/utilities.h"
#include "trainer/validate.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* How long MPI_Finalize may take once all is written. */
static const unsigned leave_s = 5;

static void list_suites(void)
{
    for (int i = 0; i < suites_count; i++) {
        printf("suite %s: %s\n", suites[i].name, suites[i].does);
        for (int k = 0; k < utilities_count; k++)
            if (suite_has(&suites[i], utilities[k]))
                printf("  %-16s %s\n", utilities[k]->pattern->name, utilities[k]->does);
    }
}

/* "results/this.yaml" gives "this". */
static char *machine_name(const struct options *options)
{
    if (options->name)
        return memory_copy_text(options->name);
    const char *slash = strrchr(options->output, '/');
    char *name = memory_copy_text(slash ? slash + 1 : options->output);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    return name;
}

static void add_descriptions(struct machine *machine, const struct options *options)
{
    for (size_t i = 0; i < options->described_count; i++) {
        const char *pair = options->described[i], *end = strchr(pair, '=');
        struct description *described = list_add(&description_record, &machine->machine.described);
        described->what = memory_format("%.*s", (int)(end - pair), pair);
        described->is = memory_copy_text(end + 1);
    }
}

static void describe_machine(struct machine *machine, const struct options *options,
                             const char *binding, int processors, int argc, char **argv)
{
    machine->machine.name = machine_name(options);
    machine->machine.processors = processors;
    add_descriptions(machine, options);
    machine->machine.measured = provenance_new(argc, argv, options->seed);
    if (!provenance_is_simulated())
        machine->topology = topology_new();
    if (binding)
        machine->machine.measured->binding = memory_copy_text(binding);
}

static int conduct_validation(struct engine *engine, const struct options *options,
                              struct error *error)
{
    struct machine machine;
    int processors;
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    if (machine_read(&machine, options->validate, error) != 0)
        return -1;
    const int status =
        validate(&machine, options, engine, processors, provenance_is_simulated(), error);
    machine_free(&machine);
    return status;
}

static void ignore(void *state, const struct error *remark)
{
    (void)state;
    (void)remark;
}

/* The table as it was measured: how much is odd is said, what breaks a rule is an error; the table
   is there to be looked at. */
static int look_through(const struct machine *machine, const char *path, struct error *error)
{
    const size_t odd = machine_lint(machine, ignore, NULL);
    if (odd > 0)
        fprintf(stderr,
                "trainer: %zu implausible values in the table (details: estimator check %s)\n", odd,
                path);
    return machine_check(machine, error);
}

/* What there is of the machine before anything is measured: with --resume, what an earlier
   calibration left. */
static int begin_machine(struct machine *machine, const struct options *options,
                         const char *binding, int argc, char **argv, struct error *error)
{
    int processors;
    struct machine earlier;
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    *machine = machine_begin();
    describe_machine(machine, options, binding, processors, argc, argv);
    if (!options->resume)
        return 0;
    if (!checkpoint_is_there(options->output)) {
        fprintf(stderr, "trainer: remark: %s: nothing to resume: a calibration begins\n",
                options->output);
        return 0;
    }
    if (checkpoint_read(&earlier, options->output, machine, error) != 0)
        return -1;
    machine_free(machine);
    *machine = earlier;
    return 0;
}

/* Somebody removed the file while it was written: what only this process still sees goes to stderr.
 */
static void rescue_points(FILE *points_csv)
{
    struct stat about;
    if (fflush(points_csv) != 0 || fstat(fileno(points_csv), &about) != 0 || about.st_nlink > 0)
        return;
    fprintf(stderr, "trainer: remark: the file of points is gone: they follow here\n");
    rewind(points_csv);
    for (int c; (c = getc(points_csv)) != EOF;)
        putc(c, stderr);
}

/* Measures, with all points in the file of the unfinished ones: *any, whether there are some; *all,
   whether the file took them. */
static int measure_into(struct machine *machine, struct engine *engine,
                        const struct options *options, bool *any, bool *all, struct error *error)
{
    struct unfinished *before = machine->unfinished;
    FILE *points_csv = checkpoint_points(options->output, before, error);
    if (!points_csv)
        return -1;
    const int parts_before = before ? (int)before->parts : 0;
    const long begin = ftell(points_csv);
    machine->unfinished = NULL;
    free(before);
    const int status = calibrate(machine, options, engine, (int)machine->machine.processors,
                                 provenance_is_simulated(), points_csv, parts_before, error);
    rescue_points(points_csv);
    *any = parts_before > 0 || ftell(points_csv) > begin;
    *all = ferror(points_csv) == 0;
    *all = fclose(points_csv) == 0 && *all;
    return status;
}

static bool has_anything(const struct machine *machine)
{
    struct things things = things_of(machine);
    const bool has = things.count > 0;
    things_free(&things);
    return has;
}

/* The table of before, if any, stays as it was. */
static int say_nothing_measured(const struct machine *machine, const struct output *output)
{
    const struct not_measured *missing = machine->not_measured.items;
    char *why = machine->not_measured.count == 0
                    ? memory_copy_text("the calibration ended at once")
                    : memory_format("%s: %s", missing->what, missing->because);
    fprintf(stderr, "trainer: nothing was measured (%s): no table is written%s\n", why,
            output->has_before ? ", the one that is there stays" : "");
    free(why);
    return 1;
}

/* Whether the table of before has what this calibration did not come to; then it stays. */
static bool stays_before(const struct machine *machine, const struct output *output)
{
    char *lost = output_would_lose(output, machine);
    if (!lost)
        return false;
    char *unfinished = checkpoint_path(output->given);
    fprintf(stderr,
            "trainer: %s stays: it has %s, which was not measured now; what was is in %s: the "
            "same command with --resume goes on from there, with --add or --replace as well puts "
            "it into the table, or in its place\n",
            output->given, lost, unfinished);
    free(unfinished);
    free(lost);
    return true;
}

static int write_both(struct machine *machine, struct output *output, bool all_points,
                      struct error *error)
{
    char *points = checkpoint_points_path(output->given);
    int status = 0;
    if (!all_points && output->has_before)
        status = error_set(error,
                           "%s stays: not all points could be written: is the disk full? "
                           "They are on stderr",
                           output->given);
    if (status == 0)
        status = output_commit(output, machine, points, error);
    free(points);
    if (status == 0 && !interruption_signal())
        checkpoint_remove(output->given);
    if (status == 0 && !all_points)
        status =
            error_set(error, "the table is written, but not all points: is the disk full? They "
                             "are on stderr");
    return status == 0 ? look_through(machine, output->given, error) : status;
}

static int conduct_into(struct machine *machine, struct engine *engine,
                        const struct options *options, struct output *output, struct error *error)
{
    bool any_points, all_points;
    if (measure_into(machine, engine, options, &any_points, &all_points, error) != 0)
        return -1;
    if (!has_anything(machine)) {
        if (!any_points)
            checkpoint_remove(options->output);
        return say_nothing_measured(machine, output);
    }
    if (stays_before(machine, output))
        return interruption_signal() ? 0 : 1;
    return write_both(machine, output, all_points, error);
}

/* Each node has a binding of its own. Where ranks share cores the scheduler's turns would be taken
   for what first messages take. */
static bool are_shared_anywhere(const char *binding)
{
    int shared = cores_are_shared(binding);
    MPI_Allreduce(MPI_IN_PLACE, &shared, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return shared != 0;
}

/* What an earlier calibration found stays: its messages were first as well. */
static void take_rows(struct list *into, struct list *rows)
{
    if (into->count > 0)
        return;
    *into = *rows;
    *rows = (struct list){0};
}

static int conduct(struct engine *engine, const struct options *options, const char *binding,
                   struct list *start_up, struct list *first_touch, int argc, char **argv,
                   struct error *error)
{
    struct machine machine = {0};
    struct output output = {0};
    struct outlook outlook = {.options = options, .crowded = cores_are_shared(binding)};
    MPI_Comm_size(MPI_COMM_WORLD, &outlook.processors);
    if (outlook_check(&outlook, error) != 0)
        return -1;
    if (options->dry_run)
        return calibrate_foresee(options, engine, outlook.processors, provenance_is_simulated(),
                                 outlook.crowded, error);
    if (output_begin(&output, &outlook, error) != 0)
        return -1;
    int status = begin_machine(&machine, options, binding, argc, argv, error);
    if (status == 0) {
        take_rows(&machine.start_up, start_up);
        take_rows(&machine.first_touch, first_touch);
    }
    if (status == 0)
        status = output_check_machine(&output, &machine, error);
    if (status == 0)
        status = conduct_into(&machine, engine, options, &output, error);
    machine_free(&machine);
    output_end(&output);
    return status == 0 && interruption_signal() ? 128 + interruption_signal() : status;
}

static int check_ranks(struct error *error)
{
    int processors;
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    return processors >= 2 ? 0
                           : error_set(error, "1 rank: expected at least 2 (mpiexec -n 2 trainer)");
}

/* The batch system's limit ends the calibration before it ends the job. */
static void keep_to_time_limit(struct options *options)
{
    const struct scheduler *scheduler;
    const double left_s = time_limit_left_s(&scheduler);
    const double budget_s = scheduler ? time_limit_budget_s(left_s) : INFINITY;
    if (budget_s >= options->budget_s)
        return;
    fprintf(stderr, "trainer: %s ends this job in %.0f s: the budget is %.0f s, not %.0f s\n",
            scheduler->name, left_s, budget_s, options->budget_s);
    options->budget_s = budget_s;
}

static int work(const struct options *options, int argc, char **argv, int rank, struct error *error)
{
    if (options->list) {
        if (rank == 0)
            list_suites();
        return 0;
    }
    const char *binding;
    if (options->loops)
        return provenance_is_simulated()
                   ? error_set(error, "--loops: a simulated machine computes in no time")
               : cores_take(options, false, &binding, error) != 0
                   ? -1
                   : measure_loops(options, argc, argv, error);
    if (options->rehearse)
        return cores_take(options, provenance_is_simulated(), &binding, error) != 0
                   ? -1
                   : rehearse(options, provenance_is_simulated(), error);
    if (suites_check(options->suites, error) != 0 ||
        swap_only_check(options->swap_only, error) != 0 || check_ranks(error) != 0 ||
        cores_take(options, provenance_is_simulated(), &binding, error) != 0)
        return -1;
    struct list start_up = {0}, first_touch = {0};
    if (!provenance_is_simulated() && !options->validate && !options->dry_run &&
        !are_shared_anywhere(binding)) {
        start_up_probe(&start_up);
        first_touch_probe(&first_touch);
    }
    struct engine *engine = engine_new();
    int status;
    if (rank == 0) {
        status = options->validate ? conduct_validation(engine, options, error)
                                   : conduct(engine, options, binding, &start_up, &first_touch,
                                             argc, argv, error);
        engine_dismiss(engine, status);
    } else {
        status = engine_follow(engine);
    }
    engine_free(engine);
    list_free(&start_up_record, &start_up);
    list_free(&first_touch_record, &first_touch);
    return status;
}

static int finish(int status, struct options *options, const struct error *error, bool speaks)
{
    char line[800];
    if (status < 0 && speaks)
        fprintf(stderr, "trainer: %s\n", error_line(error, line, sizeof line));
    number_list_free(&options->processors);
    return status < 0 ? 2 : status;
}

/* Without a launcher and without MPI: several launches. */
static int launch(int argc, char **argv, bool *is_done)
{
    struct options options;
    struct error error;
    int status = options_parse(&options, argc, argv, true, &error);
    *is_done = status != 0 || options.is_answered || options.launches > 1;
    if (status == 0 && *is_done && !options.is_answered)
        status = launches_run(&options, argc, argv, &error);
    return finish(status, &options, &error, true);
}

/* Rank 0 sees first that another does not answer; the others see that rank 0 does not. */
static void begin_watchdog(const struct options *options, int rank)
{
    const unsigned patience_s = (unsigned)ceil(options->patience_s);
    char *says =
        memory_format("trainer: %s not answered for %u s: a rank was stopped, or a link is "
                      "down. What was measured until then is beside %s; --resume goes "
                      "on from there\n",
                      rank == 0 ? "another rank has" : "rank 0 has",
                      rank == 0 ? patience_s : 2 * patience_s, options->output);
    watchdog_begin(rank == 0 ? patience_s : 2 * patience_s, says);
    free(says);
}

/* Every rank returns the same status: launchers combine them with OR. */
int main(int argc, char **argv)
{
    struct options options;
    struct error error;
    int rank;
    file_out_keep_streams();
    gsl_set_error_handler_off();
    if (!launches_started_by_launcher() && !provenance_is_simulated()) {
        bool is_done;
        const int status = launch(argc, argv, &is_done);
        if (is_done)
            return status;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provenance_is_simulated())
        simulator_watch();
    else
        interruption_begin();
    int status = options_parse(&options, argc, argv, rank == 0, &error);
    const bool is_wanted = status == 0 && !options.is_answered;
    if (is_wanted && !provenance_is_simulated())
        begin_watchdog(&options, rank);
    if (is_wanted && options.launches > 1)
        status = error_set(&error, "--launches: expected to be started without mpiexec");
    if (is_wanted && status == 0 && rank == 0 && !options.rehearse && !provenance_is_simulated())
        keep_to_time_limit(&options);
    if (is_wanted && status == 0)
        status = work(&options, argc, argv, rank, &error);
    status = finish(status, &options, &error, rank == 0);
    if (!provenance_is_simulated())
        watchdog_leave(leave_s, status);
    MPI_Finalize();
    return status;
}
