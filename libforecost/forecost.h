/* libforecost: what message-passing programs cost, asked from a program of one's own.
 *
 * Everything is read into handles, which are asked and released. There are no globals: nothing is
 * printed, and nothing ends the process. Functions may be called from several threads at once; a
 * handle may be shared by them as long as none of them changes or releases it. The locale of the
 * caller is of no matter.
 *
 * Times are in microseconds. A number that is not known is NAN. Texts that are returned are those
 * of the handle that they come from, and live as long as it does. NULL may be released.
 *
 * Before version 1.0 the functions and structs here may change with every version: compile anew.
 *
 * cc example.c `pkg-config --cflags --libs forecost`; forecost(3) */
#ifndef FORECOST_H
#define FORECOST_H

#include <stddef.h>

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library, "0.1". */
const char *forecost_version(void);

/* ---- errors ---- */

/* What every function that can fail returns. */
enum forecost_status {
    FORECOST_DONE = 0,
    FORECOST_BAD_INPUT = 1, /* a file or an argument is wrong */
    FORECOST_NO_ANSWER = 2, /* nothing is wrong, but there is no answer for these values: another
                               processor count, candidate or machine may have one */
    FORECOST_NO_MEMORY = 3  /* what was being made is lost; handles are as they were */
};

/* What is wrong, and where. The functions fill it in when they do not return FORECOST_DONE, and
 * leave it alone otherwise. It is complete in itself. NULL may be given in its place. */
struct forecost_error {
    enum forecost_status status;
    char message[800];     /* one line, "FILE:LINE:COLUMN: what, and what was expected" */
    char file[256];        /* empty: about none */
    unsigned line, column; /* from 1; 0: not known */
    char text[512];        /* the message without its place */
};

/* ---- remarks to an answer ---- */

/* Flags are combined with |. */
enum forecost_flag {
    FORECOST_EXTRAPOLATED_BYTES = 1,
    FORECOST_EXTRAPOLATED_PROCESSORS = 2,
    FORECOST_CLAMPED = 4,
    FORECOST_DISTURBED = 8,
    FORECOST_OTHER_GRID = 16,
    FORECOST_UNPRICED_MISSES = 32,
    FORECOST_SENDER_TIME = 64,
    FORECOST_RECEIVER_TIME = 128,
    FORECOST_FROM_LOGP = 256,
    FORECOST_COMMUNICATION_ONLY = 512,
    FORECOST_ERROR_UNKNOWN = 65536,
    FORECOST_PARTLY_BOUND = 131072,
    FORECOST_NOT_PRICED = 262144,
    FORECOST_LAW_BEYOND = 524288,
    FORECOST_OTHER_NODE = 1048576,
    FORECOST_OTHER_DISTANCE = 1024
};

/* The name of one flag, "extrapolated-n", and what it says to a person; NULL: it is none. */
const char *forecost_flag_name(unsigned flag);
const char *forecost_flag_says(unsigned flag);

/* ---- machines ---- */

/* A machine table; forecost-machine(5). */
struct forecost_machine;

/* Reads a table: a file ("-": standard input), or a text in memory of which `name` stands in
 * messages. Point-to-point is derived from LogP parameters where the table has no such utility. */
enum forecost_status forecost_machine_read(struct forecost_machine **machine, const char *path,
                                           struct forecost_error *error);
enum forecost_status forecost_machine_read_text(struct forecost_machine **machine, const char *name,
                                                const char *text, size_t bytes,
                                                struct forecost_error *error);
void forecost_machine_free(struct forecost_machine *machine);

/* Its name; how many processors it has, NAN: not known. */
const char *forecost_machine_name(const struct forecost_machine *machine);
double forecost_machine_processors(const struct forecost_machine *machine);

/* The patterns of communication that it has a price of, by number from 0; NULL: no more. */
const char *forecost_machine_pattern(const struct forecost_machine *machine, size_t number);

/* From now on computation is that of the node in another table, a file, which the machine's name
 * tells then; or it is left out, which answers are flagged with. */
enum forecost_status forecost_machine_take_node(struct forecost_machine *machine, const char *path,
                                                struct forecost_error *error);
enum forecost_status forecost_machine_leave_out_computation(struct forecost_machine *machine,
                                                            struct forecost_error *error);

/* From now on communication is that of another of the machine's states than the commonest, from 1,
 * as of `estimator --state`: to be said once, of state 1 any time. FORECOST_BAD_INPUT where the
 * table has no such state. */
enum forecost_status forecost_machine_take_state(struct forecost_machine *machine, int state,
                                                 struct forecost_error *error);

/* ---- what a pattern costs ---- */

struct forecost_cost {
    double time_us, low_us, high_us; /* 90 of 100 cases lie from low to high; NAN: not known */
    double rate_mb_per_s;            /* as the sources count it; NAN: of no bytes */
    size_t region;                   /* of the table's utility, from 1; 0: it is composed */
    unsigned flags;
};

/* One use of a pattern, by its name: messages of so many bytes, at least 0, among so many
 * processors that take part. What the table does not have is composed of what it has, as in a
 * prediction; FORECOST_BAD_INPUT where it cannot be. */
enum forecost_status forecost_cost(const struct forecost_machine *machine, const char *pattern,
                                   double bytes, double processors, struct forecost_cost *cost,
                                   struct forecost_error *error);

/* ---- programs ---- */

