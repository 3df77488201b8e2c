/* What an access costs against the size of what is gone through: the sources' kernels (Abandah, IBM
   SP2, figures 5.2 and 5.3) as they were measured, or, where none was, as the table's caches have
   them, and the levels. */
#include "estimator/pictures/kinds.h"
#include "model/fit/points.h"
#include "model/node/cache.h"

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

/* ---- where no kernel was measured: as the caches have them ---- */

enum { SIZES = 160, DOUBLE_BYTES = 8 };

static const int strides_doubles[] = {1, 2, 4, 8, 16}; /* of the figures */

static double cycles_of(const struct memory_level *level, bool is_first, bool is_store)
{
    const double alone = is_store ? level->store_cycles : level->load_cycles;
    const double line = is_store ? level->store_line_cycles : level->load_line_cycles;
    return is_first || isnan(line) ? alone : line;
}

/* The share of all accesses that miss in a cache which knows the bytes from an earlier pass: of the
   lines what equation 5.1 says, and an access a line at most. NAN where the cache is not known. */
static double missing_share(const struct memory *memory, const struct memory_level *level,
                            double bytes, double step_bytes)
{
    struct cache cache;
    if (!cache_of(memory, level, &cache))
        return NAN;
    const double lines = bytes / cache.line_bytes;
    return fmin(1.0, step_bytes / cache.line_bytes) * cache_pass_misses(&cache, lines, 1.0) / lines;
}

/* The mean cycles of an access of a loop that goes through the bytes again and again. */
static double access_cycles(const struct memory *memory, double bytes, double step_bytes,
                            bool is_store)
{
    const struct memory_level *levels = memory->levels.items;
    double cycles[MEMORY_LEVELS_MOST], misses[MEMORY_LEVELS_MOST], reach = 1.0;
    size_t count = 0;
    for (; count < memory->levels.count && count < MEMORY_LEVELS_MOST; count++) {
        cycles[count] = cycles_of(&levels[count], count == 0, is_store);
        const double share = isinf(levels[count].level)
                                 ? 0.0
                                 : missing_share(memory, &levels[count], bytes, step_bytes);
        misses[count] = reach > 0.0 ? share / reach : 0.0;
        reach = share;
    }
    return effective_access_cycles(cycles, misses, count);
}

/* The last cache ends there; NAN: its end is not known. */
static double caches_end_bytes(const struct memory *memory)
{
    const struct memory_level *levels = memory->levels.items;
    const size_t count = memory->levels.count;
    return count < 2 ? (double)NAN : memory_level_capacity(&levels[count - 2]);
}

static size_t draw_expected(struct picture *picture, const struct machine *machine, bool is_store)
{
    const struct memory *memory = machine->memory;
    const double most = 4.0 * caches_end_bytes(memory);
    size_t drawn = 0;
    for (size_t i = 0; i < sizeof strides_doubles / sizeof *strides_doubles; i++) {
        const double step_bytes = DOUBLE_BYTES * (double)strides_doubles[i];
        if (!isfinite(access_cycles(memory, most, step_bytes, is_store)) ||
            !picture_series(picture, machine, PLOT_LINE, picture->colours++,
                            "%s, stride %d, by its caches", is_store ? "store" : "load",
                            strides_doubles[i]))
            continue;
        for (int k = 0; k < SIZES; k++) {
            const double bytes = smallest_bytes * pow(most / smallest_bytes, k / (SIZES - 1.0));
            plot_point(&picture->plot, bytes, access_cycles(memory, bytes, step_bytes, is_store));
        }
        plot_series_end(&picture->plot);
        drawn++;
    }
    return drawn;
}

/* ---- the picture ---- */

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
    size_t drawn = isnan(machine->memory->clock_mhz) ? 0 : draw_kernels(picture, machine, &points);
    if (drawn == 0 && strcmp(picture->detail, "store") == 0)
        drawn = draw_expected(picture, machine, true);
    else if (drawn == 0 && (!picture->detail[0] || strcmp(picture->detail, "load") == 0))
        drawn = draw_expected(picture, machine, false);
    list_free(&point_record, &points);
    return drawn > 0 || !picture->detail[0]
               ? 0
               : picture_missing(machine, "points of that kernel of memory", error);
}
