/* The machine table that the environment variable FORECOST_TABLE names, on all processors. */
#ifndef SHIM_TABLE_H
#define SHIM_TABLE_H

#include "model/machine/machine.h"

#include <mpi.h>
#include <stdbool.h>

/* Collective over comm: rank 0 reads the file, all get the same table. False, on all: there is no
   table that tells of broadcasts, and rank 0 has said why in one line on standard error. Release
   the machine with machine_free. */
bool table_share(MPI_Comm comm, struct machine *machine);

#endif
