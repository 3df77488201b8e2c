#include "model/machine/machine.h"

#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/base/path.h"
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

bool machine_write(const struct machine *machine, FILE *stream)
{
    struct yaml_out *out = yaml_out_begin(stream);
    struct machine now = *machine;
    now.format = MACHINE_FORMAT;
    yaml_out_map(out, false);
    record_write(&machine_record, out, &now);
    yaml_out_map_end(out);
    return yaml_out_end(out);
}

static int save_failed(const char *path, struct error *error)
{
    return error_at(error, place_at(path, 0, 0), "cannot be written: %s", strerror(errno));
}

/* A complete file, on the disk. */
static bool write_durably(const struct machine *machine, const char *path)
{
    FILE *stream = fopen(path, "w");
    if (!stream)
        return false;
    const bool is_whole = machine_write(machine, stream) && fsync(fileno(stream)) == 0;
    const int reason = errno;
    fclose(stream);
    if (!is_whole)
        unlink(path);
    errno = reason;
    return is_whole;
}

int machine_save(const struct machine *machine, const char *path, struct error *error)
{
    char *target = path_to_write(path, error);
    if (!target)
        return -1;
    char *beside = memory_format("%s.part", target);
    const bool is_saved = write_durably(machine, beside) && rename(beside, target) == 0;
    const int status = is_saved ? 0 : save_failed(path, error);
    free(beside);
    free(target);
    return status;
}
