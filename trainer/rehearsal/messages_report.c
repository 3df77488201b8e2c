#include "trainer/rehearsal/messages_report.h"

#include "model/base/allocation.h"
#include "model/base/file_out.h"
#include "model/base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

/* Takes what is added. */
static void append(char **text, char *added)
{
    char *longer = memory_format("%s%s", *text ? *text : "", added);
    free(added);
    free(*text);
    *text = longer;
}

static void add_number(struct script *script, double value)
{
    char number[NUMBER_TEXT];
    append(&script->text, memory_format("%s,", isnan(value) ? "-" : number_print(value, number)));
}

/* Quoted where it has to be (RFC 4180). */
static void add_text(struct script *script, const char *text, char end)
{
    char *cell = memory_new(2 * strlen(text) + 4, 1), *at = cell;
    const bool quoted = strpbrk(text, ",\"\n") != NULL;
    if (quoted)
        *at++ = '"';
    for (; *text; text++) {
        if (*text == '"')
            *at++ = '"';
        *at++ = *text;
    }
    if (quoted)
        *at++ = '"';
    *at = end;
    append(&script->text, cell);
}

/* ---- the columns ---- */

void script_names(struct script *script, const struct program *program)
{
    const struct parameter *parameters = program->parameters.items;
    script->program = program;
    append(&script->text, memory_copy_text("segment,candidate,processors,"));
    for (size_t i = 0; i < program->parameters.count; i++)
        add_text(script, parameters[i].name, ',');
    append(&script->text,
           memory_copy_text("repeat,rounds,compute_us,communicate_us,total_us,minimum_us,"
                            "maximum_us,check,missing\n"));
}

void script_free(struct script *script)
{
    free(script->text);
    free(script->missing);
    *script = (struct script){0};
}

/* ---- rows ---- */

void script_begin(struct script *script, const char *candidate, int processors,
                  const struct scope *scope)
{
    script->candidate = candidate;
    script->processors = processors;
    script->scope = scope;
    script->all = (struct script_row){0};
    script->unchecked = false;
    free(script->missing);
    script->missing = NULL;
}

static void write_row(struct script *script, const char *segment, const struct script_row *row,
                      bool unchecked, const char *missing)
{
    const struct parameter *parameters = script->program->parameters.items;
    add_text(script, segment, ',');
    add_text(script, script->candidate, ',');
    add_number(script, script->processors);
    for (size_t i = 0; i < script->program->parameters.count; i++) {
        double value = 0.0;
        scope_get(script->scope, parameters[i].name, &value);
        add_number(script, value);
    }
    add_number(script, row->repeat);
    add_number(script, row->rounds);
    add_number(script, row->compute_us);
    add_number(script, row->total_us - row->compute_us);
    add_number(script, row->total_us);
    add_number(script, row->minimum_us);
    add_number(script, row->maximum_us);
    add_text(script, unchecked ? "unchecked" : "right", ',');
    add_text(script, missing ? missing : "", '\n');
}

static void miss(char **missing, const char *name, const char *why)
{
    append(missing, memory_format("%s%s: %s", *missing ? "; " : "", name, why));
}

/* What of the scene is not run, as a text to be freed; NULL: all is. */
static char *missing_of(const struct scene *scene)
{
    char *missing = NULL;
    for (size_t i = 0; i < scene->part_count; i++)
        if (scene->parts[i].missing)
            miss(&missing, scene->parts[i].name, scene->parts[i].missing);
    if (scene->overlaps)
        miss(&missing, "overlap", "communication does not hide behind computation here");
    return missing;
}

static void add_row(struct script *script, const struct scene *scene, const struct script_row *row,
                    bool unchecked, const char *missing)
{
    write_row(script, scene->name, row, unchecked, missing);
    if (missing)
        miss(&script->missing, scene->name, missing);
    script->unchecked |= unchecked;
    script->all.compute_us += row->compute_us;
    script->all.total_us += row->total_us;
    script->all.minimum_us += row->minimum_us;
    script->all.maximum_us += row->maximum_us;
    script->all.rounds += row->rounds;
    script->all.repeat += row->repeat;
}

void script_add(struct script *script, const struct scene *scene, const struct script_row *row)
{
    char *missing = missing_of(scene);
    bool unchecked = false;
    for (size_t i = 0; i < scene->move_count; i++)
        unchecked |= scene->moves[i].delivery == NULL;
    add_row(script, scene, row, unchecked, missing);
    free(missing);
}

void script_add_cut(struct script *script, const struct scene *scene, const char *why)
{
    const struct script_row row = {.repeat = scene->analysis.repeat,
                                   .compute_us = NAN,
                                   .total_us = NAN,
                                   .minimum_us = NAN,
                                   .maximum_us = NAN};
    add_row(script, scene, &row, true, why);
}

void script_end(struct script *script)
{
    write_row(script, "all", &script->all, script->unchecked, script->missing);
}

static int print(const struct script *script, struct error *error)
{
    if (fputs(script->text, stdout) != EOF && fflush(stdout) == 0)
        return 0;
    return error_set(error, "standard output: cannot be written: %s", strerror(errno));
}

int script_save(const struct script *script, const char *path, struct error *error)
{
    struct file_out out;
    if (!path)
        return print(script, error);
    if (file_out_begin(&out, path, error) != 0)
        return -1;
    fputs(script->text, out.stream);
    return file_out_keep(&out, error);
}
