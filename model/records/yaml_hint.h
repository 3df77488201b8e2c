/* Why a text is not YAML, in other words than libyaml's: what to write instead. */
#ifndef MODEL_RECORDS_YAML_HINT_H
#define MODEL_RECORDS_YAML_HINT_H

#include <stdbool.h>
#include <stddef.h>

enum { YAML_HINT_TEXT = 160 };

/* A line and a column of a text, both from 0, in characters. */
struct yaml_spot {
    size_t line, column;
};

/* What libyaml says of a text. */
struct yaml_fault {
    const char *problem;
    struct yaml_spot at, begun; /* begun: where what is not right begins */
    const char *text;
    size_t bytes;
};

/* The remedy in the buffer, or NULL where none is known. */
const char *yaml_hint(const struct yaml_fault *fault, char hint[YAML_HINT_TEXT]);

/* Whether a plain scalar in brackets or braces, which ends at scalar->at, is the begin of a call
   whose comma ended it: min(N of min(N, 5). */
bool yaml_is_cut(const struct yaml_fault *scalar, const char *value);

#endif
