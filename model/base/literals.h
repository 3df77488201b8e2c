/* Numbers with suffixes (number.h) in expressions. */
#ifndef MODEL_BASE_LITERALS_H
#define MODEL_BASE_LITERALS_H

#include "model/base/expression.h"

/* "2 * 64k" as "2 * 65536": *written is the expression without suffixes, to be freed, or NULL where
   it has none. An error where a suffix is not clear: kB, or a name of the scope, such as k in "2k",
   which may be meant for 2 * k. */
int literals_write_out(const struct scope *scope, const char *text, struct place place,
                       char **written, struct error *error);

#endif
