/* What an expression of the source stands for. */
#ifndef DESCRIBER_STATE_VALUE_H
#define DESCRIBER_STATE_VALUE_H

#include "describer/source/syntax.h"
#include "describer/state/graph.h"

enum value_kind {
    VALUE_NONE,     /* nothing is known yet */
    VALUE_INDEX,    /* an integer of parameters and indices */
    VALUE_NODE,     /* what is computed */
    VALUE_ELEMENT,  /* an element, a part of an array, or a pointer into it */
    VALUE_OBJECT,   /* a record, or a pointer to one, by its name */
    VALUE_FUNCTION, /* a function of the source or the library, by its name */
    VALUE_ADDRESS,  /* of a variable or member that is a number */
    VALUE_UNKNOWN   /* what is not followed: why */
};

struct turn;

struct value {
    enum value_kind kind;
    polynomial index;            /* VALUE_INDEX */
    int node;                    /* VALUE_NODE */
    struct reference reference;  /* VALUE_ELEMENT: the subscripts that are told */
    polynomial offset;           /* VALUE_ELEMENT: how far a pointer points beyond */
    const struct type *type;     /* VALUE_ELEMENT: what one more subscript gives, or what it is */
    bool is_place;               /* VALUE_ELEMENT: a number or a record, as against a pointer */
    bool is_within;              /* VALUE_ELEMENT: within a record; the offset counts its atoms */
    int gathered_count;          /* VALUE_ELEMENT: how many subscripts are data */
    int gathered[OPERANDS_MOST]; /* the nodes of these subscripts */
    const struct syntax *of;     /* VALUE_ADDRESS: the variable */
    polynomial bytes;            /* VALUE_NONE: of memory that is taken; NULL: it is none */
    const struct array *shape;   /* VALUE_NONE: memory that a function took so; NULL */
    const char *text;            /* why, or the name */
    const struct turn *turn;     /* VALUE_UNKNOWN: a remainder of a loop's index, or NULL */
};

#endif
