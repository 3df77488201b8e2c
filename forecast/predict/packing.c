#include "forecast/predict/packing.h"

#include "forecast/predict/charge.h"
#include "model/machine/structure.h"

#include <math.h>
#include <string.h>

/* What is measured of messages of one piece, and of the same in pieces by one way or the other.
   Runs of elements are packed like single ones where nothing nearer is measured: they come first.
 */
static const struct way {
    enum pieces pieces;
    enum traffic_class class; /* TRAFFIC_CLASSES: any */
    const char *whole, *strided[2];
} ways[] = {
    {PIECES_RUNS,     TRAFFIC_CLASSES,  "many-to-many", {"many-to-many-packed"}         },
    {PIECES_ELEMENTS, TRAFFIC_EXCHANGE, "EXCH1",        {"EXCH1-vector", "EXCH1-packed"}},
    {PIECES_ELEMENTS, TRAFFIC_MESSAGES, "vSR",          {"vSR-vector", "vSR-packed"}    },
};

static bool serves(const struct way *way, const struct machine *machine, enum traffic_class class,
                   enum pieces pieces)
{
    bool measured = false;
    for (size_t k = 0; k < 2 && way->strided[k]; k++)
        measured |= machine_cost(machine, way->strided[k]) != NULL;
    return measured && machine_cost(machine, way->whole) && way->pieces <= pieces &&
           (way->class == class || way->class == TRAFFIC_CLASSES);
}

static int price_way(struct packing *packing, const struct way *way, const struct machine *machine,
                     double bytes, double participants, struct error *error)
{
    const struct cost *whole = machine_cost(machine, way->whole);
    struct cost_answer base, answer, best = {0};
    for (size_t k = 0; k < 2 && way->strided[k]; k++) {
        const struct cost *strided = machine_cost(machine, way->strided[k]);
        if (!strided)
            continue;
        if (structure_answer(machine, strided, bytes, charge_counted(strided, participants),
                             &answer, error) != 0)
            return -1;
        if (!packing->utility || answer.time_us < best.time_us) {
            best = answer;
            packing->utility = way->strided[k];
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

int packing_price(struct packing *packing, const struct machine *machine, enum traffic_class class,
                  enum pieces pieces, double bytes, double participants, struct error *error)
{
    *packing = (struct packing){0};
    if (pieces == PIECES_ONE)
        return 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (serves(&ways[i], machine, class, pieces))
            return price_way(packing, &ways[i], machine, bytes, participants, error);
    packing->unknown = true;
    return 0;
}
