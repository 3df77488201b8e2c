/* A machine that is in one of a few states for seconds to minutes each, as a virtual one whose
   processors are moved or have neighbours: messages take one time in one and another in the other,
   and their mean in none. A gauge, the same few messages beside every measurement, tells which it
   is in. */
#ifndef MODEL_MICRO_STATES_H
#define MODEL_MICRO_STATES_H

#include "model/records/record.h"

#include <stddef.h>

enum { STATES_MOST = 3 };

/* One state of several. */
struct machine_state {
    double share;           /* of the time in which the gauge told the state, 0 to 1 */
    double gauge_us;        /* the median of its gauge */
    double low_us, high_us; /* all of its readings; those of two states do not overlap */
};

/* What a cost takes in another state: add_us + factor times what it takes in the first. */
struct state_factor {
    double state;      /* 2, 3, as the machine's list has them */
    double bytes_upto; /* INFINITY: no bound */
    double ratio;      /* how many times as long it took, the median */
    double add_us, factor;
    double points; /* sizes measured in both states */
};

extern const struct record machine_state_record, state_factor_record;

/* What two readings, before and behind a measurement, tell of the machine meanwhile; 0: nothing, as
   it was another one before than behind, or there is no gauge (0). */
double states_gauge(double before_us, double behind_us);

/* The line through count pairs of times in us, all above 0, of the same sizes in the first state
   and in another one, by least squares of the relative error, and the median ratio; the other
   members are the caller's. A line that falls, or through times that are all alike, is a factor
   alone. */
struct state_factor states_line(const double *first_us, const double *other_us, size_t count);

/* Appends the states (struct machine_state) that count gauges in us tell of, the commonest first;
   0s are left out. Readings are of two states where next to none lie between them, each has a
   twentieth of them at least, and half of each are about the same. None are appended where all are
   of one state. spent_us: how long each measurement took, above 0: in a slow state as many of them
   take longer, and shares are of time. */
void states_find(const double *gauges_us, const double *spent_us, size_t count,
                 struct list *states);

/* Which of the states a reading tells, from 0; -1: none. */
int states_which(const struct list *states, double gauge_us);

#endif
