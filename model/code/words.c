#include "model/code/words.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

void words_add(struct words *words, char *word)
{
    words->items = memory_grow(words->items, words->count + 1, sizeof *words->items);
    words->items[words->count++] = word;
}

/* Copies the word that begins at text without its quotes; returns what follows. */
static const char *cut(const char *text, char *word)
{
    char quote = '\0';
    for (; *text && (quote || !strchr(" \t\n", *text)); text++) {
        const bool escapes = *text == '\\' && quote != '\'' && text[1] != '\0' &&
                             (quote == '\0' || strchr("\\\"$`", text[1]));
        if (escapes)
            *word++ = *++text;
        else if (quote == *text)
            quote = '\0';
        else if (quote == '\0' && (*text == '"' || *text == '\''))
            quote = *text;
        else
            *word++ = *text;
    }
    *word = '\0';
    return text;
}

struct words words_cut(const char *text)
{
    struct words words = {0};
    while (*(text += strspn(text, " \t\n"))) {
        char *word = memory_new(strlen(text) + 1, 1);
        text = cut(text, word);
        words_add(&words, word);
    }
    return words;
}

bool words_have(const struct words *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i], word) == 0)
            return true;
    return false;
}

void words_free(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->items[i]);
    free(words->items);
    *words = (struct words){0};
}
