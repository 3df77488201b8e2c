/* The catalogue of communication patterns: all that the programs know of a utility besides what a
   table says of it. One more is a row of patterns.h. Code that means a particular pattern names its
   row, as in pattern_exchange.name: a misspelling does not compile. */
#ifndef MODEL_COST_PATTERN_H
#define MODEL_COST_PATTERN_H

#include "model/cost/interval.h"

#include <stdbool.h>
#include <stddef.h>

/* What the processors' needs make of a message: rule "Class of a turn" of
   doc/segment-description.md. */
enum traffic_class {
    TRAFFIC_LOCAL,        /* nothing moves */
    TRAFFIC_MESSAGES,     /* a processor has few partners: messages to one after the other */
    TRAFFIC_EXCHANGE,     /* the same, and partners need from one another */
    TRAFFIC_BROADCAST,    /* one source a group, the same for all */
    TRAFFIC_ONE_TO_MANY,  /* one source a group, to each its own */
    TRAFFIC_MANY_TO_ONE,  /* one destination a group */
    TRAFFIC_ALL_GATHER,   /* every source sends the same to all */
    TRAFFIC_MANY_TO_MANY, /* everything else */
    /* Partial results of a group are combined: never found by a profile. */
    TRAFFIC_COMBINE,        /* all get them */
    TRAFFIC_REDUCE,         /* one gets them */
    TRAFFIC_REDUCE_SCATTER, /* each gets its own part of them */
    /* Around a periodic array along which there is one processor: never found by a profile. */
    TRAFFIC_TO_ITSELF,
    TRAFFIC_CLASSES
};

/* Of every enumeration below the first says that a row does not say. */

/* Among whom the pattern goes on. */
enum among {
    AMONG_NOT_SAID,
    AMONG_TWO,   /* two processors, however many there are */
    AMONG_PAIRS, /* pairs of processors, all at once */
    AMONG_ALL    /* all that take part */
};

/* Who sends to whom: leaving.h. */
enum partners_kind {
    PARTNERS_NOT_SAID,
    PARTNERS_NEXT, /* the next one around a ring */
    PARTNERS_HALF, /* the one half of all away */
    PARTNERS_PAIR, /* the other of a pair next to one another */
    PARTNERS_LINE, /* both at `distance`, or next to one, on a line */
    PARTNERS_GRID, /* all next to one along grid_directions */
    PARTNERS_ALL,  /* in as many stages as there are others the one so far away */
    PARTNERS_TREE  /* along a tree of nodes and one within each */
};

/* What is where afterwards: how a rehearsal looks at the messages. */
enum delivery_kind {
    DELIVERY_NOT_SAID,
    DELIVERY_NOT_LOOKED_AT,
    DELIVERY_OF_PARTNER,      /* to each the message of its partner */
    DELIVERY_OF_ROOT,         /* to all the root's */
    DELIVERY_BY_ROOT,         /* to each its own from the root */
    DELIVERY_TO_ROOT,         /* to the root all others' */
    DELIVERY_OF_ALL,          /* to each the one of every */
    DELIVERY_OF_EACH,         /* to each its own from every */
    DELIVERY_TURNED,          /* a matrix, transposed */
    DELIVERY_SUM,             /* to all the sum */
    DELIVERY_SUM_AT_ROOT,     /* to the root the sum */
    DELIVERY_SUM_SHARED,      /* to each its block of the sum */
    DELIVERY_SCATTERED,       /* to each its own from the root, which has one, too */
    DELIVERY_GATHERED,        /* to the root everybody's */
    DELIVERY_OF_ALL_IN_PLACE, /* to each the one of every, its own where it was */
    DELIVERY_OF_ONE_BEFORE,   /* to each the message of the one before, around a ring */
    DELIVERY_OF_EACH_OTHER,   /* to each its own from every other */
    DELIVERY_NONE,            /* nothing is sent */
    DELIVERY_KINDS
};

/* What a table may contradict: what lint looks for. Flags. */
enum plausibility {
    PLAUSIBLE_NOT_SAID,
    PLAUSIBLE_ANY = 1,
    PLAUSIBLE_FROM_EXCHANGE = 2,       /* at p = 2 no less than an exchange */
    PLAUSIBLE_TO_SINGLE_MESSAGES = 4,  /* no more than a message to each, one after the other */
    PLAUSIBLE_FROM_MESSAGE = 8,        /* at p = 2 no less than a message */
    PLAUSIBLE_TO_REDUCE_BROADCAST = 16 /* no more than a reduce and a broadcast */
};

