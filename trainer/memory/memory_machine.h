/* The machine itself as a backend: an arena of small pages, walked by dependent loads. */
#ifndef TRAINER_MEMORY_MEMORY_MACHINE_H
#define TRAINER_MEMORY_MEMORY_MACHINE_H

#include "trainer/memory/backend.h"

/* An arena of at most arena_most bytes. false: there is no
   memory for it. Release with machine_backend_end. */
bool machine_backend_begin(struct backend *backend, size_t arena_most);
void machine_backend_end(struct backend *backend);

/* Cycles a line of `bytes` of the arena (enlarged to them) takes when one word of every line is
   loaded, or stored to, in the order of addresses, without waiting for the one before: the sources'
   kernels with a stride of one line (Abandah, IBM SP2, section 5.4). Passes beside which the core
   kept its clock count. */
double machine_load_line_cycles(const struct backend *backend, size_t bytes, size_t line_bytes);
double machine_store_line_cycles(const struct backend *backend, size_t bytes, size_t line_bytes);

#endif
