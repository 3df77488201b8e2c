/* estimator plot: what was measured and what the model makes of it, as pictures. */
#include "estimator/pictures/plot.h"
#include "estimator/commands/commands.h"
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
    .doc = "Draws through gnuplot: WHAT is a utility (its time against message bytes, with the "
           "points of TABLE.points.csv beside TABLE, held-out ones open; -p takes several), "
           "rate:UTILITY (bytes over time), accuracy or accuracy:UTILITY (predicted over "
           "measured, every point), broadcasts:BYTES (the six algorithms against processors up "
           "to -p), distance or distance:rate (messages and exchanges with near and far "
           "processors), swap or swap:BYTES (the fastest against their number of messages), "
           "swap:rate (their MB/s both ways against message bytes), overlap (what of a transfer "
           "is left for work), overhead, signature (LogP), memory (what a load costs, with the "
           "sources' kernels; memory:load, memory:store: one kernel by stride), bound (what of "
           "their bound Livermore kernels reach: TABLE.livermore.csv beside TABLE), cpf (cycles "
           "per operation of kernel 3 against its arrays' bytes: TABLE.cpf.csv beside TABLE), "
           "or predictions or predictions:PART (predicted against measured; TABLE is then a CSV "
           "file with the columns predicted_us and measured_us, and sample and part where it "
           "has them). Several tables go into one picture. The ending of --output says how: "
           ".svg, .png or .pdf; .gp, or none, is the script with its data.",
    .takes = "po",
    .least = 2,
    .most = OPTIONS_ARGUMENTS,
};

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
        status =
            machine_read(&machines[request.count], options->arguments[request.count + 1], error);
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

int cmd_plot(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = check_output(options.output, error);
    if (status == 0) {
        const bool draws = options.output && plot_can_write(options.output);
        char *script = make_script(&options, draws ? options.output : NULL, error);
        status = !script ? -1
                 : draws ? gnuplot_run(script, error)
                         : output_save(script, options.output, error);
        free(script);
    }
    options_free(&options);
    return status;
}
