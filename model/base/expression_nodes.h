/* The inside of an expression: its operations in the order in which they are done. Of expression.c,
   expression_read.c and expression_affine.c alone. */
#ifndef MODEL_BASE_EXPRESSION_NODES_H
#define MODEL_BASE_EXPRESSION_NODES_H

#include "model/base/expression.h"

/* When the value of a function of affine arguments is affine (expression_affine.c). */
enum affine_law {
    AFFINE_IF_CONSTANT,
    AFFINE_SUM,
    AFFINE_MEAN,
    AFFINE_DIFFERENCE,
    AFFINE_NEGATIVE,
    AFFINE_PRODUCT,
    AFFINE_QUOTIENT,
    AFFINE_POWER,
    AFFINE_ROUNDED,
    AFFINE_QUOTIENT_ROUNDED,
    AFFINE_REMAINDER,
    AFFINE_STEP,
    AFFINE_ABSOLUTE,
    AFFINE_LEAST,
    AFFINE_MOST,
    AFFINE_CHOICE
};

/* Operators are functions, too. */
struct function {
    const char *name;
    int binds;                 /* how tightly the operator binds; 0: not an operator */
    size_t arguments, at_most; /* how many it has, from .. to */
    double (*value)(const double *arguments, size_t count);
    enum affine_law law;
};

/* The table ends with a row without a name. */
extern const struct function expression_functions[];

/* A number, a name, or a function of as many of the values before it. */
struct node {
    const struct function *function; /* NULL: a number or a name */
    size_t arguments;
    const char *name;    /* NULL: a number; borrowed from the expression */
    double value;        /* of the number */
    const char *literal; /* the number in the expression's text, where it has a suffix; else NULL */
};

struct expression_nodes {
    size_t count, room;
    size_t values_most; /* that are waiting for their function at the same time */
    struct node *items;
};

/* The value of a number or a name. Errors: the scope does not have the name, or it has the suffix
   of the number for a name, such as k in "2k", which may be meant for 2 * k. */
int expression_operand(const struct expression *expression, const struct node *node,
                       const struct scope *scope, struct place place, double *value,
                       struct error *error);

/* An error where the value is not finite. */
int expression_check_finite(const struct expression *expression, double value, struct place place,
                            struct error *error);

#endif
