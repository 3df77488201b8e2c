/* The plain YAML in which machine tables are written, read many times as fast as libyaml reads it:
   a table of all suites in a tenth of the time that a prediction may take. Everything else, and
   whatever is wrong, is left to libyaml, which alone decides what YAML is. */
#ifndef MODEL_BASE_YAML_PLAIN_H
#define MODEL_BASE_YAML_PLAIN_H

#include "model/base/yaml_tree.h"

#include <stdbool.h>
#include <stddef.h>

/* Builds the tree that libyaml's events would build, places included, or returns false and leaves
   the tree empty. It takes lines of printable ASCII with indented maps and lists, flow maps and
   lists within a line, comments, words as keys, and values without escapes in one line; no value
   may be left out, and a table may not be near a limit of yaml_in.h. */
bool yaml_plain_read(struct yaml_tree *tree, const char *text, size_t bytes);

#endif
