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

struct directive;

/* An element that `home` names. */
struct told_home {
    struct directive *directive;
    const struct array *array; /* NULL: its name is that of the description */
    const char *name, *subscripts;
};

struct capture;
struct loop;

/* A scalar that each iteration of a loop finds as the one before left it. Nodes of the graph. */
struct carry {
    const struct loop *loop;
    const char *name;
    int from;            /* what an iteration begins with: NODE_CARRY */
    int to;              /* what it ends with */
    int result;          /* what is behind the loop: NODE_RESULT; -1: the loop does not change it */
    int start;           /* what the loop begins with; -1: nothing that is computed */
    const char *reduces; /* scalars.c: "sum", "product", "max": it accumulates, and nothing else
                            uses what it is on the way; NULL: otherwise */
    bool is_needed;      /* scalars.c: something needs what an iteration before left, or the loop */
    bool needs_start;    /* scalars.c: and its first iteration what the loop begins with */
    bool is_kept;        /* scalars.c: `to` is stored as an element of an array of its own */
    /* scalars.c: and nothing waits for another iteration of that loop, nor of those within it: all
       values are computed before it; NULL: each in its iteration. */
    const struct loop *hoisted;
    bool is_under_way; /* scalars.c: its element is being looked for */
    double bytes;
    struct place place; /* where it is assigned last, and what directives say of that */
    const struct told_home *home;
    struct directive *reduction;
    struct carry *next; /* of the same loop */
};

struct loop {
    struct symbol *index;
    polynomial first, last; /* both included */
    int depth;              /* loops around it */
    const struct loop *up;
    struct place place;
    const struct syntax *syntax;     /* the loop in the source */
    const struct function *function; /* that it stands in */
    const struct capture *capture;   /* what its text needs to stand alone; NULL: nobody asked */
    struct carry *carries;
};

struct colour;

/* An assignment to an element. */
struct statement {
    struct reference to;
    int value;       /* node */
    bool is_dropped; /* assigned again in the same iteration, or the result of a reduction */
    struct place place;
    const char *name; /* of what it assigns, as it stands there; NULL: it is no variable */
    const struct told_home *home;
    struct directive *strip, *reduction;
    const struct colour *colour; /* of the iterations that execute it; NULL: all do */
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

/* Which processor a message goes to or comes from. */
enum partner {
    PARTNER_FIXED,  /* the same for all */
    PARTNER_AWAY,   /* so far from the processor that sends or receives */
    PARTNER_UNKNOWN /* computed from data */
};

enum end_kind { END_SEND, END_RECEIVE, END_RECEIVE_LATER, END_WAIT, END_OF_BOTH, END_OF_ALL };

/* Where a processor sends or receives, or waits for all: what of it waits for others in turn is
   found when a segment is complete (relays.c). Nothing is written of it. */
struct end {
    enum end_kind kind;
    enum partner partner;
    polynomial away;  /* PARTNER_AWAY */
    bool is_cyclic;   /* the last one's next is the first */
    bool is_few;      /* one processor comes here, or every second */
    bool is_partial;  /* which processors come here is not known */
    bool is_answered; /* those who do not come here receive, too */
    const struct syntax *call;
    polynomial size;         /* NULL: not known */
    struct outline *message; /* the call entry that it is; NULL: that of the other end is it */
};

enum outline_kind {
    OUTLINE_LOOP,
    OUTLINE_PART,
    OUTLINE_BRANCH,
    OUTLINE_WAY,
    OUTLINE_CALL,
    OUTLINE_END,
    OUTLINE_AGAIN
};

struct outline {
    enum outline_kind kind;
    struct outline *up;
    const struct loop *loop;
    struct part *part;
    const char *probability;   /* OUTLINE_WAY */
    const struct syntax *turn; /* OUTLINE_WAY: the `if` that asks whose turn it is, or NULL */
    int turn_way;              /* the same: which way of it this is, 1 or 2 */
    const char *alone;         /* the same: its probability where the others wait meanwhile */
    const char *utility, *bytes, *processors; /* OUTLINE_CALL */
    polynomial size;             /* OUTLINE_CALL: the bytes, where the source says them */
    const char *why;             /* OUTLINE_CALL without bytes: why they are not known */
    bool is_message;             /* OUTLINE_CALL: a call of MPI that the source has */
    const struct end *end;       /* OUTLINE_END */
    const struct outline *again; /* OUTLINE_AGAIN: what is written once more */
    struct place place;
    const char *remark;
    struct outline **children;
    int count, room;
};

/* A new last child. */
struct outline *outline_add(struct arena *arena, struct outline *outline, enum outline_kind kind);

/* Makes what has none above it the child of that number. */
void outline_insert(struct arena *arena, struct outline *outline, int at, struct outline *child);

#endif
