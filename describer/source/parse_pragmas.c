#include "describer/source/parse_reader.h"

#include <ctype.h>
#include <string.h>

/* Words behind `pragma` of whose lines something is read. */
static const char *const families[] = {"forecost", "scop", "endscop", "xmp", "omp", "acc"};

static bool is_ours(const char *text)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const size_t length = strlen(families[i]);
        if (!strncmp(text, families[i], length) && !isalnum((unsigned char)text[length]))
            return true;
    }
    return false;
}

/* Where the line that begins at `at` ends, with the lines that continue it. */
static size_t logical_end(const char *bytes, size_t size, size_t at)
{
    while (at < size && bytes[at] != '\n') {
        if (bytes[at] == '\\' && at + 1 < size && bytes[at + 1] == '\n')
            at++;
        else if (bytes[at] == '\\' && at + 2 < size && bytes[at + 1] == '\r')
            at += 2;
        at++;
    }
    return at;
}

/* How many bytes a comment takes that begins here; 0: none does. */
static size_t comment_length(const char *text)
{
    if (!strncmp(text, "//", 2))
        return strlen(text);
    if (strncmp(text, "/*", 2))
        return 0;
    const char *end = strstr(text + 2, "*/");
    return end ? (size_t)(end + 2 - text) : strlen(text);
}

/* One line without comments, backslashes and line ends. */
static const char *one_line(struct reader *reader, const char *bytes, size_t size)
{
    char *text = arena_copy(reader->arena, bytes, size);
    size_t length = 0;
    for (size_t i = 0; i < size;) {
        const size_t comment = comment_length(text + i);
        const bool is_blank = comment > 0 || strchr("\\\n\r\t", text[i]);
        text[length++] = is_blank ? ' ' : text[i];
        i += comment > 0 ? comment : 1;
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
    return text;
}

struct words {
    CXToken *tokens;
    unsigned count;
    const char *bytes;
    size_t size;
};

static size_t offset_of(struct reader *reader, const struct words *words, unsigned i,
                        unsigned *line, unsigned *column)
{
    unsigned offset;
    clang_getSpellingLocation(clang_getTokenLocation(reader->unit, words->tokens[i]), NULL, line,
                              column, &offset);
    return offset;
}

/* The first word that is no comment and lies at `from` or behind it. */
static unsigned word_at(struct reader *reader, const struct words *words, unsigned i, size_t from)
{
    while (i < words->count && (offset_of(reader, words, i, NULL, NULL) < from ||
                                clang_getTokenKind(words->tokens[i]) == CXToken_Comment))
        i++;
    return i;
}

/* Whether word i begins a preprocessor's line. */
static bool begins_line(const struct words *words, size_t offset)
{
    if (words->bytes[offset] != '#')
        return false;
    while (offset > 0 && (words->bytes[offset - 1] == ' ' || words->bytes[offset - 1] == '\t'))
        offset--;
    return offset == 0 || words->bytes[offset - 1] == '\n';
}

static bool is_skipped(const CXSourceRangeList *skipped, size_t offset)
{
    for (unsigned i = 0; skipped && i < skipped->count; i++) {
        unsigned from, to;
        clang_getSpellingLocation(clang_getRangeStart(skipped->ranges[i]), NULL, NULL, NULL, &from);
        clang_getSpellingLocation(clang_getRangeEnd(skipped->ranges[i]), NULL, NULL, NULL, &to);
        if (offset > from && offset < to)
            return true;
    }
    return false;
}

static void add_pragma(struct reader *reader, struct pragma pragma)
{
    struct source *source = reader->source;
    source->pragmas = arena_more(reader->arena, source->pragmas, (size_t)source->pragma_count,
                                 sizeof *source->pragmas);
    source->pragmas[source->pragma_count++] = pragma;
}

static void read_words(struct reader *reader, const struct words *words,
                       const CXSourceRangeList *skipped)
{
    struct source *source = reader->source;
    int waiting = source->pragma_count; /* the first whose next code was not seen yet */
    for (unsigned i = word_at(reader, words, 0, 0); i < words->count;) {
        unsigned line, column;
        const size_t at = offset_of(reader, words, i, &line, &column);
        if (!begins_line(words, at)) {
            for (; waiting < source->pragma_count; waiting++)
                source->pragmas[waiting].next = at;
            i = word_at(reader, words, i + 1, 0);
            continue;
        }
        const size_t end = logical_end(words->bytes, words->size, at);
        i = word_at(reader, words, i, end);
        const char *text = one_line(reader, words->bytes + at + 1, end - at - 1);
        text += strspn(text, " ");
        if (strncmp(text, "pragma ", 7) || is_skipped(skipped, at))
            continue;
        text += 7 + strspn(text + 7, " ");
        if (is_ours(text))
            add_pragma(reader,
                       (struct pragma){place_at(reader->source->files[reader->file], line, column),
                                       text, reader->file, at, words->size});
    }
}

static const char *spelling(struct reader *reader, const struct words *words, unsigned i)
{
    return i < words->count
               ? reader_text(reader, clang_getTokenSpelling(reader->unit, words->tokens[i]))
               : "";
}

/* _Pragma("omp parallel for"), also in the body of a macro. Only those that are no directives of
   ours count: a directive needs the place of the statement behind it. */
static void read_operators(struct reader *reader, const struct words *words,
                           const CXSourceRangeList *skipped)
{
    for (unsigned i = 0; i + 2 < words->count; i++) {
        unsigned line, column;
        if (clang_getTokenKind(words->tokens[i]) != CXToken_Identifier ||
            strcmp(spelling(reader, words, i), "_Pragma") != 0)
            continue;
        const size_t at = offset_of(reader, words, i, &line, &column);
        const char *text = spelling(reader, words, i + 2);
        if (is_skipped(skipped, at) || (strncmp(text, "\"omp", 4) && strncmp(text, "\"acc", 4)))
            continue;
        text = arena_copy(reader->arena, text + 1, strlen(text) - 2);
        add_pragma(reader,
                   (struct pragma){place_at(reader->source->files[reader->file], line, column),
                                   text, reader->file, at, at});
    }
}

void reader_pragmas(struct reader *reader)
{
    CXFile file = clang_getFile(reader->unit, reader->source->files[reader->file]);
    struct words words = {0};
    words.bytes = clang_getFileContents(reader->unit, file, &words.size);
    if (!words.bytes)
        return;
    CXSourceRange all =
        clang_getRange(clang_getLocationForOffset(reader->unit, file, 0),
                       clang_getLocationForOffset(reader->unit, file, (unsigned)words.size));
    CXSourceRangeList *skipped = clang_getSkippedRanges(reader->unit, file);
    clang_tokenize(reader->unit, all, &words.tokens, &words.count);
    read_words(reader, &words, skipped);
    read_operators(reader, &words, skipped);
    clang_disposeTokens(reader->unit, words.tokens, words.count);
    clang_disposeSourceRangeList(skipped);
}
