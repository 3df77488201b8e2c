/* Predictions of a program for every setting of a grid of machines, processors and parameters: what
   the page steps over. Nothing between the settings is ever interpolated. */
#ifndef ESTIMATOR_REPORT_GRID_H
#define ESTIMATOR_REPORT_GRID_H

#include "estimator/output/axes.h"
#include "model/machine/machine.h"

#include <stdio.h>

/* Each is a ranking; more would make the page large and its writing slow. */
enum { GRID_POINTS_MOST = 2000 };

struct grid {
    const struct machine *machines; /* borrowed */
    size_t machine_count;
    const struct program *program; /* borrowed */
    struct number_list processors; /* owned */
    struct axes axes;              /* the parameters, each with its values */
};

/* Chooses the settings: the lists of -p and -D, else those of the description's `sweep`, else
   powers of two up to the processors that were measured (16 at least), and the first parameter that
   stands in the extent of an array from an eighth to eight times its value. Errors: lists that are
   none, a grid of more than GRID_POINTS_MOST. Release with grid_free, after an error too. */
int grid_make(struct grid *grid, const struct options *options, const struct machine *machines,
              size_t machine_count, const struct program *program, struct error *error);
void grid_free(struct grid *grid);

/* Writes all of it as one object of JSON: {"axes": [{"name", "values"}], "candidates": [name],
   "texts": [text], "cells": [cell]}. Axes are the machines ("machine", values are names), "p" and
   the parameters; cells go through the last axis first. A cell is {"why": text} where nothing could
   be predicted, else {"verdict": text, "left_out": text, "rows": [...]}, the rows as in a ranking;
   texts that repeat themselves are numbers in "texts". Times in us. An error where the description
   is wrong. */
int grid_write(struct grid *grid, FILE *json, struct error *error);

#endif
