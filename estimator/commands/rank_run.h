/* The rankings of one call of estimator rank, in the making. */
#ifndef ESTIMATOR_COMMANDS_RANK_RUN_H
#define ESTIMATOR_COMMANDS_RANK_RUN_H

#include "estimator/output/axes.h"
#include "estimator/output/document.h"
#include "estimator/output/options.h"
#include "forecast/rank/bands.h"
#include "forecast/rank/ranking.h"

#include <stdio.h>

struct rank_run {
    const struct options *options;
    const struct program *program;
    struct axes axes;
    bool several_machines;
    struct report *report;
    struct document *document;
    size_t rows;
    FILE *verdicts;     /* what the rankings amount to, in lines for a person */
    FILE *left_out;     /* what does not fit or could not be predicted, in lines, of one machine */
    FILE *remarks;      /* the same of all machines, gathered */
    struct error first; /* of what could not be predicted */
    bool has_failed, has_ranked;
    struct sweep_axis *banded; /* the parameter that bands are of; NULL: rankings are wanted */
    struct bands *bands;       /* one a processor count; owned */
};

/* Ranks candidates where the study stands; number: of the processor count among those asked for.
   What cannot be predicted there is noted: only if there is no row at all is that an error, unless
   the description is wrong. */
int rank_candidates(struct rank_run *run, const struct machine *machine, struct study *study,
                    size_t number, const struct list *candidates, struct error *error);

/* Notes what could not be predicted; the first reason stands for all. */
void rank_note_failure(struct rank_run *run, const struct error *why);

/* rank_fastest.c: the row of a setting's winner; alone_us: what one process takes, NAN: not known.
 */
void rank_add_fastest(struct rank_run *run, const struct machine *machine,
                      const struct ranking *ranking, double processors, double alone_us);

/* rank_search.c: the described candidates and those that a search finds, in one ranking. */
int rank_search(struct rank_run *run, const struct machine *machine, struct study *study,
                size_t number, struct error *error);

/* rank_left_out.c: writes lines ("p = 4: TEXT" or "TEXT", which are taken apart), each text once,
   with the processor counts that it came with, and with the machine's name (NULL: there is only
   one). */
void rank_gather_left_out(FILE *to, char *lines, const char *machine);

/* rank_bands.c: the one parameter with several values, which bands are of; an error where there is
   no such or several. */
int rank_find_banded(struct rank_run *run, struct error *error);

/* The rows of a machine's bands, which are released. */
void rank_add_bands(struct rank_run *run, const struct machine *machine, const double *processors,
                    size_t count);

#endif
