/* estimator export: writes a machine table in another program's format. */
#include "estimator/export/export.h"
#include "estimator/commands/commands.h"
#include "estimator/output/options.h"
#include "estimator/output/output.h"
#include "model/base/allocation.h"
#include "model/base/printable.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT_HELP(name, function, comment, comment_end, help) "\n  " name ": " help

static const struct options_face face = {
    .arguments = "TABLE",
    .example = "export machines/sp2-mpl.yaml -T csv",
    .doc = "Writes the table for other programs. What a format cannot say is a remark on "
           "standard error and, where it has comments, a note in the file. -p: the processors, as "
           "the format "
           "counts them. --to is one of" EXPORTS(EXPORT_HELP),
    .takes = "Topb",
    .least = 1,
    .most = 1,
};

static const struct format {
    const char *name;
    export_write *write;
    const char *comment, *comment_end;
} formats[] = {
#define EXPORT_ROW(name, function, comment, comment_end, help)                                     \
    {name, function, comment, comment_end},
    EXPORTS(EXPORT_ROW)
#undef EXPORT_ROW
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

/* ---- what formats share ---- */

/* A text of the table stays text: one line, and no end of an XML comment. */
static char *one_line(const char *format, va_list values)
{
    char *text = memory_format_list(format, values);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || (c[0] == '-' && c[1] == '-'))
            *c = ' ';
    char *shown = printable(text);
    free(text);
    return shown;
}

static void put_comment(const struct exporter *exporter, const char *kind, const char *text)
{
    if (exporter->comment[0])
        fprintf(exporter->out, "%s%s%s%s\n", exporter->comment, kind, text, exporter->comment_end);
}

void export_comment(const struct exporter *exporter, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *text = one_line(format, values);
    va_end(values);
    put_comment(exporter, "", text);
    free(text);
}

void export_note(const struct exporter *exporter, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *text = one_line(format, values);
    va_end(values);
    put_comment(exporter, "note: ", text);
    fprintf(exporter->notes, "estimator: remark: %s\n", text);
    free(text);
}

int export_missing(const struct exporter *exporter, const char *what, const char *for_format,
                   struct error *error)
{
    return error_at(error, place_at(exporter->machine->path, 0, 0),
                    "%s not measured, which --to %s needs", what, for_format);
}

/* ---- the command ---- */

static int find_format(const char *word, const struct format **format, struct error *error)
{
    const char *names[FORMAT_COUNT + 1] = {0};
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        names[i] = formats[i].name;
        *format = &formats[i];
        if (word && strcmp(word, names[i]) == 0)
            return 0;
    }
    if (!word)
        return error_set(error, "no --to: expected one of the formats of estimator export --help");
    const char *near = nearest_name(word, names);
    return error_set(error, "--to is '%.60s'%s%s%s; see estimator export --help", word,
                     near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* All of it in memory first, so that nothing is written where something is missing. */
static int export_machine(const struct machine *machine, const struct format *format,
                          const struct options *options, struct error *error)
{
    char *text = NULL, *notes = NULL;
    size_t text_size = 0, notes_size = 0;
    const struct exporter exporter = {
        .machine = machine,
        .processors = &options->processors,
        .base = options->base,
        .out = memory_stream(&text, &text_size),
        .notes = memory_stream(&notes, &notes_size),
        .comment = format->comment,
        .comment_end = format->comment_end,
    };
    int status = format->write(&exporter, error);
    memory_stream_end(exporter.out);
    memory_stream_end(exporter.notes);
    if (status == 0)
        status = output_save(text, options->output, error);
    if (status == 0)
        fputs(notes, stderr);
    free(text);
    free(notes);
    return status;
}

int cmd_export(int argc, char **argv, struct error *error)
{
    struct options options;
    struct machine machine;
    const struct format *format;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = find_format(options.to, &format, error);
    if (status == 0)
        status = machine_read(&machine, options.arguments[0], error);
    if (status == 0) {
        status = export_machine(&machine, format, &options, error);
        machine_free(&machine);
    }
    options_free(&options);
    return status;
}
