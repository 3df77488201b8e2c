#include "model/segment/program/program.h"

#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/base/number.h"
#include "model/records/yaml_text.h"
#include "model/segment/program/program_check.h"
#include "model/segment/program/program_fields.h"

#include <stdlib.h>
#include <string.h>

/* Origins name files without their folders; that of the program is known. */
static bool is_file(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, name) == 0;
}

static struct place source_place(const struct origins *origins, const char *path,
                                 struct place place)
{
    struct place source;
    if (!origins_find(origins, place, &source))
        return place_at(path, 0, 0);
    if (is_file(path, source.file))
        source.file = path;
    return source;
}

struct place program_place(const struct program *program, struct place place)
{
    if (program->is_derived)
        return source_place(program->origins, program->path, place);
    place.file = program->path;
    return place;
}

const struct array *program_array(const struct program *program, const char *name)
{
    const struct array *arrays = program->arrays.items;
    for (size_t i = 0; i < program->arrays.count; i++)
        if (strcmp(arrays[i].name, name) == 0)
            return &arrays[i];
    return NULL;
}

int array_dimension(const struct array *array, int dimensions, int k)
{
    return array->order == ORDER_FORTRAN ? dimensions - 1 - k : k;
}

const struct candidate *program_candidate(const struct program *program, const char *name)
{
    const struct candidate *candidates = program->candidates.items;
    for (size_t i = 0; i < program->candidates.count; i++)
        if (strcmp(candidates[i].name, name) == 0)
            return &candidates[i];
    return NULL;
}

const struct candidate *program_choose(const struct program *program, const char *name,
                                       struct error *error)
{
    const struct candidate *candidate =
        name ? program_candidate(program, name) : program->candidates.items;
    if (!candidate)
        error_fill(error, place_at(program->path, 0, 0), "no candidate '%.60s'", name);
    return candidate;
}

void program_free(struct program *program)
{
    free(program->path);
    free(program->effort);
    origins_free(program->origins);
    program->path = NULL;
    program->effort = NULL;
    program->origins = NULL;
    record_free(&program_record, program);
}

/* ---- reading ---- */

/* What is wrong with a description that nobody has seen, where it is in the source. */
static int blame_source(struct error *error, const struct origins *origins, const char *name)
{
    const struct place source =
        source_place(origins, name, place_at(name, error->line, error->column));
    char text[sizeof error->text];
    memcpy(text, error->text, sizeof text);
    return error_at(error, source, "%s", text);
}

static int read_root(struct program *read, const struct yaml_file *file, const char *name,
                     bool is_derived, struct error *error)
{
    struct origins *origins = origins_make(yaml_root(file));
    if (record_read(&program_record, yaml_root(file), read, error) == 0) {
        read->origins = origins;
        read->is_derived = is_derived;
        return 0;
    }
    if (is_derived)
        blame_source(error, origins, name);
    origins_free(origins);
    return -1;
}

static int read_text(struct program *program, const char *name, const char *text, size_t bytes,
                     bool is_derived, struct error *error)
{
    struct yaml_file *file;
    struct program read;
    if (yaml_open_text(&file, name, text, bytes, error) != 0)
        return is_derived ? blame_source(error, NULL, name) : -1;
    const int status = read_root(&read, file, name, is_derived, error);
    yaml_close(file);
    if (status != 0)
        return -1;
    read.path = memory_copy_text(name);
    read.effort = memory_new(1, sizeof *read.effort);
    *read.effort = (struct effort){EFFORT_MOST, EFFORT_MOST};
    if (read.candidates.count == 0)
        program_replicate(&read);
    if (program_check(&read, error) != 0) {
        program_free(&read);
        return -1;
    }
    *program = read;
    return 0;
}

int program_read_text(struct program *program, const char *name, const char *text, size_t bytes,
                      struct error *error)
{
    return read_text(program, name, text, bytes, false, error);
}

