/* Utilities of a table that stay text until somebody asks for them: a question is about two or
   three of thirty, and reading is most of what an answer takes. */
#ifndef MODEL_MACHINE_UNREAD_H
#define MODEL_MACHINE_UNREAD_H

#include "model/cost/cost.h"

struct machine;
struct unread;

/* Those of a table's text, where they stand as trainer writes them, each name once; NULL: not so.
   The text is copied. Release with unread_free. */
struct unread *unread_begin(const char *text, size_t bytes);

/* The utility of that name, read and checked as one of the machine's; borrowed, and where it is as
   long as the unread are. NULL: not among them, or in error. */
const struct cost *unread_cost(struct unread *unread, const struct machine *machine,
                               const char *utility);

/* Whether one that was asked for was in error. */
bool unread_failed(const struct unread *unread);

/* NULL is allowed. */
void unread_free(struct unread *unread);

#endif
