#include "model/segment/program.h"

#include "model/base/memory.h"
#include "model/base/number.h"
#include "model/segment/program_fields.h"

#include <stdlib.h>
#include <string.h>

struct place program_place(const struct program *program, struct place place)
{
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

bool program_overlaps(const struct program *program)
{
    const struct segment *segments = program->segments.items;
    for (size_t i = 0; i < program->segments.count; i++)
        if (segments[i].overlap)
            return true;
    return false;
}

void program_free(struct program *program)
{
    free(program->path);
    free(program->effort);
    program->path = NULL;
    program->effort = NULL;
    record_free(&program_record, program);
}

/* ---- what must hold beyond the syntax ---- */

/* Without a map the dimensions lie beside one another in order. */
static int check_alignment(const struct program *program, const struct array *array,
                           struct error *error)
{
    const struct place place = program_place(program, array->place);
    const struct array *to = array->align ? program_array(program, array->align) : array;
    const size_t count = array->extent.count;
    if (array->align_map.count == 0 && to->extent.count != count)
        return error_at(error, place, "%s has %zu dimensions, %s to which it is aligned %zu",
                        array->name, count, to->name, to->extent.count);
    if ((array->align_map.count > 0 && array->align_map.count != count) ||
        (array->align_offset.count > 0 && array->align_offset.count != count))
        return error_at(error, place, "an alignment of %zu dimensions: %s has %zu",
                        array->align_map.count ? array->align_map.count : array->align_offset.count,
                        array->name, count);
    return 0;
}

static int check_array(const struct program *program, const struct array *array,
                       struct error *error)
{
    const struct place place = program_place(program, array->place);
    if (array->extent.count == 0 || array->extent.count > DIMENSIONS_MOST)
        return error_at(error, place, "%s has %zu dimensions: expected 1 to %d", array->name,
                        array->extent.count, DIMENSIONS_MOST);
    const struct array *to = array;
    for (size_t steps = 0; to->align; steps++) {
        const struct array *next = program_array(program, to->align);
        if (!next)
            return error_at(error, place, "%s is aligned to '%.60s', which is no array", to->name,
                            to->align);
        if (steps == program->arrays.count)
            return error_at(error, place, "the alignment of %s goes round in a circle",
                            array->name);
        to = next;
    }
    return check_alignment(program, array, error);
}

static int check_distribute(const struct program *program, const struct distribute *distribute,
                            struct error *error)
{
    const struct place place = program_place(program, distribute->place);
    const struct array *array = program_array(program, distribute->array);
    if (!array)
        return error_at(error, place, "'%.60s' is no array", distribute->array);
    if (array->align)
        return error_at(error, place, "%s is aligned to %s: it has no distribution of its own",
                        array->name, array->align);
    if (array->extent.count != distribute->dimensions.count)
        return error_at(error, place, "%zu dimensions distributed: %s has %zu",
                        distribute->dimensions.count, array->name, array->extent.count);
    return 0;
}

static int check_halo(const struct program *program, const struct distribute *halo,
                      struct error *error)
{
    const struct place place = program_place(program, halo->place);
    const struct array *array = program_array(program, halo->array);
    if (!array)
        return error_at(error, place, "'%.60s' is no array", halo->array);
    if (array->extent.count != halo->dimensions.count)
        return error_at(error, place, "a halo of %zu dimensions: %s has %zu",
                        halo->dimensions.count, array->name, array->extent.count);
    return 0;
}

static bool has_segment(const struct program *program, const char *name)
{
    const struct segment *segments = program->segments.items;
    for (size_t i = 0; i < program->segments.count; i++)
        if (strcmp(segments[i].name, name) == 0)
            return true;
    return false;
}

static int check_redistribute(const struct program *program, const struct redistribute *it,
                              struct error *error)
{
    const struct place place = program_place(program, it->place);
    const struct distribute *distributes = it->distribute.items;
    const char *segment = it->before ? it->before : it->after;
    if (!segment || (it->before && it->after))
        return error_at(error, place, "a redistribution needs one of before and after: a segment");
    if (!has_segment(program, segment))
        return error_at(error, place, "'%.60s' is no segment", segment);
    if (it->distribute.count == 0)
        return error_at(error, place, "a redistribution of no array");
    for (size_t i = 0; i < it->distribute.count; i++)
        if (check_distribute(program, &distributes[i], error) != 0)
            return -1;
    return 0;
}

static int check_candidate(const struct program *program, const struct candidate *candidate,
                           struct error *error)
{
    if (candidate->grid.count == 0 || candidate->grid.count > DIMENSIONS_MOST)
        return error_at(error, program_place(program, candidate->place),
                        "a grid of %zu dimensions: expected 1 to %d", candidate->grid.count,
                        DIMENSIONS_MOST);
    const struct distribute *distributes = candidate->distribute.items;
    for (size_t i = 0; i < candidate->distribute.count; i++)
        if (check_distribute(program, &distributes[i], error) != 0)
            return -1;
    const struct distribute *halos = candidate->halo.items;
    for (size_t i = 0; i < candidate->halo.count; i++)
        if (check_halo(program, &halos[i], error) != 0)
            return -1;
    if (candidate->redistribute.count > REDISTRIBUTIONS_MOST)
        return error_at(error, program_place(program, candidate->place),
                        "more than %d redistributions", REDISTRIBUTIONS_MOST);
    const struct redistribute *redistributes = candidate->redistribute.items;
    for (size_t i = 0; i < candidate->redistribute.count; i++)
        if (check_redistribute(program, &redistributes[i], error) != 0)
            return -1;
    return 0;
}

static int check_sweep(const struct program *program, struct error *error)
{
    const struct distribute *sweeps = program->sweep.items;
    const struct parameter *parameters = program->parameters.items;
    for (size_t i = 0; i < program->sweep.count; i++) {
        bool known = strcmp(sweeps[i].array, "p") == 0;
        for (size_t k = 0; k < program->parameters.count; k++)
            known |= strcmp(parameters[k].name, sweeps[i].array) == 0;
        if (!known)
            return error_at(error, program_place(program, sweeps[i].place),
                            "'%.60s' is no parameter to sweep, nor p", sweeps[i].array);
    }
    return 0;
}

static int check_search(const struct program *program, struct error *error)
{
    const struct formula *arrays = program->search.arrays.items;
    const struct formula *kinds = program->search.kinds.items;
    for (size_t i = 0; i < program->search.arrays.count; i++) {
        const struct array *array = program_array(program, arrays[i].text);
        if (!array || array->align)
            return error_at(error, program_place(program, arrays[i].place), "'%.60s' is %s",
                            arrays[i].text,
                            array ? "aligned: it is distributed as another is" : "no array");
    }
    for (size_t i = 0; i < program->search.kinds.count; i++)
        if (strncmp(kinds[i].text, "BLOCK", 5) != 0 && strncmp(kinds[i].text, "CYCLIC", 6) != 0)
            return error_at(error, program_place(program, kinds[i].place),
                            "'%.60s' is no kind to search: expected BLOCK, BLOCK(b), CYCLIC or "
                            "CYCLIC(b)",
                            kinds[i].text);
    return 0;
}

static int check_counts(const struct program *program, struct error *error)
{
    const struct place whole = place_at(program->path, 1, 1);
    if (program->arrays.count > ARRAYS_MOST)
        return error_at(error, whole, "more than %d arrays", ARRAYS_MOST);
    if (program->candidates.count > CANDIDATES_MOST)
        return error_at(error, whole, "more than %d candidates", CANDIDATES_MOST);
    if (program->segments.count > SEGMENTS_MOST)
        return error_at(error, whole, "more than %d segments", SEGMENTS_MOST);
    if (program->segments.count == 0)
        return error_at(error, whole, "expected at least one segment");
    return 0;
}

/* Times, and redistributions before and after, are told by names. */
static int check_segments(const struct program *program, struct error *error)
{
    const struct segment *segments = program->segments.items;
    for (size_t i = 0; i < program->segments.count; i++) {
        const struct place place = program_place(program, segments[i].place);
        if (strcmp(segments[i].name, "all") == 0)
            return error_at(error, place, "a segment 'all': all segments together are called so");
        for (size_t k = 0; k < i; k++)
            if (strcmp(segments[i].name, segments[k].name) == 0)
                return error_at(error, place, "a second segment '%.60s': expected another name",
                                segments[i].name);
    }
    return 0;
}

static int check(const struct program *program, struct error *error)
{
    if (check_counts(program, error) != 0 || check_segments(program, error) != 0)
        return -1;
    if (check_sweep(program, error) != 0 || check_search(program, error) != 0)
        return -1;
    const struct array *arrays = program->arrays.items;
    for (size_t i = 0; i < program->arrays.count; i++)
        if (check_array(program, &arrays[i], error) != 0)
            return -1;
    const struct candidate *candidates = program->candidates.items;
    for (size_t i = 0; i < program->candidates.count; i++)
        if (check_candidate(program, &candidates[i], error) != 0)
            return -1;
    return 0;
}

/* ---- reading ---- */

int program_read(struct program *program, const char *path, struct error *error)
{
    struct yaml_file *file;
    struct program read;
    if (yaml_open(&file, path, error) != 0)
        return -1;
    const int status = record_read(&program_record, yaml_root(file), &read, error);
    yaml_close(file);
    if (status != 0)
        return -1;
    read.path = memory_copy_text(path);
    read.effort = memory_new(1, sizeof *read.effort);
    *read.effort = (struct effort){EFFORT_MOST, EFFORT_MOST};
    if (read.candidates.count == 0)
        program_replicate(&read);
    if (check(&read, error) != 0) {
        program_free(&read);
        return -1;
    }
    *program = read;
    return 0;
}

int program_recognise(const char *path, bool *is_program, struct error *error)
{
    struct yaml_file *file;
    if (yaml_open(&file, path, error) != 0)
        return -1;
    const struct yaml_node root = yaml_root(file);
    *is_program = yaml_kind(root) == YAML_MAP && yaml_count(root) > 0 &&
                  strcmp(yaml_text(yaml_key(root, 0)), "forecost-segment") == 0;
    yaml_close(file);
    return 0;
}

/* ---- values of names ---- */

static int add_parameters(const struct program *program, const struct list *list,
                          struct scope *scope, struct error *error)
{
    const struct parameter *parameters = list->items;
    for (size_t i = 0; i < list->count; i++) {
        double value;
        const struct place place = program_place(program, parameters[i].value.place);
        if (expression_value(scope, parameters[i].value.text, place, &value, error) != 0 ||
            scope_set(scope, parameters[i].name, value, place, error) != 0)
            return -1;
    }
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
            return error_set(error, "-D %.60s: expected a number after =", definition);
        return scope_set(scope, parameters[i].name, value, place_at(NULL, 0, 0), error);
    }
    return error_set(error, "-D %.60s: %s has no parameter of that name", definition,
                     program->path);
}

