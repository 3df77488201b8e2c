/* What the describer may take of the machine: sources are other people's. */
#ifndef DESCRIBER_SOURCE_LIMITS_H
#define DESCRIBER_SOURCE_LIMITS_H

#include <stdbool.h>

/* A source with all headers of an MPI library takes 200 MiB, libclang itself included; 20,000
   functions take 300. */
enum { LIMITS_MIB_MOST = 2048 };

/* Sets the limits of this process: memory, processor time, and no core file. */
void limits_set(void);

/* Whether open() has regular files and folders alone, as is right where a source says what is
   opened: a device has no end, and a FIFO keeps who opens it waiting. */
void limits_open_regular(bool is_so);

#endif
