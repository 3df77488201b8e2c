#include "estimator/report/curves.h"

#include "estimator/output/json.h"
#include "model/fit/points.h"
#include "model/machine/structure.h"

#include <math.h>
#include <string.h>

enum { SIZES = 64, CURVES_MOST = 3 };

static const double bytes_most_untold = 1048576.0; /* of published tables, which end nowhere */

/* ---- a utility ---- */

struct curve_of {
    const struct machine *machine;
    const struct cost *cost;
    const struct list *points;
    double processors; /* as the formula counts them */
};

static void write_sample(const struct curve_of *it, double bytes, bool *first, FILE *json)
{
    struct cost_answer answer;
    if (structure_answer(it->machine, it->cost, bytes, it->processors, &answer, NULL) != 0)
        return;
    fprintf(json, "%s[%.0f,", *first ? "" : ",", bytes);
    json_number(json, answer.time_us);
    putc(',', json);
    json_number(json, answer.low_us);
    putc(',', json);
    json_number(json, answer.high_us);
    putc(']', json);
    *first = false;
}

/* Sizes that grow by equal factors, and both sides of every edge between regions. */
static void write_line(const struct curve_of *it, FILE *json)
{
    const struct list *list = cost_regions_at(it->cost, it->processors);
    const struct region *regions = list->items;
    const double least = fmax(1.0, isnan(it->cost->bytes.least) ? 1.0 : it->cost->bytes.least);
    const double most = isfinite(it->cost->bytes.most) ? it->cost->bytes.most : bytes_most_untold;
    double last = 0.0;
    bool first = true;
    size_t region = 0;
    for (int i = 0; i < SIZES; i++) {
        const double bytes = round(least * pow(most / least, (double)i / (SIZES - 1)));
        for (; region < list->count && regions[region].bytes_upto < bytes; region++)
            if (regions[region].bytes_upto > last) {
                write_sample(it, regions[region].bytes_upto, &first, json);
                last = regions[region].bytes_upto + 1.0;
                if (last < bytes)
                    write_sample(it, last, &first, json);
            }
        if (bytes > last)
            write_sample(it, bytes, &first, json);
        last = fmax(last, bytes);
    }
}

static bool counts(const struct curve_of *it, const struct point *point)
{
    return strcmp(point->utility, it->cost->utility) == 0 && point->processors == it->processors &&
           point->attempt == points_last_attempt(it->points, it->cost->utility, it->processors);
}

static void write_points(const struct curve_of *it, FILE *json)
{
    const struct point *items = it->points->items;
    bool first = true;
    for (size_t i = 0; i < it->points->count; i++) {
        if (!counts(it, &items[i]))
            continue;
        struct cost_answer answer;
        const double measured_us = point_time_us(&items[i], (enum statistic)it->cost->statistic);
        const bool answers = structure_answer(it->machine, it->cost, items[i].bytes, it->processors,
                                              &answer, NULL) == 0;
        fprintf(json, "%s[%.0f,", first ? "" : ",", items[i].bytes);
        json_number(json, measured_us);
        fprintf(json, ",%d,", items[i].held_out);
        json_number(json,
                    answers && measured_us > 0.0 ? answer.time_us / measured_us : (double)NAN);
        putc(']', json);
        first = false;
    }
}

static void write_curve(const struct curve_of *it, FILE *json)
{
    fprintf(json, "{\"p\":%.0f,\"line\":[", cost_processors(it->cost, it->processors));
    write_line(it, json);
    fputs("],\"points\":[", json);
    write_points(it, json);
    fputs("]}", json);
}

/* The processor counts that are drawn: measured ones, the least, the middle and the most of them;
   of a published table, which has none, the most it holds for, or two. Returns how many. */
