/* How much longer messages take at another processor count because they go farther there, to the
   other end of a longer ring or across another grid. Between the counts that were measured the
   farthest and the nearest exchange tell; beyond them the table's neighbours on lines at several
   distances, on a machine where numbers farther apart can be nearer to one another, such as a
   torus. */
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

/* What an exchange between the farthest processors takes more than one between near ones, along
   each direction of a grid; 0: the table does not say, or the pattern's partners are as far apart
   in number at every count. */
double farther_us(const struct machine *machine, const struct cost *cost, double bytes);

#endif
