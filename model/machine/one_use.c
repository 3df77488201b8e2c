#include "model/machine/one_use.h"

#include "model/cost/rate.h"
#include "model/machine/structure.h"

#include <math.h>

int one_use_price(struct one_use *use, const struct machine *machine, const struct cost *cost,
                  double bytes, double processors, struct error *error)
{
    *use = (struct one_use){.formula_p = cost_formula_p(cost, processors)};
    if (!(bytes >= 0.0) || !isfinite(bytes) || !(use->formula_p >= 1.0) || !isfinite(processors))
        return error_set(error,
                         "n = %.17g, p = %.17g: expected n at least 0 and p a whole number "
                         "from %g",
                         bytes, processors, cost_processors(cost, 1.0));
    const int status = structure_answer(machine, cost, bytes, use->formula_p, &use->answer, error);
    if (status != 0)
        return status == STRUCTURE_NOT_KNOWN ? status : error_particular(error);
    use->rate_mb_per_s = rate_mb_per_s(cost->utility, bytes, use->formula_p, use->answer.time_us);
    return 0;
}
