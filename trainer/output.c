#include "trainer/output.h"

#include "model/base/allocation.h"
#include "model/base/path.h"
#include "model/fit/points.h"
#include "model/machine/swap_rows.h"
#include "model/machine/things.h"
#include "model/tables/addition.h"
#include "trainer/base/checkpoint.h"
#include "trainer/output_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* So much of what would be lost is named in a line. */
enum { NAMES_MOST = 120 };

/* ---- where ---- */

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), end = strlen(ending);
    return length >= end && strcmp(path + length - end, ending) == 0;
}

/* Names that are those of files beside a table. */
static int check_name(const char *path, struct error *error)
{
    static const char *const endings[] = {".unfinished.yaml", ".points.csv", ".swap.csv", ".lock"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(path, endings[i]))
            return error_at(error, place_at(path, 0, 0),
                            "a file beside a table may have that name: expected another -o");
    return 0;
}

/* How a table begins. */
static const char table_begin[] = "forecost:";

/* All files that a calibration writes, before the first of them is; those that it removes are its
   own. */
static int find_places(struct output *output, struct error *error)
{
    output->points = path_beside(output->given, ".points.csv");
    output->swap = swap_rows_path(output->given);
    char *lock = path_beside(output->given, ".lock");
    const struct {
        char *path;
        const char *begins;
    } others[] = {
        {checkpoint_path(output->given),        table_begin    },
        {checkpoint_points_path(output->given), points_begin   },
        {checkpoint_swap_path(output->given),   swap_rows_begin},
        {output_next_of(output->given),         table_begin    },
        {output_next_of(output->points),        points_begin   },
        {output_next_of(output->swap),          swap_rows_begin},
    };
    int status = path_check(output->given, error);
    if (status == 0)
        status = path_check(output->points, error);
    if (status == 0)
        status = path_check(output->swap, error);
    if (status == 0)
        status = path_check(lock, error);
    free(lock);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (status == 0)
            status = path_check_beside(others[i].path, others[i].begins, error);
        free(others[i].path);
    }
    return status;
}

/* ---- what is there ---- */

static double bytes_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (double)about.st_size : 0.0;
}

/* What hides behind `what` is not ours to replace. */
static int refuse(const char *path, const char *what, struct error *error)
{
    return error_at(error, place_at(path, 0, 0), "%s: expected another -o, or --replace", what);
}

/* A file beside the table is the trainer's, and has its table. */
static int check_beside(const struct output *output, const char *path, const char *begins,
                        const char *what, struct error *error)
{
    char text[80];
    if (output->replaces || bytes_of(path) == 0.0)
        return 0;
    const bool is_ours = path_begins_with(path, begins);
    if (is_ours && output->has_before)
        return 0;
    snprintf(text, sizeof text, is_ours ? "has %s, whose table is gone" : "has no measured %s",
             what);
    return refuse(path, text, error);
}

static int read_before(struct output *output, struct error *error)
{
    struct error why;
    if (output->replaces || bytes_of(output->given) == 0.0)
        return 0;
    if (machine_read(&output->before, output->given, &why) != 0)
        return refuse(output->given, "is no machine table that can be read", error);
    output->has_before = true;
    return output->before.machine.measured
               ? 0
               : refuse(output->given, "is a table that was not measured", error);
}

/* ---- what would be lost ---- */

/* Of the things those that are not among the others. */
static void keep_missing(struct things *things, const struct things *others)
{
    size_t kept = 0;
    for (size_t i = 0; i < things->count; i++)
        if (!things_have(others, things->names[i]))
            things->names[kept++] = things->names[i];
    things->count = kept;
}

char *output_would_lose(const struct output *output, const struct machine *now)
{
    if (!output->has_before || output->adds)
        return NULL;
    struct things lost = things_of(&output->before), measured = things_of(now);
    keep_missing(&lost, &measured);
    char *text = lost.count ? things_text(&lost, NAMES_MOST) : NULL;
    things_free(&lost);
    things_free(&measured);
    return text;
}

