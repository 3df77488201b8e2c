/* C as the describer sees it: what it does not need to tell apart is left out. Everything lives in
   one arena. Only parse.c and its neighbours know the library that read it. */
#ifndef DESCRIBER_SOURCE_SYNTAX_H
#define DESCRIBER_SOURCE_SYNTAX_H

#include "model/base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum type_kind {
    TYPE_OTHER,
    TYPE_VOID,
    TYPE_INTEGER,
    TYPE_FLOATING,
    TYPE_COMPLEX,
    TYPE_POINTER,
    TYPE_ARRAY,
    TYPE_RECORD
};

struct syntax;

struct type {
    enum type_kind kind;
    double bytes;          /* of one; 0: not known */
    double count;          /* of an array's elements; 0: not known */
    bool is_constant;      /* const */
    double atom_bytes;     /* of a record whose members are all as long; 0: they are not */
    const struct type *of; /* pointers, arrays */
    const char *name;
};

/* A member of a record. */
struct field {
    const char *name;
    enum type_kind kind;
    const struct type *type;
    double offset;              /* in bytes, in its record */
    const struct field *fields; /* of a record within: its members */
    int field_count;
};

/* A variable, parameter, or constant of an enumeration. */
struct declaration {
    int id; /* counted from 0 over all files */
    const char *name;
    struct place place;
    const struct type *type;
    struct syntax *initial;  /* NULL: none */
    struct syntax **extents; /* as written, the outermost first; NULL where none is written */
    int extent_count;
    bool is_global;   /* outside all functions, or static in one */
    bool is_external; /* the same object under this name in every file */
    bool is_enumerator;
    double value; /* of an enumerator */
};

enum syntax_kind {
    SYNTAX_OTHER,
    SYNTAX_INTEGER,
    SYNTAX_FLOATING,
    SYNTAX_NAME,
    SYNTAX_MEMBER,
    SYNTAX_SUBSCRIPT,
    SYNTAX_UNARY,
    SYNTAX_BINARY,
    SYNTAX_ASSIGN,
    SYNTAX_CONDITIONAL,
    SYNTAX_CALL,
    SYNTAX_CAST,
    SYNTAX_VARIABLE,
    SYNTAX_BLOCK,
    SYNTAX_DECLARE,
    SYNTAX_FOR,
    SYNTAX_WHILE,
    SYNTAX_DO,
    SYNTAX_IF,
    SYNTAX_RETURN,
    SYNTAX_JUMP,
    SYNTAX_EMPTY,
    SYNTAX_FUNCTION,  /* the name of one, as a value */
    SYNTAX_LIST,      /* {1, 2} of an initialiser */
    SYNTAX_DESIGNATED /* .n = 1 in one; its only child is the value */
};

enum operation {
    DO_NOTHING, /* of an assignment: it is plain */
    DO_ADD,
    DO_SUBTRACT,
    DO_MULTIPLY,
    DO_DIVIDE,
    DO_REMAINDER,
    DO_SHIFT_LEFT,
    DO_SHIFT_RIGHT,
    DO_BITS_AND,
    DO_BITS_OR,
    DO_BITS_XOR,
    DO_LESS,
    DO_GREATER,
    DO_LESS_EQUAL,
    DO_GREATER_EQUAL,
    DO_EQUAL,
    DO_UNEQUAL,
    DO_AND,
    DO_OR,
    DO_COMMA,
    DO_PLUS,
    DO_MINUS,
    DO_NOT,
    DO_INVERT,
    DO_ADDRESS,
    DO_FOLLOW,
    DO_INCREMENT,
    DO_DECREMENT,
    DO_OTHER
};

struct function;

struct syntax {
    enum syntax_kind kind;
    enum operation operation;
    bool is_postfix;
    struct place place;
    int file;          /* index of the source file; -1: none that was given */
    size_t begin, end; /* bytes in it */
    unsigned end_line;
    const struct type *type;
    double number;    /* literals; of a member how many bytes behind its record's begin */
    const char *name; /* names, members, calls; the macro of a literal; what is OTHER;
                         what is DESIGNATED, as d.nx */
    const char *text; /* of a string literal, without its quotes; NULL: it is none */
    struct declaration *declaration;
    struct syntax *pointer;          /* calls through a pointer to a function: that; else NULL */
    const struct function *function; /* calls: NULL if not defined in what was given */
    const struct field *fields;      /* lists: the members of the record that they make */
    int field_count;
    int count;
    struct syntax **children; /* of for: first, condition, step, body, each may be NULL */
};

struct function {
    const char *name;
    struct place place;
    int file;
    size_t begin, end;
    bool is_static;
    struct declaration **parameters;
    int parameter_count;
    struct syntax *body;
};

/* One line of a pragma that is meant for us, or for whom we understand. */
struct pragma {
    struct place place;
    const char *text; /* behind "pragma", in one line */
    int file;
    size_t begin, next; /* bytes in the file: of itself, and of the first word behind it */
};

struct source {
    const char **files;
    int file_count;
    struct function **functions;
    int function_count;
    const char **pointed; /* names of functions that are values: whose address is taken */
    int pointed_count;
    struct pragma *pragmas;
    int pragma_count;
    int declaration_count;
};

#endif
