/* What the person at the terminal sees while the trainer measures. */
#ifndef TRAINER_BASE_PROGRESS_H
#define TRAINER_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool bar;   /* a bar on a terminal */
    bool lines; /* without one, now and then a line; neither: one line a part alone */
    size_t part, parts;
    double start_s, end_s; /* of the run: the clock's time now, and when the budget ends */
    double drawn_s;
};

/* parts: how many there will be. */
struct progress progress_begin(bool wanted, size_t parts, double now_s, double budget_s);

/* Within a part: `points` so far. Draws at most ten times a second, without
   a terminal writes a line every ten seconds. */
void progress_point(struct progress *progress, const char *what, size_t points, double now_s);

/* A part has ended; a line that stays. */
void progress_part(struct progress *progress, const char *line);

#endif
