/* What the text of a loop names, as it was where the loop begins: what a function needs that has
   nothing but the loop and the loops around it. */
#ifndef DESCRIBER_WALK_CAPTURE_H
#define DESCRIBER_WALK_CAPTURE_H

#include "describer/walk/evaluate.h"

enum captured_kind {
    CAPTURED_INDEX,  /* of a loop around: its header sets it */
    CAPTURED_WHOLE,  /* an integer of parameters */
    CAPTURED_ARRAY,  /* all of an array, or what is behind an element */
    CAPTURED_SCALAR, /* any number */
    CAPTURED_RECORD, /* a record, or a pointer to one, some of whose members are captured, too */
    CAPTURED_OWN     /* set within, or on the way, before it is used */
};

struct captured {
    enum captured_kind kind;
    const char *name;
    const struct declaration *declaration; /* NULL: a constant that the preprocessor replaces; of
                                              members the record's */
    const char *path;          /* of a member, behind its record: ".d.nx"; NULL: it is none */
    const struct type *type;   /* of a member; NULL */
    polynomial whole;          /* CAPTURED_WHOLE */
    const struct array *array; /* CAPTURED_ARRAY */
    const char *from; /* CAPTURED_ARRAY: the whole number of elements that it begins behind its
                         array's begin; NULL: none */
    bool is_assigned; /* in the loop itself */
    bool is_argument; /* of the function */
};

enum { CAPTURED_MOST = 64, NEST_MOST = 16, BETWEEN_MOST = 16 };

/* A statement in the body of loop `level`, before the next one. */
struct between {
    const struct syntax *statement;
    int level;
};

struct capture {
    const struct syntax *loops[NEST_MOST]; /* of one function, the outermost first */
    int loop_count;
    struct captured items[CAPTURED_MOST];
    int count;
    struct between between[BETWEEN_MOST]; /* in the order of the text */
    int between_count;
    const char *refused; /* why it cannot stand alone; NULL: it can */
};

/* Of a loop that has just been gone through; before: how things stood where it began. */
const struct capture *capture_loop(struct describer *describer, const struct loop *loop,
                                   const struct snapshot *before);

#endif