static size_t choose_counts(const struct cost *cost, double counts[CURVES_MOST])
{
    const struct at_processors *at = cost->by_processors.items;
    const size_t count = cost->by_processors.count;
    if (count == 0) {
        counts[0] =
            isfinite(cost->processors.most) ? cost->processors.most : cost_formula_p(cost, 2.0);
        return 1;
    }
    const size_t chosen[CURVES_MOST] = {0, count / 2, count - 1};
    size_t filled = 0;
    for (size_t i = 0; i < CURVES_MOST; i++)
        if (filled == 0 || counts[filled - 1] != at[chosen[i]].processors)
            counts[filled++] = at[chosen[i]].processors;
    return filled;
}

static void write_utility(const struct machine *machine, const struct cost *cost,
                          const struct list *points, FILE *json)
{
    double counts[CURVES_MOST];
    const size_t count = choose_counts(cost, counts);
    fputs("{\"name\":", json);
    json_text(json, cost->utility);
    fputs(",\"curves\":[", json);
    for (size_t i = 0; i < count; i++) {
        const struct curve_of it = {machine, cost, points, counts[i]};
        fputs(i > 0 ? "," : "", json);
        write_curve(&it, json);
    }
    fputs("]}", json);
}

/* ---- memory ---- */

static const double smallest_bytes = 1024.0, beyond = 8.0;

static void write_levels(const struct memory *memory, FILE *json)
{
    const struct memory_level *levels = memory->levels.items;
    double from = smallest_bytes;
    bool first = true;
    for (size_t i = 0; i < memory->levels.count; i++) {
        const double upto =
            isinf(levels[i].level) ? beyond * from : memory_level_capacity(&levels[i]);
        if (isnan(upto))
            continue;
        fprintf(json, "%s[%.0f,%.0f,", first ? "" : ",", from, upto);
        json_number(json, levels[i].load_ns);
        putc(',', json);
        json_number(json, levels[i].load_line_cycles / memory->clock_mhz * 1000.0);
        putc(']', json);
        from = upto;
        first = false;
    }
}

/* Kernels of the memory suite are points of a utility "memory-NAME-STRIDE". */
static bool is_walk(const struct point *point)
{
    return strncmp(point->utility, "memory-", strlen("memory-")) == 0;
}

static void write_walk(const struct list *points, size_t first, FILE *json)
{
    const struct point *items = points->items;
    fputs("{\"name\":", json);
    json_text(json, items[first].utility + strlen("memory-"));
    fputs(",\"points\":[", json);
    for (size_t i = first; i < points->count; i++) {
        if (strcmp(items[i].utility, items[first].utility) != 0)
            continue;
        fprintf(json, "%s[%.0f,", i > first ? "," : "", items[i].bytes);
        json_number(json, items[i].median_us * 1000.0);
        putc(']', json);
    }
    fputs("]}", json);
}

static void write_walks(const struct list *points, FILE *json)
{
    const struct point *items = points->items;
    size_t written = 0;
    for (size_t i = 0; i < points->count; i++) {
        bool is_first = is_walk(&items[i]);
        for (size_t k = 0; k < i && is_first; k++)
            is_first = strcmp(items[k].utility, items[i].utility) != 0;
        if (!is_first)
            continue;
        fputs(written++ > 0 ? "," : "", json);
        write_walk(points, i, json);
    }
}

/* ---- the machine ---- */

void curves_write(const struct machine *machine, const struct list *points, FILE *json)
{
    const struct cost *costs = machine->communication.items;
    fputs("{\"name\":", json);
    json_text(json, machine->machine.name);
    fputs(",\"title\":", json);
    json_text(json, machine->machine.title);
    fputs(",\"utilities\":[", json);
    for (size_t i = 0; i < machine->communication.count; i++) {
        fputs(i > 0 ? ",\n" : "", json);
        write_utility(machine, &costs[i], points, json);
    }
    fputs("],\"levels\":[", json);
    if (machine->memory)
        write_levels(machine->memory, json);
    fputs("],\"walks\":[", json);
    write_walks(points, json);
    fputs("]}\n", json);
}
