/* What an access costs against the size of what is gone through: the sources' kernels (Abandah, IBM
   SP2, figures 5.2 and 5.3) as they were measured, and the detected levels. */
#include "estimator/pictures/kinds.h"
#include "model/fit/points.h"

#include <math.h>
#include <string.h>

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

static void mark(struct picture *picture, const struct memory_level *level, double bytes,
                 const char *end)
{
    char text[40];
    snprintf(text, sizeof text, "L%.0f%s", level->level, end);
    plot_mark(&picture->plot, bytes, text);
}

/* Where the caches end. */
static void mark_levels(struct picture *picture, const struct memory *memory)
{
    const struct memory_level *levels = memory->levels.items;
    for (size_t i = 0; i < memory->levels.count; i++)
        if (!isnan(levels[i].capacity_bytes)) {
            mark(picture, &levels[i], levels[i].capacity_bytes, "");
        } else if (!isnan(levels[i].capacity_bytes_low)) {
            mark(picture, &levels[i], levels[i].capacity_bytes_low, ", low");
            mark(picture, &levels[i], levels[i].capacity_bytes_high, ", high");
        }
}

/* ---- the kernels: points memory-KERNEL-STRIDE ---- */

struct kernel {
    char name[16];
    int stride_doubles;
};

static bool kernel_of(const struct point *point, struct kernel *kernel)
{
    return sscanf(point->utility, "memory-%15[a-z]-%d", kernel->name, &kernel->stride_doubles) == 2;
}

static bool is_first_of(const struct list *points, size_t index)
{
    const struct point *items = points->items;
    for (size_t i = 0; i < index; i++)
        if (strcmp(items[i].utility, items[index].utility) == 0)
            return false;
    return true;
}

static void draw_kernel(struct picture *picture, const struct machine *machine,
                        const struct list *points, const struct kernel *kernel, const char *utility)
{
    const struct point *items = points->items;
    const enum plot_style style =
        picture->detail[0] ? PLOT_LINE
                           : (strcmp(kernel->name, "load") == 0 ? PLOT_MARKS : PLOT_OPEN_MARKS);
    if (!picture_series(picture, machine, style, picture->colours++, "%s, stride %d", kernel->name,
                        kernel->stride_doubles))
        return;
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(items[i].utility, utility) == 0)
            plot_point(&picture->plot, items[i].bytes,
                       items[i].median_us * machine->memory->clock_mhz);
    plot_series_end(&picture->plot);
}

/* All kernels, or the one after the colon; how many series. */
static size_t draw_kernels(struct picture *picture, const struct machine *machine,
                           const struct list *points)
{
    const struct point *items = points->items;
    size_t drawn = 0;
    for (size_t i = 0; i < points->count; i++) {
        struct kernel kernel;
        if (!kernel_of(&items[i], &kernel) || !is_first_of(points, i) ||
            (picture->detail[0] && strcmp(picture->detail, kernel.name) != 0))
            continue;
        draw_kernel(picture, machine, points, &kernel, items[i].utility);
        drawn++;
    }
    return drawn;
}

static void draw_levels(struct picture *picture, const struct machine *machine)
{
    if (picture_series(picture, machine, PLOT_LINE, picture->colours++,
                       "a load that waits for the one before"))
        draw_steps(picture, machine, false);
    if (picture_series(picture, machine, PLOT_LINE, picture->colours++, "a line, one of many"))
        draw_steps(picture, machine, true);
}

int draw_memory(struct picture *picture, const struct machine *machine, struct error *error)
{
    struct list points = {0};
    if (!machine->memory || machine->memory->levels.count == 0)
        return picture_missing(machine, "memory", error);
    if (picture_points(machine, &points, error) != 0)
        return -1;
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "bytes gone through", "cycles an access", true, true);
    if (!picture->detail[0])
        draw_levels(picture, machine);
    mark_levels(picture, machine->memory);
    const size_t drawn =
        isnan(machine->memory->clock_mhz) ? 0 : draw_kernels(picture, machine, &points);
    list_free(&point_record, &points);
    return drawn > 0 || !picture->detail[0]
               ? 0
               : picture_missing(machine, "points of that kernel of memory", error);
}
