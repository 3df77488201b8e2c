/* Directives: what the programmer adds to his source, or writes into a side file. One is

     WORD [NAME] [CLAUSE[(TEXT)]]...

   as in `segment sweep repeat(steps)`; the word itself may have parentheses too. */
#ifndef DESCRIBER_SOURCE_DIRECTIVE_H
#define DESCRIBER_SOURCE_DIRECTIVE_H

#include "describer/source/arena.h"
#include "describer/source/syntax.h"

enum word {
#define WORD(identifier, ...) WORD_##identifier,
#include "describer/source/directive_words.h"
#undef WORD
    WORD_COUNT
};

struct segment;

/* No directive is longer; those of a hundred arrays have some thousands. */
enum { DIRECTIVE_BYTES_MOST = 1 << 16 };

struct clause {
    const char *name;
    const char *text; /* between its parentheses; NULL: it has none */
    bool is_word;     /* the word's own */
};

struct directive {
    enum word word;
    const char *name; /* "" where it has none */
    const char *rest; /* all behind the word */
    struct clause *clauses;
    int clause_count;
    struct place place;
    int file;
    size_t begin, next;   /* as of a pragma */
    unsigned line;        /* of a side file: the line, or 0 */
    const char *function; /* of a side file: the function, or NULL */
    bool is_used;
    bool is_described; /* home, reduction: something behind it is */
    unsigned heeded;   /* home: 1; reduction: a bit for each name that something is added to */
    bool is_implied;   /* by a directive of another family: it need not be used */
    struct segment *segment; /* scop: what is described of it */
    size_t first;            /* scop: where its first statement begins */
};

struct directives {
    struct directive *items;
    int count;
};

/* Whether the pragma is one of OpenMP or OpenACC, which are no directives. */
bool pragma_is_of_threads(const struct pragma *pragma);

/* Reads the pragmas of the source. Errors: unknown words and clauses, parentheses that do not
   close. */
int directives_read(struct arena *arena, const struct source *source, struct directives *directives,
                    struct error *error);

/* Adds one from its text; where it stands is set already. */
int directives_add(struct arena *arena, struct directives *directives, const char *text,
                   struct directive directive, struct error *error);

/* Whether its word is for the statement behind it. */
bool directive_stands_before_statement(const struct directive *directive);

/* The text of its clause; NULL: it has none. */
const char *directive_clause(const struct directive *directive, const char *name);
bool directive_has(const struct directive *directive, const char *name);

/* Whether a candidate, an alignment or the like says how an array of that name lies. */
bool directives_place(const struct directives *directives, const char *array);

/* The directive of that word that stands before what begins at that place; NULL: there is none. */
struct directive *directive_before(struct directives *directives, enum word word,
                                   const struct syntax *syntax);

/* "a, b(c, d), e" at its commas outside parentheses and brackets, without blanks around; ends with
   NULL. */
const char **text_split(struct arena *arena, const char *text, char separator);

/* Without the blanks around it. */
const char *text_trimmed(struct arena *arena, const char *text, size_t length);

#endif
