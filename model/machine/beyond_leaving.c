#include "model/cost/leaving.h"
#include "model/machine/beyond.h"

#include <math.h>

/* Among one count of several nodes and those of one nothing is to be tried, but where the messages
   that leave a node are known: what bytes take goes with them where all of a node share its way
   out, and no less than half-way to that is taken. */
bool beyond_leaving(const struct beyond_question *question, double last, struct beyond *beyond)
{
    const struct cost *cost = question->cost;
    const struct pattern *pattern = pattern_of_form(cost->utility);
    const double near = question->near;
    const double least_bytes =
        fmin(question->bytes, isnan(cost->bytes.least) ? 0.0 : cost->bytes.least);
    struct cost_answer all, least;
    if (!(near > 0.0 && last > near) || !leaving_is_told(pattern) ||
        cost_answer(cost, question->bytes, cost_formula_p(cost, last), &all, NULL) != 0 ||
        cost_answer(cost, least_bytes, cost_formula_p(cost, last), &least, NULL) != 0)
        return false;
    const double more = leaving_messages(pattern, question->participants, near) /
                        leaving_messages(pattern, last, near);
    if (!(more >= 1.0 && more < INFINITY))
        return false;
    const double most_us = all.time_us + (more - 1.0) * fmax(0.0, all.time_us - least.time_us);
    *beyond =
        (struct beyond){most_us, sqrt(all.time_us * most_us), most_us, last, 0.0, true, false};
    return true;
}
