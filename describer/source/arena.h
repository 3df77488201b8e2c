/* Memory of one run: everything that is derived from a source lives as long as all the rest, and is
   released together. */
#ifndef DESCRIBER_SOURCE_ARENA_H
#define DESCRIBER_SOURCE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena); /* with all that it gave */

/* count items of size bytes, all zero. */
void *arena_take(struct arena *arena, size_t count, size_t size);

/* The items with room for one more behind count of them, all of which were added so: room doubles,
   so that long lists take as much memory as they have items. */
void *arena_more(struct arena *arena, void *items, size_t count, size_t size);

/* A copy of the first length bytes of text, and what printf would write. */
char *arena_copy(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How much was given, in bytes. */
size_t arena_bytes(const struct arena *arena);

#endif
