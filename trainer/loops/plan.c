#include "trainer/loops/plan.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Short rows, of which a good part is the loop's beginning and end. */
static const double bytes_least = 512.0;

/* What columns that share sets of a cache touch is at least so much before one is full. */
static const double crowded_least = 65536.0;

/* A power of two is far from the next one: the largest may be larger than what else is measured. */
static const double powers_beyond = 1.5;

/* The parameters as they are scaled. */
struct scaling {
    const struct bench_program *program;
    const struct forecost_loop *loop;
    size_t count;
    double values[BENCH_NAMES_MOST];
    bool is_size[BENCH_NAMES_MOST]; /* the loop touches more where it is larger, or has more */
    bool is_row[BENCH_NAMES_MOST];  /* its rows are longer */
    double unit;                    /* the least size; 0: not known yet */
};

/* The odd multiple of a unit that is nearest. */
static double odd_multiple(double value, double unit)
{
    return unit * (2.0 * fmax(round(0.5 * (value / unit - 1.0)), 0.0) + 1.0);
}

static double rounded(double value, enum plan_rounding rounding)
{
    switch (rounding) {
    case PLAN_POWERS:
        return exp2(round(log2(fmax(value, 4.0))));
    case PLAN_TWO_LINES:
        return odd_multiple(value, 16.0);
    case PLAN_EIGHT_LINES:
        return odd_multiple(value, 64.0);
    case PLAN_FOURS:
    case PLAN_UNITS:
        break;
    }
    return value < 32.0 ? fmax(4.0, round(value)) : 4.0 * round(value / 4.0);
}

/* The last element of so many is one less. */
static double scaled(const struct scaling *it, double value, double by, enum plan_rounding rounding)
{
    const double less = value >= 15.0 && fmod(value + 1.0, 4.0) == 0.0 ? 1.0 : 0.0;
    const double times = it->unit > 0.0 ? fmax(1.0, round(it->unit * by)) / it->unit : by;
    return rounding == PLAN_UNITS ? round((value + less) * times) - less
                                  : rounded((value + less) * by, rounding) - less;
}

/* NAME=VALUE of all; those of the rows by another factor. */
static char **definitions_of(const struct scaling *it, double factor, double row_factor,
                             enum plan_rounding rounding)
{
    const struct parameter *parameters = it->program->program.parameters.items;
    char **definitions = memory_new(it->count + 1, sizeof *definitions);
    for (size_t i = 0; i < it->count; i++) {
        const double by = it->is_row[i] ? factor * row_factor : factor;
        const double value =
            it->is_size[i] ? scaled(it, it->values[i], by, rounding) : it->values[i];
        definitions[i] = memory_format("%s=%.0f", parameters[i].name, value);
    }
    return definitions;
}

static void free_definitions(char **definitions, size_t count)
{
    for (size_t i = 0; definitions && i < count; i++)
        free(definitions[i]);
    free(definitions);
}

/* What the loop is at a factor, without its arrays; row 0: it cannot be. Where sizes do not fit
   together they do as multiples of the least. *definitions is to be freed. */
static struct bench bench_at(const struct scaling *it, double factor, double row_factor,
                             enum plan_rounding rounding, char ***definitions)
{
    const enum plan_rounding ways[] = {rounding, PLAN_UNITS};
    struct bench bench;
    struct error error;
    for (int i = 0; i < 2; i++) {
        *definitions = definitions_of(it, factor, row_factor, ways[i]);
        if (bench_make(&bench, it->program, it->loop, (const char *const *)*definitions, it->count,
                       &error) == 0)
            return bench;
        free_definitions(*definitions, it->count);
    }
    *definitions = NULL;
    return (struct bench){0};
}

static struct bench usual_bench_at(const struct scaling *it, double factor, double row_factor)
{
    char **definitions;
    const struct bench bench = bench_at(it, factor, row_factor, PLAN_FOURS, &definitions);
    free_definitions(definitions, it->count);
    return bench;
}

