#include "estimator/import/text.h"

#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/base/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What these programs print is a few pages; a device would never end. */
enum { TEXT_BYTES_MOST = 64 << 20, TEXT_PIECE = 1 << 16 };

struct place text_place(const struct text *text, size_t line, unsigned column)
{
    const size_t label = line < text->count ? text->labels[line] : 0;
    return place_at(text->path, (unsigned)line + 1, column + (unsigned)label);
}

/* ---- the file ---- */

static int take_all(struct text *text, FILE *stream, struct error *error)
{
    size_t more;
    do {
        text->bytes = memory_grow(text->bytes, text->size + TEXT_PIECE + 1, 1);
        more = fread(text->bytes + text->size, 1, TEXT_PIECE, stream);
        text->size += more;
    } while (more == TEXT_PIECE && text->size <= TEXT_BYTES_MOST);
    text->bytes[text->size] = '\0';
    if (ferror(stream))
        return error_at(error, place_at(text->path, 0, 0), "cannot be read: %s", strerror(errno));
    if (text->size > TEXT_BYTES_MOST)
        return error_at(error, place_at(text->path, 0, 0), "longer than 64 MiB: expected a text");
    return text->size > 0 ? 0 : error_at(error, place_at(text->path, 1, 1), "empty");
}

static void split(struct text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < text->size; i++)
        count += text->bytes[i] == '\n';
    text->lines = memory_new(count + 1, sizeof *text->lines);
    text->labels = memory_new(count + 1, sizeof *text->labels);
    text->is_cut = text->bytes[text->size - 1] != '\n';
    for (char *at = text->bytes; at < text->bytes + text->size;) {
        text->lines[text->count++] = at;
        char *end = at + strcspn(at, "\n");
        const bool is_last = *end == '\0';
        *end = '\0';
        if (end > at && end[-1] == '\r')
            end[-1] = '\0';
        at = is_last ? end : end + 1;
        if (is_last)
            break;
    }
}

static int check_zeros(const struct text *text, struct error *error)
{
    const char *zero = memchr(text->bytes, '\0', text->size);
    unsigned line = 1;
    if (!zero)
        return 0;
    const char *begin = text->bytes;
    for (const char *at = text->bytes; at < zero; at++)
        if (*at == '\n') {
            line++;
            begin = at + 1;
        }
    return error_at(error, place_at(text->path, line, (unsigned)(zero - begin) + 1),
                    "a byte of zero: expected a text");
}

int text_read(struct text *text, const char *path, struct error *error)
{
    *text = (struct text){.path = input_name(path)};
    FILE *stream = input_begin(path);
    if (!stream)
        return error_at(error, place_at(text->path, 0, 0), "cannot be read: %s", strerror(errno));
    int status = take_all(text, stream, error);
    input_end(stream);
    if (status == 0)
        status = check_zeros(text, error);
    if (status == 0)
        split(text);
    else
        text_free(text);
    return status;
}

void text_free(struct text *text)
{
    free(text->bytes);
    free(text->lines);
    free(text->labels);
    *text = (struct text){0};
}

/* ---- labels ---- */

/* The length of the label before a line, 0 where it has another or none. Any digits stand for
   digits, any blanks for blanks; the last blanks of the label are at most as many in the line. */
static size_t label_length(const char *label, size_t length, const char *line)
{
    const char *at = line;
    for (size_t i = 0; i < length;) {
        if (isdigit((unsigned char)label[i])) {
            if (!isdigit((unsigned char)*at))
                return 0;
            for (; i < length && isdigit((unsigned char)label[i]); i++)
                ;
            at += strspn(at, "0123456789");
        } else if (label[i] == ' ' || label[i] == '\t') {
            size_t blanks = 0;
            for (; i < length && (label[i] == ' ' || label[i] == '\t'); i++)
                blanks++;
            const size_t there = strspn(at, " \t");
            at += i < length || there < blanks ? there : blanks;
        } else if (label[i++] != *at++) {
            return 0;
        }
    }
    return (size_t)(at - line);
}

/* The length of what stands before the comment that has the mark; 0: the line has none. */
static size_t before_comment(const char *line, const char *mark)
{
    const char *at = strstr(line, mark);
    while (at && at > line && *at != '#')
        at--;
    return at && *at == '#' ? (size_t)(at - line) : 0;
}

