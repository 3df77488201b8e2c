/* What a machine is, where its numbers come from, and what is missing. */
#include "estimator/sections/sections.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void add_pair(struct report *report, const char *what, const char *text)
{
    if (!text)
        return;
    report_text(report, what);
    report_text(report, text);
}

struct row {
    const char *what;
    double is; /* NAN: not known, and left out */
};

static void add_rows(struct report *report, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isnan(rows[i].is)) {
            report_text(report, rows[i].what);
            report_number(report, rows[i].is);
        }
}

static void add_topology(struct report *report, const struct topology *topology)
{
    if (!topology)
        return;
    const struct row rows[] = {
        {"packages",     topology->packages    },
        {"numa nodes",   topology->numa_nodes  },
        {"cores",        topology->cores       },
        {"threads",      topology->threads     },
        {"memory bytes", topology->memory_bytes},
    };
    add_rows(report, rows, COUNT(rows));
    add_pair(report, "told by", topology->told_by);
}

/* Of one launch nothing says what the next one would: the launch is a random factor. */
static void add_launches(struct report *report, const struct list *costs)
{
    const struct cost *first = costs->items;
    if (costs->count == 0)
        return;
    report_text(report, "launches");
    if (isnan(first->launches))
        report_text(report, "1: how far others are from it is not measured");
    else
        report_number(report, first->launches);
}

/* What was put into the table later: what, when and how. */
static void add_additions(struct report *report, const struct list *added)
{
    const struct addition *rows = added->items;
    for (size_t i = 0; i < added->count; i++) {
        const struct provenance *measured = rows[i].measured;
        char *is = memory_format("%s; %s; %s", rows[i].what,
                                 measured && measured->date ? measured->date : "-",
                                 measured && measured->options ? measured->options : "-");
        add_pair(report, "added", is);
        free(is);
    }
}

struct report *machine_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"what", "is"};
    const struct identity *of = &machine->machine;
    const struct provenance *measured = of->measured;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    add_pair(report, "machine", of->name);
    add_pair(report, "title", of->title);
    add_pair(report, "source", of->source);
    if (!isnan(of->processors)) {
        report_text(report, "processors");
        report_number(report, of->processors);
    }
    const struct description *described = of->described.items;
    for (size_t i = 0; i < of->described.count; i++)
        add_pair(report, described[i].what, described[i].is);
    add_topology(report, machine->topology);
    if (!measured)
        return report;
    add_pair(report, "date", measured->date);
    add_pair(report, "host", measured->host);
    add_pair(report, "cpu", measured->cpu);
    add_pair(report, "os", measured->os);
    add_pair(report, "compiler", measured->compiler);
    add_pair(report, "mpi", measured->mpi);
    add_pair(report, "options", measured->options);
    add_launches(report, &machine->communication);
    add_additions(report, &of->added);
    if (!isnan(measured->clock_tick_us)) {
        report_text(report, "clock tick us");
        report_number(report, measured->clock_tick_us);
    }
    return report;
}

/* ---- noise ---- */

struct report *noise_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"noise", "is"};
    struct report *report = report_new(columns, COUNT(columns));
    const struct noise *noise = machine->noise;
    (void)section;
    if (!noise)
        return report;
    const struct row rows[] = {
        {"moments",                 noise->moments                  },
        {"quantum us",              noise->quantum_us               },
        {"quantum us, low",         noise->low_us                   },
        {"quantum us, high",        noise->high_us                  },
        {"interrupted %",           100.0 * noise->interrupted_share},
        {"interruptions per s",     noise->interruptions_per_s      },
        {"interruption us",         noise->interruption_us          },
        {"longest interruption us", noise->interruption_longest_us  },
    };
    add_rows(report, rows, COUNT(rows));
    return report;
}

/* ---- states: a row for each, then one for each factor ---- */

static void add_factors(struct report *report, const struct cost *cost)
{
    const struct state_factor *factors = cost->states.items;
    for (size_t i = 0; i < cost->states.count; i++) {
        report_number(report, factors[i].state);
        report_number(report, NAN);
        report_number(report, NAN);
        report_text(report, cost->utility);
        report_number(report, factors[i].bytes_upto);
        report_number(report, factors[i].ratio);
        report_number(report, factors[i].add_us);
        report_number(report, factors[i].factor);
        report_number(report, factors[i].points);
    }
}

struct report *states_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"state", "share",  "gauge_us", "utility", "bytes_upto",
                                          "ratio", "add_us", "factor",   "points"};
    const struct machine_state *states = machine->states.items;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    for (size_t i = 0; i < machine->states.count; i++) {
        report_number(report, (double)i + 1.0);
        report_number(report, states[i].share);
        report_number(report, states[i].gauge_us);
        report_text(report, "");
        for (int k = 0; k < 5; k++)
            report_number(report, NAN);
    }
    for (size_t i = 0; i < machine->communication.count; i++)
        add_factors(report, (const struct cost *)machine->communication.items + i);
    return report;
}

/* ---- start_up ---- */

struct report *start_up_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"bytes", "first_us", "first_8_us", "first_64_us",
                                          "first_256_us"};
    const struct start_up *rows = machine->start_up.items;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    for (size_t i = 0; i < machine->start_up.count; i++) {
        report_number(report, rows[i].bytes);
        report_number(report, rows[i].first_us);
        report_number(report, rows[i].first_8_us);
        report_number(report, rows[i].first_64_us);
        report_number(report, rows[i].first_256_us);
    }
    return report;
}

/* ---- first_touch ---- */

struct report *first_touch_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"bytes", "mib_us", "mib_us_low", "mib_us_high"};
    const struct first_touch *rows = machine->first_touch.items;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    for (size_t i = 0; i < machine->first_touch.count; i++) {
        report_number(report, rows[i].bytes);
        report_number(report, rows[i].mib_us);
        report_number(report, rows[i].mib_us_low);
        report_number(report, rows[i].mib_us_high);
    }
    return report;
}

/* ---- in_situ ---- */

struct report *in_situ_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"utility",  "bytes",    "written",  "after_256k",
                                          "after_1m", "after_4m", "after_32m"};
    const struct cost *costs = machine->communication.items;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    for (size_t i = 0; i < machine->communication.count; i++) {
        struct in_situ *rows = costs[i].in_situ.items;
        for (size_t k = 0; k < costs[i].in_situ.count; k++) {
            report_text(report, costs[i].utility);
            report_number(report, rows[k].bytes);
            for (int mode = 0; mode < IN_SITU_MODES; mode++)
                report_number(report, *in_situ_of(&rows[k], (enum in_situ_mode)mode));
        }
    }
    return report;
}

/* ---- waiting ---- */

struct report *waiting_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"work",       "work_us", "processors",
                                          "waiting_us", "low_us",  "high_us"};
    static const char *const works[WAITING_WORKS] = {"registers", "memory"};
    const struct waiting *rows = machine->waiting.items;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    for (size_t i = 0; i < machine->waiting.count; i++) {
        const struct waiting_among *among = rows[i].among.items;
        for (size_t k = 0; k < rows[i].among.count; k++) {
            report_text(report, works[rows[i].work]);
            report_number(report, rows[i].work_us);
            report_number(report, among[k].processors);
            report_number(report, among[k].waiting_us);
            report_number(report, among[k].low_us);
            report_number(report, among[k].high_us);
        }
    }
    return report;
}

/* ---- not_measured ---- */

struct report *missing_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"not_measured", "because"};
    const struct not_measured *missing = machine->not_measured.items;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    for (size_t i = 0; i < machine->not_measured.count; i++)
        add_pair(report, missing[i].what, missing[i].because);
    return report;
}