/* Each parameter twice as large, alone. One that arrays alone depend on, as on how long their rows
   are, grows with the others, and so does one that fits the others no more. */
static void look_at_parameters(struct scaling *it)
{
    const struct bench before = usual_bench_at(it, 1.0, 1.0);
    for (size_t i = 0; i < it->count; i++) {
        const double value = it->values[i];
        it->values[i] = 2.0 * value;
        const struct bench after = usual_bench_at(it, 1.0, 1.0);
        it->values[i] = value;
        it->is_row[i] = after.shape.row > 1.2 * before.shape.row;
        it->is_size[i] = it->is_row[i] || after.shape.row == 0.0 ||
                         after.shape.nest_bytes > 1.05 * before.shape.nest_bytes ||
                         after.bytes > 1.05 * before.bytes;
    }
    for (size_t i = 0; i < it->count; i++)
        if (it->is_size[i] && it->values[i] > 1.0 && (it->unit == 0.0 || it->values[i] < it->unit))
            it->unit = it->values[i];
}

/* The factor at which the loop touches so much, by halving. What cannot be is farther from the
   program's own sizes than it should be. */
static double factor_for(const struct scaling *it, double row_factor, double bytes)
{
    double low = 1e-4, high = 1e4;
    for (int i = 0; i < 12; i++) {
        const double middle = sqrt(low * high);
        const struct loop_shape shape = usual_bench_at(it, middle, row_factor).shape;
        const bool is_below = shape.row > 0.0 ? shape.nest_bytes < bytes : middle < 1.0;
        *(is_below ? &low : &high) = middle;
    }
    return low;
}

static void add(struct plan *plan, double bytes, double row_factor, enum plan_rounding rounding)
{
    if (plan->count < PLAN_MOST)
        plan->wanted[plan->count++] = (struct wanted){bytes, row_factor, rounding};
}

/* Sizes so many factors of two in bytes apart; then those between. */
static void add_series_from(struct plan *plan, double from, double bytes_most, double octaves,
                            double row_factor, enum plan_rounding rounding)
{
    const double all = log2(bytes_most / from);
    for (double at = 0.0; at <= all + 1e-9; at += octaves)
        add(plan, from * exp2(at), row_factor, rounding);
}

static void add_series(struct plan *plan, double bytes_most, double octaves, double row_factor,
                       enum plan_rounding rounding)
{
    add_series_from(plan, bytes_least, bytes_most, octaves, row_factor, rounding);
}

static void add_between(struct plan *plan, double bytes_most, double octaves)
{
    const double all = log2(bytes_most / bytes_least);
    for (double at = 0.5 * octaves; at <= all; at += octaves)
        add(plan, bytes_least * exp2(at), 1.0, PLAN_FOURS);
}

/* Their values in the description; false: one has none. */
static bool take_parameters(struct scaling *it)
{
    const struct program *program = &it->program->program;
    const struct parameter *parameters = program->parameters.items;
    struct error error;
    struct scope *scope = program_scope(program, NULL, 0, it->program->processors, &error);
    bool all = scope != NULL;
    for (size_t i = 0; all && i < program->parameters.count && i < BENCH_NAMES_MOST; i++) {
        all = scope_get(scope, parameters[i].name, &it->values[i]);
        it->count++;
    }
    scope_free(scope);
    return all;
}

/* Whether it walks along columns: where parameters are powers of two they share sets of a cache. */
static bool walks_columns(const struct scaling *it)
{
    char **definitions;
    const double factor = factor_for(it, 1.0, crowded_least);
    const struct bench bench = bench_at(it, factor, 1.0, PLAN_POWERS, &definitions);
    free_definitions(definitions, it->count);
    return bench.shape.crowding > 0.0;
}

/* As it stands in the description, unless it is too large. */
static void add_own_size(struct plan *plan, double bytes_most)
{
    char **definitions;
    const struct bench bench = bench_at(plan->scaling, 1.0, 1.0, PLAN_UNITS, &definitions);
    if (definitions && bench.bytes <= bytes_most) {
        plan->wanted[plan->count].rounding = PLAN_UNITS;
        plan->definitions[plan->count++] = definitions;
        return;
    }
    free_definitions(definitions, plan->scaling->count);
}

