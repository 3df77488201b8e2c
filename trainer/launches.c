#include "trainer/launches.h"

#include "model/base/allocation.h"
#include "model/base/path.h"
#include "model/fit/points.h"
#include "model/machine/machine.h"
#include "model/machine/swap_rows.h"
#include "model/tables/merge.h"
#include "trainer/base/interruption.h"
#include "trainer/base/launcher.h"
#include "trainer/output.h"
#include "trainer/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long a launch may take at most to end in order when it is asked to. */
static const double end_s = 20.0;

bool launches_started_by_launcher(void)
{
    return getenv("PMI_RANK") || getenv("PMIX_RANK") || getenv("OMPI_COMM_WORLD_RANK");
}

/* Where all launches' comparison goes, unless -o says otherwise. */
static const char *const validation_output = "validation.csv";

static const char *output_of_all(const struct options *options)
{
    if (!options->validate)
        return options->output;
    return options->output_given ? options->output_given : validation_output;
}

/* The table of a launch, or the points of its validation. */
static char *output_of(const struct options *options, int launch)
{
    char *suffix = memory_format(".launch-%d.%s", launch, options->validate ? "csv" : "yaml");
    char *path = path_beside(output_of_all(options), suffix);
    free(suffix);
    return path;
}

/* ---- one launch ---- */

/* Later options take the place of earlier ones. Launches of a validation have the same seed, so
   that all measure the same points. */
static char **command_of(const struct options *options, int launch, int argc, char **argv)
{
    const char *launcher = getenv("MPIEXEC");
    char **command = memory_new((size_t)argc + 16, sizeof *command);
    int count = 0;
    command[count++] = memory_copy_text(launcher && *launcher ? launcher : "mpiexec");
    command[count++] = memory_copy_text("-n");
    command[count++] = memory_format("%.0f", options->ranks);
    for (int i = 0; i < argc; i++)
        command[count++] = memory_copy_text(argv[i]);
    command[count++] = memory_copy_text("--launches=1");
    const unsigned long later = options->validate ? 0 : (unsigned long)launch - 1;
    command[count++] = memory_format("--seed=%lu", options->seed + later);
    command[count++] = memory_copy_text("-o");
    command[count++] = output_of(options, launch);
    return command;
}

static void free_command(char **command)
{
    for (size_t i = 0; command[i]; i++)
        free(command[i]);
    free(command);
}

/* ---- what a launch has measured ---- */

/* The launches so far, of which only whole ones are there. */
struct launches {
    const struct options *options;
    struct launcher launcher;
    struct output output;     /* what the tables become */
    struct machine *machines; /* of each its table; of a validation none */
    struct list points;       /* of all */
    int whole;
};

/* Which file stands there, so that it is noticed where a launch left an older one as it was. */
struct version {
    ino_t number;
    struct timespec changed;
};

static struct version version_of(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return (struct version){0};
    return (struct version){about.st_ino, about.st_ctim};
}

static bool is_same_version(struct version a, struct version b)
{
    return a.number == b.number && a.changed.tv_sec == b.changed.tv_sec &&
           a.changed.tv_nsec == b.changed.tv_nsec;
}

static bool is_cut_off(const struct machine *machine)
{
    const struct not_measured *missing = machine->not_measured.items;
    for (size_t i = 0; i < machine->not_measured.count; i++)
        if (strcmp(missing[i].because, interruption_because) == 0)
            return true;
    return false;
}

static int take_points(struct launches *it, const char *path, struct error *error)
{
    const size_t before = it->points.count;
    if (points_read(path, &it->points, error) != 0)
        return -1;
    struct point *points = it->points.items;
    for (size_t i = before; i < it->points.count; i++)
        points[i].launch = it->whole + 1;
    return 0;
}

/* The swaps of the merged table are the first launch's. A table whose launch a signal cut off lacks
 * what the others have: merged, they would lose it. */
static int take_table(struct launches *it, const char *table, struct error *error)
{
    struct machine *machine = &it->machines[it->whole];
    char *points = path_beside(table, ".points.csv");
    int status = machine_read(machine, table, error);
    if (status == 0) {
        status = is_cut_off(machine) ? error_set(error, "a signal cut it off")
                                     : take_points(it, points, error);
        if (status == 0 && it->whole == 0)
            status = swap_rows_read(machine, error);
        if (status != 0)
            machine_free(machine);
    }
    free(points);
    return status;
}

