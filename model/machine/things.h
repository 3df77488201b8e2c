/* What a machine table has, by name: its utilities, and its sections node, memory, swap, overlap,
   logp and waiting. */
#ifndef MODEL_MACHINE_THINGS_H
#define MODEL_MACHINE_THINGS_H

#include "model/machine/machine.h"

struct things {
    const char **names; /* borrowed from the table, the array owned */
    size_t count;
};

/* In the order of the table; released with things_free. The names live as long as the costs do. */
struct things things_of(const struct machine *machine);
void things_free(struct things *things);

bool things_have(const struct things *things, const char *name);

/* Whose a point is: the utility that it names, or the section that its name begins with
   ("memory-load-8"). */
bool things_have_point(const struct things *things, const char *point);

/* Their names, separated by commas: all, or so many that about `most` characters hold them, and how
   many more there are. To be freed. */
char *things_text(const struct things *things, size_t most);

#endif
