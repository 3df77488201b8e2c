/* Names with which a description computes: parameters, indices of loops, and what is derived. */
#ifndef DESCRIBER_STATE_SYMBOL_H
#define DESCRIBER_STATE_SYMBOL_H

#include "describer/source/arena.h"
#include "model/base/error.h"

#include <stdbool.h>

enum symbol_kind {
    SYMBOL_PARAMETER,
    SYMBOL_INDEX,
    SYMBOL_DERIVED, /* `let` */
    SYMBOL_GIVEN,   /* p: what the estimator knows by itself */
    SYMBOL_RANK     /* which processor it is, and what comes of that: of one in the middle */
};

struct loop;
struct polynomial;

struct symbol {
    const char *name;
    enum symbol_kind kind;
    int number;   /* as they were made */
    double value; /* of an index some value within its loop */
    bool has_value;
    const char *definition;  /* SYMBOL_DERIVED: the expression */
    bool is_of_processors;   /* SYMBOL_DERIVED: their number is in it */
    const struct loop *loop; /* SYMBOL_INDEX */
    const struct polynomial *dividend,
        *divisor;       /* SYMBOL_RANK: the remainder or quotient that it is, or NULL */
    bool is_quotient;   /* SYMBOL_RANK: rounded down */
    bool is_shift;      /* SYMBOL_RANK: how far apart the neighbours in a Cartesian grid are */
    bool is_answered;   /* nothing needs its value any more */
    const void *found;  /* of which loop the processes' own ways say how often it runs, or NULL */
    struct place place; /* where it is first met, or its origin */
    const char *origin; /* SYMBOL_PARAMETER without a value: where that comes from; or NULL */
    bool counts_arguments; /* of the program: main's first argument */
    bool is_told;          /* by `parameters` */
    bool is_defined;       /* by -D */
    bool is_met;           /* the source names it */
    bool is_instead;       /* it stands for a number that a call gives */
    double instead_of;     /* the last one of these */
    const void *set_in;    /* the function that sets a variable of that name to a number, */
    double set_to;         /* to which, that last */
    bool is_used;          /* in what is written */
};

struct symbols {
    struct arena *arena;
    struct symbol **items;
    int count, room;
};

/* The parameter, derived or given name; NULL: there is none. */
struct symbol *symbol_find(const struct symbols *symbols, const char *name);

/* The parameter of that name, made if there is none; one that may not be called so has "_" behind
   its name. */
struct symbol *symbol_parameter(struct symbols *symbols, const char *name, struct place place);

/* A name for the value of an expression of parameters: the same for the same expression. */
struct symbol *symbol_derived(struct symbols *symbols, const char *wanted, const char *definition,
                              double value);

/* How far apart neighbours along that dimension of a Cartesian grid are. */
struct symbol *symbol_shift(struct symbols *symbols, const char *dimension);

/* Gives a derived name another one, unless that is taken. */
void symbol_rename(const struct symbols *symbols, struct symbol *symbol, const char *wanted);

/* A new index, called as is wanted or nearly so: `loop` and the loops around it have others. */
struct symbol *symbol_index(struct symbols *symbols, const char *wanted, const struct loop *around);

/* A name that the description language lets one choose: `wanted`, or with "_" behind it. */
const char *symbol_allowed(struct arena *arena, const char *wanted);

#endif
