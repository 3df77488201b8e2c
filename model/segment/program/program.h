/* A segment description as it stands in its file: parameters, arrays, candidate partitionings, and
   the program's segments as trees of loops, statements and calls. Sizes and bounds are texts of
   expressions; they get values when a candidate is laid out on p processors (layout.h). */
#ifndef MODEL_SEGMENT_PROGRAM_PROGRAM_H
#define MODEL_SEGMENT_PROGRAM_PROGRAM_H

#include "model/base/error.h"
#include "model/base/expression.h"
#include "model/node/node.h"
#include "model/records/record.h"
#include "model/segment/program/distribution.h"
#include "model/segment/program/effort.h"
#include "model/segment/program/origins.h"

#include <stdbool.h>

enum { DIMENSIONS_MOST = 8, PROGRAM_FORMAT = 1 };

/* 2^53: beyond, not every whole number is a double. */
#define COUNT_MOST 0x1p53

/* What a description may have: some ten times as much as anybody writes by hand. Derivations take
   time with the square or the cube of some of these. */
enum {
    ARRAYS_MOST = 200,
    CANDIDATES_MOST = 10000,
    REDISTRIBUTIONS_MOST = 100, /* of one candidate */
    SEGMENTS_MOST = 1000,
    STATEMENTS_MOST = 500 /* statements and calls of one segment */
};

/* A text with its place (no file name: program_place adds it), and what was read of it. */
struct formula {
    char *text; /* owned; NULL: absent */
    struct place place;
    /* Owned; exactly one is there, by what its key holds: none where that is a name or "*". */
    struct expression *value;
    struct expression **subscripts; /* of a reference such as "u[i-1][j]", NULL behind the last */
    struct spelling *distribution;  /* such as "BLOCK(b)" */
};

struct parameter {
    char *name;
    struct formula value;
    bool varies; /* with the processor count */
};

enum order { ORDER_UNTOLD, ORDER_C, ORDER_FORTRAN };

struct array {
    char *name;
    struct list extent; /* of struct formula, one a dimension */
    double element_bytes;
    char *align; /* the array whose distribution it has; NULL: its own */
    /* Of struct formula, one a dimension: the dimension of that array beside which it lies, or "*";
       and where in it its element 0 lies. Empty: the same dimensions; 0. */
    struct list align_map, align_offset;
    int order;     /* enum order: which dimension's elements follow one another in memory */
    bool periodic; /* reads beyond an end go on at the other one */
    /* The values of a scalar of the program, one an iteration: it takes no memory, and what is read
       beyond an end is what the scalar began with, which needs no message. */
    bool scalar;
    struct place place;
};

struct distribute {
    char *array;
    struct list dimensions; /* of struct formula */
    struct place place;
};

/* Other distributions from some segment on. Exactly one of before and after is a segment's name. */
struct redistribute {
    char *before, *after;
    struct list distribute; /* of struct distribute */
    struct place place;
};

struct candidate {
    char *name;
    struct list grid;         /* of struct formula: processors along each grid dimension */
    struct list distribute;   /* of struct distribute */
    struct list redistribute; /* of struct redistribute */
    struct list
        halo;  /* of struct distribute: elements kept beyond a processor's own, by dimension */
    bool fill; /* what is replicated is broadcast before the program begins */
    struct place place;
};

/* One step of a body: exactly one of the four. */
struct step {
    struct loop *loop;
    struct statement *statement;
    struct call *call;
    struct list branches; /* of struct branch; empty: none of those */
    struct place place;
};

/* One way that may be gone, with its probability; what is left to 1 is to do nothing. */
struct branch {
    struct formula probability;
    struct list body; /* of struct step */
    struct place place;
};

struct loop {
    char *index;
    struct formula first, last; /* both included */
    struct list body;           /* of struct step */
};

enum reduce { REDUCE_NONE, REDUCE_SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_PRODUCT };

/* Operations of which each iteration needs the result of an earlier one's: t_d (Abandah, IBM SP2,
   section 5.3). */
struct recurrence {
    struct operations chain; /* their counts */
    double distance;         /* iterations from one to the next that needs it; 1 */
    struct formula cycles;   /* the chain's latency as told; absent, or 0: by the chain */
};

