#include "estimator/pictures/plot.h"

#include "model/base/printable.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Okabe and Ito's colours, which people with any colour vision tell apart. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000"};
enum { COLOURS = sizeof colours / sizeof *colours };

/* Filled and open marks of the same shape in gnuplot's terminals. */
static const struct {
    int filled, open;
} marks[] = {
    {7,  6 },
    {5,  4 },
    {9,  8 },
    {13, 12},
    {11, 10},
};
enum { MARKS = sizeof marks / sizeof *marks };

static const struct {
    const char *ending, *terminal;
} terminals[] = {
    {".svg", "svg size 960,640 dynamic font 'sans,14' background '#ffffff'"},
    {".png", "pngcairo size 1440,960 font 'sans,18'"                       },
    {".pdf", "pdfcairo size 9in,6in font 'sans,12'"                        },
};
enum { TERMINALS = sizeof terminals / sizeof *terminals };

static const char *terminal_for(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < TERMINALS; i++)
        if (strcmp(dot, terminals[i].ending) == 0)
            return terminals[i].terminal;
    return NULL;
}

bool plot_can_write(const char *path)
{
    return terminal_for(path) != NULL;
}

/* In single quotes gnuplot substitutes nothing; a quote within is written twice. */
static void quote(FILE *script, const char *text)
{
    putc('\'', script);
    for (; *text; text++) {
        if (*text == '\'')
            putc('\'', script);
        putc(iscntrl((unsigned char)*text) || *text == '`' ? ' ' : *text, script);
    }
    putc('\'', script);
}

/* Scripts are looked at on terminals, too. */
static void quote_printable(FILE *script, const char *text)
{
    char *shown = printable(text);
    quote(script, shown);
    free(shown);
}

static void set_text(FILE *script, const char *what, const char *text)
{
    fprintf(script, "set %s ", what);
    quote_printable(script, text);
    fputs(" noenhanced\n", script);
}

void plot_begin(struct plot *plot, FILE *script, const char *path, const char *title)
{
    *plot = (struct plot){.script = script};
    if (path) {
        fprintf(script, "set terminal %s\n", terminal_for(path));
    }
    set_text(script, "title", title);
    fputs("set key noenhanced below left reverse Left maxcols 2 height 1\nset grid linecolor "
          "'#c8c8c8'\n"
          "set border 3\nset tics nomirror out\n",
          script);
}

void plot_axes(struct plot *plot, const char *x, const char *y, bool log_x, bool log_y)
{
    set_text(plot->script, "xlabel offset 0,0.4", x);
    set_text(plot->script, "ylabel", y);
    if (log_x)
        fputs("set logscale x 2\nset format x '%.0b%B'\n", plot->script);
    if (log_y)
        fputs("set logscale y\n", plot->script);
}

void plot_axes_equal(struct plot *plot, const char *x, const char *y)
{
    set_text(plot->script, "xlabel offset 0,0.4", x);
    set_text(plot->script, "ylabel", y);
    fputs("set logscale xy\nset format xy '%g'\n", plot->script);
}

bool plot_series(struct plot *plot, const char *title, enum plot_style style, int like)
{
    if (plot->count == PLOT_SERIES_MOST)
        return false;
    struct plot_series *series = &plot->series[plot->count];
    snprintf(series->title, sizeof series->title, "%s", title);
    series->style = style;
    series->like = like;
    fprintf(plot->script, "$series%d << EOD\n", plot->count);
    return true;
}

void plot_point(struct plot *plot, double x, double y)
{
    if (isfinite(x) && isfinite(y))
        fprintf(plot->script, "%.9g %.9g\n", x, y);
}

void plot_band(struct plot *plot, double x, double low, double high)
{
    if (isfinite(x) && isfinite(low) && isfinite(high))
        fprintf(plot->script, "%.9g %.9g %.9g\n", x, low, high);
}

void plot_series_end(struct plot *plot)
{
    fputs("EOD\n", plot->script);
    plot->count++;
}

void plot_name(struct plot *plot, const char *text)
{
    const bool is_first = plot->names++ == 0;
    fputs(is_first ? "set offsets 0.5, 0.5\nset xtics noenhanced (" : "set xtics add (",
          plot->script);
    quote_printable(plot->script, text);
    fprintf(plot->script, " %d)\n", plot->names);
}

void plot_mark(struct plot *plot, double x, const char *text)
{
    fprintf(plot->script,
            "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead linecolor '#808080' "
            "dashtype 3\nset label ",
            x, x);
    quote_printable(plot->script, text);
    fprintf(plot->script, " at first %.9g, graph 1 left offset 0.3,%s noenhanced\n", x,
            plot->marks++ % 2 ? "-1.6" : "-0.6");
}

/* Whether one before looks the same and has the same title. */
static bool is_in_key(const struct plot *plot, int i)
{
    const struct plot_series *series = &plot->series[i];
    for (int k = 0; k < i; k++)
        if (plot->series[k].like == series->like && plot->series[k].style == series->style &&
            strcmp(plot->series[k].title, series->title) == 0)
            return true;
    return false;
}

static void draw(const struct plot *plot, int i)
{
    const struct plot_series *series = &plot->series[i];
    const char *colour = colours[series->like % COLOURS];
    const int mark = series->like % MARKS;
    fprintf(plot->script, "%s $series%d using %s ", i ? ", \\\n    " : "plot", i,
            series->style == PLOT_BAND ? "1:2:3" : "1:2");
    if (series->style == PLOT_BAND) {
        fprintf(plot->script,
                "with filledcurves fillcolor '%s' fillstyle transparent solid 0.15 notitle",
                colour);
        return;
    }
    if (series->style == PLOT_LINE)
        fprintf(plot->script, "with lines linecolor '%s' linewidth 2 dashtype %d", colour,
                1 + series->like % 5);
    else if (series->style == PLOT_BARS)
        fprintf(plot->script, "with boxes fillstyle solid 1 border -1 linecolor '%s'", colour);
    else if (series->style == PLOT_GUIDE)
        fprintf(plot->script, "with lines linecolor '#808080' linewidth 1 dashtype %d",
                1 + series->like % 5);
    else
        fprintf(plot->script, "with points linecolor '%s' pointtype %d pointsize 0.7", colour,
                series->style == PLOT_MARKS ? marks[mark].filled : marks[mark].open);
    if (is_in_key(plot, i)) {
        fputs(" notitle", plot->script);
        return;
    }
    fputs(" title ", plot->script);
    quote_printable(plot->script, series->title);
}

void plot_end(struct plot *plot)
{
    if (plot->count > 0 && plot->series[0].style == PLOT_BARS)
        fputs("set boxwidth 0.3\nset yrange [0:*]\n", plot->script);
    for (int i = 0; i < plot->count; i++)
        draw(plot, i);
    putc('\n', plot->script);
}
