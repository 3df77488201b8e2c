/* What a rehearsal found, as rows of CSV: the columns that the programs of samples/ print, and the
   parameters, how much was run, and what is missing. */
#ifndef TRAINER_REHEARSAL_MESSAGES_REPORT_H
#define TRAINER_REHEARSAL_MESSAGES_REPORT_H

#include "trainer/rehearsal/phase.h"

#include <stdbool.h>

/* Times of all repetitions, of the processor that took the most. */
struct script_row {
    double repeat; /* as described */
    double rounds; /* repetitions that were carried out and timed */
    double compute_us, total_us, minimum_us, maximum_us; /* NAN: not measured */
};

struct script {
    const struct program *program; /* borrowed; NULL: nothing begun */
    const struct scope *scope;     /* borrowed; of the present candidate */
    const char *candidate;         /* borrowed */
    int processors;
    struct script_row all; /* of the present candidate */
    char *missing;         /* of it; owned */
    bool unchecked;
    char *text; /* owned */
};

/* Begins: the line of columns. Release with script_free. */
void script_names(struct script *script, const struct program *program);
void script_free(struct script *script);

/* The rows from now on are of that candidate, with the parameters' values of the scope. */
void script_begin(struct script *script, const char *candidate, int processors,
                  const struct scope *scope);

/* A row of one scene, one without times, and why it has none, and at the end that of all, which
   then has none either. */
void script_add(struct script *script, const struct scene *scene, const struct script_row *row);
void script_add_cut(struct script *script, const struct scene *scene, const char *why);
void script_end(struct script *script);

/* Writes all rows, to standard output where path is NULL; a file takes the place of an older one
   when it is complete. */
int script_save(const struct script *script, const char *path, struct error *error);

#endif