/* Reads of an array through an index array. */
struct gather {
    char *array;
    struct formula reach; /* how far from the index where the statement runs they may lie, in each
                             distributed dimension of the array; absent: anywhere */
    struct formula loads; /* how many there are an iteration; absent: one */
    struct place place;
};

struct statement {
    char *name;
    struct formula writes, home;  /* home: where it executes; absent: where writes lives */
    struct list reads;            /* of struct formula */
    struct list gathers;          /* of struct gather */
    struct operations operations; /* essential, per iteration */
    struct operations functions;  /* those of them that stand for calls of library functions: how
                                     many there are is known within a factor of 2 */
    char *kernel;                 /* the kind of loop it is, as tables name them, or NULL */
    int reduce;                   /* enum reduce */
    bool independent; /* of what it writes in other iterations of the loops that `writes` names, it
                         reads nothing */
    struct formula strip;         /* width of a pipeline's strips; absent: the best */
    struct recurrence recurrence; /* absent: chain empty, cycles absent */
    char *source_hash; /* of the text of the innermost loop that it stands in; NULL: not told */
    struct place place;
};

/* An explicit use of a utility; or an exchange with the neighbours on a grid of processors, or a
   pipeline through it. */
struct call {
    char *utility;           /* NULL: one of the others */
    struct list grid, faces; /* of struct formula: the grid's sides, the bytes to a neighbour along
                                each; empty: no grid */
    bool around;             /* of a grid: both ends are neighbours, too */
    struct formula pipeline; /* of a grid: how many messages each processor hands on to the next
                                along each side; absent: neighbours exchange */
    struct formula bytes, processors; /* processors: participants; absent: all of the run */
    struct formula groups; /* that make it at the same time; absent: as many as there is room for */
    struct formula
        apart; /* by how much the numbers of a group's processors differ; absent: not told */
    struct place place;
};

/* Lines that miss the nearest cache: derived from the references, or as told. Where nothing is
   told, `bound` derives them and a prediction has none. */
struct told_misses {
    enum { MISSES_UNTOLD, MISSES_AUTO, MISSES_NONE, MISSES_TOLD } kind;
    double load, store; /* told: lines per iteration */
};

/* Computation as it was measured in the program. */
struct measured_time {
    struct formula us;
    char *machine; /* on which; NULL: not told */
    double memory_mb_per_s,
        mflops; /* what its node does: of the triad, of arithmetic; NAN: not told */
    struct place place;
};

/* How what goes round a corner travels (rule "Union of reads"). */
enum corners { CORNERS_FACES, CORNERS_DIRECT };

/* How a program exchanges a halo: with all neighbours at once, with those along one grid dimension
   after the other, pair by pair, or everybody to the next along a dimension, then everybody back.
 */
enum exchange { EXCHANGE_AT_ONCE, EXCHANGE_BY_DIMENSION, EXCHANGE_IN_TURN, EXCHANGE_BY_SHIFT };

/* How it sends what lies in several pieces: by whichever is quicker, by a derived type, or packed
   by itself. */
enum strided { STRIDED_QUICKER, STRIDED_TYPE, STRIDED_PACKED };

struct segment {
    char *name;
    struct formula repeat; /* absent: once */
    int corners;           /* enum corners */
    int exchange;          /* enum exchange */
    int strided;           /* enum strided */
    bool to_itself;        /* around a periodic array a processor alone sends to itself */
    bool overlap;          /* communication may hide behind computation */
    struct formula
        drain; /* stages of a pipeline from one repetition to the next; absent: it empties */
    struct told_misses misses;
    struct measured_time time; /* that each processor computes in a repetition, beside the body */
    struct formula only; /* of what is known for some values alone: whether it is; absent: it is */
    struct list known;   /* of struct distribute: where its numbers were found, as [least, most] of
                            p and parameters */
    struct list body;    /* of struct step */
    struct place place;
};

/* Limits of an automatic search for partitionings. */
struct search_limits {
    struct list arrays, kinds; /* of struct formula; empty: all */
    double ranks;              /* dimensions that a grid has at most; NAN: as many as arrays have */
    bool fixed;                /* one layout for all segments */
    struct place place;
};

