/* Machine tables side by side. */
#ifndef ESTIMATOR_COMPARISON_H
#define ESTIMATOR_COMPARISON_H

#include "estimator/output/options.h"
#include "estimator/output/report.h"
#include "model/base/number.h"
#include "model/machine/machine.h"

/* The tables, and what they are compared at. */
struct comparison {
    struct machine *machines; /* owned */
    char **names; /* of columns and winners: the machines', or the files' where two are the same */
    size_t count;
    struct number_list bytes, processors; /* at least one of each */
    unsigned forbidden; /* enum cost_flag: what a table was not trained for is not said */
};

/* What a file holds, which was read already: a pipe has nothing more then. Borrowed. */
struct comparison_text {
    const char *text;
    size_t bytes;
};

/* Reads the tables that a command is given, all or none, and takes its -n and -p over; where there
   are none, sizes, and powers of two up to as many processors as the smallest machine has, and then
   what a table was not trained for is left out. last: what the last argument's file holds; NULL: it
   is read as the others are. Release with comparison_free, whatever is returned. */
int comparison_read(struct comparison *comparison, struct options *options,
                    const struct comparison_text *last, struct error *error);

/* Reads the first `count` arguments for predictions (options_machine), all or none; sizes and
   processor counts stay the options'. Release with comparison_free, whatever is returned. */
int comparison_read_for_program(struct comparison *comparison, const struct options *options,
                                size_t count, struct error *error);
void comparison_free(struct comparison *comparison);

/* The cost by one table with p as participants; false where it does not say. */
bool comparison_ask(const struct comparison *comparison, size_t machine, const char *utility,
                    double bytes, double p, struct cost_answer *answer);

/* What the tables are compared in. utility: only that one; NULL: all that two tables have. The
   reports are released with report_free. */
typedef struct report *comparison_make(const struct comparison *comparison, const char *utility);

/* Times: a row a utility, size and processor count. Changes: where the winner changes, and within
   which sizes the errors leave it open. Laws: setup and rate. Logp, node and memory: number by
   number; utility is ignored. */
comparison_make comparison_times, comparison_changes, comparison_laws, comparison_logp,
    comparison_node, comparison_memory;

struct comparison_section {
    const char *name, *title;
    comparison_make *make;
    bool by_utility;
};

/* Every section; the last has no name. */
extern const struct comparison_section comparison_sections[];

/* ---- for the sections ---- */

/* A report of those columns, one a machine ("NAME_us" for a suffix of "_us"), and those behind. */
struct report *comparison_begin(const struct comparison *comparison, const char *const *front,
                                size_t front_count, const char *suffix, const char *const *back,
                                size_t back_count);

/* The machines' values, the ratio of the largest to the least, and whose is best: the least, or the
   largest. NAN: the table does not say; then nobody is the best. */
void comparison_values(const struct comparison *comparison, struct report *report,
                       const double *values, bool least_is_best);

/* Whether at least two of the values are there. */
bool comparison_said(const struct comparison *comparison, const double *values);

/* Calls back for each utility that at least two tables have, or for that one. */
typedef void comparison_each(const struct comparison *comparison, const char *utility, void *state);
void comparison_utilities(const struct comparison *comparison, const char *utility,
                          comparison_each *each, void *state);

#endif
