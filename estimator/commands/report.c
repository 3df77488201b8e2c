/* estimator report: a program on machines, and what their tables say, as one page for browsers. */
#include "estimator/commands/commands.h"
#include "estimator/comparison/comparison.h"
#include "estimator/output/html.h"
#include "estimator/output/options.h"
#include "estimator/output/output.h"
#include "estimator/pictures/pictures.h"
#include "estimator/report/assets.h"
#include "estimator/report/curves.h"
#include "estimator/report/data.h"
#include "estimator/report/key_figures.h"
#include "estimator/report/settings.h"
#include "estimator/sections/sections.h"
#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/fit/points.h"
#include "model/records/yaml_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct options_face face = {
    .arguments = "TABLE... [SEGMENT]",
    .example = "report machines/sp2-mpl.yaml samples/jacobi/jacobi.yaml -o page.html",
    .doc = "One page of HTML, without any other file. Of SEGMENT: which candidate is the cheapest "
           "and where the time goes, on every TABLE, for the processors of -p and the parameters "
           "of -D NAME=LIST, as pictures that follow sliders. Of each TABLE: what it costs to "
           "communicate, how far that is off, memory, and every section; with several tables how "
           "they compare. -o names the file; else it goes to standard output.",
    .takes = "pDoa",
    .least = 1,
    .most = OPTIONS_ARGUMENTS,
    .has_sources = true,
};

/* ---- the program ---- */

static void put_program(FILE *page)
{
    fputs("<section id=\"answer\">\n<h2>Program</h2>\n"
          "<p id=\"sentence\" aria-live=\"polite\"></p>\n"
          "<form id=\"settings\" aria-label=\"Settings\" onsubmit=\"return false\"></form>\n"
          "<div id=\"pictures\" class=\"pictures\"></div>\n"
          "<details open><summary>The numbers of this setting</summary>\n"
          "<div class=\"table\" id=\"ranking\"></div>\n"
          "<p class=\"note\" id=\"left-out\"></p></details>\n</section>\n",
          page);
}

/* ---- a machine ---- */

static void put_folded(FILE *page, const char *title, const struct report *report,
                       const char *caveat)
{
    if (report_rows(report) == 0)
        return;
    fputs("<details><summary>", page);
    html_text(page, title);
    fputs("</summary>\n", page);
    report_write_html(report, page);
    if (caveat)
        html_element(page, "p", NULL, caveat);
    fputs("</details>\n", page);
}

static void put_sections(FILE *page, const struct machine *machine)
{
    for (const struct section *section = sections; section->name; section++) {
        struct report *report = section->make(machine, "");
        put_folded(page, section->title, report, section_caveat(section, report));
        report_free(report);
    }
}

static void put_machine(FILE *page, const struct machine *machine, size_t number)
{
    fprintf(page, "<section id=\"machine-%zu\">\n", number + 1);
    html_element(page, "h2", NULL,
                 machine->machine.title ? machine->machine.title : machine->machine.name);
    key_figures_write(machine, page);
    fprintf(page, "<div class=\"pictures\" id=\"curves-%zu\"></div>\n", number);
    put_sections(page, machine);
    fputs("</section>\n", page);
}

static void put_comparison(FILE *page, const struct comparison *comparison)
{
    fputs("<section id=\"comparison\">\n<h2>Comparison</h2>\n", page);
    for (const struct comparison_section *it = comparison_sections; it->name; it++) {
        struct report *report = it->make(comparison, NULL);
        put_folded(page, it->title, report, NULL);
        report_free(report);
    }
    fputs("</section>\n", page);
}

/* ---- the page ---- */

struct page {
    struct comparison comparison; /* the tables */
    struct program *program;      /* NULL: none was given */
    struct settings grid;         /* of the program */
};

static void put_contents(FILE *stream, const struct page *page)
{
    fputs("<nav aria-label=\"Contents\">", stream);
    if (page->program)
        fputs("<a href=\"#answer\">Program</a>", stream);
    if (page->comparison.count > 1)
        fputs("<a href=\"#comparison\">Comparison</a>", stream);
    for (size_t i = 0; i < page->comparison.count; i++) {
        fprintf(stream, "<a href=\"#machine-%zu\">", i + 1);
        html_text(stream, page->comparison.names[i]);
        fputs("</a>", stream);
    }
    fputs("</nav>\n", stream);
}

