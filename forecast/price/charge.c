#include "forecast/price/charge.h"

#include "model/cost/pattern.h"
#include "model/machine/structure.h"

#include <stdio.h>
#include <string.h>

double charge_counted(const struct cost *cost, double participants)
{
    if (pattern_is_between_two(cost->utility))
        return 2.0;
    return cost->processors_mean == MEAN_PARTICIPANTS ? participants : participants - 1.0;
}

static bool is_same(const struct charge_part *a, const struct charge_part *b)
{
    const double more = a->contention.factor - b->contention.factor;
    return a->cost == b->cost && a->each.region == b->each.region &&
           !(a->bytes < b->bytes || a->bytes > b->bytes) &&
           !(a->processors < b->processors || a->processors > b->processors) &&
           !(more < 0.0 || more > 0.0);
}

/* Uses of the same are one part. */
static int add_part(struct charge *charge, const struct charge_part *part, struct error *error)
{
    for (size_t i = 0; i < charge->part_count; i++)
        if (is_same(&charge->parts[i], part)) {
            charge->parts[i].uses += part->uses;
            return 0;
        }
    if (charge->part_count == PARTS_MOST)
        return error_set(error, "it is composed of more than %d", PARTS_MOST);
    charge->parts[charge->part_count++] = *part;
    return 0;
}

static void set_at(struct cost_answer *each, const struct distance *distance)
{
    each->low_us = fmin(each->low_us * distance->factor, each->time_us * distance->low);
    each->high_us = fmax(each->high_us * distance->factor, each->time_us * distance->high);
    each->time_us *= distance->factor;
    each->flags |= distance->flags;
}

int charge_add(struct charge *charge, const struct machine *machine, const struct cost *cost,
               const struct charged *charged, struct error *error)
{
    struct charge_part part = {.cost = cost,
                               .uses = charged->uses,
                               .bytes = charged->bytes,
                               .processors = charge_counted(cost, charged->participants)};
    const char *pattern = charged->pattern ? charged->pattern : cost->utility;
    if (structure_answer(machine, cost, part.bytes, part.processors, &part.each, error) != 0)
        return -1;
    part.contention = contention_of(machine, pattern, charged->participants, charged->at_once,
                                    charged->bytes, charged->apart);
    contention_leave_distance_out(&part.contention, machine, charged->at_once, charged->bytes);
    if (charged->distance) {
        set_at(&part.each, charged->distance);
        charge->distance = charged->distance->factor;
    }
    const double times = part.uses * part.contention.factor;
    const double wider = contention_widening(&part.contention);
    charge->alone_us += part.uses * part.each.time_us;
    charge->time_us += times * part.each.time_us;
    charge->low_us += times * part.each.low_us / wider;
    charge->high_us += times * part.each.high_us * wider;
    charge->flags |= part.each.flags | part.contention.answer.flags;
    charge->contention_unknown |= part.contention.unknown;
    charge->no_error |= !part.each.has_error;
    return add_part(charge, &part, error);
}

void charge_scale(struct charge *charge, double times)
{
    charge->alone_us *= times;
    charge->time_us *= times;
    charge->low_us *= times;
    charge->high_us *= times;
    for (size_t i = 0; i < charge->part_count; i++)
        charge->parts[i].uses *= times;
}

int charge_add_all(struct charge *charge, const struct charge *other, double uses,
                   struct error *error)
{
    charge->alone_us += uses * other->alone_us;
    charge->time_us += uses * other->time_us;
    charge->low_us += uses * other->low_us;
    charge->high_us += uses * other->high_us;
    charge->flags |= other->flags;
    charge->too_low |= other->too_low;
    charge->no_error |= other->no_error;
    charge->contention_unknown |= other->contention_unknown;
    for (size_t i = 0; i < other->part_count; i++) {
        struct charge_part part = other->parts[i];
        part.uses *= uses;
        if (add_part(charge, &part, error) != 0)
            return -1;
    }
    return 0;
}

void charge_append_name(char name[CHARGE_NAME], const char *more)
{
    const size_t used = strlen(name);
    snprintf(name + used, CHARGE_NAME - used, "%s%s", used ? " + " : "", more);
}

static bool is_named_before(const struct charge *charge, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (charge->parts[i].cost == charge->parts[number].cost)
            return true;
    return false;
}

void charge_name(const struct charge *charge, char name[CHARGE_NAME])
{
    name[0] = '\0';
    for (size_t i = 0; i < charge->part_count; i++)
        if (!is_named_before(charge, i))
            charge_append_name(name, charge->parts[i].cost->utility);
}
