#include "model/segment/loops/affine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether the name stands in the text as a word of its own. */
static bool mentions(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        const bool ends = !(isalnum((unsigned char)at[length]) || at[length] == '_');
        if (begins && ends)
            return true;
    }
    return false;
}

/* ---- sums of products, which most subscripts and bounds are ---- */

/* A whole number, a name of the scope, or an index; *loop: which, -1 none. */
static bool read_operand(const char **text, const char *const *index, int depth,
                         const struct scope *scope, double *value, int *loop)
{
    char name[64];
    const size_t digits = strspn(*text, "0123456789");
    size_t length = 0;
    *loop = -1;
    if (digits > 0 && digits <= 15 && (*text)[digits] != '.' &&
        !isalpha((unsigned char)(*text)[digits])) {
        *value = strtod(*text, NULL);
        *text += digits;
        return true;
    }
    while (isalnum((unsigned char)(*text)[length]) || (*text)[length] == '_')
        length++;
    if (digits > 0 || length == 0 || length >= sizeof name)
        return false;
    memcpy(name, *text, length);
    name[length] = '\0';
    *text += length;
    for (int l = 0; l < depth; l++)
        if (strcmp(index[l], name) == 0)
            *loop = l;
    *value = 1.0;
    return *loop >= 0 || scope_get(scope, name, value);
}

static void skip_blanks(const char **text)
{
    *text += strspn(*text, " \t");
}

/* A product of at most one index and any number of others. */
static bool read_product(const char **text, const char *const *index, int depth,
                         const struct scope *scope, double *value, int *loop)
{
    *value = 1.0;
    *loop = -1;
    for (bool more = true; more;) {
        double factor;
        int of;
        skip_blanks(text);
        if (!read_operand(text, index, depth, scope, &factor, &of) || (of >= 0 && *loop >= 0))
            return false;
        *value *= factor;
        *loop = of >= 0 ? of : *loop;
        skip_blanks(text);
        more = **text == '*';
        *text += more;
    }
    return true;
}

/* False: it is none, or something else that the parser has to tell. */
static bool read_sum(struct affine *affine, const char *text, const char *const *index, int depth,
                     const struct scope *scope)
{
    double sign = 1.0, value;
    int loop;
    *affine = (struct affine){0};
    skip_blanks(&text);
    if (*text == '-') {
        sign = -1.0;
        text++;
    }
    while (read_product(&text, index, depth, scope, &value, &loop)) {
        *(loop < 0 ? &affine->constant : &affine->by[loop]) += sign * value;
        if (*text == '\0')
            return true;
        if (*text != '+' && *text != '-')
            return false;
        sign = *text++ == '-' ? -1.0 : 1.0;
    }
    return false;
}

/* ---- other expressions: by their values ---- */

/* The expression where the indices have the values `at`. */
static int value_at(struct scope *scope, const char *const *index, int depth, const double *at,
                    const char *text, struct place place, double *value, struct error *error)
{
    const size_t before = scope_count(scope);
    int status = 0;
    for (int l = 0; l < depth && status == 0; l++)
        status = scope_set(scope, index[l], at[l], place, error);
    if (status == 0)
        status = expression_value(scope, text, place, value, error);
    scope_cut(scope, before);
    return status;
}

/* The slope in one loop, all other indices 0: from 0 to 1, and the same at 2, 7 and far out, where
   min, max and mod show. */
static int read_slope(struct affine *affine, int loop, const char *text, struct place place,
                      const char *const *index, int depth, struct scope *scope, bool *straight,
                      struct error *error)
{
    static const double where[] = {1.0, 2.0, 7.0, 1000003.0};
    double at[LOOPS_MOST] = {0.0}, value;
    *straight = true;
    for (size_t k = 0; k < sizeof where / sizeof *where; k++) {
        at[loop] = where[k];
        if (value_at(scope, index, depth, at, text, place, &value, error) != 0)
            return -1;
        if (k == 0)
            affine->by[loop] = value - affine->constant;
        *straight &= value == affine->constant + affine->by[loop] * where[k];
    }
    return 0;
}

/* With all indices at work at once: i*j is 0 along both axes. */
static int read_mixed(const struct affine *affine, const char *text, struct place place,
                      const char *const *index, int depth, struct scope *scope, bool *straight,
                      struct error *error)
{
    double at[LOOPS_MOST] = {0.0}, value;
    for (int l = 0; l < depth; l++)
        at[l] = 3.0 + 2.0 * l * l;
    if (value_at(scope, index, depth, at, text, place, &value, error) != 0)
        return -1;
    *straight = value == affine_value(affine, at);
    return 0;
}

int affine_parse(struct affine *affine, const char *text, struct place place,
                 const char *const *index, int depth, struct scope *scope, int *loop,
                 struct error *error)
{
    const double zero[LOOPS_MOST] = {0.0};
    bool straight = true;
    *loop = -1;
    if (read_sum(affine, text, index, depth, scope))
        return 0;
    *affine = (struct affine){0};
    if (value_at(scope, index, depth, zero, text, place, &affine->constant, error) != 0)
        return -1;
    int mentioned = 0;
    for (int l = 0; l < depth && straight; l++) {
        if (!mentions(text, index[l]))
            continue;
        mentioned++;
        if (read_slope(affine, l, text, place, index, depth, scope, &straight, error) != 0)
            return -1;
        if (!straight)
            *loop = l;
    }
    if (straight && mentioned > 1 &&
        read_mixed(affine, text, place, index, depth, scope, &straight, error) != 0)
        return -1;
    if (!straight && *loop < 0)
        *loop = 0;
    return 0;
}

double affine_value(const struct affine *affine, const double *at)
{
    double value = affine->constant;
    for (int l = 0; l < LOOPS_MOST; l++)
        if (affine->by[l] != 0.0)
            value += affine->by[l] * at[l];
    return value;
}

int affine_loop(const struct affine *affine, int from)
{
    for (int l = from; l < LOOPS_MOST; l++)
        if (affine->by[l] != 0.0)
            return l;
    return -1;
}

bool affine_parallel(const struct affine *a, const struct affine *b)
{
    for (int l = 0; l < LOOPS_MOST; l++)
        if (a->by[l] != b->by[l])
            return false;
    return true;
}
