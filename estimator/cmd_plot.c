/* estimator plot: what was measured and what the model makes of it, as pictures. */
#include "estimator/commands.h"
#include "estimator/options.h"
#include "estimator/output.h"
#include "estimator/plot.h"
#include "model/base/memory.h"
#include "model/machine/machine.h"
#include "model/machine/points.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct options_face face = {
    .arguments = "WHAT TABLE...",
    .doc = "Draws through gnuplot: WHAT is a utility (its time against message bytes, with the "
           "points of TABLE.points.csv beside TABLE, held-out ones open; -p takes several), rate "
           "(a utility after a colon: rate:exchange; bytes over time), overlap (what of a transfer "
           "is left for work) or signature (LogP). Several tables go into one picture. The ending "
           "of --output says how: .svg, .png or .pdf; .gp, or none, is the script with its data.",
    .takes = "po",
    .least = 2,
    .most = OPTIONS_ARGUMENTS,
};

enum { SIZES = 240 };

/* What is drawn, of the machines one after the other. */
struct picture {
    const struct options *options;
    struct plot plot;
    const char *what; /* the utility, where it is one */
    int drawn;        /* machines so far */
    int colours;      /* used so far */
};

/* ---- a utility: time or rate against bytes ---- */

static double value_of(double bytes, double time_us, bool is_rate)
{
    return is_rate ? bytes / time_us : time_us;
}

static void draw_model(struct picture *picture, const struct cost *cost, double processors,
                       bool is_rate, const char *title, int like)
{
    const double most = isfinite(cost->bytes.most) ? cost->bytes.most : 1048576.0;
    const double least = fmax(1.0, isnan(cost->bytes.least) ? 1.0 : cost->bytes.least);
    if (!plot_series(&picture->plot, title, PLOT_LINE, like))
        return;
    for (int i = 0; i < SIZES; i++) {
        struct cost_answer answer;
        const double bytes = round(least * pow(most / least, (double)i / (SIZES - 1)));
        if (cost_answer(cost, bytes, processors, &answer, NULL) == 0)
            plot_point(&picture->plot, bytes, value_of(bytes, answer.time_us, is_rate));
    }
    plot_series_end(&picture->plot);
}

static double last_attempt(const struct list *points, const char *utility, double processors)
{
    const struct point *items = points->items;
    double last = 0.0;
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(items[i].utility, utility) == 0 && items[i].processors == processors)
            last = fmax(last, items[i].attempt);
    return last;
}

static void draw_points(struct picture *picture, const struct list *points, const char *utility,
                        double processors, bool is_rate, bool held_out, int like)
{
    const struct point *items = points->items;
    const double attempt = last_attempt(points, utility, processors);
    char title[80];
    snprintf(title, sizeof title, "%s, p = %g", held_out ? "held out" : "measured", processors);
    if (attempt == 0.0 ||
        !plot_series(&picture->plot, title, held_out ? PLOT_OPEN_MARKS : PLOT_MARKS, like))
        return;
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(items[i].utility, utility) == 0 && items[i].processors == processors &&
            items[i].attempt == attempt && items[i].held_out == held_out && items[i].bytes > 0.0)
            plot_point(&picture->plot, items[i].bytes,
                       value_of(items[i].bytes, items[i].median_us, is_rate));
    plot_series_end(&picture->plot);
}

/* The points are a help: a table without them has a picture too. */
static int read_points(const char *table, struct list *points, struct error *error)
{
    const char *dot = strrchr(table, '.');
    const int length = dot && !strchr(dot, '/') ? (int)(dot - table) : (int)strlen(table);
    char *path = memory_format("%.*s.points.csv", length, table);
    struct stat file;
    const int status = stat(path, &file) == 0 ? points_read(path, points, error) : 0;
    free(path);
    return status;
}

static int draw_utility(struct picture *picture, const struct machine *machine, bool is_rate,
                        struct error *error)
{
    const struct cost *cost;
    struct list points = {0};
    const struct number_list *asked = &picture->options->processors;
    if (machine_require(machine, picture->what, &cost, error) != 0 ||
        read_points(machine->path, &points, error) != 0)
        return -1;
    const double trained = isfinite(cost->processors.most) ? cost->processors.most : 2.0;
    for (size_t i = 0; i < (asked->count ? asked->count : 1); i++) {
        const double processors = asked->count ? asked->values[i] : trained;
        const int like = picture->colours++;
        char title[160];
        snprintf(title, sizeof title, "%.100s: model, p = %g", machine->machine.name, processors);
        draw_model(picture, cost, processors, is_rate, title, like);
        draw_points(picture, &points, picture->what, processors, is_rate, false, like);
        draw_points(picture, &points, picture->what, processors, is_rate, true, like);
    }
    list_free(&point_record, &points);
    return 0;
}

static int draw_times(struct picture *picture, const struct machine *machine, struct error *error)
{
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", "time, us", true, true);
    return draw_utility(picture, machine, false, error);
}

