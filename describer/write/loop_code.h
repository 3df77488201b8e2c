/* Innermost loops as C functions of their own, which measure themselves in nothing: the loops
   around them in the same function, their own text, and declarations of what it names. */
#ifndef DESCRIBER_WRITE_LOOP_CODE_H
#define DESCRIBER_WRITE_LOOP_CODE_H

#include "describer/walk/capture.h"

#include <stdio.h>

/* A loop that is written. */
struct loop_code {
    const struct capture *capture;
    const char *at;   /* FILE:LINE */
    const char *text; /* of its function's body; NULL: it cannot stand alone */
    const char *why;  /* then: what is against it */
    char hash[20];    /* of the text */
};

enum { LOOP_CODES_MOST = 1000 };

struct loop_codes {
    struct loop_code items[LOOP_CODES_MOST];
    int count;
};

/* Adds a loop, unless the same text is there; returns it. NULL: there are too many. */
const struct loop_code *loop_code_add(struct describer *describer, struct loop_codes *codes,
                                      const struct loop *loop);

/* All of them as a C file, which includes the source for its types, macros and functions, with the
   description of the program. Those that cannot stand alone are remarks, "loop AT: WHY". */
void loop_codes_write(struct describer *describer, const struct loop_codes *codes,
                      const char *description, FILE *stream);

#endif
