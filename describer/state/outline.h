/* What a segment does, in order: loops, runs of statements, branches, messages. */
#ifndef DESCRIBER_STATE_OUTLINE_H
#define DESCRIBER_STATE_OUTLINE_H

#include "describer/state/polynomial.h"

struct array;
struct syntax;
struct function;

enum { RANK_MOST = 8 };

/* An element of an array. */
struct reference {
    struct array *array;
    int count;
    polynomial subscripts[RANK_MOST];
};

struct capture;

struct loop {
    struct symbol *index;
    polynomial first, last; /* both included */
    int depth;              /* loops around it */
    const struct loop *up;
    struct place place;
    const struct syntax *syntax;     /* the loop in the source */
    const struct function *function; /* that it stands in */
    const struct capture *capture;   /* what its text needs to stand alone; NULL: nobody asked */
};

struct directive;

/* An assignment to an element. */
struct statement {
    struct reference to;
    int value;       /* node */
    bool is_dropped; /* assigned again in the same iteration, or the result of a reduction */
    struct place place;
    const struct directive *home, *strip, *reduction;
};

/* A scalar that one iteration hands to the next: the node it begins with and the one it ends with.
 */
struct link {
    int from, to;
    struct place place;
};

/* A run of statements: what is counted together. Its nodes lie from `begin` to `end`. */
struct part {
    const struct loop *loop; /* innermost around it; NULL: none */
    int begin, end;
    struct statement *statements;
    int statement_count, statement_room;
    struct link *links;
    int link_count, link_room;
    struct place place;
};

enum outline_kind { OUTLINE_LOOP, OUTLINE_PART, OUTLINE_BRANCH, OUTLINE_WAY, OUTLINE_CALL };

struct outline {
    enum outline_kind kind;
    struct outline *up;
    const struct loop *loop;
    struct part *part;
    const char *probability;                  /* OUTLINE_WAY */
    const char *utility, *bytes, *processors; /* OUTLINE_CALL */
    struct place place;
    const char *remark;
    struct outline **children;
    int count, room;
};

/* A new last child. */
struct outline *outline_add(struct arena *arena, struct outline *outline, enum outline_kind kind);

#endif
