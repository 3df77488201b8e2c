#include "model/machine/machine.h"

#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/machine/machine_check.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct machine machine_begin(void)
{
    struct machine machine;
    record_begin(&machine_record, &machine);
    machine.format = MACHINE_FORMAT;
    return machine;
}

void machine_free(struct machine *machine)
{
    free(machine->path);
    list_free(&swap_record, &machine->swap_rows);
    record_free(&machine_record, machine);
}

/* Before all keys: what a later version may add is no unknown key, and a file of another kind has
   hardly a known one. */
static int read_version(struct yaml_node root, double *version, struct error *error)
{
    if (yaml_kind(root) != YAML_MAP || yaml_count(root) == 0 ||
        strcmp(yaml_text(yaml_key(root, 0)), "forecost") != 0)
        return error_at(error, yaml_place(root),
                        "not a machine table: expected 'forecost: %d' first", MACHINE_FORMAT);
    const struct yaml_node value = yaml_value(root, 0);
    if (yaml_number(value, version, error) != 0)
        return -1;
    if (*version != floor(*version) || *version < 1.0 || *version > MACHINE_FORMAT)
        return error_at(error, yaml_place(value),
                        "version '%.60s' of the format: this program reads versions 1 to %d",
                        yaml_text(value), MACHINE_FORMAT);
    return 0;
}

/* Reads the machine of an open file, and closes the file. */
static int read_and_close(struct machine *machine, struct yaml_file *file, const char *name,
                          struct error *error)
{
    struct machine read;
    double version;
    int status = read_version(yaml_root(file), &version, error);
    if (status == 0)
        status = record_read(version == 1.0 ? &machine_record_1 : &machine_record, yaml_root(file),
                             &read, error);
    yaml_close(file);
    if (status != 0)
        return -1;
    read.path = memory_copy_text(name);
    if (machine_check(&read, error) != 0) {
        machine_free(&read);
        return -1;
    }
    swap_summarise(&read.swap_rows, &read.swap);
    *machine = read;
    return 0;
}

int machine_read(struct machine *machine, const char *path, struct error *error)
{
    struct yaml_file *file;
    if (yaml_open(&file, path, error) != 0)
        return -1;
    return read_and_close(machine, file, input_name(path), error);
}

int machine_read_text(struct machine *machine, const char *name, const char *text, size_t bytes,
                      struct error *error)
{
    struct yaml_file *file;
    if (yaml_open_text(&file, name, text, bytes, error) != 0)
        return -1;
    return read_and_close(machine, file, name, error);
}

/* Significant digits of what was measured: with six, predictions of the samples change by 2e-7. */
enum { MEASURED_DIGITS = 6 };

/* digits: as of yaml_out_digits. */
static bool write_digits(const struct machine *machine, FILE *stream, int digits)
{
    struct yaml_out *out = yaml_out_begin(stream);
    struct machine now = *machine;
    yaml_out_digits(out, digits);
    now.format = MACHINE_FORMAT;
    yaml_out_map(out, false);
    record_write(&machine_record, out, &now);
    yaml_out_map_end(out);
    return yaml_out_end(out);
}

bool machine_write(const struct machine *machine, FILE *stream)
{
    return write_digits(machine, stream, 0);
}

static int read_back(const char *path, struct error *error)
{
    struct machine machine;
    if (machine_read(&machine, path, error) != 0)
        return -1;
    machine_free(&machine);
    return 0;
}

static int put(const struct machine *machine, struct file_out *out, const char *path, int digits,
               struct error *error)
{
    if (file_out_begin(out, path, error) != 0)
        return -1;
    write_digits(machine, out->stream, digits);
    return file_out_verify(out, read_back, error);
}

int machine_put(const struct machine *machine, struct file_out *out, const char *path,
                struct error *error)
{
    return put(machine, out, path, 0, error);
}

int machine_save(const struct machine *machine, const char *path, struct error *error)
{
    struct file_out out;
    return put(machine, &out, path, 0, error) == 0 ? file_out_keep(&out, error) : -1;
}

int machine_save_measured(const struct machine *machine, const char *path, struct error *error)
{
    struct file_out out;
    return put(machine, &out, path, MEASURED_DIGITS, error) == 0 ? file_out_keep(&out, error) : -1;
}
