/* The words of a command line that is made. */
#ifndef MODEL_CODE_WORDS_H
#define MODEL_CODE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed = empty. */
struct words {
    char **items; /* owned, and what they point to */
    size_t count;
};

/* Adds a word, which is owned from then on. */
void words_add(struct words *words, char *word);

/* The words of a text as a shell would cut it, with its quotes and backslashes; nothing in it is
   executed or replaced. */
struct words words_cut(const char *text);

bool words_have(const struct words *words, const char *word);

void words_free(struct words *words);

#endif
