/* What the parts of parse.c share while they read one file. */
#ifndef DESCRIBER_SOURCE_PARSE_READER_H
#define DESCRIBER_SOURCE_PARSE_READER_H

#include "describer/source/arena.h"
#include "describer/source/syntax.h"

#include <clang-c/Index.h>

/* The body of a macro, as bytes of the file in which it is defined. */
struct macro {
    const char *name, *file;
    unsigned begin, end;
};

struct known_declaration {
    CXCursor cursor;
    struct declaration *declaration;
    struct known_declaration *next;
};

enum { KNOWN_BUCKETS = 1024 };

struct reader {
    struct arena *arena;
    CXTranslationUnit unit;
    struct source *source;
    int file; /* index of the file that is read */
    struct macro *macros;
    int macro_count, macro_room;
    struct known_declaration *known[KNOWN_BUCKETS];
};

/* The text, which is released. */
const char *reader_text(struct reader *reader, CXString text);

/* The children of a cursor. */
struct cursors {
    CXCursor *items;
    int count, room;
    struct arena *arena;
};
struct cursors reader_children(struct reader *reader, CXCursor cursor);

/* Where the cursor stands in the text, macros expanded; *offset and *file may be NULL. */
struct place reader_place(struct reader *reader, CXCursor cursor, int *file, size_t *offset);

/* parse_types.c */
const struct type *reader_type(struct reader *reader, CXType type);
/* The members of a record; returns how many. */
int reader_fields(struct reader *reader, CXType record, const struct field **fields);

/* parse_syntax.c: an expression or a statement; a variable or parameter. */
struct syntax *reader_syntax(struct reader *reader, CXCursor cursor);
/* Writes a switch with `if`, where each of its cases ends by itself. */
void reader_without_switch(struct reader *reader, struct syntax *syntax);
struct declaration *reader_declaration(struct reader *reader, CXCursor cursor);

/* parse_pragmas.c: the pragmas of the file, in order. */
void reader_pragmas(struct reader *reader);

/* parse_macros.c: notes a macro's definition; the macro in whose body a literal stands, or NULL. */
void reader_note_macro(struct reader *reader, CXCursor definition);
const char *reader_macro_of(struct reader *reader, CXCursor literal);

#endif