static int take_launch(struct launches *it, const char *path, struct error *error)
{
    if (it->options->validate ? take_points(it, path, error) : take_table(it, path, error))
        return -1;
    it->whole++;
    return 0;
}

/* A validation's own rows are not shown, nor is it a failure that they are beyond the tolerance; of
   its points nothing says that some are missing. */
static int judge_launch(struct launches *it, const char *path, int status, bool is_new,
                        struct error *error)
{
    const bool validates = it->options->validate != NULL;
    if (status < 0)
        return -1;
    if (launcher_signal(&it->launcher) && (validates || status != 0))
        return error_set(error, "a signal cut it off");
    if (status > (validates ? 1 : 0))
        return error_set(error, "it failed with status %d: see above", status);
    if (!is_new)
        return error_set(error, "it wrote no %.200s", path);
    return take_launch(it, path, error);
}

static int launch_once(struct launches *it, int launch, int argc, char **argv, struct error *error)
{
    const struct options *options = it->options;
    char **command = command_of(options, launch, argc, argv);
    char *path = output_of(options, launch);
    const struct version before = version_of(path);
    fprintf(stderr, "launch %d of %g\n", launch, options->launches);
    int status = launcher_run(&it->launcher, command, !options->validate, error);
    const bool is_new = !is_same_version(before, version_of(path));
    status = judge_launch(it, path, status, is_new, error);
    free_command(command);
    free(path);
    return status;
}

/* Until one is not whole, whose error it is, or somebody asks for the end. */
static int launch_all(struct launches *it, int argc, char **argv, struct error *error)
{
    int status = 0, launch = 1;
    for (; launch <= (int)it->options->launches && status == 0; launch++)
        status = launcher_signal(&it->launcher) ? error_set(error, "a signal came before it")
                                                : launch_once(it, launch, argc, argv, error);
    if (status == 0)
        return 0;
    char line[800];
    const struct error why = *error;
    return error_set(error, "launch %d of %g: %.300s", launch - 1, it->options->launches,
                     error_line(&why, line, sizeof line));
}

/* ---- where it goes ---- */

/* A table has its points and swaps beside it. */
static int check_files(const struct options *options, const char *path, struct error *error)
{
    if (options->validate)
        return validate_check_output(path, error);
    char *points = path_beside(path, ".points.csv"), *swap = swap_rows_path(path);
    int status = path_check(path, error);
    if (status == 0)
        status = path_check(points, error);
    if (status == 0)
        status = path_check(swap, error);
    free(points);
    free(swap);
    return status;
}

static char *points_of_all(const struct options *options)
{
    return path_beside(options->output, ".launches.points.csv");
}

/* Before hours are spent: all that launches will write can be. */
static int check_targets(const struct options *options, struct error *error)
{
    char *points = points_of_all(options);
    int status = options->validate ? 0 : path_check_beside(points, points_begin, error);
    free(points);
    for (int launch = 1; launch <= (int)options->launches && status == 0; launch++) {
        char *path = output_of(options, launch);
        status = check_files(options, path, error);
        free(path);
    }
    return status;
}

/* ---- all of them ---- */

/* The merged table's name is its own, and it took as long as all of them. */
static void rename_merged(struct machine *machines, const struct options *options, int count)
{
    struct identity *identity = &machines[0].machine;
    for (int k = 1; k < count && identity->measured; k++)
        if (machines[k].machine.measured)
            identity->measured->duration_s += machines[k].machine.measured->duration_s;
    if (options->name)
        return;
    const char *slash = strrchr(options->output, '/');
    free(identity->name);
    identity->name = path_beside(slash ? slash + 1 : options->output, "");
}

static int merge_tables(struct launches *it, struct error *error)
{
    if (it->whole > 1 && machine_merge(it->machines, (size_t)it->whole, error) != 0)
        return -1;
    rename_merged(it->machines, it->options, it->whole);
    return 0;
}

/* What stood there is not given up for less. */
static int check_loss(const struct launches *it, struct error *error)
{
    char *lost = output_would_lose(&it->output, &it->machines[0]);
    if (!lost)
        return 0;
    error_fill(error, place_at(it->options->output, 0, 0),
               "stays: it has %.200s, which not every launch has measured now: their tables are "
               "beside it",
               lost);
    free(lost);
    return -1;
}

