/* What must hold of a segment description beyond its syntax, whatever its parameters are. */
#include "model/segment/program/program_check.h"
#include "model/segment/program/distribution.h"

#include <string.h>

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
    char all[NAMES_TEXT];
    for (size_t i = 0; i < program->search.kinds.count; i++)
        if (strcmp(kinds[i].text, "*") == 0)
            return error_at(error, program_place(program, kinds[i].place),
                            "'*' is no kind to search: expected one of %s",
                            distribution_kinds(all));
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

int program_check(struct program *program, struct error *error)
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
    return program_check_names(program, error);
}
