#include "estimator/output/trial.h"

#include "estimator/output/axes.h"
#include "forecast/predict/nominal.h"
#include "forecast/predict/study.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* Where nobody says which: on few, on many, on squares and on no square. One processor, for which
   many programs are not written, only where nothing fits these. */
static const double usual[] = {2.0, 4.0, 8.0, 16.0, 64.0};
enum { USUAL = sizeof usual / sizeof *usual, COUNTS_MOST = USUAL + 16 };

static const double processors_most = 65536.0;

struct trying {
    const struct program *program;
    const struct machine *machine;
    struct axes axes;
    struct trial *trial;
    bool has_failed;
    struct error first; /* of what could not be predicted though it fits */
};

/* ---- one setting ---- */

static void note(struct trying *it, size_t candidate, int status, const struct error *why)
{
    struct tried *tried = &it->trial->tried[candidate];
    if (status == 0) {
        it->trial->fitting += tried->fits ? 0 : 1;
        tried->fits = true;
        return;
    }
    if (!tried->has_why)
        tried->why = *why;
    tried->has_why = true;
    if (status < 0 && !it->has_failed)
        it->first = *why;
    it->has_failed |= status < 0;
}

static int try_candidates(struct trying *it, struct study *study, struct error *error)
{
    const struct candidate *candidates = it->program->candidates.items;
    for (size_t i = 0; i < it->program->candidates.count; i++) {
        struct prediction prediction;
        const int status = study_predict(study, &candidates[i], &prediction, error);
        if (status < 0 && !error->is_particular)
            return -1;
        if (status == 0)
            prediction_free(&prediction);
        note(it, i, status, error);
    }
    return 0;
}

static int try_at(struct trying *it, double processors, struct error *error)
{
    char *definitions[PARAMETERS_MOST] = {0};
    struct study study;
    axes_define(&it->axes, definitions);
    int status = study_make(&study, it->machine, it->program, processors,
                            (const char *const *)definitions, it->axes.count, error);
    if (status == 0) {
        status = try_candidates(it, &study, error);
        study_free(&study);
    }
    for (size_t i = 0; i < it->axes.count; i++)
        free(definitions[i]);
    return status;
}

/* In the order of rank, so that of several mistakes both name the same. */
static int try_all(struct trying *it, const double *processors, size_t count, struct error *error)
{
    do {
        for (size_t i = 0; i < count; i++)
            if (try_at(it, processors[i], error) != 0)
                return -1;
    } while (axes_next(&it->axes));
    return 0;
}

/* ---- at how many processors ---- */

/* The least number that the constant sizes of a grid allow; 1 where there are none. */
static double least_of(const struct program *program, const struct candidate *candidate,
                       struct scope *scope)
{
    const struct formula *sizes = candidate->grid.items;
    double least = 1.0, size;
    for (size_t i = 0; i < candidate->grid.count; i++)
        if (!program_varies(program, sizes[i].value) &&
            program_value(program, &sizes[i], true, scope, &size, NULL) == 0)
            least *= size;
    return least;
}

static void add_count(double *counts, size_t *used, double processors)
{
    bool known = !(processors > 1.0 && processors <= processors_most) || *used == COUNTS_MOST;
    for (size_t i = 0; i < *used; i++)
        known |= counts[i] == processors;
    if (!known)
        counts[(*used)++] = processors;
}

static size_t choose_counts(const struct program *program, double *counts)
{
    const struct candidate *candidates = program->candidates.items;
    size_t used = USUAL;
    memcpy(counts, usual, sizeof usual);
    struct scope *scope = program_scope(program, NULL, 0, 4.0, NULL);
    for (size_t i = 0; i < program->candidates.count && scope; i++)
        add_count(counts, &used, least_of(program, &candidates[i], scope));
    scope_free(scope);
    return used;
}

static int try_chosen(struct trying *it, struct error *error)
{
    const double one = 1.0;
    double counts[COUNTS_MOST];
    const size_t count = choose_counts(it->program, counts);
    if (try_all(it, counts, count, error) != 0)
        return -1;
    return it->trial->fitting > 0 ? 0 : try_all(it, &one, 1, error);
}

/* ---- all of it ---- */

static int try_program(struct trying *it, const struct options *options, struct error *error)
{
    const struct number_list *given =
        options->processors.count ? &options->processors : &it->axes.processors;
    const int status =
        given->count > 0 ? try_all(it, given->values, given->count, error) : try_chosen(it, error);
    if (status == 0 && it->has_failed && it->trial->fitting == 0) {
        *error = it->first;
        return -1;
    }
    return status;
}

int trial_make(struct trial *trial, const struct program *program, const struct options *options,
               struct error *error)
{
    struct machine machine;
    struct trying it = {.program = program, .machine = &machine, .trial = trial};
    *trial = (struct trial){.candidates = program->candidates.count};
    if (nominal_make(&machine, program, error) != 0)
        return -1;
    trial->tried = memory_new(trial->candidates, sizeof *trial->tried);
    int status = axes_read(&it.axes, options, program, error);
    if (status == 0)
        status = try_program(&it, options, error);
    axes_free(&it.axes);
    machine_free(&machine);
    if (status != 0)
        trial_free(trial);
    return status;
}

void trial_free(struct trial *trial)
{
    free(trial->tried);
    *trial = (struct trial){0};
}
