#include "trainer/base/progress.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

/* How often there is something new to see: of a bar, and of lines in a file. */
static const double bar_every_s = 0.1, line_every_s = 10.0;

struct progress progress_begin(bool wanted, size_t parts, double now_s, double budget_s)
{
    return (struct progress){.bar = wanted && isatty(STDERR_FILENO),
                             .lines = wanted && !isatty(STDERR_FILENO),
                             .parts = parts,
                             .start_s = now_s,
                             .drawn_s = now_s,
                             .end_s = now_s + budget_s};
}

/* Time left: at the pace so far, and never beyond the budget. */
static double left_s(const struct progress *progress, double now_s)
{
    const double spent_s = now_s - progress->start_s, budget_s = progress->end_s - now_s;
    if (progress->part == 0)
        return budget_s;
    const double pace_s = spent_s / (double)progress->part;
    const double needed_s = pace_s * (double)(progress->parts - progress->part);
    return needed_s < budget_s ? needed_s : budget_s;
}

static void draw_bar(const struct progress *progress, const char *what, size_t points, double now_s)
{
    const size_t full = progress->parts ? BAR_WIDTH * progress->part / progress->parts : 0;
    fprintf(stderr, "\r[");
    for (size_t i = 0; i < BAR_WIDTH; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "] %-16s %4zu points, %3.0f s left ", what, points, left_s(progress, now_s));
}

void progress_point(struct progress *progress, const char *what, size_t points, double now_s)
{
    const double every_s = progress->bar ? bar_every_s : line_every_s;
    if ((!progress->bar && !progress->lines) || now_s - progress->drawn_s < every_s)
        return;
    progress->drawn_s = now_s;
    if (progress->bar)
        draw_bar(progress, what, points, now_s);
    else
        fprintf(stderr, "trainer: part %zu of %zu: %s, %zu points, %.0f s left\n",
                progress->part + 1, progress->parts, what, points, left_s(progress, now_s));
}

void progress_part(struct progress *progress, const char *line)
{
    progress->part++;
    fprintf(stderr, "%s%s\n", progress->bar ? "\r\033[K" : "", line);
}
