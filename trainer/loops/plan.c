#include "trainer/loops/plan.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

static const double bytes_least = 4096.0;

/* The parameters as they are scaled. */
struct scaling {
    const struct bench_program *program;
    const struct forecost_loop *loop;
    size_t count;
    double values[BENCH_NAMES_MOST];
    bool is_size[BENCH_NAMES_MOST]; /* the loop touches more where it is larger */
    bool is_row[BENCH_NAMES_MOST];  /* its rows are longer */
};

enum rounding { ROUND_FOURS, ROUND_POWERS };

static double rounded(double value, enum rounding rounding)
{
    if (rounding == ROUND_POWERS)
        return exp2(round(log2(fmax(value, 4.0))));
    return value < 32.0 ? fmax(4.0, round(value)) : 4.0 * round(value / 4.0);
}

/* NAME=VALUE of all; those of the rows by another factor. */
static char **definitions_of(const struct scaling *it, double factor, double row_factor,
                             enum rounding rounding)
{
    const struct parameter *parameters = it->program->program.parameters.items;
    char **definitions = memory_new(it->count + 1, sizeof *definitions);
    for (size_t i = 0; i < it->count; i++) {
        const double by = !it->is_size[i] ? 1.0 : it->is_row[i] ? factor * row_factor : factor;
        const double value = it->is_size[i] ? rounded(it->values[i] * by, rounding) : it->values[i];
        definitions[i] = memory_format("%s=%.0f", parameters[i].name, value);
    }
    return definitions;
}

static void free_definitions(char **definitions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(definitions[i]);
    free(definitions);
}

/* What the loop is then; row 0: it cannot be. */
static struct loop_shape shape_at(const struct scaling *it, char **definitions)
{
    struct bench bench;
    struct error error;
    if (bench_make(&bench, it->program, it->loop, (const char *const *)definitions, it->count,
                   &error) != 0)
        return (struct loop_shape){0};
    return bench.shape;
}

static struct loop_shape shape_scaled(const struct scaling *it, double factor, double row_factor,
                                      enum rounding rounding)
{
    char **definitions = definitions_of(it, factor, row_factor, rounding);
    const struct loop_shape shape = shape_at(it, definitions);
    free_definitions(definitions, it->count);
    return shape;
}

/* Each parameter twice as large, alone. */
static void look_at_parameters(struct scaling *it)
{
    const struct loop_shape before = shape_scaled(it, 1.0, 1.0, ROUND_FOURS);
    for (size_t i = 0; i < it->count; i++) {
        const double value = it->values[i];
        it->values[i] = 2.0 * value;
        const struct loop_shape after = shape_scaled(it, 1.0, 1.0, ROUND_FOURS);
        it->values[i] = value;
        it->is_row[i] = after.row > 1.2 * before.row;
        it->is_size[i] = it->is_row[i] || after.nest_bytes > 1.05 * before.nest_bytes;
    }
}

/* The factor at which the loop touches so much, by halving. */
static double factor_for(const struct scaling *it, double row_factor, double bytes)
{
    double low = 1e-5, high = 1e5;
    for (int i = 0; i < 40; i++) {
        const double middle = sqrt(low * high);
        const struct loop_shape shape = shape_scaled(it, middle, row_factor, ROUND_FOURS);
        *(shape.row > 0.0 && shape.nest_bytes < bytes ? &low : &high) = middle;
    }
    return low;
}

static void add(struct plan *plan, const struct scaling *it, double bytes, double row_factor,
                enum rounding rounding)
{
    if (plan->count < PLAN_MOST)
        plan->definitions[plan->count++] =
            definitions_of(it, factor_for(it, row_factor, bytes), row_factor, rounding);
}

/* Sizes a factor of two in bytes apart, every so many-th; then those between. */
static void add_series(struct plan *plan, const struct scaling *it, double bytes_most,
                       double octaves, double row_factor, enum rounding rounding)
{
    const double all = log2(bytes_most / bytes_least);
    for (double at = 0.0; at <= all + 1e-9; at += octaves)
        add(plan, it, bytes_least * exp2(at), row_factor, rounding);
}

static void add_between(struct plan *plan, const struct scaling *it, double bytes_most,
                        double octaves)
{
    const double all = log2(bytes_most / bytes_least);
    for (double at = 0.5 * octaves; at <= all; at += octaves)
        add(plan, it, bytes_least * exp2(at), 1.0, ROUND_FOURS);
}

/* Their values in the description; false: one has none. */
static bool take_parameters(struct scaling *it)
{
    const struct program *program = &it->program->program;
    const struct parameter *parameters = program->parameters.items;
    struct error error;
    struct scope *scope = program_scope(program, NULL, 0, 1.0, &error);
    bool all = scope != NULL;
    for (size_t i = 0; all && i < program->parameters.count && i < BENCH_NAMES_MOST; i++) {
        const struct formula name = {.text = parameters[i].name};
        all = program_value(program, &name, false, scope, &it->values[i], &error) == 0;
        it->count++;
    }
    scope_free(scope);
    return all;
}

void plan_make(struct plan *plan, const struct bench_program *program,
               const struct forecost_loop *loop, double bytes_most)
{
    struct scaling it = {.program = program, .loop = loop};
    bool any_size = false, any_other = false;
    *plan = (struct plan){0};
    if (!take_parameters(&it))
        return;
    *plan = (struct plan){.parameters = it.count};
    look_at_parameters(&it);
    for (size_t i = 0; i < it.count; i++) {
        any_size |= it.is_size[i];
        any_other |= it.is_size[i] && !it.is_row[i];
    }
    if (!any_size) {
        plan->definitions[plan->count++] = definitions_of(&it, 1.0, 1.0, ROUND_FOURS);
        return;
    }
    add_series(plan, &it, bytes_most, 2.0, 1.0, ROUND_FOURS);
    add_between(plan, &it, bytes_most, 2.0);
    add_between(plan, &it, bytes_most, 1.0);
    add_series(plan, &it, bytes_most, 2.0, 1.0, ROUND_POWERS);
    if (any_other) {
        add_series(plan, &it, bytes_most, 4.0, 0.25, ROUND_FOURS);
        add_series(plan, &it, bytes_most, 4.0, 4.0, ROUND_FOURS);
    }
    add_between(plan, &it, bytes_most, 0.5);
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        free_definitions(plan->definitions[i], plan->parameters);
    plan->count = 0;
}
