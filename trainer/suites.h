/* What a calibration consists of, as --suite names it: groups of utilities, and what is measured by
   other means. */
#ifndef TRAINER_SUITES_H
#define TRAINER_SUITES_H

#include "trainer/engine/run.h"
#include "trainer/utilities/utility.h"

struct suite {
    const char *name, *does;
    /* Rank 0 measures into the table; NULL: the suite is the utilities that name it. Says itself
       what is missing from the table (run_not_measured); -1 ends the calibration. */
    int (*measure)(struct run *run, struct machine *machine, struct error *error);
    /* Rank 0 asks a little: about how long measure() takes where nothing ends it before, s. NULL:
       it is not known, and taken to be as long as other parts are; and where measure is NULL. */
    double (*foresee_s)(struct run *run);
    bool alone;                    /* the others sleep meanwhile */
    bool is_large;                 /* a hundred measurements in one, which predictions use first */
    const struct pattern *utility; /* that it makes of what it measures; NULL: none */
};

extern const struct suite suites[];
extern const int suites_count;

/* Whether the list "name,name" has the suite; NULL is all. */
bool suites_selected(const char *list, const struct suite *suite);

/* Whether the list has the utility or its suite; NULL is all. */
bool suites_selected_utility(const char *list, const struct utility *utility);

/* Whether the utility is one of the suite. */
bool suite_has(const struct suite *suite, const struct utility *utility);

/* Whether every name of the list is a suite's or a utility's; else an error that says which are. */
int suites_check(const char *list, struct error *error);

#endif
