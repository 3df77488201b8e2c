/* The command line. */
#ifndef DESCRIBER_OPTIONS_H
#define DESCRIBER_OPTIONS_H

#include "model/base/error.h"

enum { MESSAGES_P_MOST = 256 };

struct options {
    const char **files; /* owned; what it names is borrowed */
    int file_count;
    const char *const *flags; /* of the compiler: behind "--" */
    int flag_count;
    const char **definitions; /* owned: NAME=VALUE */
    int definition_count;
    const char *side;           /* NULL: none */
    const char *compiled_flags; /* that the description says; NULL: none */
    int messages_p; /* processes whose messages are wanted instead of the description; 0: none */
    int processes;  /* for which the description is wanted; 0: that is not known */
    bool has_places, has_loops, is_help;
    bool is_strict; /* reductions keep their order: their chains are recurrences */
};

/* Release with options_free, also after an error. */
int options_read(int count, char **arguments, struct options *options, struct error *error);
void options_free(struct options *options);

#endif
