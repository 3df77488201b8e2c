#include "model/base/number.h"

#include "model/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MOST = 1000000 };

bool number_parse(const char *text, double *value)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
        return false;
    char *end;
    const double read = strtod(text, &end);
    if (*end != '\0' || !isfinite(read))
        return false;
    *value = read;
    return true;
}

double number_common_divisor(double a, double b)
{
    while (b != 0.0) {
        const double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}

static double suffix_factor(char suffix)
{
    switch (suffix) {
    case 'k':
    case 'K':
        return 1024.0;
    case 'M':
        return 1024.0 * 1024.0;
    case 'G':
        return 1024.0 * 1024.0 * 1024.0;
    default:
        return 0.0;
    }
}

bool number_parse_bytes(const char *text, double *value)
{
    char digits[64];
    const size_t length = strlen(text);
    if (length == 0 || length >= sizeof digits)
        return false;
    const double factor = suffix_factor(text[length - 1]);
    if (factor == 0.0)
        return number_parse(text, value);
    memcpy(digits, text, length - 1);
    digits[length - 1] = '\0';
    if (!number_parse(digits, value))
        return false;
    *value *= factor;
    return isfinite(*value);
}

const char *number_print(double value, char text[NUMBER_TEXT])
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    /* %g turns 1024 into 1e+03 at few digits; whole numbers read better written out. */
    if (fabs(value) < 1e15 && value == floor(value) && strchr(text, 'e'))
        snprintf(text, NUMBER_TEXT, "%.0f", value);
    return text;
}

double number_rounded(double value, int digits)
{
    char text[NUMBER_TEXT];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

static bool list_add(struct number_list *list, double value)
{
    if (list->count >= LIST_MOST)
        return false;
    if ((list->count & (list->count - 1)) == 0)
        list->values = memory_grow(list->values, list->count ? 2 * list->count : 1, sizeof(double));
    list->values[list->count++] = value;
    return true;
}

static const char *add_range(struct number_list *list, double first, double last, char how,
                             double step)
{
    if (how == 'x' && !(step > 1.0 && first > 0.0))
        return "a geometric range starts above 0 and has a factor above 1";
    if (how == '+' && !(step > 0.0))
        return "an arithmetic range has a step above 0";
    /* Half a step's rounding is forgiven, so that 1:2:+0.1 ends at 2. */
    const double slack = 1e-9 * fabs(last);
    for (double value = first; value <= last + slack;
         value = how == 'x' ? value * step : value + step)
        if (!list_add(list, value))
            return "more than a million values";
    return NULL;
}

static const char *add_part(struct number_list *list, char *part)
{
    double first, last, step;
    char *middle = strchr(part, ':');
    if (!middle) {
        if (!number_parse_bytes(part, &first))
            return "not a number";
        return list_add(list, first) ? NULL : "more than a million values";
    }
    *middle++ = '\0';
    char *how = strchr(middle, ':');
    if (!how || (how[1] != 'x' && how[1] != '+'))
        return "a range is FIRST:LAST:xFACTOR or FIRST:LAST:+STEP";
    *how++ = '\0';
    if (!number_parse_bytes(part, &first) || !number_parse_bytes(middle, &last) ||
        !number_parse_bytes(how + 1, &step))
        return "not a number";
    if (last < first)
        return "a range ends before it starts";
    return add_range(list, first, last, *how, step);
}

const char *number_list_parse(const char *text, struct number_list *list)
{
    *list = (struct number_list){0};
    const char *wrong = NULL;
    char *copy = memory_copy_text(text);
    for (char *part = copy, *next; part && !wrong; part = next) {
        next = strchr(part, ',');
        if (next)
            *next++ = '\0';
        wrong = add_part(list, part);
    }
    free(copy);
    if (wrong)
        number_list_free(list);
    return wrong;
}

void number_list_free(struct number_list *list)
{
    free(list->values);
    *list = (struct number_list){0};
}
