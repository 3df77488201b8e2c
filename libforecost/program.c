/* Segment descriptions, read or derived from C source. */
#include "forecast/source/source.h"
#include "libforecost/call.h"
#include "libforecost/handles.h"
#include "model/base/allocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the describer says ---- */

/* "FILE:LINE:COLUMN: text", as error_line writes it; a line that is not so is all text. */
static void take_line(const char *line, struct error *error)
{
    char file[256], text[512];
    unsigned at, column;
    if (sscanf(line, "%255[^:\n]:%u:%u: %511[^\n]", file, &at, &column, text) == 4)
        error_fill(error, place_at(file, at, column), "%s", text);
    else
        error_fill(error, place_at(NULL, 0, 0), "%.*s", (int)strcspn(line, "\n"), line);
}

/* The description of a source; what is wrong with it is said by its first line. */
static int describe(struct program *program, const struct source *source, struct error *error)
{
    char *lines = NULL;
    size_t size = 0;
    FILE *said = memory_stream(&lines, &size);
    const int status = source_read(program, source, said, error);
    memory_stream_end(said);
    if (status != 0 && error->is_said)
        take_line(lines, error);
    free(lines);
    return status;
}

/* ---- reading ---- */

struct reading {
    const char *path; /* or the name of the text; NULL: the source */
    const char *text; /* NULL: the file of that path */
    size_t bytes;
    struct source source;
    struct forecost_program *program; /* what comes out */
};

static int read_description(const struct reading *it, struct program *program, struct error *error)
{
    if (it->text)
        return program_read_text(program, it->path, it->text, it->bytes, error);
    return it->path ? program_read(program, it->path, error)
                    : describe(program, &it->source, error);
}

static int read_program(void *state, struct error *error)
{
    struct reading *it = state;
    struct program program;
    if (call_check_definitions(it->source.definitions, error) != 0 ||
        read_description(it, &program, error) != 0)
        return -1;
    it->program = memory_new(1, sizeof *it->program);
    it->program->description = program;
    return 0;
}

static enum forecost_status read_it(struct reading reading, struct forecost_program **program,
                                    struct forecost_error *error)
{
    const enum forecost_status status = call_body_of(read_program, &reading, error);
    *program = status == FORECOST_DONE ? reading.program : NULL;
    return status;
}

enum forecost_status forecost_program_read(struct forecost_program **program, const char *path,
                                           struct forecost_error *error)
{
    if (source_is(path))
        return forecost_program_describe(program, (const char *[]){path, NULL}, NULL, NULL, NULL,
                                         error);
    return read_it((struct reading){.path = path}, program, error);
}

enum forecost_status forecost_program_read_text(struct forecost_program **program, const char *name,
                                                const char *text, size_t bytes,
                                                struct forecost_error *error)
{
    return read_it((struct reading){.path = name, .text = text, .bytes = bytes}, program, error);
}

enum forecost_status forecost_program_describe(struct forecost_program **program,
                                               const char *const *files, const char *const *flags,
                                               const char *const *definitions, const char *side,
                                               struct forecost_error *error)
{
    const struct source source = {.files = files,
                                  .file_count = call_count(files),
                                  .side = side,
                                  .definitions = definitions,
                                  .definition_count = call_count(definitions),
                                  .flags = flags,
                                  .flag_count = call_count(flags),
                                  .has_places = true};
    return read_it((struct reading){.source = source}, program, error);
}

void forecost_program_free(struct forecost_program *program)
{
    if (!program)
        return;
    program_free(&program->description);
    free(program);
}

/* ---- what it has ---- */

const char *forecost_program_title(const struct forecost_program *program)
{
    return program->description.title ? program->description.title : program->description.path;
}

const char *forecost_program_candidate(const struct forecost_program *program, size_t number)
{
    const struct candidate *candidates = program->description.candidates.items;
    return number < program->description.candidates.count ? candidates[number].name : NULL;
}

const char *forecost_program_parameter(const struct forecost_program *program, size_t number)
{
    const struct parameter *parameters = program->description.parameters.items;
    return number < program->description.parameters.count ? parameters[number].name : NULL;
}

void program_view_begin(struct program_view *view, const struct forecost_program *program)
{
    view->program = program->description;
    view->effort = *program->description.effort;
    view->program.effort = &view->effort;
}
