/* Pictures of machine tables, as scripts for gnuplot that hold their data. */
#ifndef ESTIMATOR_PICTURES_H
#define ESTIMATOR_PICTURES_H

#include "model/base/number.h"
#include "model/machine/machine.h"

/* What is to be drawn. */
struct picture_request {
    const char *what;               /* such as "rate:exchange"; pictures.c lists them */
    const char *title;              /* NULL: what */
    const struct machine *machines; /* in one picture */
    size_t count;
    const struct number_list *processors; /* NULL or empty: as many as were trained */
    const char *path; /* the file that gnuplot shall write; NULL: neither terminal nor output */
};

/* A kind of picture, for people: how it is asked for, what it shows, where it comes from. */
struct picture_words {
    const char *what, *shows, *source;
};

/* Of each kind, counted from 0; NULL: there are no more. */
const struct picture_words *picture_words(size_t number);

/* The whole script, so that nothing is run or written before all of it is right; to be freed. NULL
   with *error set where a table has nothing to draw or its points cannot be read. */
char *picture_script(const struct picture_request *request, struct error *error);

/* Appends the points beside the table, if there are any, to a list of struct point. */
int picture_points(const struct machine *machine, struct list *points, struct error *error);

#endif