static int check_processors(const struct output *output, const struct outlook *outlook,
                            struct error *error)
{
    const struct cost *costs = output->before.communication.items;
    for (size_t i = 0; i < output->before.communication.count; i++)
        if (outlook_has_fewer(outlook, &costs[i]))
            return error_at(error, place_at(output->given, 0, 0),
                            "has %s up to p = %g, which this run would not measure: expected more "
                            "ranks, --replace, or another -o",
                            costs[i].utility, costs[i].processors.most);
    return 0;
}

static int check_loss(const struct output *output, const struct outlook *outlook,
                      struct error *error)
{
    struct things lost = things_of(&output->before);
    size_t kept = 0;
    for (size_t i = 0; i < lost.count; i++)
        if (!outlook_has(outlook, lost.names[i]))
            lost.names[kept++] = lost.names[i];
    lost.count = kept;
    char *names = things_text(&lost, NAMES_MOST);
    const int status =
        kept == 0 ? check_processors(output, outlook, error)
                  : error_at(error, place_at(output->given, 0, 0),
                             "has %s, which this run would not measure: expected --add, which "
                             "keeps that, --replace, which does not, or another -o",
                             names);
    free(names);
    things_free(&lost);
    return status;
}

static int look_at_before(struct output *output, const struct outlook *outlook, struct error *error)
{
    if (read_before(output, error) != 0 ||
        check_beside(output, output->points, points_begin, "points", error) != 0 ||
        check_beside(output, output->swap, swap_rows_begin, "swaps", error) != 0)
        return -1;
    output->adds = outlook->options->add && output->has_before;
    if (outlook->options->add && !output->has_before)
        fprintf(stderr, "trainer: remark: %s: there is no table to add to: it begins now\n",
                output->given);
    if (!output->has_before)
        return 0;
    if (!output->adds)
        return check_loss(output, outlook, error);
    return bytes_of(output->points) > 0.0
               ? points_read(output->points, &output->points_before, error)
               : 0;
}

int output_check_machine(const struct output *output, const struct machine *now,
                         struct error *error)
{
    const struct provenance *was = output->before.machine.measured, *is = now->machine.measured;
    const struct place place = place_at(output->given, 0, 0);
    if (!output->adds)
        return 0;
    if (output->before.machine.processors != now->machine.processors)
        return error_at(error, place, "was measured with %g ranks: expected as many",
                        output->before.machine.processors);
    if (strcmp(was->cpu ? was->cpu : "", is->cpu ? is->cpu : "") != 0)
        return error_at(error, place, "was measured on '%.100s': expected the same processor",
                        was->cpu ? was->cpu : "");
    return 0;
}

/* ---- one for the other ---- */

static int add_to_before(struct output *output, struct machine *now, const char *points_path,
                         struct error *error)
{
    struct list points = {0};
    if (points_read(points_path, &points, error) != 0)
        return -1;
    struct things measured = things_of(now);
    addition_of_points(&output->points_before, &points, &measured);
    things_free(&measured);
    free(points.items);
    addition_make(&output->before, now);
    const struct machine added = output->before;
    output->before = *now;
    *now = added;
    return 0;
}

int output_commit(struct output *output, struct machine *now, const char *points_path,
                  struct error *error)
{
    if (!output->adds)
        return output_replace(output, now, points_path, NULL, error);
    if (add_to_before(output, now, points_path, error) != 0)
        return -1;
    return output_replace(output, now, points_path, &output->points_before, error);
}

/* ---- the whole ---- */

int output_begin(struct output *output, const struct outlook *outlook, struct error *error)
{
    *output =
        (struct output){.given = outlook->options->output, .replaces = outlook->options->replace};
    int status = check_name(output->given, error);
    if (status == 0)
        status = find_places(output, error);
    if (status == 0)
        status = lock_take(&output->lock, output->given, error);
    if (status == 0) {
        output_finish_earlier(output);
        status = look_at_before(output, outlook, error);
    }
    if (status != 0)
        output_end(output);
    return status;
}

void output_end(struct output *output)
{
    lock_release(&output->lock);
    if (output->has_before)
        machine_free(&output->before);
    free(output->points_before.items);
    free(output->points);
    free(output->swap);
    *output = (struct output){0};
}
