#include "model/records/yaml_hint.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The line that a fault is in, and the byte of it. */
struct line {
    const char *text;
    size_t bytes, at;
};

static bool goes_on(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static struct line line_of(const struct yaml_fault *fault)
{
    struct line line = {.text = fault->text};
    const char *const end = fault->text + fault->bytes;
    const char *next;
    for (size_t i = 0; i < fault->at.line; i++) {
        next = memchr(line.text, '\n', (size_t)(end - line.text));
        line.text = next ? next + 1 : end;
    }
    next = memchr(line.text, '\n', (size_t)(end - line.text));
    line.bytes = (size_t)((next ? next : end) - line.text);
    for (size_t i = 0; i < fault->at.column && line.at < line.bytes; i++)
        for (line.at++; line.at < line.bytes && goes_on(line.text[line.at]);)
            line.at++;
    return line;
}

/* The byte at the fault, or so many before it; 0 outside of the line. */
static char byte_before(const struct line *line, size_t back)
{
    return back <= line->at && line->at - back < line->bytes ? line->text[line->at - back] : '\0';
}

/* Of the bytes before the fault, the last that is no blank. */
static char last_before(const struct line *line)
{
    size_t back = 1;
    while (byte_before(line, back) == ' ')
        back++;
    return byte_before(line, back);
}

static bool is_of_name(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

/* Where the reference ends that has its first bracket at `at`: u[i][j-1]. */
static size_t reference_end(const struct line *line, size_t at)
{
    while (at < line->bytes && line->text[at] == '[') {
        const char *close = memchr(line->text + at, ']', line->bytes - at);
        if (!close)
            return line->bytes;
        at = (size_t)(close - line->text) + 1;
    }
    return at;
}

/* ---- the hints, each of one kind of fault: whether it is that ---- */

typedef bool give_hint(const struct yaml_fault *fault, const struct line *line, char *hint);

static bool of_reference(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)fault;
    size_t from = line->at;
    if (byte_before(line, 0) != '[' || !is_of_name(byte_before(line, 1)))
        return false;
    while (from > 0 && is_of_name(line->text[from - 1]))
        from--;
    const size_t length = reference_end(line, line->at) - from;
    snprintf(hint, YAML_HINT_TEXT, "quote references: \"%.*s\"", (int)(length < 60 ? length : 60),
             line->text + from);
    return true;
}

static bool of_open_bracket(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)line;
    snprintf(hint, YAML_HINT_TEXT,
             "a comma, a colon or a quote is missing, or the %c of what begins in line %zu, "
             "column %zu",
             strchr(fault->problem, '}') ? '}' : ']', fault->begun.line + 1,
             fault->begun.column + 1);
    return true;
}

static bool of_star(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)fault;
    size_t back = 0;
    while (back < 3 && byte_before(line, back) != '*' && byte_before(line, back) != '&')
        back++;
    const char sign = byte_before(line, back), quote = byte_before(line, back + 1);
    if (back == 3)
        return false;
    if (quote == '"' || quote == '\'')
        snprintf(hint, YAML_HINT_TEXT, "a quote before this one is not closed");
    else
        snprintf(hint, YAML_HINT_TEXT, "quote a %c that stands for itself: \"%c\"", sign, sign);
    return true;
}

static bool of_colon(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)fault;
    bool is_second = false;
    for (size_t i = 0; i + 1 < line->at; i++)
        is_second |= line->text[i] == ':' && line->text[i + 1] == ' ';
    snprintf(hint, YAML_HINT_TEXT, "%s",
             is_second ? "quote a text that has a colon and a blank in it"
                       : "the keys of a map begin in one column, and each has its colon");
    return true;
}

static bool of_no_colon(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)line;
    snprintf(hint, YAML_HINT_TEXT, "line %zu has no colon with a blank behind it",
             fault->begun.line + 1);
    return true;
}

