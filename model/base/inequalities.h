/* Whether a system of linear equations and inequalities over whole numbers can hold: Fourier and
   Motzkin's elimination, after the test of the greatest common divisor. For questions about loops:
   does a subscript leave its array, does one iteration need what another one wrote. */
#ifndef MODEL_BASE_INEQUALITIES_H
#define MODEL_BASE_INEQUALITIES_H

#include <stdbool.h>
#include <stddef.h>

enum { UNKNOWNS_MOST = 24 };

/* Zeroed with `unknowns` set = a system without conditions. */
struct inequalities {
    int unknowns;
    bool impossible; /* an equation without a solution was added */
    struct list_of_rows {
        struct row {
            double by[UNKNOWNS_MOST], most; /* the sum of by[i] x[i] <= most */
        } * items;                          /* owned */
        size_t count, room;
    } rows;
};

/* The sum of by[i] x[i] is at most `most`; coefficients are whole numbers. */
void inequalities_at_most(struct inequalities *system, const double *by, double most);

/* The sum of by[i] x[i] equals value. */
void inequalities_equal(struct inequalities *system, const double *by, double value);

/* Whether there is a solution. True in doubt: where only fractions solve it beyond what dividing by
   common divisors shows, or the elimination grows out of hand. Uses the system up. */
bool inequalities_hold(struct inequalities *system);

void inequalities_free(struct inequalities *system);

#endif
