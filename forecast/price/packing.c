#include "forecast/price/packing.h"

#include "forecast/price/charge.h"
#include "model/machine/structure.h"

#include <math.h>

/* What is measured of messages of one piece, and of the same in pieces by one way or the other. */
static bool is_measured(const struct machine *machine, const struct pattern *whole)
{
    const struct pattern *const strided[] = {whole->vector, whole->packed};
    bool measured = false;
    for (size_t k = 0; k < 2; k++)
        measured |= strided[k] && machine_cost(machine, strided[k]->name);
    return measured && machine_cost(machine, whole->name);
}

/* Runs of elements are packed like single ones where nothing nearer is measured. NULL: nothing
   is. */
static const struct pattern *priced_as(const struct machine *machine, enum traffic_class class,
                                       enum pieces pieces)
{
    const struct pattern *elements = pattern_of_class(class)->strided_as;
    if (pieces == PIECES_RUNS && is_measured(machine, &pattern_many_to_many))
        return &pattern_many_to_many;
    return elements && is_measured(machine, elements) ? elements : NULL;
}

static int price_as(struct packing *packing, const struct pattern *pattern, int way,
                    const struct machine *machine, double bytes, double participants,
                    struct error *error)
{
    const struct pattern *const strided[] = {way == STRIDED_PACKED ? NULL : pattern->vector,
                                             way == STRIDED_TYPE ? NULL : pattern->packed};
    const struct cost *whole = machine_cost(machine, pattern->name);
    struct cost_answer base, answer, best = {0};
    for (size_t k = 0; k < 2; k++) {
        const struct cost *cost = strided[k] ? machine_cost(machine, strided[k]->name) : NULL;
        if (!cost)
            continue;
        if (structure_answer(machine, cost, bytes, charge_counted(cost, participants), &answer,
                             error) != 0)
            return -1;
        if (!packing->utility || answer.time_us < best.time_us) {
            best = answer;
            packing->utility = strided[k]->name;
        }
    }
    if (structure_answer(machine, whole, bytes, charge_counted(whole, participants), &base,
                         error) != 0)
        return -1;
    packing->more_us = fmax(0.0, best.time_us - base.time_us);
    if (packing->more_us == 0.0)
        return 0;
    packing->low_us = packing->more_us * best.low_us / best.time_us;
    packing->high_us = packing->more_us * best.high_us / best.time_us;
    return 0;
}

/* As many bytes as have as many pieces where they are measured: in doubles. */
static double bytes_in_pieces(const struct in_pieces *how, double bytes)
{
    const bool are_shorter =
        how->pieces == PIECES_ELEMENTS && how->element_bytes > 0.0 && how->element_bytes < 8.0;
    return are_shorter ? bytes / how->element_bytes * 8.0 : bytes;
}

int packing_price(struct packing *packing, const struct machine *machine, enum traffic_class class,
                  const struct in_pieces *how, double bytes, double participants,
                  struct error *error)
{
    *packing = (struct packing){0};
    if (how->pieces == PIECES_ONE)
        return 0;
    const struct pattern *pattern = priced_as(machine, class, how->pieces);
    if (pattern && price_as(packing, pattern, how->strided, machine, bytes_in_pieces(how, bytes),
                            participants, error) != 0)
        return -1;
    packing->unknown = !packing->utility;
    return 0;
}
