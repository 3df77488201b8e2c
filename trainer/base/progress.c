#include "trainer/base/progress.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

struct progress progress_begin(bool wanted, size_t parts, double now_s, double budget_s)
{
    return (struct progress){.bar = wanted && isatty(STDERR_FILENO),
                             .parts = parts,
                             .start_s = now_s,
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

void progress_point(struct progress *progress, const char *what, size_t points, double now_s)
{
    if (!progress->bar || now_s - progress->drawn_s < 0.1)
        return;
    progress->drawn_s = now_s;
    const size_t full = progress->parts ? BAR_WIDTH * progress->part / progress->parts : 0;
    fprintf(stderr, "\r[");
    for (size_t i = 0; i < BAR_WIDTH; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "] %-16s %4zu points, %3.0f s left ", what, points, left_s(progress, now_s));
}

void progress_part(struct progress *progress, const char *line)
{
    progress->part++;
    fprintf(stderr, "%s%s\n", progress->bar ? "\r\033[K" : "", line);
}