int program_read_derived(struct program *program, const char *name, const char *text, size_t bytes,
                         struct error *error)
{
    return read_text(program, name, text, bytes, true, error);
}

int program_read(struct program *program, const char *path, struct error *error)
{
    char *text;
    size_t bytes;
    if (yaml_read_text(path, &text, &bytes, error) != 0)
        return -1;
    const int status = program_read_text(program, input_name(path), text, bytes, error);
    free(text);
    return status;
}

/* By what no table has, so that a description without its first line, or with a mistake there, is
   told what is wrong with a description. */
static bool has_program(struct yaml_node root)
{
    static const char *const own[] = {"forecost-segment", "program", "candidates", "arrays"};
    bool has = false;
    for (size_t i = 0; i < yaml_count(root); i++)
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            has |= strcmp(yaml_text(yaml_key(root, i)), own[k]) == 0;
    return has && strcmp(yaml_text(yaml_key(root, 0)), "forecost") != 0;
}

int program_recognise(const char *name, const char *text, size_t bytes, bool *is_program,
                      struct error *error)
{
    struct yaml_file *file;
    if (yaml_open_text(&file, name, text, bytes, error) != 0)
        return -1;
    const struct yaml_node root = yaml_root(file);
    *is_program = yaml_kind(root) == YAML_MAP && has_program(root);
    yaml_close(file);
    return 0;
}

/* ---- values of names ---- */

static int add_parameter(const struct program *program, const struct parameter *parameter,
                         struct scope *scope, struct error *error)
{
    double value;
    const struct place place = program_place(program, parameter->value.place);
    if (expression_value(parameter->value.value, scope, place, &value, error) != 0)
        return -1;
    return scope_set(scope, parameter->name, value, place, error);
}

static int add_let(const struct program *program, struct scope *scope, struct error *error)
{
    const struct parameter *names = program->let.items;
    for (size_t i = 0; i < program->let.count; i++)
        if (add_parameter(program, &names[i], scope, error) != 0)
            return -1;
    return 0;
}

/* -D NAME=VALUE: only what the description declares can be set. */
static int override(const struct program *program, const char *definition, struct scope *scope,
                    struct error *error)
{
    const struct parameter *parameters = program->parameters.items;
    const size_t length = strcspn(definition, "=");
    double value;
    for (size_t i = 0; i < program->parameters.count; i++) {
        if (strlen(parameters[i].name) != length ||
            strncmp(parameters[i].name, definition, length) != 0)
            continue;
        if (!number_parse_bytes(definition + length + 1, &value))
            return error_set(error, "-D %.60s: %s", definition,
                             number_wrong(definition + length + 1));
        return scope_set(scope, parameters[i].name, value, place_at(NULL, 0, 0), error);
    }
    if (length == 1 && *definition == 'p')
        return error_set(error, "-D %.60s: p is the number of processors: expected -p", definition);
    return error_set(error, "-D %.60s: %s has no parameter of that name", definition,
                     program->path);
}

/* NULL: none. */
static const char *definition_of(const struct parameter *parameter, const char *const *definitions,
                                 size_t count)
{
    const size_t length = strlen(parameter->name);
    for (size_t i = count; i-- > 0;)
        if (strncmp(definitions[i], parameter->name, length) == 0 && definitions[i][length] == '=')
            return definitions[i];
    return NULL;
}

static int no_value(const struct program *program, const struct parameter *parameter,
                    struct error *error)
{
    const struct place place = program_place(program, parameter->value.place);
    const char *name = parameter->name;
    return program->is_derived
               ? error_at(error, place,
                          "parameter %.60s has no value: expected -D %.60s=VALUE, or #pragma "
                          "forecost parameters(%.60s = VALUE)",
                          name, name, name)
               : error_at(error, place,
                          "parameter %.60s has no value: expected -D %.60s=VALUE, or %.60s: VALUE",
                          name, name, name);
}