/* A segment description; forecost-segment(5). */
struct forecost_program;

/* Reads a description, as tables are read. A path that ends in ".c" is a C source, which is
 * described as forecost_program_describe has it. */
enum forecost_status forecost_program_read(struct forecost_program **program, const char *path,
                                           struct forecost_error *error);
enum forecost_status forecost_program_read_text(struct forecost_program **program, const char *name,
                                                const char *text, size_t bytes,
                                                struct forecost_error *error);

/* Describes C files that are one program, by running the describer. All lists end with NULL, and
 * may be NULL but for the files. flags: for the compiler, "-Iinclude"; definitions: values of
 * parameters, "N=256"; side: a file of directives, NULL: PROGRAM.forecost beside PROGRAM.c where
 * there is one. Takes at most a minute. */
enum forecost_status forecost_program_describe(struct forecost_program **program,
                                               const char *const *files, const char *const *flags,
                                               const char *const *definitions, const char *side,
                                               struct forecost_error *error);
void forecost_program_free(struct forecost_program *program);

/* Its title, or the name of its file; its candidate partitionings and its parameters, by number
 * from 0; NULL: no more. */
const char *forecost_program_title(const struct forecost_program *program);
const char *forecost_program_candidate(const struct forecost_program *program, size_t number);
const char *forecost_program_parameter(const struct forecost_program *program, size_t number);

/* ---- predictions ---- */

/* What a segment or a whole program is predicted to cost on the busiest processor. */
struct forecost_times {
    const char *segment; /* "all": the whole */
    double compute_us, communicate_us, total_us;
    double low_us, high_us; /* of the total: 90 of 100 cases; NAN: not known */
    const char *limit;      /* the unit or the patterns that take longest; may be empty */
    unsigned flags;
};

struct forecost_prediction;

/* Predicts one candidate (NULL: the first) on so many processors (0: all that the machine has).
 * definitions: values of parameters, "N=256", ending with NULL; may be NULL.
 * FORECOST_NO_ANSWER: the candidate does not fit so many processors, or the table has no price for
 * what it does. */
enum forecost_status forecost_predict(struct forecost_prediction **prediction,
                                      const struct forecost_machine *machine,
                                      const struct forecost_program *program, const char *candidate,
                                      double processors, const char *const *definitions,
                                      struct forecost_error *error);
void forecost_prediction_free(struct forecost_prediction *prediction);

/* The segments in their order, by number from 0; NULL: no more. */
const struct forecost_times *forecost_prediction_segment(
    const struct forecost_prediction *prediction, size_t number);
const struct forecost_times *forecost_prediction_whole(
    const struct forecost_prediction *prediction);

/* ---- rankings ---- */

struct forecost_ranked {
    size_t rank; /* from 1; equal for ties */
    const char *candidate;
    struct forecost_times whole;
    double best_probability;  /* that none is cheaper; NAN: see forecost_ranking_unsure */
    double order_probability; /* that it is not dearer than the next; NAN: the last */
    double regret_us;         /* what choosing it costs more than the best, on average */
    size_t tie_group; /* neighbours whose order is not 95 % sure have the same, from 1; 0: as
                         NAN above */
};

struct forecost_ranking;

/* Ranks all candidates, cheapest first; processors and definitions as in forecost_predict.
 * Candidates that do not fit or cannot be priced are left out; FORECOST_NO_ANSWER: all are. */
enum forecost_status forecost_rank(struct forecost_ranking **ranking,
                                   const struct forecost_machine *machine,
                                   const struct forecost_program *program, double processors,
                                   const char *const *definitions, struct forecost_error *error);
void forecost_ranking_free(struct forecost_ranking *ranking);

/* By number from 0; NULL: no more. */
const struct forecost_ranked *forecost_ranking_row(const struct forecost_ranking *ranking,
                                                   size_t number);

/* What was left out and why, a line each; empty: nothing. Why nothing says how sure the order is;
 * NULL: something does. */
const char *forecost_ranking_left_out(const struct forecost_ranking *ranking);
const char *forecost_ranking_unsure(const struct forecost_ranking *ranking);

/* ---- bounds ---- */

/* What one processor can reach at best with a part of a program, in cycles of one iteration. */
struct forecost_bound {
    const char *segment; /* a segment, "SEGMENT.STATEMENT", or "all" */
    double flops;        /* of an iteration */
    double memory_cycles, dependence_cycles, bound_cycles;
    double cpf, mflops; /* cycles for one floating-point operation; million of them a second */
    const char *limit;  /* the busiest units; empty for a sum of parts */
    double iterations, repetitions;
    double bound_us; /* of all repetitions */
};

/* How bounds are made, combined with |: as table 5.2 of Abandah 1995 was; reductions keep their
 * order. */
enum forecost_bound_rule { FORECOST_BOUND_TABLE = 1, FORECOST_BOUND_STRICT = 2 };

struct forecost_bounds;

/* Bounds all parts of a program. Cycles of sums, such as "all", are NAN. */
enum forecost_status forecost_bound(struct forecost_bounds **bounds,
                                    const struct forecost_machine *machine,
                                    const struct forecost_program *program, unsigned rules,
                                    const char *const *definitions, struct forecost_error *error);
void forecost_bounds_free(struct forecost_bounds *bounds);

/* By number from 0; NULL: no more. */
const struct forecost_bound *forecost_bounds_row(const struct forecost_bounds *bounds,
                                                 size_t number);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
