#include "model/tables/in_state.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The factors of one cost in one state, in order of bytes. */
struct factors {
    const struct state_factor *items;
    size_t count;
    double state;
};

static const struct state_factor *next_factor(const struct factors *factors, size_t *at)
{
    while (*at < factors->count && factors->items[*at].state != factors->state)
        ++*at;
    return *at < factors->count ? &factors->items[(*at)++] : NULL;
}

static double time_in_state(const struct state_factor *factor, double time_us)
{
    return factor->add_us + factor->factor * time_us;
}

/* ---- regions ---- */

static void scale(struct form *form, double factor)
{
    for (size_t i = 0; i < form->count; i++)
        form->terms[i].coefficient.numerator *= factor;
}

static void add(struct form *form, double value)
{
    for (size_t i = 0; i < form->count; i++) {
        struct quotient *of = &form->terms[i].coefficient;
        if (form->terms[i].basis == BASIS_ONE) {
            of->numerator += value * of->denominator;
            return;
        }
    }
    if (value != 0.0)
        form->terms[form->count++] = form_constant(value).terms[0];
}

/* Those of sizes above the first and up to the last number. */
static struct marks marks_within(const struct marks *marks, double above, double upto,
                                 const struct state_factor *factor)
{
    struct mark within[MARKS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < marks->count; i++) {
        const struct mark it = marks->of[i];
        const double time_us = time_in_state(factor, it.time_us);
        if (it.bytes > above && it.bytes <= upto && time_us > 0.0)
            within[count++] = (struct mark){it.bytes, time_us};
    }
    return marks_copy(within, count);
}

static struct region region_in_state(const struct region *region, double above,
                                     const struct state_factor *factor)
{
    struct region it = *region;
    it.bytes_upto = fmin(region->bytes_upto, factor->bytes_upto);
    scale(&it.setup_us, factor->factor);
    scale(&it.per_byte_us, factor->factor);
    scale(&it.per_root_byte_us, factor->factor);
    add(&it.setup_us, factor->add_us);
    it.per_packet_us *= factor->factor;
    it.measured_us = marks_within(&region->measured_us, above, it.bytes_upto, factor);
    return it;
}

/* A region goes to pieces where a factor ends within it. */
static void add_pieces(const struct region *region, double above, const struct factors *factors,
                       struct list *pieces)
{
    const struct state_factor *factor;
    for (size_t at = 0; above < region->bytes_upto && (factor = next_factor(factors, &at));) {
        if (factor->bytes_upto <= above)
            continue;
        *(struct region *)list_add(&region_record, pieces) = region_in_state(region, above, factor);
        above = fmin(region->bytes_upto, factor->bytes_upto);
    }
}

static bool is_alike(const struct span *one, const struct span *other)
{
    return one->least == other->least && one->most == other->most;
}

static void change_regions(struct list *list, const struct factors *factors)
{
    const struct region *regions = list->items;
    struct list pieces = {0};
    for (size_t i = 0; i < list->count; i++) {
        double above = -1.0;
        for (size_t k = 0; k < i; k++)
            if (is_alike(&regions[k].processors, &regions[i].processors))
                above = fmax(above, regions[k].bytes_upto);
        add_pieces(&regions[i], above, factors, &pieces);
    }
    list_free(&region_record, list);
    *list = pieces;
}

/* ---- between computations ---- */

/* What each row's size takes among the most processors, us; NAN: not known. To be freed. */
static double *row_times(const struct cost *cost)
{
    const struct in_situ *rows = cost->in_situ.items;
    double *times_us = memory_new(cost->in_situ.count + 1, sizeof *times_us);
    for (size_t i = 0; i < cost->in_situ.count; i++) {
        struct cost_answer answer;
        struct error unnoted;
        const int status =
            cost_answer(cost, rows[i].bytes, cost->processors.most, &answer, &unnoted);
        times_us[i] = status == 0 ? answer.time_us : NAN;
    }
    return times_us;
}

/* What caches add to a message takes as long as before: a smaller part of what takes longer. */
static void change_in_situ(struct cost *cost, const double *before_us)
{
    struct in_situ *rows = cost->in_situ.items;
    double *now_us = row_times(cost);
    for (size_t i = 0; i < cost->in_situ.count; i++)
        for (int mode = 0; mode < IN_SITU_MODES; mode++) {
            double *ratio = in_situ_of(&rows[i], (enum in_situ_mode)mode);
            if (before_us[i] > 0.0 && now_us[i] > 0.0 && !isnan(*ratio))
                *ratio = fmax(1e-6, 1.0 + (*ratio - 1.0) * before_us[i] / now_us[i]);
        }
    free(now_us);
}

/* ---- a cost, the machine ---- */

static void change_cost(struct cost *cost, const struct factors *factors)
{
    struct at_processors *counts = cost->by_processors.items;
    double *before_us = row_times(cost);
    list_free(&region_record, &cost->hops);
    list_free(&region_record, &cost->hops_far);
    cost->tree = TREE_UNKNOWN;
    change_regions(&cost->regions, factors);
    for (size_t i = 0; i < cost->by_processors.count; i++)
        change_regions(&counts[i].regions, factors);
    change_in_situ(cost, before_us);
    list_free(&state_factor_record, &cost->states);
    free(before_us);
}

static bool is_known(const struct factors *factors)
{
    size_t at = 0;
    return next_factor(factors, &at) != NULL;
}

static void say_missing(struct machine *machine, const char *what, int state)
{
    struct not_measured *row = list_add(&not_measured_record, &machine->not_measured);
    row->what = memory_copy_text(what);
    row->because = memory_format("not in state %d", state);
}

static void change_costs(struct machine *machine, int state)
{
    struct cost *costs = machine->communication.items;
    size_t kept = 0;
    for (size_t i = 0; i < machine->communication.count; i++) {
        const struct factors factors = {costs[i].states.items, costs[i].states.count, state};
        if (is_known(&factors)) {
            change_cost(&costs[i], &factors);
            costs[kept++] = costs[i];
        } else {
            say_missing(machine, costs[i].utility, state);
            record_free(&cost_record, &costs[i]);
        }
    }
    machine->communication.count = kept;
}

/* Nobody knows in which state that was measured. */
static void leave_out_others(struct machine *machine)
{
    struct machine others = machine_begin();
    others.logp = machine->logp;
    others.overlap = machine->overlap;
    others.swap = machine->swap;
    others.states = machine->states;
    machine->logp = NULL;
    machine->overlap = machine->swap = machine->states = (struct list){0};
    machine_free(&others);
}

int machine_in_state(struct machine *machine, int state, struct error *error)
{
    const size_t states = machine->states.count > 0 ? machine->states.count : 1;
    if (state < 1 || (size_t)state > states)
        return error_at(error, place_at(machine->path, 0, 0),
                        "no state %d: expected one from 1 to %zu, which the machine has", state,
                        states);
    if (state == 1)
        return 0;
    change_costs(machine, state);
    leave_out_others(machine);
    char *name = memory_format("%s in state %d", machine->machine.name, state);
    free(machine->machine.name);
    machine->machine.name = name;
    return 0;
}
