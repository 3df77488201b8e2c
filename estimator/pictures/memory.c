/* What a load costs against the size of what is walked through (001, figures 5.2 and 5.3), as the
   detected levels say. */
#include "estimator/pictures/kinds.h"

#include <math.h>

static const double smallest_bytes = 1024.0, beyond = 8.0;

static void draw_steps(struct picture *picture, const struct machine *machine, bool is_line)
{
    const struct memory_level *levels = machine->memory->levels.items;
    double from = smallest_bytes;
    for (size_t i = 0; i < machine->memory->levels.count; i++) {
        const double upto =
            isinf(levels[i].level) ? beyond * from : memory_level_capacity(&levels[i]);
        const double cycles = is_line ? levels[i].load_line_cycles : levels[i].load_cycles;
        if (isnan(upto))
            continue;
        plot_point(&picture->plot, from, cycles);
        plot_point(&picture->plot, upto, cycles);
        from = upto;
    }
    plot_series_end(&picture->plot);
}

int draw_memory(struct picture *picture, const struct machine *machine, struct error *error)
{
    if (!machine->memory || machine->memory->levels.count == 0)
        return picture_missing(machine, "memory", error);
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "bytes walked through", "cycles", true, true);
    if (picture_series(picture, machine, PLOT_LINE, picture->colours++,
                       "a load that waits for the one before"))
        draw_steps(picture, machine, false);
    if (picture_series(picture, machine, PLOT_LINE, picture->colours++, "a line, one of many"))
        draw_steps(picture, machine, true);
    return 0;
}
