/* A calibration while it runs; shared by calibrate.c (the whole) and curve/ (one utility). */
#ifndef TRAINER_ENGINE_RUN_H
#define TRAINER_ENGINE_RUN_H

#include "model/machine/machine.h"
#include "trainer/base/options.h"
#include "trainer/base/progress.h"
#include "trainer/engine/distances.h"
#include "trainer/engine/engine.h"
#include "trainer/engine/measure.h"
#include "trainer/engine/noise.h"
#include "trainer/engine/protocol_switch.h"

#include <stdio.h>

struct run {
    const struct options *options;
    struct engine *engine;
    int processors; /* of the whole run */
    struct measure_plan plan;
    struct distances distances;
    struct progress progress;
    FILE *points_csv;   /* stderr when the file takes no more */
    double begin_s;     /* when this calibration began */
    double before_s;    /* what earlier ones that this one goes on with took; NAN: none */
    int part;           /* parts so far, of all of them (parts.h) */
    bool *has;          /* whether utilities[i] is one of them; owned */
    bool simulated;     /* the machine is a simulation: its clock is exact */
    bool crowded;       /* ranks share cores: the scheduler is measured, and every table says so */
    double end_s;       /* when the budget ends */
    double share_end_s; /* when the present part's share of it ends */
    int parts_left;     /* utilities and other suites still to come */
    struct foretold {   /* by what points took so far: how long the next one will take */
        double shortest_s, longest_s, longest_bytes; /* the last one of about the longest size */
    } foretold;
    const struct utility *utility;
    int counted;         /* p of the points */
    size_t points;       /* so far, of this utility */
    size_t exact_points; /* how many points in a row, the last ones, repeated themselves exactly */
    struct list curves;  /* struct curve (curve/curve.h): all points of utilities; owned */
    bool passes_later;   /* all points are asked again in later passes (curve/later_passes.h) */
    struct protocol_switch protocol; /* not looked for where the run is crowded */
    struct noise_watch noise;
};

/* A run that begins now, distances measured; what else it needs is the caller's to set. */
int run_begin(struct run *run, const struct options *options, struct engine *engine, int processors,
              bool simulated, struct error *error);

/* From now on batches are of this utility: between processor 0 and the near or the far one where it
   is between two, else among the first `participants`. */
void run_choose(const struct run *run, int utility, int participants);

/* One point of the chosen utility at the chosen size, or, shortly, only whether it is as before. On
   a simulated machine whose times have repeated themselves exactly, most points are not
   repeated: the same simulation gives the same time. Returns 0, or -1 with *error set. */
int run_measure(struct run *run, bool shortly, struct point *point, struct error *error);

/* The same by another plan. */
int run_measure_by(struct run *run, const struct measure_plan *plan, struct point *point,
                   struct error *error);

/* Looks for a moment at what else uses the processors; nobody does on a simulated machine. */
void run_watch_noise(struct run *run);

/* Says in the table what is missing from it, and why. */
void run_not_measured(struct machine *machine, const char *what, const char *because);

/* Writes a point to the file at once; once that fails, this one and all later ones go to stderr. */
void run_keep_point(struct run *run, const struct point *point);

/* In how many passes of a launch every point is measured at least. */
size_t run_passes(const struct run *run);

/* Whether others used more than a quarter of a processor since the last call; nobody does on a
   simulated machine. */
bool run_others_ran(const struct run *run);

#endif
