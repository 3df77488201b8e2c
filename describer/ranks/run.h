/* A program run on paper, statement by statement, by every process of a run of p: who sends how
   many bytes to whom follows from that as it does from the program itself. What cannot be known
   (input, random numbers, the clock, what long loops compute) is unknown, and stays so in all that
   is computed from it; where it would decide who sends what, the run fails with the place.
   Whole numbers carry, beside their value, what they are in parameters and p (`form`), as far as
   that is known. */
#ifndef DESCRIBER_RANKS_RUN_H
#define DESCRIBER_RANKS_RUN_H

#include "describer/state/describer.h"

#include <ucontext.h>

enum cell_kind { CELL_UNKNOWN, CELL_NUMBER, CELL_POINTER };

struct object;

/* What is in memory at one place, or the value of an expression. */
struct cell {
    enum cell_kind kind;
    bool is_floating;
    bool is_input; /* CELL_UNKNOWN: the program's user gives it */
    double number;
    polynomial form;       /* of parameters and p; NULL: the number itself, or not known */
    bool is_turn;          /* it depends on the iteration of a loop that is shortened */
    bool is_ranging;       /* it depends on the iteration of a loop that is not */
    bool is_own;           /* without form: it depends on which process this is */
    struct object *object; /* CELL_POINTER; NULL: a null pointer */
    double offset;         /* in bytes; NAN: not known */
    const char *why;       /* CELL_UNKNOWN */
};

struct slot {
    double offset;
    bool is_taken;
    long written; /* when, in steps of the run */
    struct cell cell;
};

/* Something with an address: a variable, an array, memory from malloc. */
struct object {
    struct slot *slots; /* open addressing; room is a power of 2 */
    int count, room;
    bool is_zero;     /* what nobody has set is 0 */
    bool is_handed;   /* an array that a function is given: it holds a pointer to that */
    bool is_lost;     /* anything may have been set: what nobody sets from now on is unknown */
    const char *why;  /* is_lost: by what, or NULL */
    bool is_turning;  /* the index of a loop that is shortened */
    bool is_ranging;  /* the index of a loop that is not */
    const char *text; /* a string; NULL: none, or not known */
    const struct syntax *function; /* what the name of a function points at; NULL: no function */
};

/* When something happens in a process: behind so many events, and behind so many beginnings and
   ends of what is noted. */
struct moment {
    int event, clock;
};

/* One time through a loop that sends or receives, or through what a segment is. */
struct instance {
    const struct syntax *syntax;
    unsigned way; /* as an event's */
    struct moment begin, end;
    struct moment *iterations; /* when each begins */
    int iteration_count, iteration_room;
    int up;            /* instance around it; -1: none */
    bool is_shortened; /* it was left after so many iterations as the run allows */
    bool is_left;      /* by break or return */
    polynomial trips;  /* how often it really runs, or NULL where only the condition says it */
};

/* A process comes to an `if` that asks whose turn it is, and goes that way of it. */
struct work {
    const struct syntax *turn;
    int way;
    struct moment at;
};

enum event_kind { EVENT_SEND, EVENT_RECEIVE, EVENT_WAIT, EVENT_COLLECTIVE };

/* A message's end, or a collective operation. */
struct event {
    enum event_kind kind;
    const struct syntax *call;
    unsigned way; /* tells apart the calls of functions that led here */
    int instance; /* innermost; -1: none */
    int partner;  /* process in the whole run; -1: of a collective */
    int request;  /* EVENT_WAIT: the receive's event; -1: what was sent */
    int other;    /* the other end's event of the partner; -1: it has none */
    double bytes;
    polynomial form; /* of the bytes, or NULL */
    bool is_later;   /* it goes on while the process does */
    bool is_both;    /* it belongs to a call that sends and receives */
    int group;       /* collectives: the communicator */
    double mean; /* collectives: of the bytes of all, where the parts are not of one size; or 0 */
    polynomial mean_form; /* the same of parameters and p, or NULL */
    int root; /* collectives: the process that gives or takes what all others share; or -1 */
};

struct message_on_way {
    int source, tag, group, event;
    double bytes;
    const char *text;
    struct cell *cells; /* what is in it, as far as it is worth keeping */
    double *offsets;
    int cell_count;
    bool is_taken;
};

struct request {
    bool is_receive, is_done;
    int source, tag, group, event;
    struct object *object;
    double offset;
    struct cell status; /* pointer */
    double bytes;       /* that came */
    int came_from, came_tag;
    bool is_any;
    const struct syntax *call; /* of one that is started again and again */
    int partner;
    double size;
    polynomial form;
    bool is_persistent, is_started;
};

enum { GRID_MOST = 8 };

struct communicator {
    int *members;
    int count;
    const struct syntax *made_by; /* a call that only its members come to, or NULL */
    int dimensions;               /* of a grid; 0: it is none */
    int extents[GRID_MOST];
    bool is_ring[GRID_MOST];
};

