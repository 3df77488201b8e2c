/* The memory: a row a level, another where the sources' rules saw one, a row a walk with a
 * stride, a row a translation look-aside buffer. */
#include "estimator/sections/sections.h"
#include "model/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define OF(member) #member, offsetof(struct memory_level, member)
static const struct {
    const char *name;
    size_t offset; /* of a double in struct memory_level */
} memory_columns[] = {
    {OF(capacity_bytes)},
    {OF(capacity_bytes_low)},
    {OF(capacity_bytes_high)},
    {OF(line_bytes)},
    {OF(ways)},
    {OF(ports)},
    {OF(load_cycles)},
    {OF(store_cycles)},
    {OF(load_ns)},
    {OF(load_ns_low)},
    {OF(load_ns_high)},
    {OF(store_ns)},
    {OF(load_tlb_miss_cycles)},
    {OF(load_tlb_miss_ns)},
    {OF(load_tlb_miss_ns_low)},
    {OF(load_tlb_miss_ns_high)},
    {OF(load_line_cycles)},
    {OF(store_line_cycles)},
    {OF(load_line_cycles_least)},
    {OF(store_line_cycles_least)},
    {OF(load_mb_per_s)},
    {OF(store_mb_per_s)},
    {OF(pair_ratio)},
    {OF(told_capacity_bytes)},
    {OF(told_line_bytes)},
    {OF(told_ways)},
};
#undef OF

/* How many columns stand between those of a level and the method: a stream's, a walk's, and a
 * buffer's. */
enum { STREAM_COLUMNS = 1, WALK_COLUMNS = 1, TLB_COLUMNS = 5 };

static void add_nothing(struct report *report, int columns)
{
    for (int i = 0; i < columns; i++)
        report_number(report, NAN);
}

/* by: whose view of the level it is, or how it is walked through. */
static void add_level_name(struct report *report, double level, const char *by)
{
    char name[2 * NUMBER_TEXT + 24];
    if (isfinite(level))
        snprintf(name, sizeof name, "L%.0f%s", level, by);
    else
        snprintf(name, sizeof name, "memory%s", by);
    report_text(report, name);
}

static void add_columns(struct report *report, const struct memory_level *level)
{
    for (size_t i = 0; i < COUNT(memory_columns); i++) {
        double value;
        memcpy(&value, (const char *)level + memory_columns[i].offset, sizeof value);
        report_number(report, value);
    }
}

static void add_memory_level(struct report *report, const struct memory_level *level,
                             const char *by)
{
    add_level_name(report, level->level, by);
    add_columns(report, level);
    add_nothing(report, STREAM_COLUMNS + WALK_COLUMNS + TLB_COLUMNS);
    report_text(report, level->method ? level->method : "");
    report_text(report, level->because ? level->because : "");
}

/* Of memory alone: no cache holds the arrays. */
static void add_stream(struct report *report, const struct memory_stream *stream)
{
    char by[40];
    struct memory_level level;
    snprintf(by, sizeof by, " %s", memory_stream_name(stream));
    add_level_name(report, INFINITY, by);
    record_begin(&memory_level_record, &level);
    add_columns(report, &level);
    report_number(report, stream->mb_per_s);
    add_nothing(report, WALK_COLUMNS + TLB_COLUMNS);
    report_text(report, "");
    report_text(report, "");
}

static void add_strided(struct report *report, const struct strided_lines *walk)
{
    char by[NUMBER_TEXT + 16];
    struct memory_level level;
    snprintf(by, sizeof by, " by %.0f lines", walk->stride_lines);
    add_level_name(report, walk->level, by);
    record_begin(&memory_level_record, &level);
    level.load_line_cycles = walk->load_line_cycles;
    level.store_line_cycles = walk->store_line_cycles;
    add_columns(report, &level);
    add_nothing(report, STREAM_COLUMNS);
    report_number(report, walk->store_in_turn_line_cycles);
    add_nothing(report, TLB_COLUMNS);
    report_text(report, "");
    report_text(report, "");
}

static void add_tlb(struct report *report, const struct tlb *tlb)
{
    char name[NUMBER_TEXT + 4];
    snprintf(name, sizeof name, "TLB%.0f", tlb->level);
    report_text(report, name);
    for (size_t i = 0; i < COUNT(memory_columns); i++)
        report_number(report,
                      strcmp(memory_columns[i].name, "ways") == 0 ? tlb->ways : (double)NAN);
    add_nothing(report, STREAM_COLUMNS + WALK_COLUMNS);
    report_number(report, tlb->entries);
    report_number(report, tlb->entries_low);
    report_number(report, tlb->entries_high);
    report_number(report, tlb->page_bytes);
    report_number(report, tlb->miss_cycles);
    report_text(report, tlb->method ? tlb->method : "");
    report_text(report, tlb->because ? tlb->because : "");
}

struct report *memory_report(const struct machine *machine, const char *section)
{
    static const char *const after[] = {"mb_per_s",     "store_in_turn_line_cycles",
                                        "entries",      "entries_low",
                                        "entries_high", "page_bytes",
                                        "miss_cycles",  "method",
                                        "because"};
    const char *columns[1 + COUNT(memory_columns) + COUNT(after)] = {"level"};
    (void)section;
    for (size_t i = 0; i < COUNT(memory_columns); i++)
        columns[1 + i] = memory_columns[i].name;
    for (size_t i = 0; i < COUNT(after); i++)
        columns[1 + COUNT(memory_columns) + i] = after[i];
    struct report *report = report_new(columns, COUNT(columns));
    const struct memory *memory = machine->memory;
    for (size_t i = 0; memory && i < memory->levels.count; i++)
        add_memory_level(report, (const struct memory_level *)memory->levels.items + i, "");
    for (size_t i = 0; memory && i < memory->by_1995_rules.count; i++)
        add_memory_level(report, (const struct memory_level *)memory->by_1995_rules.items + i,
                         " by 1995 rules");
    for (size_t i = 0; memory && i < memory->streams.count; i++)
        add_stream(report, (const struct memory_stream *)memory->streams.items + i);
    for (size_t i = 0; memory && i < memory->strided.count; i++)
        add_strided(report, (const struct strided_lines *)memory->strided.items + i);
    for (size_t i = 0; memory && i < memory->tlb.count; i++)
        add_tlb(report, (const struct tlb *)memory->tlb.items + i);
    return report;
}