static bool of_first_character(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)fault;
    const char byte = byte_before(line, 0);
    if (byte == '\t')
        snprintf(hint, YAML_HINT_TEXT, "indent with blanks, not with tabs");
    else
        snprintf(hint, YAML_HINT_TEXT, "quote a text that begins with %c", byte);
    return byte == '\t' || isgraph((unsigned char)byte);
}

static bool of_folding(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)fault;
    (void)line;
    snprintf(hint, YAML_HINT_TEXT, "quote a text that begins with > or |");
    return true;
}

static bool of_key(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    const char byte = byte_before(line, 0), last = last_before(line);
    if (last == '"' || last == '\'')
        snprintf(hint, YAML_HINT_TEXT,
                 "text behind a closing quote: quote all of it, and a quote in it as \\\" in "
                 "\"...\" or '' in '...'");
    else if (byte != '\0' && strchr(",]}", byte))
        snprintf(hint, YAML_HINT_TEXT, "a colon is missing before a { or [, or one of them");
    else
        snprintf(hint, YAML_HINT_TEXT,
                 "the keys of the map that begins in line %zu begin in column %zu",
                 fault->begun.line + 1, fault->begun.column + 1);
    return true;
}

static bool of_item(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)line;
    snprintf(hint, YAML_HINT_TEXT,
             "the hyphens of the list that begins in line %zu stand in column %zu",
             fault->begun.line + 1, fault->begun.column + 1);
    return true;
}

static bool of_open_quote(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)line;
    snprintf(hint, YAML_HINT_TEXT, "the quote of line %zu, column %zu is not closed",
             fault->begun.line + 1, fault->begun.column + 1);
    return true;
}

static bool of_escape(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)fault;
    (void)line;
    snprintf(hint, YAML_HINT_TEXT, "write \\\\ for a backslash in \"...\", or quote with '...'");
    return true;
}

static bool of_no_value(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)fault;
    (void)line;
    snprintf(hint, YAML_HINT_TEXT, "a value is missing, or begins with what is to be quoted");
    return true;
}

static bool of_hyphen(const struct yaml_fault *fault, const struct line *line, char *hint)
{
    (void)fault;
    (void)line;
    snprintf(hint, YAML_HINT_TEXT, "a list begins in the line below its key, or is [in, brackets]");
    return true;
}

/* In the order in which they are tried. */
static const struct {
    const char *problem;
    give_hint *give;
} hints[] = {
    {"did not find expected ',' or ",                          of_reference      },
    {"did not find expected ',' or ",                          of_open_bracket   },
    {"did not find expected alphabetic or numeric character",  of_star           },
    {"mapping values are not allowed in this context",         of_colon          },
    {"could not find expected ':'",                            of_no_colon       },
    {"found character that cannot start any token",            of_first_character},
    {"did not find expected comment or line break",            of_folding        },
    {"did not find expected key",                              of_key            },
    {"did not find expected '-' indicator",                    of_item           },
    {"found unexpected end of stream",                         of_open_quote     },
    {"found unexpected document indicator",                    of_open_quote     },
    {"found unknown escape character",                         of_escape         },
    {"did not find expected node content",                     of_no_value       },
    {"block sequence entries are not allowed in this context", of_hyphen         },
};

const char *yaml_hint(const struct yaml_fault *fault, char hint[YAML_HINT_TEXT])
{
    const struct line line = line_of(fault);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strncmp(fault->problem, hints[i].problem, strlen(hints[i].problem)) == 0 &&
            hints[i].give(fault, &line, hint))
            return hint;
    return NULL;
}

bool yaml_is_cut(const struct yaml_fault *scalar, const char *value)
{
    int open = 0;
    bool is_call = false;
    if (!strchr(value, '(')) /* as nearly all values of a table */
        return false;
    for (const char *at = value; *at; at++) {
        open += (*at == '(') - (*at == ')');
        is_call |= *at == '(' && at > value && is_of_name(at[-1]);
    }
    if (open <= 0 || !is_call)
        return false;
    struct line line = line_of(scalar);
    while (byte_before(&line, 0) == ' ')
        line.at++;
    return byte_before(&line, 0) == ',';
}