static int draw_rates(struct picture *picture, const struct machine *machine, struct error *error)
{
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", "rate, MB/s", true, true);
    return draw_utility(picture, machine, true, error);
}

/* ---- overlap (R294) and the LogP signature (figure 4 of its paper) ---- */

static int say_missing(const struct machine *machine, const char *what, struct error *error)
{
    return error_at(error, place_at(machine->path, 0, 0), "the table has no %s", what);
}

static int draw_overlap(struct picture *picture, const struct machine *machine, struct error *error)
{
    const struct overlap *items = machine->overlap.items;
    if (machine->overlap.count == 0)
        return say_missing(machine, "overlap", error);
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", "availability, %", true, false);
    for (int side = OVERLAP_SEND; side <= OVERLAP_RECEIVE; side++) {
        char title[160];
        snprintf(title, sizeof title, "%.100s: %s", machine->machine.name,
                 side == OVERLAP_SEND ? "send" : "receive");
        if (!plot_series(&picture->plot, title, PLOT_LINE, picture->colours++))
            return 0;
        for (size_t i = 0; i < machine->overlap.count; i++)
            if ((int)items[i].side == side && items[i].bytes > 0.0)
                plot_point(&picture->plot, items[i].bytes, 100.0 * items[i].availability);
        plot_series_end(&picture->plot);
    }
    return 0;
}

static int draw_signature(struct picture *picture, const struct machine *machine,
                          struct error *error)
{
    if (!machine->logp || machine->logp->signature.count == 0)
        return say_missing(machine, "logp signature", error);
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "messages issued in a row", "cost of one, us", true, false);
    const struct signature_point *items = machine->logp->signature.items;
    const size_t count = machine->logp->signature.count;
    for (size_t i = 0; i < count; i++) {
        bool is_first = true;
        for (size_t k = 0; k < i; k++)
            is_first &= items[k].delay_us != items[i].delay_us;
        char title[160];
        snprintf(title, sizeof title, "%.80s: delay %.4g us", machine->machine.name,
                 items[i].delay_us);
        if (!is_first || !plot_series(&picture->plot, title, PLOT_LINE, picture->colours++))
            continue;
        for (size_t k = i; k < count; k++)
            if (items[k].delay_us == items[i].delay_us)
                plot_point(&picture->plot, items[k].issues, items[k].cost_us);
        plot_series_end(&picture->plot);
    }
    return 0;
}

/* ---- kinds ---- */

typedef int draw_machine(struct picture *picture, const struct machine *machine,
                         struct error *error);

static const struct kind {
    const char *name; /* ends in a colon: a utility follows; "": is a utility */
    draw_machine *draw;
} kinds[] = {
    {"overlap",   draw_overlap  },
    {"signature", draw_signature},
    {"rate:",     draw_rates    },
    {"",          draw_times    },
};

/* The last kind takes all that is left. */
static const struct kind *kind_of(struct picture *picture, const char *what)
{
    const struct kind *kind = kinds;
    for (; *kind->name; kind++) {
        const size_t length = strlen(kind->name);
        if (kind->name[length - 1] == ':' ? strncmp(what, kind->name, length) == 0
                                          : strcmp(what, kind->name) == 0)
            break;
    }
    picture->what = what + (*kind->name ? strlen(kind->name) : 0);
    return kind;
}

static int draw_all(struct picture *picture, struct error *error)
{
    const struct kind *kind = kind_of(picture, picture->options->arguments[0]);
    int status = 0;
    for (size_t i = 1; i < picture->options->count && status == 0; i++) {
        struct machine machine;
        status = machine_read(&machine, picture->options->arguments[i], error);
        if (status != 0)
            break;
        status = kind->draw(picture, &machine, error);
        picture->drawn++;
        machine_free(&machine);
    }
    return status;
}

/* ---- out ---- */

/* The whole script, so that nothing is run or written before all of it is right; to be freed. */
static char *write_script(const struct options *options, const char *path, struct error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *script = open_memstream(&text, &size);
    struct picture picture = {.options = options};
    plot_begin(&picture.plot, script, path, options->arguments[0]);
    const int status = draw_all(&picture, error);
    plot_end(&picture.plot);
    fclose(script);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}

static int run_gnuplot(const char *script, struct error *error)
{
    FILE *gnuplot = popen("gnuplot", "w");
    if (!gnuplot)
        return error_set(error, "gnuplot cannot be started: %s", strerror(errno));
    fputs(script, gnuplot);
    return pclose(gnuplot) == 0
               ? 0
               : error_set(error, "gnuplot failed: is it installed (package gnuplot-nox)?");
}

static int check_output(const char *path, struct error *error)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!path || plot_can_write(path) || (dot && strcmp(dot, ".gp") == 0))
        return 0;
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
        char *script = write_script(&options, draws ? options.output : NULL, error);
        status = !script ? -1
                 : draws ? run_gnuplot(script, error)
                         : output_save(script, options.output, error);
        free(script);
    }
    options_free(&options);
    return status;
}
