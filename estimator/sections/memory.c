/* The memory: a row a level, another where the sources' rules saw one, a row a translation
 * look-aside buffer. */
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
    {OF(load_mb_per_s)},
    {OF(store_mb_per_s)},
    {OF(pair_ratio)},
    {OF(told_capacity_bytes)},
    {OF(told_line_bytes)},
    {OF(told_ways)},
};
#undef OF

/* by: whose view of the level it is. */
static void add_memory_level(struct report *report, const struct memory_level *level,
                             const char *by)
{
    char name[NUMBER_TEXT + 24];
    if (isfinite(level->level))
        snprintf(name, sizeof name, "L%.0f%s", level->level, by);
    else
        snprintf(name, sizeof name, "memory%s", by);
    report_text(report, name);
    for (size_t i = 0; i < COUNT(memory_columns); i++) {
        double value;
        memcpy(&value, (const char *)level + memory_columns[i].offset, sizeof value);
        report_number(report, value);
    }
    for (int i = 0; i < 5; i++)
        report_number(report, NAN);
    report_text(report, level->method ? level->method : "");
    report_text(report, level->because ? level->because : "");
}

static void add_tlb(struct report *report, const struct tlb *tlb)
{
    char name[NUMBER_TEXT + 4];
    snprintf(name, sizeof name, "TLB%.0f", tlb->level);
    report_text(report, name);
    for (size_t i = 0; i < COUNT(memory_columns); i++)
        report_number(report,
                      strcmp(memory_columns[i].name, "ways") == 0 ? tlb->ways : (double)NAN);
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
    static const char *const after[] = {"entries",     "entries_low", "entries_high", "page_bytes",
                                        "miss_cycles", "method",      "because"};
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
    for (size_t i = 0; memory && i < memory->tlb.count; i++)
        add_tlb(report, (const struct tlb *)memory->tlb.items + i);
    return report;
}
