/* How fast lines come and go in the order of addresses, none waiting for the one before, and how
   fast loops go through arrays that no cache holds. */
#ifndef TRAINER_MEMORY_BANDWIDTH_H
#define TRAINER_MEMORY_BANDWIDTH_H

#include "model/node/memory.h"

#include <stddef.h>

/* Times the level that holds so many lines (at least 64) from base on, and keeps the less of it and
   what the level has: usual are loads and stores of one word of each line, as the sources' kernels
   with a stride of one line (Abandah, IBM SP2, section 5.4), the least is that of any form, of
   words or whole lines, of one array or several at once. Passes count beside which the core kept
   its clock, of ghz, or, where it never did, all. */
void bandwidth_of_level(struct memory_level *level, char *base, size_t lines, size_t line_bytes,
                        double ghz);

/* Of main memory, where the last level is that: the least of lines also on large pages, through
   `bytes` of them, as a program may have them; and loops through arrays as large as STREAM wants
   them (McCalpin, Memory Bandwidth and Machine Balance in Current High Performance Computers,
   1995). What is known already stays where it is faster. */
void bandwidth_beyond(struct memory *memory, size_t bytes, size_t line_bytes);

#endif
