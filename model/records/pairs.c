#include "model/records/pairs.h"

#include "model/base/allocation.h"
#include "model/base/number.h"

#include <string.h>

/* Copies what stands before the end, if it is neither empty nor too long. */
static bool copy_upto(char to[PAIR_TEXT], const char *from, const char *end)
{
    const size_t length = (size_t)(end - from);
    if (length == 0 || length >= PAIR_TEXT)
        return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

static const char *without_blanks(const char *text)
{
    return text + strspn(text, " ");
}

bool pairs_next(const char **text, struct pair *pair)
{
    const char *name = *text, *colon = strchr(name, ':');
    if (!colon)
        return false;
    const char *value = without_blanks(colon + 1), *end = strchrnul(value, ',');
    *text = *end ? without_blanks(end + 1) : NULL;
    return copy_upto(pair->name, name, colon) && copy_upto(pair->value, value, end);
}

char *pairs_room(size_t count)
{
    return memory_new(count + 1, 2 * PAIR_TEXT + sizeof ": , ");
}

char *pairs_add(const char *text, char *end, const char *name, double value)
{
    char number[NUMBER_TEXT];
    end = stpcpy(end, end > text ? ", " : "");
    end = stpcpy(stpcpy(end, name), ": ");
    return stpcpy(end, number_print(value, number));
}
