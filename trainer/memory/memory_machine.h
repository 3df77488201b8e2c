/* The machine itself as a backend: an arena of small pages, walked by dependent loads. */
#ifndef TRAINER_MEMORY_MEMORY_MACHINE_H
#define TRAINER_MEMORY_MEMORY_MACHINE_H

#include "trainer/caches/backend.h"

/* An arena of at most arena_most bytes. false: there is no
   memory for it. Release with machine_backend_end. */
bool machine_backend_begin(struct backend *backend, size_t arena_most);
void machine_backend_end(struct backend *backend);

/* Where its arena begins; what enlarge made usable can be read and written there. */
char *machine_arena(const struct backend *backend);

#endif
