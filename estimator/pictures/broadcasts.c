/* The six broadcast algorithms against processors (Abandah, IBM SP2, figures 3.7 to 3.9). */
#include "estimator/pictures/kinds.h"
#include "model/machine/broadcast.h"

#include <math.h>

enum { PROCESSORS_MOST = 32 }; /* drawn, where neither the caller nor the table says how many */

/* As many as the machine has, unless the caller says more. */
static double processors_most(const struct picture *picture, const struct machine *machine)
{
    const double has = machine->machine.processors;
    if (picture->processors && picture->processors->count > 0)
        return picture->processors->values[picture->processors->count - 1];
    return isnan(has) ? PROCESSORS_MOST : has;
}

/* Over the processor counts that the table was trained for, unless the caller says which. */
static bool draw_algorithm(struct picture *picture, const struct machine *machine, size_t algorithm,
                           double bytes)
{
    const double most = processors_most(picture, machine);
    const bool is_asked = picture->processors && picture->processors->count > 0;
    if (isnan(broadcast_times(machine, bytes, 2.0).time_us[algorithm]) ||
        !picture_series(picture, machine, PLOT_LINE, picture->colours++, "%s",
                        broadcast_name(algorithm)))
        return false;
    for (double p = 2.0; p <= most; p++) {
        const struct broadcast_times times = broadcast_times(machine, bytes, p);
        if (is_asked || !(times.flags & COST_EXTRAPOLATED_PROCESSORS))
            plot_point(&picture->plot, p, times.time_us[algorithm]);
    }
    plot_series_end(&picture->plot);
    return true;
}

/* How long bt keeps its sender busy. */
static bool draw_sender(struct picture *picture, const struct machine *machine, double bytes)
{
    const double most = processors_most(picture, machine);
    const bool is_asked = picture->processors && picture->processors->count > 0;
    unsigned first_flags = 0;
    if (isnan(broadcast_bt_sender_us(machine, bytes, 2.0, &first_flags)) ||
        !picture_series(picture, machine, PLOT_LINE, picture->colours++,
                        "broadcast-bt, until the sender is done"))
        return false;
    for (double p = 2.0; p <= most; p++) {
        unsigned flags = 0;
        const double time_us = broadcast_bt_sender_us(machine, bytes, p, &flags);
        if (is_asked || !(flags & COST_EXTRAPOLATED_PROCESSORS))
            plot_point(&picture->plot, p, time_us);
    }
    plot_series_end(&picture->plot);
    return true;
}

int draw_broadcasts(struct picture *picture, const struct machine *machine, struct error *error)
{
    /* 8 KB: the middle of the report's three */
    const double bytes = picture_number(picture->detail, 8192.0);
    bool any = false;
    if (!(bytes >= 0.0))
        return error_set(error, "'%.40s': expected bytes, such as broadcasts:8k", picture->detail);
    if (processors_most(picture, machine) < 3.0)
        return picture_missing(machine, "more than 2 processors: -p says up to how many", error);
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "processors", "time until the last has it, us", false, true);
    for (size_t i = 0; i < BROADCAST_COUNT; i++)
        any |= draw_algorithm(picture, machine, i, bytes);
    any |= draw_sender(picture, machine, bytes);
    return any ? 0 : picture_missing(machine, "broadcasts that can be priced", error);
}

/* ---- against message bytes ---- */

enum { SIZES = 80 };

static const double sizes_most = 1048576.0;

static bool draw_sizes(struct picture *picture, const struct machine *machine, size_t algorithm,
                       double p)
{
    if (isnan(broadcast_times(machine, 1.0, p).time_us[algorithm]) ||
        !picture_series(picture, machine, PLOT_LINE, picture->colours++, "%s",
                        broadcast_name(algorithm)))
        return false;
    for (int i = 0; i < SIZES; i++) {
        const double bytes = round(pow(sizes_most, (double)i / (SIZES - 1)));
        plot_point(&picture->plot, bytes, broadcast_times(machine, bytes, p).time_us[algorithm]);
    }
    plot_series_end(&picture->plot);
    return true;
}

int draw_broadcast_sizes(struct picture *picture, const struct machine *machine,
                         struct error *error)
{
    const double p = picture_number(picture->detail, processors_most(picture, machine));
    bool any = false;
    if (!(p >= 2.0) || p != floor(p))
        return error_set(error, "'%.40s': expected processors, such as broadcast-sizes:16",
                         picture->detail);
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", "time until the last has it, us", true, true);
    for (size_t i = 0; i < BROADCAST_COUNT; i++)
        any |= draw_sizes(picture, machine, i, p);
    return any ? 0 : picture_missing(machine, "broadcasts that can be priced", error);
}
