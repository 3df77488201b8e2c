/* How much longer a message may take at another processor count because it goes farther there: to
   the other end of a longer ring, across another grid. */
#ifndef MODEL_MACHINE_FARTHER_H
#define MODEL_MACHINE_FARTHER_H

#include "model/machine/machine.h"

/* What an exchange between the farthest processors takes more than one between near ones, along each
   direction of a grid; 0: the table does not say, or the pattern's partners are as far apart in
   number at every count. */
double farther_us(const struct machine *machine, const struct cost *cost, double bytes);

#endif
