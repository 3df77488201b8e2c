/* A part of what a program costs that depends on how a few arrays lie: the costs of a program are
   the sum of its parts, or no less than it. */
#ifndef FORECAST_SEARCH_PART_H
#define FORECAST_SEARCH_PART_H

#include "forecast/search/space.h"

struct part {
    size_t count;                 /* arrays that it depends on, */
    size_t leaders[LEADERS_MOST]; /* these */
    size_t stride[LEADERS_MOST];
    size_t size; /* of us: the product of their options */
    double *us;  /* INFINITY: cannot be predicted, or is not to be looked at */
    bool owned;  /* us is released with the part */
};

struct parts {
    size_t count;
    struct part *items; /* owned */
};

/* An array more. */
void part_depend(struct part *part, const struct space *space, size_t leader);

/* The entry of a choice: an option for each leader of the space. */
size_t part_at(const struct part *part, const size_t *choice);

/* Takes the part over. */
void parts_add(struct parts *parts, const struct part *part);
void parts_free(struct parts *parts);

#endif