struct run;

enum { SHORTENED_MOST = 16 };

/* A loop that is shortened, around what a process does: when it and its iteration began. */
struct shortened {
    const struct syntax *loop;
    polynomial trips;
    long begin, iteration;
};

/* A process: its variables, and where it is. */
struct rank {
    struct run *run;
    int number;
    ucontext_t context;
    void *stack;
    bool has_ended, has_finalized;
    struct object **locals; /* by the number of the declaration; NULL: not met */
    struct object **globals;
    struct cell returned;
    unsigned way;
    int entered;
    int quiet;       /* loops without messages around */
    int quiet_steps; /* left of what such a loop may take */
    int clock;
    int instance;
    struct shortened shortened[SHORTENED_MOST];
    int shortened_count;
    struct instance *instances;
    int instance_count, instance_room;
    struct event *events;
    int event_count, event_room;
    struct work *works;
    int work_count;
    struct message_on_way *mail; /* that came, and was not received yet */
    int mail_count, mail_room;
    struct request *requests; /* number 1 is the first */
    int request_count, request_room;
    int *collectives; /* by communicator: how many it has come to */
    const struct syntax *waits_at;
};

/* A collective operation under way; arrays by member. */
struct meeting {
    int group, number, arrived;
    const char *name;
    struct cell *given, *results; /* where what is given lies, and where the result goes */
    struct cell *roots;           /* the root; of MPI_Comm_split the color */
    double *bytes;                /* that are given; of MPI_Comm_split the key */
    int *events;                  /* by member, or -1 */
    bool is_done;
};

/* Iterations of a loop that a parameter repeats: twice, so that what each adds is told apart from
   what all have once. A run of more iterations than these is no longer than the program's. */
enum { FEW = 4, MORE = 8 };

enum ending {
    ENDED,
    FAILED,  /* something was needed that is not known */
    REFUSED, /* the program itself does not go on with so many processes */
};

enum { GROUPS_MOST = 64 };

struct run {
    struct describer *describer;
    struct ranks *ranks;
    int p;
    int cap; /* iterations of loops whose number a parameter says; 0: all */
    const struct function *root;
    struct rank *processes;
    ucontext_t scheduler;
    struct communicator groups[GROUPS_MOST];
    int group_count;
    struct meeting **meetings;
    int meeting_count, meeting_room;
    struct object **functions; /* that the program has pointers to */
    int function_count;
    long steps, steps_most;
    bool is_over;
    bool is_shortened; /* some loop was */
    long news;         /* counts what others may wait for */
    enum ending ending;
    bool is_firm;       /* FAILED where what the walk made of it is wrong */
    struct place place; /* FAILED, REFUSED */
    const char *why;
};

/* Which statements send or receive: asked again and again. */
struct known_syntax {
    const struct syntax *syntax;
    bool communicates;
};

enum { KNOWN_MOST = 4096, RUNS_MOST = 40, USES_MOST = 512, UNLIKE_MOST = 32, TRIED = 7 };

/* A loop whose iterations are not alike: it is never shortened. */
struct unlike {
    const struct syntax *loop;
    bool is_firm; /* what the walk made of it is wrong */
};

/* All runs of one source. */
struct ranks {
    struct describer *describer;
    int tried[TRIED]; /* numbers of processes */
    struct known_syntax known[KNOWN_MOST];
    const struct syntax **marked; /* what segments are: instances of these are noted */
    int marked_count;
    const struct outline **turns; /* ways of those whose turn it is: who takes them is noted */
    int turn_count;
    struct run *runs[RUNS_MOST];
    int run_count;
    polynomial uses[USES_MOST]; /* formulas of the description */
    int use_count;
    struct unlike unlike[UNLIKE_MOST];
    int unlike_count;
    bool is_whole;                    /* no loop is shortened */
    bool follows_sizes;               /* the walk's sizes have indices of loops */
    const struct symbol *missing[32]; /* parameters without a value that were asked for */
    int missing_count;
};

/* schedule.c: a run of p processes from that function on, with its outcome. */
struct run *run_program(struct ranks *ranks, const struct function *root, int p, int cap,
                        long steps_most);
