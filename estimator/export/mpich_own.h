/* What MPICH's own rules say, as far as sizes tell. */
#ifndef ESTIMATOR_EXPORT_MPICH_OWN_H
#define ESTIMATOR_EXPORT_MPICH_OWN_H

#include "model/records/yaml_in.h"

#include <stdbool.h>

/* Whether a message of so many bytes within a communicator of p has that algorithm, whatever else
   the rules ask for (where the processors are, for instance). */
bool mpich_own_is(struct yaml_node rules, double bytes, double processors, const char *algorithm);

#endif
