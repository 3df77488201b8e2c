/* A program on a machine with values for its parameters, for predicting one candidate after the
   other: what does not depend on the candidate is derived once. */
#ifndef FORECAST_PREDICT_STUDY_H
#define FORECAST_PREDICT_STUDY_H

#include "forecast/predict/compute.h"
#include "forecast/predict/predict.h"

struct study {
    const struct machine *machine; /* borrowed */
    const struct program *program; /* borrowed */
    double processors;
    struct scope *scope;
    size_t names;    /* in the scope before a candidate's grid adds p0, p1, ... */
    bool uses_grid;  /* the program names p0, p1, ...: candidates differ in more than layout */
    bool is_derived; /* subject and computing hold something */
    struct subject subject;
    struct computing computing;
};

/* Errors: definitions "NAME=VALUE" of what is no parameter, values of parameters. Release with
   study_free. */
int study_make(struct study *study, const struct machine *machine, const struct program *program,
               double processors, const char *const *definitions, size_t definition_count,
               struct error *error);

/* Derives what predictions under these layouts, one a segment, need: subject and computing. The
   scope is as layout_make left it. */
int study_derive(struct study *study, const struct layout *layouts, struct error *error);

/* Predicts a candidate. Returns 0, 1 where the candidate does not fit the processors (*error says
   why), or -1: a particular error (error.h) where another candidate or another number of
   processors may have an answer, otherwise the description is wrong. On 0 release with
   prediction_free. */
int study_predict(struct study *study, const struct candidate *candidate,
                  struct prediction *prediction, struct error *error);

void study_free(struct study *study);

#endif
