#include "trainer/launches.h"

#include "model/base/memory.h"
#include "model/base/path.h"
#include "model/machine/machine.h"
#include "model/machine/merge.h"
#include "model/machine/points.h"
#include "trainer/validate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
    command[count++] = memory_format("%g", options->ranks);
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

/* A validation's own rows are not said, nor is it a failure that they are beyond the tolerance. */
static int run_command(char **command, bool validates, struct error *error)
{
    int status;
    const pid_t child = fork();
    if (child < 0)
        return error_set(error, "no launch: %s", strerror(errno));
    if (child == 0) {
        if (validates && !freopen("/dev/null", "w", stdout))
            _exit(127);
        execvp(command[0], command);
        fprintf(stderr, "trainer: %s: %s\n", command[0], strerror(errno));
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return error_set(error, "a launch was lost: %s", strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) > (validates ? 1 : 0))
        return error_set(error, "a launch failed: see above");
    return 0;
}

static int launch_all(const struct options *options, int argc, char **argv, struct error *error)
{
    int status = 0;
    for (int launch = 1; launch <= (int)options->launches && status == 0; launch++) {
        fprintf(stderr, "launch %d of %g\n", launch, options->launches);
        char **command = command_of(options, launch, argc, argv);
        status = run_command(command, options->validate, error);
        free_command(command);
    }
    return status;
}

/* ---- all of them ---- */

static int append_points(FILE *merged, const char *table, int launch, struct error *error)
{
    struct list points = {0};
    char *path = path_beside(table, ".points.csv");
    const int status = points_read(path, &points, error);
    struct point *items = points.items;
    for (size_t i = 0; i < points.count; i++) {
        items[i].launch = launch;
        points_write(merged, &items[i]);
    }
    free(points.items);
    free(path);
    return status;
}

static int merge_points(const struct options *options, struct error *error)
{
    char *path = path_beside(options->output, ".points.csv");
    FILE *merged = fopen(path, "w");
    int status = merged ? 0 : error_set(error, "%s cannot be written: %s", path, strerror(errno));
    if (merged)
        points_write_header(merged);
    for (int launch = 1; launch <= (int)options->launches && status == 0; launch++) {
        char *table = output_of(options, launch);
        status = append_points(merged, table, launch, error);
        free(table);
    }
    if (merged && fclose(merged) != 0 && status == 0)
        status = error_set(error, "%s cannot be written: %s", path, strerror(errno));
    free(path);
    return status;
}

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

static int merge_tables(const struct options *options, struct error *error)
{
    const int wanted = (int)options->launches;
    struct machine *machines = memory_new((size_t)wanted, sizeof *machines);
    int count = 0, status = 0;
    for (; count < wanted && status == 0; count += status == 0) {
        char *path = output_of(options, count + 1);
        status = machine_read(&machines[count], path, error);
        free(path);
    }
    if (status == 0)
        status = machine_merge(machines, (size_t)count, error);
    if (status == 0) {
        rename_merged(machines, options, count);
        status = machine_save(&machines[0], options->output, error);
    }
    for (int k = 0; k < count; k++)
        machine_free(&machines[k]);
    free(machines);
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
static int read_launches(const struct options *options, struct list *all, struct error *error)
{
    int status = 0;
    for (int launch = 1; launch <= (int)options->launches && status == 0; launch++) {
        const size_t before = all->count;
        char *path = output_of(options, launch);
        status = points_read(path, all, error);
        free(path);
        for (size_t i = before; i < all->count; i++)
            ((struct point *)all->items)[i].launch = launch;
    }
    return status == 0 ? points_save(output_of_all(options), all, error) : status;
}

static int compare_launches(const struct options *options, struct error *error)
{
    struct machine machine;
    struct list all = {0}, quartile = {0};
    if (machine_read(&machine, options->validate, error) != 0)
        return -1;
    int status = read_launches(options, &all, error);
    if (status == 0) {
        keep_quartile(&all, &quartile);
        status = validate_points(&machine, &quartile, options->tolerance);
    }
    free(quartile.items);
    free(all.items);
    machine_free(&machine);
    return status;
}

int launches_run(const struct options *options, int argc, char **argv, struct error *error)
{
    if (launch_all(options, argc, argv, error) != 0)
        return -1;
    if (options->validate)
        return compare_launches(options, error);
    return merge_points(options, error) != 0 ? -1 : merge_tables(options, error);
}