static void add_all(struct plan *plan, bool has_other, bool has_columns, double bytes_most)
{
    add_own_size(plan, bytes_most);
    add_series(plan, bytes_most, 2.0, 1.0, PLAN_FOURS);
    plan->coarse = plan->count;
    if (has_columns) {
        add_series_from(plan, crowded_least, bytes_most, 1.0, 1.0, PLAN_TWO_LINES);
        add_series_from(plan, crowded_least, bytes_most, 2.0, 1.0, PLAN_EIGHT_LINES);
    }
    add_between(plan, bytes_most, 2.0);
    add_series(plan, powers_beyond * bytes_most, 2.0, 1.0, PLAN_POWERS);
    if (has_other) {
        add_series(plan, bytes_most, 4.0, 0.25, PLAN_FOURS);
        add_series(plan, bytes_most, 4.0, 4.0, PLAN_FOURS);
    }
    add_between(plan, bytes_most, 1.0);
    plan->sparse = plan->count;
    add_between(plan, bytes_most, 0.5);
}

void plan_make(struct plan *plan, const struct bench_program *program,
               const struct forecost_loop *loop, double bytes_most)
{
    bool has_size = false, has_other = false;
    struct scaling *it = memory_new(1, sizeof *it);
    *it = (struct scaling){.program = program, .loop = loop};
    *plan = (struct plan){.scaling = it};
    if (!take_parameters(it))
        return;
    plan->parameters = it->count;
    look_at_parameters(it);
    for (size_t i = 0; i < it->count; i++) {
        has_size |= it->is_size[i];
        has_other |= it->is_size[i] && !it->is_row[i];
    }
    if (has_size) {
        add_all(plan, has_other, walks_columns(it), bytes_most);
        return;
    }
    plan->definitions[plan->count++] = definitions_of(it, 1.0, 1.0, PLAN_FOURS);
    plan->coarse = plan->sparse = plan->count;
}

const char *const *plan_definitions(struct plan *plan, size_t number)
{
    const struct wanted *wanted = &plan->wanted[number];
    const struct scaling *it = plan->scaling;
    if (!plan->definitions[number] && wanted->bytes > 0.0)
        bench_at(it, factor_for(it, wanted->row_factor, wanted->bytes), wanted->row_factor,
                 wanted->rounding, &plan->definitions[number]);
    return (const char *const *)plan->definitions[number];
}

bool plan_is_usual(const struct plan *plan, size_t number)
{
    const struct wanted *wanted = &plan->wanted[number];
    return wanted->rounding == PLAN_FOURS && (wanted->bytes == 0.0 || wanted->row_factor == 1.0);
}

static double value_in(const char *definition)
{
    return strtod(strchr(definition, '=') + 1, NULL);
}

bool plan_add_between(struct plan *plan, size_t one, size_t other)
{
    char **const first = plan->definitions[one], **const second = plan->definitions[other];
    if (plan->count == PLAN_MOST)
        return false;
    char **definitions = memory_new(plan->parameters + 1, sizeof *definitions);
    bool is_new[2] = {false, false};
    for (size_t i = 0; i < plan->parameters; i++) {
        const double least = value_in(first[i]), most = value_in(second[i]);
        const double middle =
            least == most ? least : rounded(sqrt(fmax(least * most, 0.0)), PLAN_FOURS);
        definitions[i] = memory_format("%.*s=%.0f", (int)strcspn(first[i], "="), first[i], middle);
        is_new[0] |= middle != least;
        is_new[1] |= middle != most;
    }
    if (!is_new[0] || !is_new[1]) {
        free_definitions(definitions, plan->parameters);
        return false;
    }
    plan->wanted[plan->count] = (struct wanted){0};
    plan->definitions[plan->count++] = definitions;
    return true;
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        free_definitions(plan->definitions[i], plan->parameters);
    free(plan->scaling);
    *plan = (struct plan){0};
}
