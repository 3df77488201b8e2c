/* How long a calibration takes, part by part, and what the budget leaves of it. Knows no MPI and no
   clock. */
#ifndef TRAINER_EFFORT_EFFORT_H
#define TRAINER_EFFORT_EFFORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What is measured in one go: a utility, or a suite of other means; in the order of measuring. */
struct effort_part {
    const char *name, *suite;
    bool is_large;  /* a hundred measurements in one */
    double needs_s; /* until it is complete; NAN: not asked, until effort_fill() */
    double gets_s;  /* of the budget: effort_share() */
};

struct effort {
    struct effort_part *parts;
    size_t count;
    int processors;
    double begun_s;  /* what was spent before the first part */
    double budget_s; /* from the beginning on */
};

/* What of left_s the first of so many parts may take: an equal share; of a large suite a
   third. */
double effort_share_s(double left_s, int parts, bool is_large);

/* What was not asked is taken to need as long as the others do on average; nothing, where none is
   known. */
void effort_fill(struct effort *effort);

/* Sets gets_s: every part has its share of what is left then, and leaves what it does not need to
   those after it. */
void effort_share(struct effort *effort);

/* Until all is complete, and until the calibration ends: at the budget's end at the latest. Of an
   effort that was shared. */
double effort_needs_s(const struct effort *effort);
double effort_takes_s(const struct effort *effort);

/* Whether the part ends before it is complete. */
bool effort_is_short(const struct effort_part *part);

/* "about 9 min of 1024 ranks, 150 core-hours; with --budget 300: ..." without a line's end; to be
   freed. */
char *effort_line(const struct effort *effort);

/* A row a suite as CSV: what it needs and gets, in seconds, and which parts are cut short. */
void effort_write(const struct effort *effort, FILE *out);

#endif
