/* The words of a command line: options, which are described as argp describes them, and arguments
   between them. argp writes the help alone: its errors are of two lines. */
#ifndef MODEL_BASE_ARGUMENTS_H
#define MODEL_BASE_ARGUMENTS_H

#include "model/base/error.h"

#include <argp.h>
#include <stdio.h>

/* The key of a word that is no option. */
enum { ARGUMENTS_WORD = -1 };

/* Takes an option by its key, or a word; text: its value, NULL where it has none. Returns 0, or -1
   with *error set. */
typedef int arguments_take(int key, const char *text, void *state);

/* What a program, or a command of one, is called with. */
struct arguments_face {
    const char *name;    /* as it is called: "estimator rank" */
    const char *version; /* a line, without its end */
    const char *words;   /* what the words are: "TABLE... SEGMENT"; NULL: there are none */
    const char *doc;     /* as argp has it: what stands behind a \v is below the options */
    const struct argp_option *options; /* ends with a row of zeros */
};

/* The keys of the options that every face has besides its own. */
enum arguments_answer { ANSWER_USAGE = 1, ANSWER_HELP = 'h', ANSWER_VERSION = 'V' };

/* What is asked for by --help (-h, -?), --usage or --version (-V), on the stream. */
void arguments_answer(const struct arguments_face *face, enum arguments_answer answer,
                      FILE *stream);

/* Gives each option and word of argv[1] ... to take, in their order. Long names may be cut off
   where it is clear which one is meant; "--" ends the options; "-" is a word. Returns 0; -1 with
   *error set where an option is not known, not clear, or lacks its value, or where take fails; or
   the enum arguments_answer that is asked for. */
int arguments_walk(const struct arguments_face *face, int argc, char **argv, arguments_take *take,
                   void *state, struct error *error);

#endif
