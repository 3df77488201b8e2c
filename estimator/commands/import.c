/* estimator import: a machine table of what other programs have measured. */
#include "estimator/import/import.h"
#include "estimator/commands/commands.h"
#include "estimator/output/options.h"
#include "model/base/allocation.h"
#include "model/base/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IMPORT_HELP(name, reader, is, help) "\n  " name ": " help

static const struct options_face face = {
    .arguments = "FILE...",
    .example = "import osu_latency.txt -o cluster.yaml",
    .doc = "Makes a machine table, -o TABLE, and its points beside it, of what other programs "
           "printed. What a FILE is its content says: one of" IMPORTS(
               IMPORT_HELP) "\nTests that no pattern of the same meaning belongs to are left out "
                            "and named. -p "
                            "before a FILE (and those behind it): how many processes took part, "
                            "where it does not "
                            "say; before or behind all files, of all. Files of several p become "
                            "one table.",
    .takes = "po",
    .least = 1,
    .most = OPTIONS_ARGUMENTS,
};

static const struct format {
    import_read *read;
    import_is *is;
} formats[] = {
#define IMPORT_ROW(name, reader, is, help) {reader, is},
    IMPORTS(IMPORT_ROW)
#undef IMPORT_ROW
};

#define IMPORT_NAME(name, reader, is, help) " " name

static int read_text(const struct importer *importer, struct error *error)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].is(importer->text))
            return formats[i].read(importer, error);
    return error_at(error, text_place(importer->text, 0, 1),
                    "not known by its content: expected the text of one of" IMPORTS(IMPORT_NAME));
}

static int read_file(const char *path, double processors, struct text *text,
                     struct imported *imported, struct error *error)
{
    static const char *const marks[] = {IMPORT_MARKS};
    const struct importer importer = {.text = text, .processors = processors, .to = imported};
    if (text_read(text, path, error) != 0)
        return -1;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        text_unlabel(text, marks[i]);
    return read_text(&importer, error);
}

/* The texts stay, as places name their files. */
static int read_all(const struct options *options, struct text *texts, struct imported *imported,
                    struct error *error)
{
    for (size_t i = 0; i < options->count; i++)
        if (read_file(options->arguments[i], options_word_processors(options, i), &texts[i],
                      imported, error) != 0)
            return -1;
    if (imported->series.count > 0 || imported->machine.topology)
        return 0;
    const struct not_measured *first = imported->machine.not_measured.items;
    return error_at(error, place_at(texts[0].path, 0, 0), "nothing that a table could have: %s: %s",
                    first ? first->what : "no test", first ? first->because : "expected one");
}

/* ---- the table ---- */

static void name_machine(struct machine *machine, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *end = strstr(name, ".yaml");
    const size_t length = end && end > name ? (size_t)(end - name) : strlen(name);
    machine->machine.name = memory_format("%.*s", (int)length, name);
}

static int save(const struct machine *machine, const struct list *points, const char *path,
                struct error *error)
{
    struct file_out out, points_out = {0};
    char *beside = path_beside(path, ".points.csv");
    int status = points->count > 0 ? path_check_beside(beside, points_begin, error) : 0;
    if (status == 0)
        status = machine_put(machine, &out, path, error);
    if (status == 0 && points->count == 0)
        status = file_out_keep(&out, error);
    else if (status == 0 && points_put(&points_out, beside, points, error) == 0)
        status = file_out_keep_both(&points_out, &out, error);
    else if (status == 0) {
        file_out_drop(&out);
        status = -1;
    }
    free(beside);
    return status;
}

static int import_all(const struct options *options, struct text *texts, struct imported *imported,
                      struct error *error)
{
    struct list points = {0};
    int status = read_all(options, texts, imported, error);
    if (status == 0)
        status = import_fit(imported, &points, error);
    /* Nothing is noted from here on, and nothing may fail once the table is saved. */
    memory_stream_end(imported->notes);
    if (status == 0) {
        name_machine(&imported->machine, options->output);
        status = save(&imported->machine, &points, options->output, error);
    }
    free(points.items);
    return status;
}

static struct machine begin_machine(void)
{
    struct machine machine = machine_begin();
    machine.machine.measured = memory_new(1, sizeof *machine.machine.measured);
    machine.machine.measured->cores = machine.machine.measured->seed = NAN;
    machine.machine.measured->duration_s = machine.machine.measured->clock_tick_us = NAN;
    return machine;
}

static int import_noting(const struct options *options, struct error *error)
{
    char *notes = NULL;
    size_t size = 0;
    struct text *texts = memory_new(options->count, sizeof *texts);
    struct imported imported = {.machine = begin_machine(), .notes = memory_stream(&notes, &size)};
    const int status = import_all(options, texts, &imported, error);
    if (status == 0)
        fputs(notes, stderr);
    free(notes);
    imported_free(&imported);
    for (size_t i = 0; i < options->count; i++)
        text_free(&texts[i]);
    free(texts);
    return status;
}

int cmd_import(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    const int status = options.output ? import_noting(&options, error)
                                      : error_set(error, "no -o: expected the table to be made");
    options_free(&options);
    return status;
}
