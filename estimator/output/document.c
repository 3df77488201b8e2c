#include "estimator/output/document.h"

#include "config.h"
#include "estimator/output/json.h"
#include "model/base/allocation.h"
#include "model/base/printable.h"
#include "model/cost/confidence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The version of the object. It grows when a member goes or means something else. */
enum { SCHEMA = 1 };

/* Where the rows come from, as its table says it; texts may be NULL. */
struct origin {
    char *name, *path, *measured, *source, *compiled_flags;
};

struct document {
    const char *command, *section, *segment;
    enum report_format format;
    struct origin *tables;
    size_t table_count;
    char **remarks;
    size_t remark_count;
};

struct document *document_new(const char *command, enum report_format format)
{
    struct document *document = memory_new(1, sizeof *document);
    document->command = command;
    document->format = format;
    return document;
}

void document_free(struct document *document)
{
    for (size_t i = 0; i < document->table_count; i++) {
        free(document->tables[i].name);
        free(document->tables[i].path);
        free(document->tables[i].measured);
        free(document->tables[i].source);
        free(document->tables[i].compiled_flags);
    }
    for (size_t i = 0; i < document->remark_count; i++)
        free(document->remarks[i]);
    free(document->tables);
    free(document->remarks);
    free(document);
}

/* ---- what it is told ---- */

/* The least and the most that the table's costs have as ratios of a state. */
static struct span ratios_of(const struct machine *machine, double state)
{
    struct span ratios = {INFINITY, -INFINITY};
    for (size_t i = 0; i < machine->communication.count; i++) {
        const struct cost *cost = (const struct cost *)machine->communication.items + i;
        const struct state_factor *items = cost->states.items;
        for (size_t k = 0; k < cost->states.count; k++)
            if (items[k].state == state)
                ratios = (struct span){fmin(ratios.least, items[k].ratio),
                                       fmax(ratios.most, items[k].ratio)};
    }
    return ratios;
}

/* What times of one of several states do not say. */
static void remark_states(struct document *document, const struct machine *machine)
{
    const struct machine_state *states = machine->states.items;
    for (size_t i = 1; i < machine->states.count; i++) {
        const struct span ratios = ratios_of(machine, (double)i + 1.0);
        char line[400];
        if (!(ratios.least <= ratios.most))
            continue;
        snprintf(line, sizeof line,
                 "%.100s: communication is that of the state in which the machine was for %.0f %% "
                 "of the time; in another one (%.0f %%) it takes %.2g to %.2g times as long "
                 "(estimator show --section states; --state)",
                 machine->machine.name, 100.0 * states[0].share, 100.0 * states[i].share,
                 ratios.least, ratios.most);
        document_remark(document, line);
    }
}

/* Of which the table has loops, with "; " between; NULL: not known; to be freed. */
static char *flags_of(const struct node *node)
{
    if (!node || !node->compiled.flags)
        return NULL;
    const struct compilation *others = node->compilations.items;
    char *flags = printable(node->compiled.flags);
    for (size_t i = 0; i < node->compilations.count; i++) {
        char *other = printable(others[i].flags);
        char *longer = memory_format("%s; %s", flags, other);
        free(flags);
        free(other);
        flags = longer;
    }
    return flags;
}

void document_table(struct document *document, const struct machine *machine)
{
    const struct identity *of = &machine->machine;
    const size_t count = document->table_count++;
    document->tables = memory_grow(document->tables, count + 1, sizeof *document->tables);
    document->tables[count] = (struct origin){
        .name = printable(of->name),
        .path = printable(machine->path),
        .measured = printable(of->measured ? of->measured->date : NULL),
        .source = printable(of->source),
        .compiled_flags = flags_of(machine->node),
    };
    remark_states(document, machine);
}

void document_segment(struct document *document, const char *path)
{
    document->segment = path;
}

void document_section(struct document *document, const char *name)
{
    document->section = name;
}

void document_remark(struct document *document, const char *text)
{
    char *shown = printable(text);
    const size_t count = document->remark_count++;
    fprintf(stderr, "estimator: remark: %s\n", shown);
    document->remarks = memory_grow(document->remarks, count + 1, sizeof *document->remarks);
    document->remarks[count] = shown;
}

void document_remarks(struct document *document, const char *lines)
{
    char *copy = memory_copy_text(lines);
    for (char *rest = NULL, *line = strtok_r(copy, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        document_remark(document, line);
    free(copy);
}

/* ---- JSON ---- */

static void put_member(const char *name, const char *text)
{
    printf(" \"%s\": ", name);
    json_text(stdout, text);
    puts(",");
}

/* The path of a description or a section, as far as there is one. */
static void put_option(const char *name, const char *text)
{
    char *shown = printable(text);
    if (shown)
        put_member(name, shown);
    free(shown);
}

static void put_tables(const struct document *document)
{
    printf(" \"tables\": [");
    for (size_t i = 0; i < document->table_count; i++) {
        const struct origin *table = &document->tables[i];
        const struct {
            const char *name, *text;
        } members[] = {
            {"name",           table->name          },
            {"path",           table->path          },
            {"measured",       table->measured      },
            {"source",         table->source        },
            {"compiled_flags", table->compiled_flags}
        };
        for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
            printf("%s\"%s\": ", k ? ", " : i ? "},\n  {" : "\n  {", members[k].name);
            json_text(stdout, members[k].text);
        }
    }
    puts(document->table_count ? "}\n ]," : "],");
}

static void put_remark(const char *text, size_t *count)
{
    fputs((*count)++ ? ",\n  " : "\n  ", stdout);
    json_text(stdout, text);
}

/* What was said, and what the flags in the rows mean. */
static void put_remarks(const struct document *document, const struct report *rows)
{
    size_t count = 0;
    printf(" \"remarks\": [");
    for (size_t i = 0; i < document->remark_count; i++)
        put_remark(document->remarks[i], &count);
    for (const struct cost_flag_row *flag = cost_flag_rows; flag->name; flag++)
        if (report_has_word(rows, "flags", flag->name)) {
            char *text = memory_format("%s: %s", flag->name, flag->says);
            put_remark(text, &count);
            free(text);
        }
    puts(count ? "\n ]," : "],");
}

/* Whether an interval stands in the rows. */
static bool has_intervals(const struct report *rows)
{
    return report_has_number(rows, "low_us") || report_has_number(rows, "low_ratio");
}

static void put_json(const struct document *document, const struct report *rows)
{
    printf("{\"schema\": %d,\n", SCHEMA);
    put_member("program", "estimator (" PACKAGE_NAME ") " PACKAGE_VERSION);
    put_member("command", document->command);
    put_option("section", document->section);
    put_tables(document);
    put_option("segment", document->segment);
    if (has_intervals(rows))
        printf(" \"confidence\": %g,\n", CONFIDENCE);
    put_remarks(document, rows);
    printf(" \"rows\": ");
    report_write_json(rows, stdout);
    puts("}");
}

void document_print(const struct document *document, const struct report *rows)
{
    if (document->format == REPORT_JSON)
        put_json(document, rows);
    else
        report_print(rows, document->format);
    if (report_is_text(document->format) && has_intervals(rows))
        printf("The likely range is an interval of %.0f %% confidence.\n", 100.0 * CONFIDENCE);
}