struct program {
    double format;
    char *title, *source;
    struct list parameters; /* of struct parameter */
    struct list let;        /* of struct parameter: derived names, in order */
    struct list sweep;      /* of struct distribute: values that a ranking goes through, by name */
    struct search_limits search;
    struct list arrays;     /* of struct array */
    struct list candidates; /* of struct candidate */
    struct formula repeat;  /* of all segments, one after the other; absent: once */
    struct list segments;   /* of struct segment */
    char *path;
    struct effort *effort; /* for one analysis; owned */
    struct origins
        *origins;     /* where its values stand in the program's source; owned; may be NULL */
    bool is_derived;  /* from that source: nobody has seen the description */
    char *code_flags; /* that it is compiled with, as far as it or the command line tells; owned;
                         may be NULL */
};

/* Reads a description, a file or standard input (input.h): all or nothing. On success release with
   program_free. */
int program_read(struct program *program, const char *path, struct error *error);

/* The same from a text in memory (yaml_read_text); name stands in messages. */
int program_read_text(struct program *program, const char *name, const char *text, size_t bytes,
                      struct error *error);

/* The same from what was derived from a source of that name: places in messages are those of the
   source, as far as they are told. */
int program_read_derived(struct program *program, const char *name, const char *text, size_t bytes,
                         struct error *error);
void program_free(struct program *program);

/* Whether the text is a segment description rather than a machine table, by its keys. */
int program_recognise(const char *name, const char *text, size_t bytes, bool *is_program,
                      struct error *error);

/* The place with the program's file; of one that is derived, that in its source, or its name alone
   where that is not told. */
struct place program_place(const struct program *program, struct place place);

const struct array *program_array(const struct program *program, const char *name);
/* The dimension of an array of so many that varies k-th slowest in memory; of the last one
   neighbours stand one after the other. Where the order is not told: as in C. */
int array_dimension(const struct array *array, int dimensions, int k);

const struct candidate *program_candidate(const struct program *program, const char *name);

/* The same, and the first one where name is NULL. NULL: none has that name, and *error says so. */
const struct candidate *program_choose(const struct program *program, const char *name,
                                       struct error *error);

/* The probability of a branch, 0 to 1. */
int branch_probability(const struct branch *branch, const struct program *program,
                       struct scope *scope, double *probability, struct error *error);

/* A new scope with p, the parameters (overridden by definitions "NAME=VALUE") and the derived
   names. NULL with *error set on an error, such as an unknown name on the left of a definition, or
   a parameter that has no value. */
struct scope *program_scope(const struct program *program, const char *const *definitions,
                            size_t count, double processors, struct error *error);

/* Whether an expression (NULL: none) names the processor count, the size of a grid, or what is
   derived from them: an error of its value may be one of this processor count alone. */
bool program_varies(const struct program *program, const struct expression *expression);

/* Whether any name in a formula, which may be absent, passes the test. */
typedef bool name_test(const void *with, const char *name);
bool formula_any_name(const struct formula *formula, name_test *is, const void *with);

/* The value of an expression that is there, a whole number where `whole`. An error where it has
   none is a particular one (error.h) if it varies. */
int program_value(const struct program *program, const struct formula *formula, bool whole,
                  const struct scope *scope, double *value, struct error *error);

/* After an error about a value of the formula: notes that it is a particular one if it varies.
   Is always -1. */
int program_wrong_value(const struct program *program, const struct formula *formula,
                        struct error *error);

/* How often all segments are gone through, one after the other: a whole number, 1 to 2^53, or an
   error at its place. The scope has what segments may name. */
int program_repeat(const struct program *program, struct scope *scope, double *repeat,
                   struct error *error);

/* How often a segment runs each time: 0 to 2^53; the rest as above. */
int segment_repeat(const struct segment *segment, const struct program *program,
                   struct scope *scope, double *repeat, struct error *error);

/* The width of the strips that the statement asks for; 0: the best. Errors as above. */
int statement_strip(const struct statement *statement, const struct program *program,
                    struct scope *scope, double *strip, struct error *error);

/* An error where no effort is left: loops were cut off then, and no result holds. */
int program_check_effort(const struct program *program, struct place place, struct error *error);

#endif
