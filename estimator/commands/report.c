/* estimator report: everything that machine tables say, as one page for browsers. */
#include "estimator/commands/commands.h"
#include "estimator/comparison/comparison.h"
#include "estimator/output/html.h"
#include "estimator/output/options.h"
#include "estimator/output/output.h"
#include "estimator/pictures/gnuplot.h"
#include "estimator/pictures/pictures.h"
#include "estimator/report/key_figures.h"
#include "estimator/sections/sections.h"
#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE...",
    .doc = "One page of HTML, without any other file: what each table says at a glance, where it "
           "comes from, every section with its pictures and errors, what is odd and what was not "
           "measured; with several tables first how they compare. Pictures need gnuplot. -o names "
           "the file; else it goes to standard output.",
    .takes = "o",
    .least = 1,
    .most = OPTIONS_ARGUMENTS,
};

/* ---- pictures ---- */

/* Draws what the tables have; what they have not is passed over. */
static int put_picture(FILE *page, const struct machine *machines, size_t count, const char *what,
                       const char *caption, struct error *error)
{
    const struct picture_request request = {
        .what = what, .title = "", .machines = machines, .count = count};
    char *script = picture_script(&request, NULL);
    if (!script)
        return 0;
    char *svg = gnuplot_svg(script, error);
    if (svg)
        html_picture(page, svg, caption);
    free(script);
    free(svg);
    return svg ? 0 : -1;
}

/* The pictures of sections; more of them is a row more. */
static const struct {
    const char *section, *what, *caption;
} pictures[] = {
    {"communication", "accuracy",
     "How far the model is from every measured point: predicted over measured"                                 },
    {"communication", "broadcasts:16", "Broadcast algorithms, 16 bytes"                                        },
    {"communication", "broadcasts:8k", "Broadcast algorithms, 8 KiB"                                           },
    {"communication", "broadcasts:1M", "Broadcast algorithms, 1 MiB"                                           },
    {"communication", "distance",      "Near and far processors: time by message bytes"                        },
    {"communication", "distance:rate", "Near and far processors: rate by message bytes"                        },
    {"memory",        "memory",        "What a load costs, by the size of what is walked through"              },
    {"swap",          "swap",          "The fastest ways to swap the largest volume, by the number of messages"},
    {"overlap",       "overlap",       "How much of a transfer is left for work"                               },
    {"overlap",       "overhead",      "What a message costs the processor"                                    },
    {"logp",          "signature",
     "The LogP signature: what a message costs, by how many are issued in a row and the work "
     "between them"                                                                                            },
};

static int put_pictures(FILE *page, const struct machine *machine, const char *section,
                        struct error *error)
{
    int status = 0;
    fputs("<div class=\"pictures\">\n", page);
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures && status == 0; i++)
        if (strcmp(pictures[i].section, section) == 0)
            status = put_picture(page, machine, 1, pictures[i].what, pictures[i].caption, error);
    fputs("</div>\n", page);
    return status;
}

/* Time and rate of one utility, folded up. */
static int put_utility(FILE *page, const struct machine *machines, size_t count,
                       const char *utility, struct error *error)
{
    char *rate = memory_format("rate:%s", utility);
    char *time_caption = memory_format("%s: time by message bytes", utility);
    char *rate_caption = memory_format("%s: rate by message bytes", utility);
    fputs("<details><summary>", page);
    html_text(page, utility);
    fputs("</summary>\n<div class=\"pictures\">\n", page);
    int status = put_picture(page, machines, count, utility, time_caption, error);
    if (status == 0)
        status = put_picture(page, machines, count, rate, rate_caption, error);
    fputs("</div></details>\n", page);
    free(rate);
    free(time_caption);
    free(rate_caption);
    return status;
}

static int put_utilities(FILE *page, const struct machine *machine, struct error *error)
{
    const struct cost *costs = machine->communication.items;
    int status = 0;
    for (size_t i = 0; i < machine->communication.count && status == 0; i++)
        status = put_utility(page, machine, 1, costs[i].utility, error);
    return status;
}

/* ---- a machine ---- */