int branch_probability(const struct branch *branch, const struct program *program,
                       struct scope *scope, double *probability, struct error *error)
{
    if (!branch->probability.text)
        return error_at(error, program_place(program, branch->place),
                        "key 'probability' is missing in a branch");
    const struct place place = program_place(program, branch->probability.place);
    if (expression_value(scope, branch->probability.text, place, probability, error) != 0)
        return -1;
    if (*probability < 0.0 || *probability > 1.0)
        return error_at(error, place, "'%.60s' is %g: expected a probability, 0 to 1",
                        branch->probability.text, *probability);
    return 0;
}

struct scope *program_scope(const struct program *program, const char *const *definitions,
                            size_t count, double processors, struct error *error)
{
    struct scope *scope = scope_new();
    int status = scope_set(scope, "p", processors, place_at(program->path, 1, 1), error);
    if (status == 0)
        status = add_parameters(program, &program->parameters, scope, error);
    for (size_t i = 0; i < count && status == 0; i++)
        status = override(program, definitions[i], scope, error);
    if (status == 0)
        status = add_parameters(program, &program->let, scope, error);
    if (status == 0)
        return scope;
    scope_free(scope);
    return NULL;
}

int program_repeat(const struct program *program, struct scope *scope, double *repeat,
                   struct error *error)
{
    const double most = 9007199254740992.0; /* 2^53: beyond, not every whole number is a double */
    const struct place place = program_place(program, program->repeat.place);
    *repeat = 1.0;
    if (!program->repeat.text)
        return 0;
    if (expression_whole(scope, program->repeat.text, place, repeat, error) != 0)
        return -1;
    return *repeat >= 1.0 && *repeat <= most
               ? 0
               : error_at(error, place, "the segments repeated %g times: expected 1 to 2^53",
                          *repeat);
}

int program_check_effort(const struct program *program, struct place place, struct error *error)
{
    return effort_is_spent(program->effort)
               ? error_at(error, program_place(program, place),
                          "its loops and arrays are too large to be gone through: more than %g "
                          "steps",
                          program->effort->most)
               : 0;
}
