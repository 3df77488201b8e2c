/* The values that a ranking goes through: those of -D NAME=LIST, and the description's sweep. */
#ifndef ESTIMATOR_OUTPUT_AXES_H
#define ESTIMATOR_OUTPUT_AXES_H

#include "estimator/output/options.h"
#include "model/segment/program/program.h"

enum { PARAMETERS_MOST = 16 };

/* All values of a parameter in turn. */
struct sweep_axis {
    char *name;
    struct number_list values;
    size_t at;
};

struct axes {
    size_t count;
    struct sweep_axis items[PARAMETERS_MOST];
    struct number_list processors; /* of the description's sweep; empty: none */
};

/* What the command line sets goes before the description. Errors: what is no list of numbers, more
   than PARAMETERS_MOST. Release with axes_free, after an error too. */
int axes_read(struct axes *axes, const struct options *options, const struct program *program,
              struct error *error);
void axes_free(struct axes *axes);

/* Steps to the next combination; false after the last, with which it begins anew. */
bool axes_next(struct axes *axes);

double axis_value(const struct sweep_axis *axis);

/* The present combination as definitions "NAME=VALUE", one an axis; each to be freed. */
void axes_define(const struct axes *axes, char *definitions[]);

#endif
