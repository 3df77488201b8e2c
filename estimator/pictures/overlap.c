/* Overlap (Doerfler, Host Processor Overhead): what is left for work by message bytes (Results),
   and the loop's time against the work in it (Method). */
#include "estimator/pictures/kinds.h"
#include "model/fit/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- by message bytes ---- */

static void draw_side(struct picture *picture, const struct machine *machine, int side,
                      bool is_overhead)
{
    const struct overlap *items = machine->overlap.items;
    if (!picture_series(picture, machine, PLOT_LINE, picture->colours++, "%s",
                        side == OVERLAP_SEND ? "send" : "receive"))
        return;
    for (size_t i = 0; i < machine->overlap.count; i++)
        if (items[i].side == side && items[i].bytes > 0.0)
            plot_point(&picture->plot, items[i].bytes,
                       is_overhead ? items[i].overhead_us : 100.0 * items[i].availability);
    plot_series_end(&picture->plot);
}

static int draw_sides(struct picture *picture, const struct machine *machine, bool is_overhead,
                      struct error *error)
{
    if (machine->overlap.count == 0)
        return picture_missing(machine, "overlap", error);
    for (int side = OVERLAP_SEND; side <= OVERLAP_RECEIVE; side++)
        draw_side(picture, machine, side, is_overhead);
    return 0;
}

int draw_overlap(struct picture *picture, const struct machine *machine, struct error *error)
{
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", "availability, %", true, false);
    return draw_sides(picture, machine, false, error);
}

int draw_overhead(struct picture *picture, const struct machine *machine, struct error *error)
{
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", "overhead, us", true, true);
    return draw_sides(picture, machine, true, error);
}

/* ---- the loop's time against the work in it ---- */

/* A point's name is overlap-SIDE-WHAT-WORK, WHAT one of loop, base and work. */
struct loop_point {
    char side[8], what[8];
    double work;
};

enum { GROWTH = 1 }; /* the attempt of points while the work grows */

static bool loop_of(const struct point *point, struct loop_point *loop)
{
    return sscanf(point->utility, "overlap-%7[a-z]-%7[a-z]-%lf", loop->side, loop->what,
                  &loop->work) == 3;
}

static bool is_what(const struct loop_point *loop, const char *side, const char *what)
{
    return strcmp(loop->side, side) == 0 && strcmp(loop->what, what) == 0;
}

/* The bytes after the colon, or the most that there are; NAN: none. */
static double loop_bytes(const struct picture *picture, const struct list *points)
{
    const struct point *items = points->items;
    struct loop_point loop;
    double most = NAN;
    for (size_t i = 0; i < points->count; i++)
        if (loop_of(&items[i], &loop))
            most = fmax(most, items[i].bytes);
    return picture_number(picture->detail, most);
}

/* us of one unit of work, from the work that was timed alone; NAN: none was. */
static double unit_us(const struct list *points, const char *side, double bytes)
{
    const struct point *items = points->items;
    struct loop_point loop;
    for (size_t i = 0; i < points->count; i++)
        if (loop_of(&items[i], &loop) && is_what(&loop, side, "work") && items[i].bytes == bytes)
            return items[i].median_us / loop.work;
    return NAN;
}

/* Returns the most work that was drawn, us; 0: none. */
static double draw_what(struct picture *picture, const struct list *points, const char *side,
                        const char *what, double bytes)
{
    const struct point *items = points->items;
    const double one_us = unit_us(points, side, bytes);
    struct loop_point loop;
    double most_us = 0.0;
    for (size_t i = 0; i < points->count; i++)
        if (items[i].bytes == bytes && items[i].attempt == GROWTH && loop_of(&items[i], &loop) &&
            is_what(&loop, side, what) && isfinite(one_us)) {
            plot_point(&picture->plot, loop.work * one_us, items[i].median_us);
            most_us = fmax(most_us, loop.work * one_us);
        }
    plot_series_end(&picture->plot);
    return most_us;
}

/* The loop, and the transfer alone as it is averaged so far. */
static double draw_loop(struct picture *picture, const struct machine *machine,
                        const struct list *points, const char *side, double bytes)
{
    const int like = picture->colours++;
    double most_us = 0.0;
    if (isnan(unit_us(points, side, bytes)))
        return 0.0;
    if (picture_series(picture, machine, PLOT_LINE, like, "%s of %.10g bytes, loop", side, bytes))
        most_us = draw_what(picture, points, side, "loop", bytes);
    if (picture_series(picture, machine, PLOT_OPEN_MARKS, like,
                       "%s, average while the work hides behind it", side))
        draw_what(picture, points, side, "base", bytes);
    return most_us;
}

/* A loop that cost nothing but its work. */
static void draw_work(struct picture *picture, double least_us, double most_us)
{
    if (!plot_series(&picture->plot, "the work alone", PLOT_GUIDE, 0))
        return;
    plot_point(&picture->plot, least_us, least_us);
    plot_point(&picture->plot, most_us, most_us);
    plot_series_end(&picture->plot);
}

int draw_overlap_loops(struct picture *picture, const struct machine *machine, struct error *error)
{
    struct list points = {0};
    if (picture_points(machine, &points, error) != 0)
        return -1;
    const double bytes = loop_bytes(picture, &points);
    if (picture->drawn == 0)
        plot_axes_equal(&picture->plot, "work in the loop, us", "time of the loop, us");
    const double send_us = draw_loop(picture, machine, &points, "send", bytes);
    const double receive_us = draw_loop(picture, machine, &points, "receive", bytes);
    const double most_us = fmax(send_us, receive_us);
    if (most_us > 0.0)
        draw_work(picture, 0.5 * most_us, most_us);
    list_free(&point_record, &points);
    return most_us > 0.0 ? 0 : picture_missing(machine, "points of that overlap", error);
}
