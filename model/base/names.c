#include "model/base/names.h"

#include "model/base/printable.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How many letters have to be changed, added or left out to make one of the other; word has fewer
   than 64. */
static size_t distance(const char *word, const char *other)
{
    const size_t length = strlen(word);
    size_t row[65];
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; other[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            const size_t above = row[j + 1];
            const size_t swapped = diagonal + (word[j] != other[i]);
            const size_t one_more = (above < row[j] ? above : row[j]) + 1;
            row[j + 1] = swapped < one_more ? swapped : one_more;
            diagonal = above;
        }
    }
    return row[length];
}

const char *nearest_name(const char *word, const char *const *known)
{
    const size_t length = strlen(word);
    const char *best = NULL;
    size_t best_distance = length / 2 + 1;
    for (; *known && length < 64; known++) {
        const size_t far = distance(word, *known);
        if (far < best_distance) {
            best_distance = far;
            best = *known;
        }
    }
    return best;
}

static size_t count_names(const char *const *names)
{
    size_t count = 0;
    for (; *names; names++)
        count += **names != '\0';
    return count;
}

const char *names_listed(char text[NAMES_TEXT], const char *const *names)
{
    static const char more_than_ever[] = " ... and 9999999 more";
    size_t left = count_names(names), used = 0;
    text[0] = '\0';
    for (; *names; names++) {
        char name[61];
        if (**names == '\0')
            continue;
        printable_copy(name, sizeof name, *names);
        const size_t rest = left > 1 ? sizeof more_than_ever : 1;
        if (used + strlen(name) + 2 + rest > NAMES_TEXT) {
            snprintf(text + used, NAMES_TEXT - used, "%s... and %zu more", used ? " " : "", left);
            break;
        }
        used += (size_t)snprintf(text + used, NAMES_TEXT - used, "%s%s", used ? ", " : "", name);
        left--;
    }
    return text;
}
