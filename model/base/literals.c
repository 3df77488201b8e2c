#include "model/base/literals.h"

#include "model/base/allocation.h"
#include "model/base/number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* "64", "1.5" or "1e-3" at the beginning of the text; 0: no number stands there. */
static size_t digits_length(const char *text)
{
    size_t length = strspn(text, "0123456789.");
    if (length > 0 && (text[length] == 'e' || text[length] == 'E')) {
        const size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
        const size_t exponent = strspn(text + length + 1 + sign, "0123456789");
        length += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return length;
}

/* One expression on its way. */
struct literals {
    const struct scope *scope;
    const char *text;
    struct place place;
    char *written; /* NULL as long as there was no suffix */
    size_t used;
    struct error *error;
};

static void append(struct literals *it, const char *piece, size_t length)
{
    memcpy(it->written + it->used, piece, length);
    it->used += length;
    it->written[it->used] = '\0';
}

static int not_clear(const struct literals *it, const char *at, size_t digits, size_t letters)
{
    char *word = memory_format("%.*s", (int)(digits + letters), at);
    const int status =
        scope_get(it->scope, word + digits, NULL)
            ? error_at(it->error, it->place,
                       "'%.60s' in '%.60s' is not clear, as %s is a name: expected %.*s * %s, or "
                       "%.*s%ciB",
                       word, it->text, word + digits, (int)digits, at, word + digits, (int)digits,
                       at, toupper((unsigned char)at[digits]))
            : error_at(it->error, it->place, "'%.60s' in '%.60s' is %s", word, it->text,
                       number_wrong(word));
    free(word);
    return status;
}

/* A number with its suffix at `at`: what they are together. */
static int write_out(struct literals *it, const char *at, size_t digits, size_t letters)
{
    char number[NUMBER_TEXT], suffix[4];
    double factor, value;
    memcpy(suffix, at + digits, letters);
    suffix[letters] = '\0';
    char *word = memory_format("%.*s", (int)(digits + letters), at);
    const bool is_number = number_parse_bytes(word, &value);
    free(word);
    if (number_suffix(suffix, letters, &factor) != SUFFIX_KNOWN || !is_number ||
        scope_get(it->scope, suffix, NULL))
        return not_clear(it, at, digits, letters);
    if (!it->written) {
        /* A number of few digits grows to NUMBER_TEXT at most, of two characters. */
        it->written = memory_new(strlen(it->text) * NUMBER_TEXT + 1, 1);
        append(it, it->text, (size_t)(at - it->text));
    }
    number_print(value, number);
    append(it, number, strlen(number));
    return 0;
}

int literals_write_out(const struct scope *scope, const char *text, struct place place,
                       char **written, struct error *error)
{
    struct literals it = {.scope = scope, .text = text, .place = place, .error = error};
    double factor;
    for (const char *at = text; *at;) {
        const size_t digits = digits_length(at), letters = word_length(at + digits);
        const bool has_suffix =
            digits > 0 && number_suffix(at + digits, letters, &factor) != SUFFIX_NONE;
        const size_t length = digits + letters > 0 ? digits + letters : 1;
        if (has_suffix && write_out(&it, at, digits, letters) != 0) {
            free(it.written);
            return -1;
        }
        if (!has_suffix && it.written)
            append(&it, at, length);
        at += length;
    }
    *written = it.written;
    return 0;
}
