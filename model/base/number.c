#include "model/base/number.h"

#include "model/base/allocation.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MOST = 1000000, SHORT_DIGITS = 18 };

/* A number of few digits without an exponent, as most are: its digits as a whole number and their
   power of ten are exact, and so their quotient is the nearest there is (Clinger, How to Read
   Floating Point Numbers Accurately, 1990). False: it is another one, or none. */
static bool parse_short(const char *text, double *value)
{
    static const double powers[SHORT_DIGITS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                                    1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                                    1e14, 1e15, 1e16, 1e17, 1e18};
    static const uint64_t exact_most = UINT64_C(1) << DBL_MANT_DIG;
    const bool is_negative = text[0] == '-';
    uint64_t whole = 0;
    size_t digits = 0, behind_point = 0;
    bool has_point = false;
    for (const char *at = text + is_negative; *at; at++) {
        if (*at == '.' && !has_point) {
            has_point = true;
            continue;
        }
        if (*at < '0' || *at > '9' || ++digits > SHORT_DIGITS)
            return false;
        whole = 10 * whole + (uint64_t)(*at - '0');
        behind_point += has_point;
    }
    if (digits == 0 || whole > exact_most)
        return false;
    const double size = (double)whole / powers[behind_point];
    *value = is_negative ? -size : size;
    return true;
}

bool number_parse(const char *text, double *value)
{
    if (parse_short(text, value))
        return true;
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

enum number_suffix number_suffix(const char *word, size_t length, double *factor)
{
    static const char letters[] = "kMG";
    const char first = length > 0 && word[0] == 'K' ? 'k' : length > 0 ? word[0] : '\0';
    const char *found = first ? strchr(letters, first) : NULL;
    if (found && (length == 1 || (length == 3 && word[1] == 'i' && word[2] == 'B'))) {
        *factor = ldexp(1.0, 10 * (int)(found - letters + 1));
        return SUFFIX_KNOWN;
    }
    return length == 2 && strchr("kKmMgG", word[0]) && strchr("bB", word[1]) ? SUFFIX_UNCLEAR
                                                                             : SUFFIX_NONE;
}

/* How many bytes of the text stand before the letters at its end. */
static size_t before_suffix(const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && isalpha((unsigned char)text[length - 1]))
        length--;
    return length;
}

bool number_parse_bytes(const char *text, double *value)
{
    char digits[64];
    double factor = 1.0;
    const size_t length = before_suffix(text);
    if (length == 0 || length >= sizeof digits)
        return false;
    if (text[length] != '\0' &&
        number_suffix(text + length, strlen(text + length), &factor) != SUFFIX_KNOWN)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (!number_parse(digits, value))
        return false;
    *value *= factor;
    return isfinite(*value);
}

const char *number_wrong(const char *text)
{
    double factor;
    const char *suffix = text + before_suffix(text);
    return suffix > text && number_suffix(suffix, strlen(suffix), &factor) == SUFFIX_UNCLEAR
               ? "not clear, of 1000 or 1024: expected KiB, MiB or GiB (of 1024), or the number"
               : "not a number";
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
        const char *dash = *part ? strchr(part + 1, '-') : NULL;
        char *begin = dash ? memory_format("%.*s", (int)(dash - part), part) : NULL;
        const bool is_whole = number_parse_bytes(part, &first);
        const bool is_range = !is_whole && dash && number_parse_bytes(begin, &first) &&
                              number_parse_bytes(dash + 1, &last);
        free(begin);
        if (is_range)
            return last < first ? "a range ends before it starts"
                                : add_range(list, first, last, '+', 1.0);
        if (!is_whole)
            return number_wrong(part);
        return list_add(list, first) ? NULL : "more than a million values";
    }
    *middle++ = '\0';
    char *how = strchr(middle, ':');
    if (!how || (how[1] != 'x' && how[1] != '+'))
        return "a range is FIRST:LAST:xFACTOR or FIRST:LAST:+STEP";
    *how++ = '\0';
    if (!number_parse_bytes(part, &first))
        return number_wrong(part);
    if (!number_parse_bytes(middle, &last))
        return number_wrong(middle);
    if (!number_parse_bytes(how + 1, &step))
        return number_wrong(how + 1);
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
