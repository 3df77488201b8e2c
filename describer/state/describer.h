/* The state of one run: what the source says, and what of it is described so far. Its parts work
   on it one after the other (main.c). An error is kept where it is first met; then everything
   stops (is_stopped). */
#ifndef DESCRIBER_STATE_DESCRIBER_H
#define DESCRIBER_STATE_DESCRIBER_H

#include "describer/source/directive.h"
#include "describer/state/array.h"
#include "describer/state/graph.h"
#include "describer/state/value.h"

/* What directives say of the statement under way; NULL: nothing. */
struct told {
    struct directive *gather, *home, *strip, *reduction;
    const struct syntax *home_at; /* the statement behind `home` */
};

/* What a variable stands for at present. */
struct binding {
    struct value value;
    int depth;                 /* loops around the place where it was begun */
    polynomial bytes;          /* VALUE_NONE: of the memory that a pointer was set to; or NULL */
    const struct array *shape; /* the same as an array of the function that took it; or NULL */
    const char *origin; /* VALUE_NONE: where its value comes from, "depends on f()"; or NULL */
    struct place place; /* of the origin */
    bool *is_read; /* a pointer as an iteration begins with it: set where it is read; or NULL */
    struct place assigned;        /* where it was so last; file NULL: nowhere yet */
    const struct told_home *home; /* what directives say of that */
    struct directive *reduction;
    bool is_by_process; /* its value was a condition that differs from process to process */
    const struct syntax *condition; /* that condition, such as rank == 0; NULL while it is asked */
};

/* A loop whose body differs on the two sides of a value of its index: it is gone through again,
   in two. */
struct split {
    const struct loop *loop;
    polynomial at; /* the first value of the upper part */
};

/* An object outside all functions, or a member of one, under its name. */
struct known_object {
    const char *path;
    struct array *array;
    struct known_object *next;
};

/* An array that is declared in the body of a loop. */
struct declared_array {
    const struct declaration *declaration;
    const struct loop *loop;
    struct declared_array *next;
};

/* What a pointer stands for as an iteration of a loop around segments begins, and what as it ends.
 */
struct exchange {
    struct value before, now;
    struct place place; /* of the loop */
};

/* A record that began as a copy of another: what nobody has assigned since is that one's. */
struct copied_object {
    const char *path, *of;
    struct copied_object *next;
};

/* A message to or from one partner, until its counterpart is met. */
struct message {
    const char *name;
    polynomial size;      /* NULL: not known */
    struct outline *body; /* where it stands */
    struct end *end;
    struct place place;
    bool is_send, is_later, is_exchange, is_open;
};

/* Processes by their numbers, both included; NULL: the first or the last of all. */
struct processes {
    polynomial first, last;
};

enum { COMPARISONS_MOST = 4, ASKED_TURNS_MOST = 4 };

/* A comparison, GAP OPERATION 0, that the number of processes decides, and how for the one at which
   the source is gone through: as one that holds, that does not, or differs between iterations. */
struct comparison {
    enum operation operation;
    polynomial gap;
    int holds; /* 1, 0; -1: in some iterations */
    struct place place;
};

/* What a condition asks of which processor it is. */
struct asked {
    bool rank;           /* anything */
    bool order;          /* whether it is before or behind another one */
    bool part;           /* something else than its own number: its row, or its column */
    bool alternates;     /* whether its number is even */
    bool untold;         /* a parameter without a value */
    bool processors;     /* how many there are */
    bool arguments;      /* how many arguments the program has, and no other such parameter */
    const char *unknown; /* why a value that it compares is not known, or NULL */
    polynomial decides;  /* a difference with a variable that the program reads; or NULL */
    int comparisons;     /* with its own number */
    /* of which processes one comparison holds, and of which it does not */
    struct processes holds, fails;
    /* it asks whose turn an iteration is (walk/colours.h); is_periodic: by a remainder or quotient
     */
    const struct turn *turns[ASKED_TURNS_MOST];
    int turn_count;
    bool is_periodic, meets_where_holds;
    bool may_be_stretch; /* FIRST <= k && k < LAST of each process is such a condition, too */
    bool is_long;        /* a loop runs where it holds */
    struct comparison of_processors[COMPARISONS_MOST];
    int of_processors_count;
};

/* Who takes the way that is gone through, of ways by which processor it is (struct end). */
struct way {
    bool is_few, is_partial, is_answered;
    struct processes processes;
};

enum { MESSAGES_MOST = 64 };

/* What is counted as that process does it, which takes longest there. */
struct busiest {
    polynomial process; /* NULL: nothing yet */
    struct place place;
};

/* What leaves the loop that is gone through, or an iteration of it (jumps.c). */
enum jump { JUMP_NONE, JUMP_CONTINUE, JUMP_BREAK };

struct jumping {
    bool is_within;      /* a loop */
    enum jump jump;      /* met: nothing behind it is executed */
    bool breaks_on_data; /* a condition on data leaves the loop: not in the iterations that are gone
                            through, unless is_last */
    bool is_last;        /* in the iteration that is gone through such a condition holds */
    int ways;            /* conditions on data around, within the loop */
};

struct segment {
    const char *name, *repeat;         /* repeat: as `repeat` says; NULL: the loops around do */
    polynomial count;                  /* how often the loops around run */
    const char *probability;           /* of the ways around; NULL: 1 */
    const struct directive *region;    /* the scop, or NULL */
    struct segment *again;             /* the same, elsewhere in the program, or NULL */
    bool is_joined;                    /* it is another one's `again` */
    const struct directive *directive; /* NULL: a whole function, or scop */
    struct outline root;
    const struct syntax *syntax; /* what it is in the source; NULL: several statements, or none */
    const struct function *function; /* that it stands in */
    const struct function *origin;   /* from which the walk came to it */
    unsigned way;                    /* tells apart the calls that led from there to it */
    bool is_by_rank;                 /* processes send or receive in it by which one they are */
    struct place place;
    bool is_function; /* nothing marks it: it may be nothing after all */
};

