/* Texts that stand many times in a page, each written once and then named by its number. */
#ifndef ESTIMATOR_REPORT_TEXTS_H
#define ESTIMATOR_REPORT_TEXTS_H

#include <stddef.h>
#include <stdio.h>

/* Zeroed = empty. Release with texts_free. */
struct texts {
    char **items; /* owned, in the order of their numbers */
    size_t count, room;
    size_t *slots; /* owned: of a hash table, number + 1; 0: free */
    size_t slot_count;
};

/* The number of the text, from 0; it is copied when it is new. */
size_t texts_number(struct texts *texts, const char *text);

/* Writes them as a list of JSON. */
void texts_write(const struct texts *texts, FILE *json);

void texts_free(struct texts *texts);

#endif
