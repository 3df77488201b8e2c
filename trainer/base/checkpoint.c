#include "trainer/base/checkpoint.h"

#include "model/base/allocation.h"
#include "model/base/path.h"
#include "model/fit/points.h"
#include "model/machine/swap_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *checkpoint_path(const char *table)
{
    return path_beside(table, ".unfinished.yaml");
}

char *checkpoint_points_path(const char *table)
{
    return path_beside(table, ".unfinished.points.csv");
}

char *checkpoint_swap_path(const char *table)
{
    char *path = checkpoint_path(table), *swap = swap_rows_path(path);
    free(path);
    return swap;
}

bool checkpoint_is_there(const char *table)
{
    char *path = checkpoint_path(table);
    const bool is_there = access(path, F_OK) == 0;
    free(path);
    return is_there;
}

static int save_swap(const struct machine *machine, const char *table, struct error *error)
{
    if (machine->swap_rows.count == 0)
        return 0;
    char *path = checkpoint_swap_path(table);
    const int status = swap_rows_save(machine, path, error);
    free(path);
    return status;
}

int checkpoint_save(struct machine *machine, const char *table, int parts, FILE *points_csv,
                    struct error *error)
{
    struct unfinished unfinished = {.parts = parts};
    if (fflush(points_csv) != 0)
        return error_set(error, "the points cannot be written");
    unfinished.points_bytes = (double)ftell(points_csv);
    if (save_swap(machine, table, error) != 0)
        return -1;
    char *path = checkpoint_path(table);
    machine->unfinished = &unfinished;
    const int status = machine_save(machine, path, error);
    machine->unfinished = NULL;
    free(path);
    return status;
}

/* A table whose experiments are lost would be one without, and nobody had been told. */
static int read_swap(struct machine *machine, struct error *error)
{
    if (swap_rows_read(machine, error) != 0)
        return -1;
    return machine->swap.count == 0 || machine->swap_rows.count > 0
               ? 0
               : error_at(error, place_at(machine->path, 0, 0),
                          "the swaps of the calibration that was cut off are gone");
}

static bool same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Numbers of another machine, or measured otherwise, must not stand in one table. */
static int check_same(const struct machine *before, const struct machine *now, struct error *error)
{
    const struct provenance *was = before->machine.measured, *is = now->machine.measured;
    const struct place place = place_at(before->path, 0, 0);
    if (!was || !before->unfinished)
        return error_at(error, place, "is no calibration that was cut off");
    if (!same(was->options, is->options))
        return error_at(error, place, "was begun with '%.200s': expected the same options",
                        was->options ? was->options : "");
    if (before->machine.processors != now->machine.processors)
        return error_at(error, place, "was begun with %g ranks: expected as many",
                        before->machine.processors);
    if (!same(was->cpu, is->cpu))
        return error_at(error, place, "was begun on '%.100s': expected the same processor",
                        was->cpu ? was->cpu : "");
    return 0;
}

int checkpoint_read(struct machine *machine, const char *table, const struct machine *now,
                    struct error *error)
{
    char *path = checkpoint_path(table);
    int status = machine_read(machine, path, error);
    free(path);
    if (status != 0)
        return status;
    status = check_same(machine, now, error);
    if (status == 0)
        status = read_swap(machine, error);
    if (status != 0)
        machine_free(machine);
    return status;
}

static void remove_unfinished(const char *table)
{
    char *path = checkpoint_path(table), *swap = checkpoint_swap_path(table);
    unlink(path);
    unlink(swap);
    free(path);
    free(swap);
}

void checkpoint_remove(const char *table)
{
    char *points = checkpoint_points_path(table);
    remove_unfinished(table);
    unlink(points);
    free(points);
}

/* ---- the points ---- */

static int fail_to_write(const char *path, struct error *error)
{
    return error_at(error, place_at(path, 0, 0), "cannot be written: %s", strerror(errno));
}

/* From here on there is nothing to go on from until the first part is done: the points of an
   earlier calibration are lost. A full disk is noticed before anything is measured. */
static int begin_points(FILE *stream, const char *path, const char *table, struct error *error)
{
    remove_unfinished(table);
    points_write_header(stream);
    return fflush(stream) == 0 ? 0 : fail_to_write(path, error);
}

/* What is counted ends with the end of a line; behind it may be what was measured after that. */
static int cut_points(FILE *stream, const char *path, const struct unfinished *before,
                      struct error *error)
{
    const long bytes = (long)before->points_bytes;
    if (fseek(stream, bytes - 1, SEEK_SET) != 0 || getc(stream) != '\n')
        return error_at(error, place_at(path, 0, 0),
                        "has not all points of the calibration that was cut off: expected %ld "
                        "bytes of whole lines at least",
                        bytes);
    if (ftruncate(fileno(stream), bytes) != 0 || fseek(stream, 0, SEEK_END) != 0)
        return fail_to_write(path, error);
    return 0;
}

FILE *checkpoint_points(const char *table, const struct unfinished *before, struct error *error)
{
    char *path = checkpoint_points_path(table);
    const int file =
        open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | (before ? 0 : O_CREAT | O_TRUNC), 0666);
    FILE *stream = file >= 0 ? fdopen(file, before ? "r+" : "w+") : NULL;
    int status = stream ? 0 : fail_to_write(path, error);
    if (status == 0)
        status = before ? cut_points(stream, path, before, error)
                        : begin_points(stream, path, table, error);
    if (status != 0 && stream) {
        fclose(stream);
        stream = NULL;
    }
    free(path);
    return stream;
}
