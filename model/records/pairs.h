/* Numbers with their names in one text of a table: "8: 16.49, 64: 17.2". It says what a map of the
   same would, and is read several times as fast: libyaml takes as long for one short value as for
   hundreds of characters, and a table has ten thousands of such maps. */
#ifndef MODEL_RECORDS_PAIRS_H
#define MODEL_RECORDS_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a name or a number with its end; nothing longer is either. */
enum { PAIR_TEXT = 32 };

struct pair {
    char name[PAIR_TEXT], value[PAIR_TEXT];
};

/* Takes the first pair of a text, which then begins with the next one, or is NULL where there is
   none. False: it does not begin with a pair. */
bool pairs_next(const char **text, struct pair *pair);

/* Room for the text of so many pairs; owned by the caller. */
char *pairs_room(size_t count);

/* Writes one more pair at `end` of the text that begins at `text`; returns the new end. */
char *pairs_add(const char *text, char *end, const char *name, double value);

#endif
