/* C files in place of a segment description: the describer, a program of its own, derives the
   description from them (describer/). */
#ifndef FORECAST_SOURCE_SOURCE_H
#define FORECAST_SOURCE_SOURCE_H

#include "model/base/error.h"
#include "model/segment/program/program.h"

struct words; /* model/code/words.h */

/* Files that are one program, and what the command line says of them; all borrowed. */
struct source {
    const char *const *files; /* one at least; the first one's name is the program's */
    size_t file_count;
    const char *side; /* a file of directives; NULL: PROGRAM.forecost beside PROGRAM.c, if any */
    const char *const *definitions; /* NAME=VALUE, or NAME=LIST: then its first value */
    size_t definition_count;
    const char *const *flags; /* the compiler's, behind those of compile_commands.json */
    size_t flag_count;
    bool has_loops;    /* its innermost loops as a C file are wanted, in place of a description */
    double processors; /* for which the description is wanted; 0, NAN: not known */
    const char *messages; /* what so many processes send is wanted instead; NULL: it is not */
    bool is_strict;       /* whether chains of reductions are recurrences, as a strict bound's */
    bool has_places;      /* whether the description says where its statements stand */
};

/* Whether a word of the command line is a C file: it ends in ".c". */
bool source_is(const char *word);

/* Sources of other languages are not read: an error that says so and what can be done, where the
   word's end is that of one. Returns 0 for all other words. */
int source_refuse_other(const char *word, struct error *error);

/* The description as YAML: release *text with free(). What is wrong with the source the describer
   says itself, on the stream `said` (error_said). Other errors: no describer, one that fails or
   takes too long; more than one side file; what a compile_commands.json has that cannot be read. */
int source_describe(const struct source *source, char **text, size_t *bytes, FILE *said,
                    struct error *error);

/* The same, read. On success release with program_free. */
int source_read(struct program *program, const struct source *source, FILE *said,
                struct error *error);

/* What a compiler is told to make code of it, of the compile_commands.json and the command line:
   all flags, released with words_free, and those that say how the code is made, released with
   free(). Errors: what a compile_commands.json has that cannot be read. */
int source_flags(const struct source *source, struct words *flags, char **code_flags,
                 struct error *error);

#endif