static int put_section(FILE *page, const struct machine *machine, const struct section *section,
                       struct error *error)
{
    struct report *report = section->make(machine, "");
    int status = 0;
    if (report_rows(report) > 0) {
        html_element(page, "h3", NULL, section->title);
        status = put_pictures(page, machine, section->name, error);
        report_write_html(report, page);
        if (section_caveat(section, report))
            html_element(page, "p", NULL, section_caveat(section, report));
        if (status == 0 && strcmp(section->name, "communication") == 0)
            status = put_utilities(page, machine, error);
    }
    report_free(report);
    return status;
}

static void put_heading(FILE *page, const struct machine *machine, size_t number)
{
    fprintf(page, "<h2 id=\"machine-%zu\">", number);
    html_text(page, machine->machine.title ? machine->machine.title : machine->machine.name);
    fputs("</h2>\n", page);
}

static int put_machine(FILE *page, const struct machine *machine, struct error *error)
{
    int status = 0;
    key_figures_write(machine, page);
    for (const struct section *section = sections; section->name && status == 0; section++)
        status = put_section(page, machine, section, error);
    return status;
}

/* ---- several machines ---- */

struct common {
    FILE *page;
    struct error *error;
    int status;
};

static void put_common(const struct comparison *comparison, const char *utility, void *state)
{
    struct common *common = state;
    if (common->status == 0)
        common->status = put_utility(common->page, comparison->machines, comparison->count, utility,
                                     common->error);
}

static int put_comparison(FILE *page, const struct comparison *comparison, struct error *error)
{
    struct common common = {page, error, 0};
    fputs("<h2 id=\"comparison\">Comparison</h2>\n", page);
    for (const struct comparison_section *it = comparison_sections; it->name; it++) {
        struct report *report = it->make(comparison, NULL);
        if (report_rows(report) > 0) {
            html_element(page, "h3", NULL, it->title);
            report_write_html(report, page);
        }
        report_free(report);
    }
    comparison_utilities(comparison, NULL, put_common, &common);
    return common.status;
}

/* ---- the page ---- */

static void put_contents(FILE *page, const struct comparison *comparison)
{
    fputs("<nav><a href=\"#comparison\">Comparison</a>", page);
    for (size_t i = 0; i < comparison->count; i++) {
        fprintf(page, "<a href=\"#machine-%zu\">", i + 1);
        html_text(page, comparison->names[i]);
        fputs("</a>", page);
    }
    fputs("</nav>\n", page);
}

static int put_one(FILE *page, const struct machine *machine, struct error *error)
{
    const char *title = machine->machine.title ? machine->machine.title : machine->machine.name;
    html_begin(page, title);
    html_element(page, "h1", NULL, title);
    html_element(page, "h2", NULL, "At a glance");
    const int status = put_machine(page, machine, error);
    html_end(page);
    return status;
}

static int put_several(FILE *page, const struct comparison *comparison, struct error *error)
{
    html_begin(page, "Machines compared");
    html_element(page, "h1", NULL, "Machines compared");
    put_contents(page, comparison);
    int status = put_comparison(page, comparison, error);
    for (size_t i = 0; i < comparison->count && status == 0; i++) {
        put_heading(page, &comparison->machines[i], i + 1);
        status = put_machine(page, &comparison->machines[i], error);
    }
    html_end(page);
    return status;
}

static int put_page(FILE *page, const struct comparison *comparison, struct error *error)
{
    return comparison->count == 1 ? put_one(page, comparison->machines, error)
                                  : put_several(page, comparison, error);
}

/* Points that cannot be read shall be said, not left out. */
static int check_points(const struct comparison *comparison, struct error *error)
{
    int status = 0;
    for (size_t i = 0; i < comparison->count && status == 0; i++)
        status = picture_check_points(&comparison->machines[i], error);
    return status;
}

/* The whole page before anything is written; to be freed. */
static char *make_page(const struct comparison *comparison, struct error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    const int status = put_page(page, comparison, error);
    fclose(page);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}

int cmd_report(int argc, char **argv, struct error *error)
{
    struct options options;
    struct comparison comparison;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = comparison_read(&comparison, &options, error);
    if (status == 0)
        status = check_points(&comparison, error);
    char *page = status == 0 ? make_page(&comparison, error) : NULL;
    status = page ? output_save(page, options.output, error) : -1;
    free(page);
    comparison_free(&comparison);
    options_free(&options);
    return status;
}