/* Whether an array is so many scalars (elements.c). */
enum element_kind { ELEMENTS_UNKNOWN, ELEMENTS_SCALARS, ELEMENTS_ARRAY };

struct describer {
    struct arena *arena;
    struct algebra algebra;
    struct symbols symbols;
    struct arrays arrays;
    struct graph graph;
    struct directives directives;
    const struct source *source;

    struct binding *bindings;         /* of each declaration, then of each member */
    enum element_kind *element_kinds; /* of each declaration; NULL: nobody asked yet */
    const char **members;             /* their paths */
    int member_count;
    struct known_object *objects;
    struct declared_array *declared;
    struct copied_object *copies;
    struct exchange *exchanges;
    int exchange_count;
    const char *pointer_name; /* of the variable that is set to what is evaluated, or NULL */
    const struct loop *loop;  /* innermost under way */
    struct part *part;        /* run of statements under way; NULL: the next statement begins one */
    struct outline *body;     /* where it goes */
    struct place here;        /* statement under way */

    struct segment **segments;
    int segment_count, segment_room;
    bool is_recording;               /* within a segment */
    bool is_noting;                  /* what is gone through is not described */
    bool is_silent;                  /* messages are not described */
    bool is_tried;                   /* a statement of messages, which may be not understood */
    bool is_passing;                 /* on the way to a call: no segment begins */
    bool is_by_rank;                 /* in it, processes send or receive by which one they are */
    bool is_marked;                  /* directives say what the segments are */
    bool is_driving;                 /* in main, which has no segment, or in what calls for it */
    const char *probability;         /* of the ways around a segment; NULL: they are always taken */
    const struct function **reached; /* functions that main has called so far, for what they do */
    int reached_count;
    const struct function *function; /* that is gone through */
    const struct function *origin;   /* from where on: main, or a function that nobody calls */

    int entered; /* functions */
    const struct function *entering[8];
    const struct syntax *calls[8]; /* with which they were entered */
    bool has_returned;
    struct value returned;
    struct told told;
    bool is_in_head;                    /* of a loop: what is set there is its index */
    const struct syntax *assigned_from; /* value of the assignment under way; NULL: none */
    int unrolled;                       /* loops that are straight-line code */
    bool is_too_long;                   /* one of them is not after all */
    struct symbol *processors, *rank;   /* how many there are, and which one this is */
    struct message messages[MESSAGES_MOST];
    int message_count;
    struct asked asked;           /* by the condition last met */
    struct comparison *decisions; /* by the number of processes, whose ways differ */
    int decision_count;
    int wanted;            /* processes with which the description is used; 0: that is not known */
    bool is_lawless;       /* what was refused is what follows no law in the number of processes */
    bool asks_rank;        /* the program asks which process it is */
    bool is_of_one;        /* the description need not hold for any other number of processes */
    bool (*domain)(int p); /* of how many processes some messages have a law; NULL: of any */
    struct way way;
    struct busiest busiest; /* since the last message */
    bool is_found;          /* in a loop of which the processes say how often it runs */
    bool is_weighing;       /* it is found which of two ways computes more */
    int steps;              /* statements gone through, repetitions included */

    struct jumping jumping;           /* within the innermost loop */
    const struct loop *function_loop; /* innermost around the function that is gone through */
    const struct colour *colour;      /* of the iterations that take the way under way, or NULL */
    const struct without *without;    /* colours that they do not have, or NULL */
    struct split split;               /* wanted, where its loop is not NULL */
    bool captures_loops;              /* their texts are wanted, too */
    bool is_strict;                   /* reductions keep their order */
    const char *compiled_flags;       /* that the description says; borrowed; NULL: none */
    const char *default_costs;        /* "sin 5, exp 4": library functions met; NULL: none */
    struct place default_place;
    const char *passed; /* "malloc, printf": calls that are not described; NULL: none */
    struct place passed_place;
    int passed_count;
    const char **remarks; /* one line each */
    int remark_count;
    bool has_failed;
    struct error *error;
};

enum { STEPS_MOST = 200000, ENTERED_MOST = 8, MEMBERS_MOST = 512 };

/* Notes an error at a place, unless there is one already. */
void describer_fail(struct describer *describer, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Where the walk is: in which loop, run of statements and function. Whatever is tried, and may be
   given up half-way, goes back there. */
struct position {
    const struct loop *loop, *function_loop;
    struct jumping jumping;
    struct part *part;
    struct outline *body;
    struct place here;
    struct told told;
    struct way way;
    int entered, unrolled;
    bool is_recording, is_noting, has_returned, is_too_long, is_in_head;
    const struct syntax *assigned_from;
};
struct position describer_position(const struct describer *describer);
void describer_go_back(struct describer *describer, const struct position *position);

/* Keeps a remark about a place, each once; they are written when everything is described. */
void describer_remark(struct describer *describer, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether nothing more is to be done: an error, a loop to be split, a function that has returned.
 */
bool describer_is_stopped(const struct describer *describer);

/* The run of statements under way, begun if there is none. */
struct part *describer_part(struct describer *describer);

/* Where output goes from now on: a new child of what is under way. Ends with outline_leave. */
struct outline *describer_enter(struct describer *describer, enum outline_kind kind);
void describer_leave(struct describer *describer);

#endif