/* All points in one file, until it takes its place beside the table. */
static int save_all(struct launches *it, struct error *error)
{
    char *points = points_of_all(it->options);
    int status = points_save(points, &it->points, error);
    if (status == 0) {
        status = output_commit(&it->output, &it->machines[0], points, error);
        unlink(points);
    }
    free(points);
    return status;
}

/* ---- a validation in all of them ---- */

static bool is_same(const struct point *a, const struct point *b)
{
    return strcmp(a->utility, b->utility) == 0 && a->processors == b->processors &&
           a->bytes == b->bytes;
}

/* Of each of the first launch's points the launch that stands for all, as in a merged table. */
static void keep_quartile(const struct list *all, struct list *quartile)
{
    const struct point *points = all->items;
    struct point *same = memory_new(all->count + 1, sizeof *same);
    for (size_t i = 0; i < all->count && points[i].launch == 1.0; i++) {
        size_t count = 0;
        for (size_t k = i; k < all->count; k++)
            if (is_same(&points[i], &points[k]))
                same[count++] = points[k];
        *(struct point *)list_add(&point_record, quartile) = *points_quartile(same, count);
    }
    free(same);
}

/* The points of all launches, as one file too. */
static int compare_launches(struct launches *it, struct error *error)
{
    const struct options *options = it->options;
    struct machine machine;
    struct list quartile = {0};
    if (machine_read(&machine, options->validate, error) != 0)
        return -1;
    int status = points_save(output_of_all(options), &it->points, error);
    if (status == 0) {
        keep_quartile(&it->points, &quartile);
        status = validate_points(&machine, &quartile, options->tolerance);
    }
    free(quartile.items);
    machine_free(&machine);
    return status;
}

/* ---- the whole ---- */

static int conclude(struct launches *it, struct error *error)
{
    if (it->options->validate)
        return compare_launches(it, error);
    const int status = merge_tables(it, error) == 0 ? check_loss(it, error) : -1;
    return status == 0 ? save_all(it, error) : status;
}

/* Not all launches are whole: *cut says which is not, and why. */
static int conclude_part(struct launches *it, const struct error *cut, struct error *error)
{
    const char *output = output_of_all(it->options);
    char line[800];
    if (it->whole > 0 && conclude(it, error) < 0)
        return -1;
    error_line(cut, line, sizeof line);
    if (it->whole > 0)
        error_fill(error, place_at(NULL, 0, 0), "%.200s; %d of %g launches are in %.200s", line,
                   it->whole, it->options->launches, output);
    else
        error_fill(error, place_at(NULL, 0, 0), "%.200s; none is whole, and %.200s is as it was",
                   line, output);
    if (!it->launcher.signal)
        return -1;
    fprintf(stderr, "trainer: %s\n", error_line(error, line, sizeof line));
    return 128 + it->launcher.signal;
}

/* A calibration's table is looked after as that of one launch; each launch looks after its own. */
static int begin_output(struct launches *it, struct error *error)
{
    const struct options *options = it->options;
    const struct outlook outlook = {.options = options, .processors = (int)options->ranks};
    if (check_targets(options, error) != 0)
        return -1;
    if (options->validate)
        return validate_check_output(output_of_all(options), error);
    return outlook_check(&outlook, error) != 0 ? -1 : output_begin(&it->output, &outlook, error);
}

static void free_launches(struct launches *it)
{
    for (int k = 0; k < it->whole && !it->options->validate; k++)
        machine_free(&it->machines[k]);
    free(it->machines);
    free(it->points.items);
    output_end(&it->output);
    launcher_end(&it->launcher);
}

int launches_run(const struct options *options, int argc, char **argv, struct error *error)
{
    struct launches it = {.options = options};
    struct error cut;
    const double patience_s = fmin(end_s, options->patience_s > 0.0 ? options->patience_s : end_s);
    if (begin_output(&it, error) != 0)
        return -1;
    it.launcher = launcher_begin(patience_s);
    it.machines = memory_new((size_t)options->launches, sizeof *it.machines);
    const int launched = launch_all(&it, argc, argv, &cut);
    const int status = launched == 0 ? conclude(&it, error) : conclude_part(&it, &cut, error);
    free_launches(&it);
    return status;
}
