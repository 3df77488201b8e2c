/* What the commands' options have in common: lists of numbers, the format, arguments in order. */
#ifndef ESTIMATOR_OUTPUT_OPTIONS_H
#define ESTIMATOR_OUTPUT_OPTIONS_H

#include "estimator/output/report.h"
#include "forecast/source/source.h"
#include "model/base/number.h"
#include "model/machine/machine.h"

enum { OPTIONS_ARGUMENTS = 64 };

/* What a command was called with; unset lists are empty. */
struct options {
    const char *words[OPTIONS_ARGUMENTS]; /* that are no options */
    size_t word_count;
    /* The same, but that C files that follow one another are one program, and the first of them
       stands for all (options_source). */
    const char *arguments[OPTIONS_ARGUMENTS];
    size_t first_words[OPTIONS_ARGUMENTS + 1]; /* of each, by number; of the one behind the last */
    size_t count;
    enum report_format format;
    struct number_list bytes, processors;
    double word_processors[OPTIONS_ARGUMENTS]; /* options_word_processors */
    const char *section;
    const char *candidate;
    const char *definitions[OPTIONS_ARGUMENTS]; /* NAME=VALUE of -D */
    size_t definition_count;
    const char *convention;
    const char *terms;
    const char *output;
    const char *to;             /* --to */
    const char *base;           /* --base */
    const char *node;           /* --node */
    int state;                  /* --state; 1: not told */
    const char *loops;          /* --loops */
    struct loop_curves *curves; /* what stands in it, or was measured; owned; NULL: none */
    bool measure;               /* --measure */
    const char *observed;       /* --measured; NULL: none */
    bool communication_only;
    bool from_start; /* --from-start */
    const char *bt_depth;
    bool strict, unit_table;
    const char *measured[OPTIONS_ARGUMENTS]; /* NAME=US of --measured-us */
    size_t measured_count;
    bool wide;            /* --wide; the format says so then, too */
    bool bands;           /* --bands */
    bool fastest;         /* --fastest */
    bool search;          /* --search */
    double time_limit_s;  /* --time-limit; NAN: not told */
    bool explain;         /* --explain */
    bool overlap;         /* --overlap */
    bool breakdown;       /* --breakdown */
    bool formula_p;       /* --formula-p */
    bool list;            /* --list */
    bool any_processors;  /* -p is no more than where the user begins */
    const char *messages; /* --messages; NULL: none */
    bool places;          /* --places */
    const char *side;
    const char *const *flags; /* behind "--", where a program is C files: the compiler's */
    size_t flag_count;
    struct error *error;
};

/* A command's own face: its documentation and the options (of options_table) it takes. */
struct options_face {
    const char *arguments, *doc;
    const char *example; /* behind "estimator": one call, with files of the source folder */
    const char *takes;   /* letters of the options that the command has, "npf" */
    size_t least, most;  /* how many arguments */
    bool has_sources;    /* C files may stand for a description */
    bool rewrites;       /* what is written may take the place of what is read */
};

/* Parses; --help, --usage and --version are answered, and the program ends with status 0.
   Returns 0, or -1 with *error set. Release with options_free. */
int options_parse(const struct options_face *face, int argc, char **argv, struct options *options,
                  struct error *error);

/* The argument of that number, whose name source_is, with what else the command line says of it;
   borrows from the options. */
struct source options_source(const struct options *options, size_t number);

/* Reads the argument of that number, a description or C files. On success release with
   program_free. */
int options_program(const struct options *options, size_t number, struct program *program,
                    struct error *error);

/* Reads the argument of that number, a table, for predictions: in the state that --state says, with
   the node that --node names, or without computation, and with point-to-point from LogP parameters
   where it has no such utility (logp_cost.h). On success release with machine_free. */
int options_machine(const struct options *options, size_t number, struct machine *machine,
                    struct error *error);

/* The one number of the last -p before the argument of that number; where none stands before it, of
   the first one. NAN: there is no -p, or a list. */
double options_word_processors(const struct options *options, size_t number);

/* An error where the grid of bytes and processors has more than OPTIONS_GRID points. */
enum { OPTIONS_GRID = 2000000 };
int options_check_grid(const struct options *options, struct error *error);

void options_free(struct options *options);

#endif
