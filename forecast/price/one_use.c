#include "forecast/price/one_use.h"

#include "forecast/price/composition.h"
#include "model/cost/pattern.h"
#include "model/cost/rate.h"
#include "model/machine/broadcast.h"
#include "model/machine/structure.h"

#include <math.h>
#include <stdio.h>

static bool can_be_composed(const struct pattern *pattern)
{
    struct broadcast_part parts[BROADCAST_PARTS_MOST];
    return pattern->compositions || broadcast_parts(pattern, 0.0, 2.0, parts) > 0;
}

int one_use_find(const struct machine *machine, const char *utility, const struct cost **cost,
                 struct cost *composed, struct error *error)
{
    const struct pattern *pattern = pattern_named(utility);
    *cost = machine_cost(machine, utility);
    if (*cost || !can_be_composed(pattern))
        return machine_require(machine, utility, cost, error);
    record_begin(&cost_record, composed);
    composed->utility = (char *)pattern->name;
    composed->processors_mean = pattern->processors_mean;
    *cost = composed;
    return 0;
}

static int price_composed(struct one_use *use, const struct machine *machine, const char *utility,
                          double bytes, double processors, struct error *error)
{
    const struct charged charged = {
        .uses = 1.0, .bytes = bytes, .participants = processors, .at_once = 1.0};
    struct charge charge = {0};
    char names[CHARGE_NAME];
    if (composition_charge(&charge, machine, utility, &charged, error) != 0)
        return -1;
    charge_name(&charge, names);
    use->time_us = charge.time_us;
    use->low_us = charge.low_us;
    use->high_us = charge.high_us;
    use->flags = charge.flags;
    snprintf(use->composed_of, sizeof use->composed_of, "%s%s", charge.as[0] ? charge.as : names,
             charge.too_low ? " (known to be too low)" : "");
    return 0;
}

static int price_own(struct one_use *use, const struct machine *machine, const struct cost *cost,
                     double bytes, struct error *error)
{
    struct cost_answer answer;
    const int status = structure_answer(machine, cost, bytes, use->formula_p, &answer, error);
    if (status != 0)
        return status == STRUCTURE_NOT_KNOWN ? status : error_particular(error);
    use->time_us = answer.time_us;
    use->low_us = answer.low_us;
    use->high_us = answer.high_us;
    use->flags = answer.flags;
    use->region = answer.region_number;
    return 0;
}

int one_use_price(struct one_use *use, const struct machine *machine, const struct cost *cost,
                  double bytes, double processors, struct error *error)
{
    *use = (struct one_use){.formula_p = cost_formula_p(cost, processors)};
    if (!(bytes >= 0.0) || !isfinite(bytes) || !(use->formula_p >= 1.0) || !isfinite(processors))
        return error_set(error,
                         "n = %.17g, p = %.17g: expected n at least 0 and p a whole number "
                         "from %g",
                         bytes, processors, cost_processors(cost, 1.0));
    const int status = cost->regions.count > 0
                           ? price_own(use, machine, cost, bytes, error)
                           : price_composed(use, machine, cost->utility, bytes, processors, error);
    if (status == 0)
        use->rate_mb_per_s = rate_mb_per_s(cost->utility, bytes, use->formula_p, use->time_us);
    return status;
}
