#include "estimator/output/breakdown.h"

#include <math.h>
#include <string.h>

static const char *const columns[] = {
    "segment", "kind",        "item",  "resource",  "times", "each_us",       "time_us", "low_us",
    "high_us", "bytes_least", "bytes", "formula_p", "t0_us", "rinf_mb_per_s", "flags",   "at"};

static struct report *new_report(bool has_origins)
{
    return report_new(columns, sizeof columns / sizeof *columns - !has_origins);
}

static const char *kind_of(const struct item *item)
{
    return item->computes                           ? "compute"
           : strcmp(item->resource, "overlap") == 0 ? "overlap"
                                                    : "communicate";
}

/* Of the region at p; nothing where it is not one region alone, or hops gave the time. */
static void add_region(struct report *report, const struct item *item)
{
    const struct region *const line = item->hops ? NULL : item->region;
    const double per_byte_us =
        line ? form_value(&line->per_byte_us, item->processors) : (double)NAN;
    report_number(report, line ? form_value(&line->setup_us, item->processors) : (double)NAN);
    report_number(report, per_byte_us > 0.0 ? 1.0 / per_byte_us : (double)NAN);
}

static void add_item(struct report *report, const char *segment, const struct item *item,
                     bool has_origins)
{
    char flags[COST_FLAGS_TEXT];
    report_text(report, segment);
    report_text(report, kind_of(item));
    report_text(report, item->what);
    report_text(report, item->resource);
    report_number(report, item->times);
    report_number(report, item->each_us);
    report_time(report, item->time_us, item->low_us, item->high_us);
    report_number(report, item->bytes_least);
    report_number(report, item->bytes);
    report_number(report, item->processors);
    add_region(report, item);
    report_text(report,
                cost_flags_print(item->flags |
                                     cost_interval_flag(item->time_us, item->low_us, item->high_us),
                                 flags));
    if (has_origins)
        report_text(report, item->at);
}

static void add_segment(struct report *report, const struct segment_prediction *segment,
                        bool has_origins)
{
    const struct item *items = segment->items.items;
    for (size_t i = 0; i < segment->items.count; i++)
        add_item(report, segment->name, &items[i], has_origins);
}

struct report *breakdown_of_segment(const struct segment_prediction *segment)
{
    struct report *report = new_report(true);
    add_segment(report, segment, true);
    return report;
}

struct report *breakdown_of_all(const struct prediction *prediction, bool has_origins)
{
    const struct segment_prediction *segments = prediction->segments.items;
    struct report *report = new_report(has_origins);
    for (size_t i = 0; i < prediction->segments.count; i++)
        add_segment(report, &segments[i], has_origins);
    return report;
}
