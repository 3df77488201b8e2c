#include "trainer/output_files.h"

#include "model/base/allocation.h"
#include "model/base/file_out.h"
#include "model/base/path.h"
#include "model/fit/points.h"
#include "model/machine/swap_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *output_next_of(const char *path)
{
    return memory_format("%s.trained", path);
}

/* The next file takes the place of the one at path; whether one does. */
static int put_next(const char *path, bool *is_there)
{
    char *next = output_next_of(path);
    const int status = rename(next, path);
    *is_there = status == 0;
    free(next);
    return status == 0 || errno == ENOENT ? 0 : -1;
}

/* The swaps stay those of before where what was added has none; a table without swaps has no such
   file. */
static int put_next_swap(const struct output *output, const struct machine *next)
{
    bool is_there;
    const int status = put_next(output->swap, &is_there);
    if (status == 0 && !is_there && next->swap.count == 0 &&
        path_begins_with(output->swap, swap_rows_begin))
        unlink(output->swap);
    return status;
}

/* The table goes last: as long as the next one is there, all are to be replaced. */
static int replace_all(const struct output *output, const struct machine *next)
{
    bool is_there;
    int status = put_next(output->points, &is_there);
    if (status == 0)
        status = put_next_swap(output, next);
    if (status == 0)
        status = put_next(output->given, &is_there);
    return status;
}

void output_finish_earlier(const struct output *output)
{
    struct machine next;
    char *path = output_next_of(output->given);
    if (machine_read(&next, path, NULL) == 0) {
        replace_all(output, &next);
        machine_free(&next);
    }
    free(path);
}

static bool copy_all(FILE *from, FILE *into)
{
    char block[1 << 14];
    size_t bytes;
    while ((bytes = fread(block, 1, sizeof block, from)) > 0)
        fwrite(block, 1, bytes, into); /* its error stays with the stream */
    return !ferror(from);
}

/* The points of a file, or those of the list, on the disk. */
static int write_next_points(const struct output *output, const char *from_path,
                             const struct list *points, struct error *error)
{
    struct file_out out;
    char *path = output_next_of(output->points);
    int status = file_out_begin(&out, path, error);
    if (status == 0 && points) {
        points_write_all(out.stream, points);
    } else if (status == 0) {
        FILE *from = fopen(from_path, "r");
        if (!from || !copy_all(from, out.stream)) {
            status =
                error_at(error, place_at(from_path, 0, 0), "cannot be read: %s", strerror(errno));
            file_out_drop(&out);
        }
        if (from)
            fclose(from);
    }
    if (status == 0)
        status = file_out_verify(&out, points_read_back, error);
    if (status == 0)
        status = file_out_keep(&out, error);
    free(path);
    if (status != 0 && error) { /* whoever asked for a table knows no other name */
        const struct error why = *error;
        return error_at(error, place_at(output->given, 0, 0), "%s", why.text);
    }
    return status;
}

static void remove_next(const char *path)
{
    char *next = output_next_of(path);
    unlink(next);
    free(next);
}

/* None where there are none, whatever a run that was killed has left. */
static int write_next_swap(const struct output *output, const struct machine *machine,
                           struct error *error)
{
    remove_next(output->swap);
    if (machine->swap_rows.count == 0)
        return 0;
    char *path = output_next_of(output->swap);
    const int status = swap_rows_save(machine, path, error);
    free(path);
    return status;
}

static int write_next_table(const struct output *output, const struct machine *machine,
                            struct error *error)
{
    char *path = output_next_of(output->given);
    const int status = machine_save_measured(machine, path, error);
    free(path);
    return status;
}

int output_replace(const struct output *output, const struct machine *machine,
                   const char *points_path, const struct list *points, struct error *error)
{
    if (write_next_points(output, points_path, points, error) != 0)
        return -1;
    if (write_next_swap(output, machine, error) != 0 ||
        write_next_table(output, machine, error) != 0) {
        remove_next(output->points);
        remove_next(output->swap);
        return -1;
    }
    return replace_all(output, machine) == 0 ? 0
                                             : error_at(error, place_at(output->given, 0, 0),
                                                        "cannot be written: %s", strerror(errno));
}