void text_unlabel(struct text *text, const char *mark)
{
    const char *label = NULL;
    size_t length = 0, first = 0;
    while (first < text->count && !strstr(text->lines[first], mark))
        first++;
    if (first == text->count)
        return;
    /* The lines before the first comment have its label, too. */
    length = before_comment(label = text->lines[first], mark);
    for (size_t i = 0; i < text->count; i++) {
        if (strstr(text->lines[i], mark)) {
            label = text->lines[i];
            length = before_comment(label, mark);
        }
        const size_t own = length > 0 ? label_length(label, length, text->lines[i]) : 0;
        text->lines[i] += own;
        text->labels[i] += own;
    }
}

/* ---- lines ---- */

const char *text_behind(const char *line, const char *begin)
{
    const size_t length = strlen(begin);
    if (strncmp(line, begin, length) != 0)
        return NULL;
    return line + length + strspn(line + length, " \t");
}

size_t text_find(const struct text *text, const char *begin)
{
    for (size_t i = 0; i < text->count; i++)
        if (text_behind(text->lines[i], begin))
            return i;
    return text->count;
}

int text_check_end(const struct text *text, struct error *error)
{
    const char *last = text->lines[text->count - 1];
    const struct words words = text_words(last);
    if (!text->is_cut || (*last != '#' && !words_are_row(&words)))
        return 0;
    return error_at(error, text_place(text, text->count - 1, (unsigned)strlen(last) + 1),
                    "the file ends within a line: expected all that was printed");
}

/* ---- words ---- */

struct words text_words(const char *line)
{
    struct words words = {.count = 0};
    for (const char *at = line; words.count < TEXT_WORDS;) {
        at += strspn(at, " \t");
        const size_t length = strcspn(at, " \t");
        if (length == 0)
            break;
        words.items[words.count++] = (struct word){at, length, (unsigned)(at - line) + 1};
        at += length;
    }
    return words;
}

struct word text_first_word(const char *line)
{
    const struct words words = text_words(line);
    return words.count > 0 ? words.items[0] : (struct word){.text = ""};
}

static bool is_number(const struct word *word)
{
    return strspn(word->text, "0123456789.,:eE+-") >= word->length &&
           memchr(word->text, '.', word->length) != word->text + word->length - 1;
}

/* A verdict or a failed number stands in a column of a row. */
static bool is_cell(const struct word *word)
{
    static const char *const words[] = {"Pass", "Fail", "pass", "fail", "nan", "inf", "-nan"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word_is(word, words[i]))
            return true;
    return is_number(word);
}

bool words_are_row(const struct words *words)
{
    size_t cells = 0;
    for (size_t i = 0; i < words->count; i++)
        cells += is_cell(&words->items[i]);
    return words->count > 0 && isalnum((unsigned char)words->items[0].text[0]) &&
           2 * cells >= words->count;
}

bool word_is(const struct word *word, const char *name)
{
    return strlen(name) == word->length && strncmp(word->text, name, word->length) == 0;
}

int word_number(const struct text *text, size_t line, const struct word *word, const char *what,
                double *value, struct error *error)
{
    char copy[NUMBER_TEXT + 1];
    const size_t length = word->length < NUMBER_TEXT ? word->length : NUMBER_TEXT;
    memcpy(copy, word->text, length);
    copy[length] = '\0';
    if (word->length <= NUMBER_TEXT && number_parse(copy, value) && *value >= 0.0)
        return 0;
    return error_at(error, text_place(text, line, word->column), "'%s': expected %s", copy, what);
}

int word_whole(const struct text *text, size_t line, const struct word *word, const char *what,
               double *value, struct error *error)
{
    if (word_number(text, line, word, what, value, error) != 0)
        return -1;
    return *value == floor(*value) && *value <= 0x1p53
               ? 0
               : error_at(error, text_place(text, line, word->column),
                          "'%.*s': expected %s, a whole number", (int)word->length, word->text,
                          what);
}

double word_rounding(const struct word *word)
{
    const char *exponent = memchr(word->text, 'e', word->length);
    const size_t length = exponent ? (size_t)(exponent - word->text) : word->length;
    const char *point = memchr(word->text, '.', length);
    const double digits = point ? (double)(word->text + length - point - 1) : 0.0;
    const double power = exponent ? strtod(exponent + 1, NULL) : 0.0;
    return 0.5 * pow(10.0, power - digits);
}