/* Lets the others run until there may be news for this one. */
void rank_yields(struct rank *rank);
/* Ends a process: it is not gone on with. */
void rank_leaves(struct rank *rank);
/* Ends the run. */
void run_fail(struct run *run, enum ending ending, struct place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Whether a call may send, receive or wait, in the statement or in what it calls. */
bool communicates(struct ranks *ranks, const struct syntax *syntax);

/* memory.c */
struct object *object_new(struct run *run);
struct cell cell_number(double number);
struct cell cell_unknown(const char *why);
struct cell cell_pointer(struct object *object, double offset);
/* Of which process it depends on. */
struct cell cell_own(double number);
struct cell cell_formed(struct run *run, polynomial form, double number);
struct cell object_read(const struct object *object, double offset);
/* When it was set, in steps of the run; -1: never. */
long object_written(const struct object *object, double offset);
void object_write(struct run *run, struct object *object, double offset, struct cell cell);
/* Nothing is known of it from now on, and why (or NULL). */
void object_lose(struct object *object, const char *why);
/* The form of a number, or NULL. */
polynomial cell_form(struct run *run, const struct cell *cell);

/* expressions.c */
struct cell rank_evaluate(struct rank *rank, const struct syntax *syntax);
/* Where something is: a pointer to it. */
struct cell rank_place(struct rank *rank, const struct syntax *syntax);
struct object *rank_variable(struct rank *rank, const struct declaration *declaration);
/* A declaration is come to: the variable begins anew. */
void rank_declare(struct rank *rank, const struct declaration *declaration);
struct cell rank_arithmetic(struct rank *rank, enum operation operation, struct cell a,
                            struct cell b, const struct syntax *at);
void rank_assign(struct rank *rank, const struct syntax *to, struct cell cell);
/* How a user tells what is not known in an expression: "give its value with -D n=1000, or ", or "".
 */
const char *way_out(struct rank *rank, const struct syntax *syntax);
/* What the user gives a whole number of that name. */
struct cell input_number(struct rank *rank, const char *name, struct place place);

/* statements.c */
enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_LEFT };
enum flow rank_execute(struct rank *rank, const struct syntax *syntax);
struct cell rank_enter(struct rank *rank, const struct function *function, struct cell *given,
                       int count, const struct syntax *call);
/* What is done here differs between iterations of a loop that is shortened: it has to be run whole,
   or, where nothing gives the number of its iterations, the run fails. */
void iterations_differ(struct rank *rank, struct place place, bool is_firm);
/* How surely a statement gives up (walk/branches.c). */
int syntax_gives_up(const struct syntax *syntax);
/* What a statement may set is unknown from now on. */
void rank_forget(struct rank *rank, const struct syntax *syntax, const char *why);

/* library.c: a function of the C library; false: none that is known. */
bool library_call(struct rank *rank, const struct syntax *call, struct cell *cell);
/* The text at a pointer, or NULL. */
const char *text_at(const struct cell *cell);

/* calls.c: a call of MPI. */
struct cell mpi_call(struct rank *rank, const struct syntax *call);
/* collectives.c: one in which all processes of a communicator take part; false: none. */
bool collective_call(struct rank *rank, const struct syntax *call, struct cell *cell);
/* The meeting at the next collective operation of a process in a communicator, and its way there:
   it waits until all have come, and the last one does what is to be done. */
struct collective;
typedef void (*meeting_finish)(struct rank *rank, struct meeting *meeting,
                               const struct syntax *call, const struct collective *row);
struct meeting *meeting_of(struct rank *rank, int group, const char *name);
void meeting_arrive(struct rank *rank, struct meeting *meeting, const struct syntax *call,
                    meeting_finish finish, const struct collective *row);
/* communicators.c: new communicators, groups of processes, grids; false: none of these. */
bool communicator_call(struct rank *rank, const struct syntax *call);
/* An argument that has to be known; false: the run has failed. */
bool mpi_number(struct rank *rank, const struct syntax *call, int i, const char *what,
                double *number);
/* Sets what an argument points to. */
void mpi_set(struct rank *rank, const struct syntax *call, int i, struct cell cell);
/* What a buffer holds goes along with a message; is_plain: it lies in memory as it is sent. */
void contents_take(struct rank *rank, struct object *object, double offset, bool is_plain,
                   struct message_on_way *message);
void contents_put(struct rank *rank, struct object *object, double offset,
                  const struct message_on_way *message, bool is_any);
struct event *event_add(struct rank *rank, enum event_kind kind, const struct syntax *call,
                        int partner);
/* The number of a communicator; -1: not known (the run has failed). */
int group_of(struct rank *rank, const struct syntax *argument);
int group_rank(const struct rank *rank, int group);
/* Bytes of so many elements of a datatype; false: not known, the run has failed. */
bool mpi_bytes(struct rank *rank, const struct syntax *call, int count, int type,
               struct cell *bytes);
/* The same of that many; argument `count` says it. */
bool mpi_bytes_of(struct rank *rank, const struct syntax *call, struct cell elements, int count,
                  int type, struct cell *bytes);
/* The name of the constant that an argument is, or NULL. */
const char *constant_name(const struct syntax *syntax);
bool is_constant(const struct syntax *syntax, const char *name);

enum { PROCESS_NONE = -1001, PROCESS_ANY = -1002, TAG_ANY = -1003 };

#endif
