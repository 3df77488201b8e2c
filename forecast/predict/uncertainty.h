/* How uncertain a sum of predictions is. What a table's regions are wrong by together (the launch,
   the place of a line, extrapolation) all uses of a region share; what the model is wrong by at one
   size and processor count only equal uses share. Both are relative, and logarithmic: a time is
   divided or multiplied. */
#ifndef FORECAST_PREDICT_UNCERTAINTY_H
#define FORECAST_PREDICT_UNCERTAINTY_H

#include "model/cost/cost.h"

#include <stdbool.h>

/* Times with the same errors. */
struct uncertain {
    /* Borrowed; NULL: of computation; one that is nobody's: of what structure.h bounds. */
    const struct region *region;
    double bytes, processors;
    double time_us;
    double shared, own; /* standard deviations of the logarithm */
};

extern const struct record uncertain_record; /* for lists; owns nothing */

/* Each with errors of its own. Zeroed = empty. */
struct uncertainty {
    struct list list;  /* of struct uncertain */
    size_t slot_count; /* of slots: 0 while there are few, else a power of two */
    unsigned *slots;   /* where in the list, + 1, by hashed errors; owned */
};

void uncertainty_free(struct uncertainty *uncertainty);

/* Adds the time of uses to the entry with the same errors, where there is one. The width of the
 * answer's interval is of the one level (confidence.h). */
void uncertain_add(struct uncertainty *to, const struct cost_answer *each, double bytes,
                   double processors, double time_us);

/* Adds a time whose logarithm has that standard deviation, shared by all that are added so; 0: not
   uncertain. */
void uncertain_add_spread(struct uncertainty *to, double spread, double time_us);

/* Whose error multiplies all communication of a prediction, with the errors that it has already. */
extern const struct region uncertain_in_program;

/* Adds by what communication in a program differs from what a table measured of it alone: one error
   of all of a prediction's. */
void uncertain_add_in_program(struct uncertainty *to, double time_us);

/* Multiplies the times of computation, or all others, and their standard deviations. */
void uncertain_scale(struct uncertainty *of, double factor, double deviations, bool of_computation);

/* Adds by what a run differs from another one: one error of all of a prediction's. */
void uncertain_add_of_run(struct uncertainty *to, double spread, double time_us);

/* The factor that divides and multiplies a time of that spread for its interval. */
double uncertain_factor_of(double spread);

/* Adds all entries of another. */
void uncertain_add_all(struct uncertainty *to, const struct uncertainty *more);

/* The factor that divides and multiplies a total, which includes certain times, for its interval:
   errors added up by the delta method. 1 where nothing is uncertain. */
double uncertain_factor(const struct uncertainty *of, double total_us);

#endif