/* ---- what a pattern is composed of, where a table does not have it ---- */

struct pattern;

enum ingredient_uses { USES_ONCE = 1, USES_TWICE, USES_FOR_EACH_OTHER };
enum ingredient_bytes { BYTES_THE_SAME, BYTES_OF_ALL };
enum too_low { TOO_LOW_NEVER, TOO_LOW_ALWAYS, TOO_LOW_OF_ONE_SIDE };

struct ingredient {
    const struct pattern *pattern; /* NULL: none */
    enum ingredient_uses uses;
    enum ingredient_bytes bytes;
};

enum { INGREDIENTS_MOST = 2 };

struct composition {
    struct ingredient parts[INGREDIENTS_MOST]; /* the first of no pattern ends a list */
    enum too_low too_low; /* known to be: always, or where the first is the time of one side */
};

/* ---- a row ---- */

struct pattern {
    const char *name;    /* of the utility in tables */
    const char *mpi;     /* MPI's call that it is; NULL: none alone */
    int processors_mean; /* enum processors_mean: what p counts in what trainer measures */

    /* Every row says these. Numbers are of p as the utility's formula counts it, and of
       participants, at least 2. */
    enum among among;
    double (*rate_messages)(double p);        /* whose bytes count in its rate */
    double (*under_way)(double participants); /* messages at the same time, on average over its
                                                 steps; pattern_not_known: nobody knows */
    const struct interval_law *interval;      /* at other processor counts than were measured */
    enum delivery_kind delivery;
    unsigned plausible; /* of enum plausibility */

    /* The others are of some. NULL, none or false: there is no such. */
    bool by_library;     /* a collective of MPI: the library chooses how, by p and the bytes */
    bool folds;          /* and may fold: those beyond a power of two send theirs to others first,
                            and get the result last */
    const char *letters; /* in formulas, as the sources write; else its name */
    const char *noun;    /* one of it, in words */
    const char *beware;  /* of a name that could be mistaken: what it is, and what it is not */
    bool one_sided;      /* its name means the time of one side: who calls it does */
    enum partners_kind partners; /* of one whose messages are known one by one */
    int grid_directions;         /* of neighbours: along so many directions of a grid or a box */
    int distance;                /* of one that is measured at several: how far apart the numbers of
                                    neighbours are */
    enum traffic_class class;    /* that it is the price of */
    const struct interval_law *interval_parts; /* of long messages, which go in parts */
    const struct pattern *near;                /* of one between far processors: the same of near */
    const struct pattern *vector, *packed;  /* with strided messages: by a type, by the program */
    const struct pattern *strided_as;       /* one whose vector and packed say what elements that
                                               lie apart take more */
    const struct pattern *whole;            /* of one in parts: the same in one part */
    const struct pattern *same;             /* an earlier row that makes the same calls */
    const struct pattern *same_of_two;      /* the same between two processors */
    const struct composition *compositions; /* of equals the first; one of no part ends them */
};

#define PATTERN(variable, ...) extern const struct pattern pattern_##variable;
#define MEASURED PATTERN
#include "model/cost/patterns.h"
#undef MEASURED
#undef PATTERN

/* All rows. */
extern const struct pattern *const patterns[];
extern const size_t patterns_count;

/* What is known of a utility of another name: it is among all, its rate counts one message, it is
   its own name in formulas. No other number is known, and no count is bounded. */
extern const struct pattern pattern_other;

/* The name in tables of what a user calls so: of MPI's name, with or without "MPI_", in any case
   ("MPI_Allreduce", "allreduce"), and of "pingpong". Any other word is a name itself. */
const char *pattern_name(const char *word);

/* The row of a utility of that name; pattern_other where there is none. */
const struct pattern *pattern_named(const char *name);

/* The same, but that of "NAME-packed" and "NAME-vector" without a row the row of NAME. */
const struct pattern *pattern_of_form(const char *name);

/* The row that a class other than TRAFFIC_LOCAL is priced by. */
const struct pattern *pattern_of_class(enum traffic_class class);

/* For rows that do not know: NAN. */
double pattern_not_known(double participants);

/* How many messages count in a utility's rate, p as its formula counts it. NAN: its row does not
   say. */
double pattern_rate_messages(const char *name, double p);

/* How many messages of one use are under way at the same time, on average; at least 1. NAN: not
   known. */
double pattern_under_way(const char *name, double participants);

/* Whether it is between two processors, however many there are. */
bool pattern_is_between_two(const char *name);

/* Whether its messages go between two processors: one pair's or many pairs'. */
bool pattern_is_of_pairs(const char *name);

#endif
