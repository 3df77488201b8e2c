#include "estimator/output/axes.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

static bool is_defined(const struct axes *axes, const char *name, size_t length)
{
    for (size_t i = 0; i < axes->count; i++)
        if (strlen(axes->items[i].name) == length && memcmp(axes->items[i].name, name, length) == 0)
            return true;
    return false;
}

/* ---- the command line ---- */

static struct sweep_axis *add_axis(struct axes *axes, const char *name, size_t length,
                                   struct error *error)
{
    if (axes->count == PARAMETERS_MOST) {
        error_fill(error, place_at(NULL, 0, 0), "more than %d definitions", PARAMETERS_MOST);
        return NULL;
    }
    struct sweep_axis *axis = &axes->items[axes->count++];
    axis->name = memory_format("%.*s", (int)length, name);
    return axis;
}

static int read_definitions(struct axes *axes, const struct options *options, struct error *error)
{
    for (size_t i = 0; i < options->definition_count; i++) {
        const char *definition = options->definitions[i];
        const size_t length = strcspn(definition, "=");
        struct sweep_axis *axis = add_axis(axes, definition, length, error);
        if (!axis)
            return -1;
        const char *wrong = number_list_parse(definition + length + 1, &axis->values);
        if (wrong)
            return error_set(error, "-D %.60s: %s", definition, wrong);
    }
    return 0;
}

/* ---- what the description itself wants to go through ---- */

static int read_values(struct number_list *values, const struct program *program,
                       const struct distribute *sweep, struct error *error)
{
    const struct formula *texts = sweep->dimensions.items;
    char *joined = memory_copy_text("");
    for (size_t i = 0; i < sweep->dimensions.count; i++) {
        char *more = memory_format("%s%s%s", joined, i ? "," : "", texts[i].text);
        free(joined);
        joined = more;
    }
    const char *wrong = number_list_parse(joined, values);
    free(joined);
    return wrong ? error_at(error, program_place(program, sweep->place), "%s: %s", sweep->array,
                            wrong)
                 : 0;
}

static int read_sweep(struct axes *axes, const struct program *program, struct error *error)
{
    const struct distribute *sweeps = program->sweep.items;
    for (size_t i = 0; i < program->sweep.count; i++) {
        const char *name = sweeps[i].array;
        struct number_list *values = &axes->processors;
        if (strcmp(name, "p") != 0) {
            if (is_defined(axes, name, strlen(name)))
                continue;
            struct sweep_axis *axis = add_axis(axes, name, strlen(name), error);
            if (!axis)
                return -1;
            values = &axis->values;
        }
        if (read_values(values, program, &sweeps[i], error) != 0)
            return -1;
    }
    return 0;
}

int axes_read(struct axes *axes, const struct options *options, const struct program *program,
              struct error *error)
{
    return read_definitions(axes, options, error) != 0 || read_sweep(axes, program, error) != 0 ? -1
                                                                                                : 0;
}

void axes_free(struct axes *axes)
{
    number_list_free(&axes->processors);
    for (size_t i = 0; i < axes->count; i++) {
        free(axes->items[i].name);
        number_list_free(&axes->items[i].values);
    }
}

bool axes_next(struct axes *axes)
{
    for (size_t i = axes->count; i-- > 0;) {
        if (++axes->items[i].at < axes->items[i].values.count)
            return true;
        axes->items[i].at = 0;
    }
    return false;
}

double axis_value(const struct sweep_axis *axis)
{
    return axis->values.values[axis->at];
}

void axes_define(const struct axes *axes, char *definitions[])
{
    char number[NUMBER_TEXT];
    for (size_t i = 0; i < axes->count; i++)
        definitions[i] = memory_format("%s=%s", axes->items[i].name,
                                       number_print(axis_value(&axes->items[i]), number));
}
