/* Pictures: data and a script for gnuplot, which may be looked at or run. One more kind of picture
   is one function and one row in pictures.c. */
#ifndef ESTIMATOR_PLOT_H
#define ESTIMATOR_PLOT_H

#include <stdbool.h>
#include <stdio.h>

enum { PLOT_SERIES_MOST = 48 };

/* How a series is drawn. */
enum plot_style {
    PLOT_LINE,
    PLOT_MARKS,
    PLOT_OPEN_MARKS,
    PLOT_BARS,  /* upright, from 0, a third of a whole number wide */
    PLOT_BAND,  /* from low to high, without words: plot_band */
    PLOT_GUIDE, /* thin and grey: nothing that was measured or predicted */
    PLOT_STYLES
};

/* A picture that is being written. Series are told apart by colour, and by dashes or marks as well,
   for those who do not see all colours, and for printers. */
struct plot {
    FILE *script; /* borrowed */
    int count;
    int names; /* on the x axis so far */
    int marks; /* their words stand in turn on two lines, so that near ones are told apart */
    struct plot_series {
        char title[160];
        enum plot_style style;
        int like; /* the number of its colour: equal for a model and its points */
    } series[PLOT_SERIES_MOST];
};

/* The terminal for the ending of path (svg, png or pdf), the title, the axes. NULL for path: no
   terminal is set, and no output. Texts may contain anything; nothing in them is executed. */
void plot_begin(struct plot *plot, FILE *script, const char *path, const char *title);
void plot_axes(struct plot *plot, const char *x, const char *y, bool log_x, bool log_y);

/* Both logarithmic to base 10, for the same quantity. */
void plot_axes_equal(struct plot *plot, const char *x, const char *y);

/* Begins a series' data; returns whether there is room for it. Follow with plot_point (of
   PLOT_BAND plot_band) for each and plot_series_end. */
bool plot_series(struct plot *plot, const char *title, enum plot_style style, int like);
void plot_point(struct plot *plot, double x, double y);
void plot_band(struct plot *plot, double x, double low, double high);
void plot_series_end(struct plot *plot);

/* Names the next whole number of the x axis, from 1, in place of numbers; not between the beginning
   and the end of a series. */
void plot_name(struct plot *plot, const char *text);

/* A thin line upwards at x, with a few words beside its top; not between the beginning and the end
   of a series. */
void plot_mark(struct plot *plot, double x, const char *text);

/* The command that draws all series. */
void plot_end(struct plot *plot);

/* Whether path has an ending that plot_begin knows. */
bool plot_can_write(const char *path);

#endif
