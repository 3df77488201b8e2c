#include "model/machine/swap_rows.h"

#include "model/base/file_out.h"
#include "model/base/path.h"
#include "model/machine/microbenchmark_check.h"
#include "model/records/record_csv.h"

#include <stdlib.h>
#include <unistd.h>

const char swap_rows_begin[] = "order,protocol,set,";

char *swap_rows_path(const char *table)
{
    return path_beside(table, ".swap.csv");
}

static int check_rows(const struct machine *machine, const char *path, struct error *error)
{
    const double told = swap_experiments_count(&machine->swap);
    if ((double)machine->swap_rows.count != told)
        return error_at(error, place_at(path, 0, 0), "has %zu swaps: expected the %.0f of %.200s",
                        machine->swap_rows.count, told, machine->path);
    return swaps_check(&machine->swap_rows, path, error);
}

static int read_rows(struct machine *machine, const char *path, struct error *error)
{
    if (access(path, F_OK) != 0)
        return 0;
    if (record_csv_read(&swap_record, path, &machine->swap_rows, error) != 0)
        return -1;
    const int status = check_rows(machine, path, error);
    if (status != 0)
        list_free(&swap_record, &machine->swap_rows);
    return status;
}

int swap_rows_read(struct machine *machine, struct error *error)
{
    if (machine->swap_rows.count > 0 || machine->swap.count == 0)
        return 0;
    char *path = swap_rows_path(machine->path);
    const int status = read_rows(machine, path, error);
    free(path);
    return status;
}

static int read_back(const char *path, struct error *error)
{
    struct list rows = {0};
    int status = record_csv_read(&swap_record, path, &rows, error);
    if (status == 0)
        status = swaps_check(&rows, path, error);
    list_free(&swap_record, &rows);
    return status;
}

int swap_rows_put(const struct machine *machine, struct file_out *out, const char *path,
                  struct error *error)
{
    if (file_out_begin(out, path, error) != 0)
        return -1;
    record_csv_write(&swap_record, &machine->swap_rows, out->stream);
    return file_out_verify(out, read_back, error);
}

int swap_rows_save(const struct machine *machine, const char *path, struct error *error)
{
    struct file_out out;
    return swap_rows_put(machine, &out, path, error) == 0 ? file_out_keep(&out, error) : -1;
}
