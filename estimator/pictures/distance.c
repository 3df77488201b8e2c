/* Near and far processors (Abandah, IBM SP2, section 2.3, figure 2.4): messages and exchanges to
   the nearest and to the farthest one, by size; times, or rates where "rate" follows the colon. */
#include "estimator/pictures/kinds.h"
#include "model/cost/pattern.h"
#include "model/fit/points.h"

#include <string.h>

int draw_distances(struct picture *picture, const struct machine *machine, struct error *error)
{
    const bool is_rate = strcmp(picture->detail, "rate") == 0;
    struct list points = {0};
    bool any = false;
    if (picture->detail[0] && !is_rate)
        return error_set(error, "'%.40s': expected distance or distance:rate", picture->detail);
    if (picture_points(machine, &points, error) != 0)
        return -1;
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", is_rate ? "rate, MB/s" : "time, us", true, true);
    for (size_t i = 0; i < patterns_count; i++) {
        const struct pattern *pattern = patterns[i]->near;
        const struct cost *near = pattern ? machine_cost(machine, pattern->name) : NULL;
        const struct cost *far = machine_cost(machine, patterns[i]->name);
        if (!near || !far)
            continue;
        any = true;
        picture_cost(picture, machine, near, &points, pattern->noun, "near", is_rate);
        picture_cost(picture, machine, far, &points, pattern->noun, "far", is_rate);
    }
    list_free(&point_record, &points);
    return any ? 0
               : picture_missing(machine,
                                 "times of far processors beside those of near ones "
                                 "(trainer --suite distance)",
                                 error);
}
