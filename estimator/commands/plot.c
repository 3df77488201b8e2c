/* estimator plot: what was measured and what the model makes of it, as pictures. */
#include "estimator/pictures/plot.h"
#include "estimator/commands/commands.h"
#include "estimator/output/document.h"
#include "estimator/output/options.h"
#include "estimator/output/output.h"
#include "estimator/pictures/gnuplot.h"
#include "estimator/pictures/pictures.h"
#include "estimator/pictures/predictions.h"
#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "WHAT TABLE...",
    .example = "plot exchange machines/sp2-mpl.yaml -o exchange.svg",
    .doc = "Draws through gnuplot: WHAT is a utility, several between commas (time against "
           "message bytes, with the interval, and the points of TABLE.points.csv beside TABLE, "
           "held-out ones open; -p takes several), or one of --list, or predictions or "
           "predictions:PART (predicted against measured; TABLE is then a CSV file with the "
           "columns predicted_us and measured_us, and sample and part where it has them). "
           "Several tables go into one picture. The ending of --output says how: .svg, .png or "
           ".pdf; .gp, or none, is the script with its data.",
    .takes = "polf",
    .least = 0,
    .most = OPTIONS_ARGUMENTS,
};

/* ---- the list ---- */

static void print_list(enum report_format format)
{
    static const char *const columns[] = {"picture", "shows", "source"};
    struct document *document = document_new("plot", format);
    struct report *report = report_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; picture_words(i); i++) {
        report_text(report, picture_words(i)->what);
        report_text(report, picture_words(i)->shows);
        report_text(report, picture_words(i)->source);
    }
    document_print(document, report);
    report_free(report);
    document_free(document);
}

/* ---- a picture ---- */

/* The script of a picture of all tables; to be freed. */
static char *make_script(const struct options *options, const char *path, struct error *error)
{
    const size_t count = options->count - 1;
    if (predictions_asked(options->arguments[0])) {
        const struct predictions_request rows = {options->arguments[0], options->arguments + 1,
                                                 count, path};
        return predictions_script(&rows, error);
    }
    struct machine *machines = memory_new(count, sizeof *machines);
    struct picture_request request = {.what = options->arguments[0],
                                      .machines = machines,
                                      .processors = &options->processors,
                                      .path = path};
    int status = 0;
    for (; request.count < count && status == 0; request.count += status == 0)
        status = options_machine(options, request.count + 1, &machines[request.count], error);
    char *script = status == 0 ? picture_script(&request, error) : NULL;
    for (size_t i = 0; i < request.count; i++)
        machine_free(&machines[i]);
    free(machines);
    return script;
}

static int check_output(const char *path, struct error *error)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!path)
        return 0;
    if (plot_can_write(path) || (dot && strcmp(dot, ".gp") == 0))
        return output_check(path, error);
    return error_set(error,
                     "--output is '%.60s': expected a name that ends in .svg, .png, .pdf or "
                     ".gp",
                     path);
}

static int draw(const struct options *options, struct error *error)
{
    if (options->count < 2)
        return error_set(error, "expected WHAT TABLE..., or --list");
    if (check_output(options->output, error) != 0)
        return -1;
    const bool draws = options->output && plot_can_write(options->output);
    char *script = make_script(options, draws ? options->output : NULL, error);
    char *picture = NULL;
    size_t bytes = 0;
    int status = script ? 0 : -1;
    if (status == 0 && draws)
        status = gnuplot_run(script, &picture, &bytes, error);
    if (status == 0)
        status = draws ? output_save_bytes(picture, bytes, options->output, error)
                       : output_save(script, options->output, error);
    free(picture);
    free(script);
    return status;
}

int cmd_plot(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = 0;
    if (options.list)
        print_list(options.format);
    else
        status =
            report_is_text(options.format)
                ? draw(&options, error)
                : error_set(error, "--format is of --list alone: a picture is .svg, .png, .pdf "
                                   "or a script; estimator cost TABLE UTILITY --format csv has "
                                   "the numbers");
    options_free(&options);
    return status;
}
