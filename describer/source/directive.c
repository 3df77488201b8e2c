#include "describer/source/directive.h"

#include "model/base/names.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *word;
    bool before_statement; /* of no use elsewhere */
    bool has_name;
    bool is_free; /* what follows is read elsewhere */
    const char *clauses[6];
} words[WORD_COUNT + 1] = {
#define WORD(identifier, ...) [WORD_##identifier] = {.word = __VA_ARGS__},
#include "describer/source/directive_words.h"
#undef WORD
};

bool directive_stands_before_statement(const struct directive *directive)
{
    return words[directive->word].before_statement;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

const char *text_trimmed(struct arena *arena, const char *text, size_t length)
{
    while (length > 0 && isspace((unsigned char)*text))
        text++, length--;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    return arena_copy(arena, text, length);
}

const char **text_split(struct arena *arena, const char *text, char separator)
{
    const char **parts = arena_take(arena, strlen(text) + 2, sizeof *parts);
    int depth = 0, count = 0;
    const char *from = text;
    for (const char *at = text;; at++) {
        depth +=
            (*at == '(' || *at == '[' || *at == '{') - (*at == ')' || *at == ']' || *at == '}');
        if (*at && (*at != separator || depth > 0))
            continue;
        const char *part = text_trimmed(arena, from, (size_t)(at - from));
        if (*part || *at)
            parts[count++] = part;
        if (!*at)
            return parts;
        from = at + 1;
    }
}

/* Behind the parenthesis that closes the one at `at`; NULL: none does. */
static const char *closing(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

static const char *read_name(struct arena *arena, const char **at)
{
    const char *from = *at;
    while (is_name(**at))
        (*at)++;
    const char *name = arena_copy(arena, from, (size_t)(*at - from));
    *at += strspn(*at, " ");
    return name;
}

/* The name of a candidate or a segment; "block - cyclic", as clang-format leaves it, is
   "block-cyclic". */
static const char *read_own_name(struct arena *arena, const char **at)
{
    const char *from = *at;
    char *name = arena_copy(arena, from, strlen(from));
    size_t length = strlen(read_name(arena, at));
    while (length > 0 && strncmp(*at, "- ", 2) == 0 && is_name((*at)[2])) {
        *at += 2;
        const char *more = *at;
        const size_t more_length = strlen(read_name(arena, at));
        name[length++] = '-';
        memcpy(name + length, more, more_length);
        length += more_length;
    }
    name[length] = '\0';
    return name;
}

/* The text in parentheses at *at, if there are any. */
static int read_argument(struct arena *arena, const char **at, const char **text,
                         struct place place, struct error *error)
{
    *text = NULL;
    if (**at != '(')
        return 0;
    const char *end = closing(*at);
    if (!end)
        return error_at(error, place, "a parenthesis in '%s' does not close", *at);
    *text = text_trimmed(arena, *at + 1, (size_t)(end - *at) - 2);
    *at = end + strspn(end, " ");
    return 0;
}

static bool is_clause(enum word word, const char *name)
{
    for (int i = 0; words[word].clauses[i]; i++)
        if (!strcmp(words[word].clauses[i], name))
            return true;
    return false;
}

static int unknown_clause(const struct directive *directive, const char *name, struct error *error)
{
    char listed[NAMES_TEXT];
    const char *const *known = words[directive->word].clauses;
    if (!known[0])
        return error_at(error, directive->place, "'%s' has nothing behind it: unexpected '%s'",
                        words[directive->word].word, name);
    return error_at(error, directive->place, "'%s' knows no '%s': it has %s",
                    words[directive->word].word, name, names_listed(listed, known));
}

static void add_clause(struct arena *arena, struct directive *directive, struct clause clause)
{
    directive->clauses = arena_more(arena, directive->clauses, (size_t)directive->clause_count,
                                    sizeof *directive->clauses);
    directive->clauses[directive->clause_count++] = clause;
}

static int read_clauses(struct arena *arena, struct directive *directive, const char *at,
                        struct error *error)
{
    while (*at) {
        struct clause clause = {.name = read_name(arena, &at)};
        if (!*clause.name)
            return error_at(error, directive->place, "'%s': a word was expected here", at);
        if (!is_clause(directive->word, clause.name))
            return unknown_clause(directive, clause.name, error);
        if (read_argument(arena, &at, &clause.text, directive->place, error))
            return -1;
        add_clause(arena, directive, clause);
        at += strspn(at, ", ");
    }
    return 0;
}

static int find_word(const char *name, struct directive *directive, struct error *error)
{
    const char *known[WORD_COUNT + 1] = {NULL};
    for (int i = 0; i < WORD_COUNT; i++) {
        known[i] = words[i].word;
        if (!strcmp(name, words[i].word)) {
            directive->word = (enum word)i;
            return 0;
        }
    }
    char listed[NAMES_TEXT];
    known[WORD_SCOP] = NULL;
    const char *near = nearest_name(name, known);
    return near ? error_at(error, directive->place, "unknown directive '%s': did you mean '%s'?",
                           name, near)
                : error_at(error, directive->place, "unknown directive '%s': there are %s", name,
                           names_listed(listed, known));
}

/* One directive from its text; place, file and so on are set already. */
static int read_directive(struct arena *arena, const char *text, struct directive *directive,
                          struct error *error)
{
    const char *at = text + strspn(text, " ");
    const char *word = read_name(arena, &at);
    directive->name = "";
    if (find_word(word, directive, error))
        return -1;
    directive->rest = at;
    if (words[directive->word].is_free)
        return 0;
    struct clause own = {.name = word, .is_word = true};
    if (read_argument(arena, &at, &own.text, directive->place, error))
        return -1;
    add_clause(arena, directive, own);
    if (words[directive->word].has_name) {
        directive->name = read_own_name(arena, &at);
        if (!*directive->name)
            return error_at(error, directive->place, "'%s' needs a name: %s NAME", word, word);
    }
    return read_clauses(arena, directive, at, error);
}

int directives_add(struct arena *arena, struct directives *directives, const char *text,
                   struct directive directive, struct error *error)
{
    if (strlen(text) > DIRECTIVE_BYTES_MOST)
        return error_at(error, directive.place, "this directive has more than %d characters",
                        DIRECTIVE_BYTES_MOST);
    if (read_directive(arena, text, &directive, error))
        return -1;
    directives->items =
        arena_more(arena, directives->items, (size_t)directives->count, sizeof *directives->items);
    directives->items[directives->count++] = directive;
    return 0;
}

/* XcalableMP's loop directive begins a segment, unless one encloses it; its reduction is one. */
static int read_xmp_loop(struct arena *arena, const char *text, struct directive directive,
                         struct directives *directives, struct error *error)
{
    const char *reduction = strstr(text, "reduction");
    directive.is_implied = true;
    if (reduction && directives_add(arena, directives, reduction, directive, error))
        return -1;
    return directives_add(arena, directives,
                          arena_format(arena, "segment line%u", directive.place.line), directive,
                          error);
}

bool pragma_is_of_threads(const struct pragma *pragma)
{
    return !strncmp(pragma->text, "omp", 3) || !strncmp(pragma->text, "acc", 3);
}

int directives_read(struct arena *arena, const struct source *source, struct directives *directives,
                    struct error *error)
{
    *directives = (struct directives){0};
    for (int i = 0; i < source->pragma_count; i++) {
        const struct pragma *pragma = &source->pragmas[i];
        if (pragma_is_of_threads(pragma))
            continue;
        const bool is_own = !strncmp(pragma->text, "forecost", 8);
        const struct directive directive = {.place = pragma->place,
                                            .file = pragma->file,
                                            .begin = pragma->begin,
                                            .next = pragma->next};
        const char *text = pragma->text + (is_own ? 8 : 0);
        const bool is_loop =
            !strncmp(text, "xmp", 3) && !strncmp(text + 3 + strspn(text + 3, " "), "loop", 4);
        if (is_loop ? read_xmp_loop(arena, text, directive, directives, error)
                    : directives_add(arena, directives, text, directive, error))
            return -1;
    }
    return 0;
}

bool directive_has(const struct directive *directive, const char *name)
{
    for (int i = 0; i < directive->clause_count; i++)
        if (!strcmp(directive->clauses[i].name, name))
            return true;
    return false;
}

const char *directive_clause(const struct directive *directive, const char *name)
{
    for (int i = 0; i < directive->clause_count; i++)
        if (!strcmp(directive->clauses[i].name, name) && directive->clauses[i].text)
            return directive->clauses[i].text;
    return NULL;
}

bool directives_place(const struct directives *directives, const char *array)
{
    const size_t length = strlen(array);
    for (int i = 0; i < directives->count; i++) {
        const struct directive *directive = &directives->items[i];
        const bool is_of_arrays = directive->word == WORD_CANDIDATE ||
                                  directive->word == WORD_ALIGN || directive->word == WORD_ARRAY ||
                                  directive->word == WORD_XMP;
        for (const char *at = is_of_arrays ? directive->rest : ""; (at = strstr(at, array)); at++)
            if ((at == directive->rest || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
                !isalnum((unsigned char)at[length]) && at[length] != '_')
                return true;
    }
    return false;
}

struct directive *directive_before(struct directives *directives, enum word word,
                                   const struct syntax *syntax)
{
    for (int i = 0; i < directives->count; i++) {
        struct directive *directive = &directives->items[i];
        if (directive->word != word || directive->file != syntax->file || directive->function)
            continue;
        const bool is_there = directive->line > 0 ? directive->line == syntax->place.line
                                                  : directive->next == syntax->begin;
        if (is_there)
            return directive;
    }
    return NULL;
}