static void put_content(FILE *stream, const struct page *page, const char *title)
{
    html_begin(stream, title, asset_style);
    html_element(stream, "h1", NULL, title);
    put_contents(stream, page);
    fputs("<noscript><p>The pictures need JavaScript; the tables below do not.</p></noscript>\n"
          "<main>\n",
          stream);
    if (page->program)
        put_program(stream);
    if (page->comparison.count > 1)
        put_comparison(stream, &page->comparison);
    for (size_t i = 0; i < page->comparison.count; i++)
        put_machine(stream, &page->comparison.machines[i], i);
    fputs("</main>\n", stream);
}

static int put_curves(FILE *json, const struct machine *machine, struct error *error)
{
    struct list points = {0};
    const int status = picture_points(machine, &points, error);
    if (status == 0)
        curves_write(machine, &points, json);
    list_free(&point_record, &points);
    return status;
}

/* What the pictures are drawn from. */
static int put_data(FILE *stream, struct page *page, struct error *error)
{
    struct data data;
    data_begin(&data);
    int status = 0;
    fputs("{\"machines\":[", data.json);
    for (size_t i = 0; i < page->comparison.count && status == 0; i++) {
        fputs(i > 0 ? "," : "", data.json);
        status = put_curves(data.json, &page->comparison.machines[i], error);
    }
    fputs("],\n\"grid\":", data.json);
    if (status == 0 && page->program)
        status = settings_write(&page->grid, data.json, error);
    else
        fputs("null", data.json);
    fputs("}", data.json);
    data_end(&data, stream);
    return status;
}

static const char *title_of(const struct page *page)
{
    const struct machine *first = page->comparison.machines;
    if (page->program)
        return page->program->title ? page->program->title : page->program->path;
    if (page->comparison.count > 1)
        return "Machines compared";
    return first->machine.title ? first->machine.title : first->machine.name;
}

/* The whole page before anything is written; to be freed. */
static char *make_page(struct page *page, struct error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = memory_stream(&text, &size);
    put_content(stream, page, title_of(page));
    const int status = put_data(stream, page, error);
    fprintf(stream, "<script>%s</script>\n<script>\n%s</script>\n", asset_d3, asset_script);
    html_end(stream);
    memory_stream_end(stream);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- the command ---- */

/* C files, likewise. */
static int take_sources(struct options *options, struct program *program, bool *is_program,
                        struct error *error)
{
    if (options_program(options, options->count - 1, program, error) != 0)
        return -1;
    *is_program = true;
    options->count--;
    return 0;
}

/* Whether it can be read a second time, as a table. */
static bool is_file(const char *path)
{
    struct stat file;
    return !input_is_standard(path) && stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

/* The last argument, where it is a description, is taken out of the options. What is no file is a
   table where it stands alone, and a description behind others. */
static int take_program(struct options *options, struct program *program, bool *is_program,
                        struct error *error)
{
    char *text;
    size_t bytes;
    const char *path = options->arguments[options->count - 1];
    if (source_is(path))
        return take_sources(options, program, is_program, error);
    if (options->count == 1 && !is_file(path))
        return 0;
    if (yaml_read_text(path, &text, &bytes, error) != 0)
        return -1;
    int status = program_recognise(path, text, bytes, is_program, error);
    *is_program |= status == 0 && !is_file(path);
    if (status == 0 && *is_program) {
        status = program_read_text(program, input_name(path), text, bytes, error);
        options->count--;
    }
    free(text);
    return status;
}

static int report_on(struct page *page, struct options *options, struct error *error)
{
    if (options->count == 0)
        return error_set(error, "no machine table: expected TABLE... [SEGMENT]");
    struct options tables = *options;
    if (page->program) /* what -p says is the program's */
        tables.processors = (struct number_list){0};
    else
        options->processors = (struct number_list){0};
    if (comparison_read(&page->comparison, &tables, NULL, error) != 0)
        return -1;
    if (page->program && settings_make(&page->grid, options, page->comparison.machines,
                                       page->comparison.count, page->program, error) != 0)
        return -1;
    char *text = make_page(page, error);
    const int status = text ? output_save(text, options->output, error) : -1;
    free(text);
    return status;
}

int cmd_report(int argc, char **argv, struct error *error)
{
    struct options options;
    struct program program;
    struct page page = {0};
    bool is_program = false;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = *asset_d3 ? take_program(&options, &program, &is_program, error)
                           : error_set(error, "this build has no plotting library: install "
                                              "node-d3 and configure again");
    page.program = is_program && status == 0 ? &program : NULL;
    if (status == 0)
        status = report_on(&page, &options, error);
    settings_free(&page.grid);
    comparison_free(&page.comparison);
    if (page.program)
        program_free(&program);
    options_free(&options);
    return status;
}
