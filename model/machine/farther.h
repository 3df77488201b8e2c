/* How much longer the neighbours of a grid take than on the grid of another processor count, whose
   numbers are otherwise far apart: as the table's neighbours on lines at several distances say, on
   a machine where numbers farther apart can be nearer to one another, such as a torus. */
#ifndef MODEL_MACHINE_FARTHER_H
#define MODEL_MACHINE_FARTHER_H

#include "model/cost/pattern.h"
#include "model/machine/machine.h"

/* Neighbours of the pattern with so many bytes, among so many participants in terms of so many
   others. False: its row knows no grid of two directions or more, or the table has no two
   distances, or the farther take no less than the nearer. The factors are of the time with one
   direction after the other and with all at once; a distance that was not measured may take as long
   as any that was. */
bool farther_factor(const struct machine *machine, const struct pattern *pattern, double bytes,
                    double from, double upto, struct span *factor);

/* Whether farther neighbours take less than nearer ones: then no blocks of processors are nodes. */
bool farther_is_nearer(const struct machine *machine, double bytes);

#endif