/* What has no value of its own takes its definition's. */
static int add_parameters(const struct program *program, const char *const *definitions,
                          size_t count, struct scope *scope, struct error *error)
{
    const struct parameter *parameters = program->parameters.items;
    for (size_t i = 0; i < program->parameters.count; i++) {
        const bool has_value = parameters[i].value.value != NULL;
        const char *definition =
            has_value ? NULL : definition_of(&parameters[i], definitions, count);
        const int status = has_value    ? add_parameter(program, &parameters[i], scope, error)
                           : definition ? override(program, definition, scope, error)
                                        : no_value(program, &parameters[i], error);
        if (status != 0)
            return -1;
    }
    return 0;
}

int branch_probability(const struct branch *branch, const struct program *program,
                       struct scope *scope, double *probability, struct error *error)
{
    if (!branch->probability.text)
        return error_at(error, program_place(program, branch->place),
                        "key 'probability' is missing in a branch");
    if (program_value(program, &branch->probability, false, scope, probability, error) != 0)
        return -1;
    if (*probability >= 0.0 && *probability <= 1.0)
        return 0;
    error_fill(error, program_place(program, branch->probability.place),
               "'%.60s' is %g: expected a probability, 0 to 1", branch->probability.text,
               *probability);
    return program_wrong_value(program, &branch->probability, error);
}

struct scope *program_scope(const struct program *program, const char *const *definitions,
                            size_t count, double processors, struct error *error)
{
    struct scope *scope = scope_new();
    int status = scope_set(scope, "p", processors, place_at(program->path, 1, 1), error);
    if (status == 0)
        status = add_parameters(program, definitions, count, scope, error);
    for (size_t i = 0; i < count && status == 0; i++)
        status = override(program, definitions[i], scope, error);
    if (status == 0)
        status = add_let(program, scope, error);
    if (status == 0)
        return scope;
    scope_free(scope);
    return NULL;
}

int program_repeat(const struct program *program, struct scope *scope, double *repeat,
                   struct error *error)
{
    *repeat = 1.0;
    if (!program->repeat.text)
        return 0;
    if (program_value(program, &program->repeat, true, scope, repeat, error) != 0)
        return -1;
    if (*repeat >= 1.0 && *repeat <= COUNT_MOST)
        return 0;
    error_fill(error, program_place(program, program->repeat.place),
               "the segments repeated %g times: expected 1 to 2^53", *repeat);
    return program_wrong_value(program, &program->repeat, error);
}

int statement_strip(const struct statement *statement, const struct program *program,
                    struct scope *scope, double *strip, struct error *error)
{
    const struct formula *formula = &statement->strip;
    *strip = 0.0;
    if (!formula->text)
        return 0;
    if (program_value(program, formula, true, scope, strip, error) != 0)
        return -1;
    if (*strip >= 0.0)
        return 0;
    error_fill(error, program_place(program, formula->place),
               "a strip of %g: expected at least 1, or 0 for the best", *strip);
    return program_wrong_value(program, formula, error);
}

int segment_repeat(const struct segment *segment, const struct program *program,
                   struct scope *scope, double *repeat, struct error *error)
{
    *repeat = 1.0;
    if (!segment->repeat.text)
        return 0;
    if (program_value(program, &segment->repeat, false, scope, repeat, error) != 0)
        return -1;
    if (*repeat >= 0.0 && *repeat <= COUNT_MOST)
        return 0;
    error_fill(error, program_place(program, segment->repeat.place),
               *repeat < 0.0 ? "repeated %g times: expected at least 0"
                             : "repeated %g times: expected at most 2^53",
               *repeat);
    return program_wrong_value(program, &segment->repeat, error);
}

int program_check_effort(const struct program *program, struct place place, struct error *error)
{
    return effort_is_spent(program->effort)
               ? error_particular_at(
                     error, program_place(program, place),
                     "its loops and arrays are too large to be gone through: more than %g "
                     "steps",
                     program->effort->most)
               : 0;
}
