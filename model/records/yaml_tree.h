/* What a YAML text says, without how it is written: built front to back from
   libyaml's events. */
#ifndef MODEL_RECORDS_YAML_TREE_H
#define MODEL_RECORDS_YAML_TREE_H

#include "model/records/yaml_in.h"

#include <stdbool.h>
#include <stddef.h>

/* Small, for a table has many. */
struct yaml_value {
    unsigned line;
    unsigned kind : 2, column : 30; /* enum yaml_kind; line and column from 1 */
    unsigned at;                    /* of a scalar's text; the first of what a list or map holds */
    unsigned count;                 /* characters, items, or pairs */
};

/* Zeroed = empty. Values stand in the order of the text, the root first. All arrays are owned. */
struct yaml_tree {
    struct yaml_value *values;
    size_t count, room;
    char *texts; /* of all scalars, each with its final zero */
    size_t text_bytes, text_room;
    unsigned *held; /* items, or keys and values in turn, by their numbers */
    size_t held_count, held_room;
    /* While it is built: what the lists and maps that are not closed hold until now. */
    unsigned *waiting;
    size_t waiting_count, waiting_room;
    int depth;
    struct {
        size_t value, first; /* of those that wait */
    } open[YAML_DEPTH_MOST];
};

/* Copies the text. */
void yaml_tree_scalar(struct yaml_tree *tree, unsigned line, unsigned column, const char *text,
                      size_t length);

/* Until the matching yaml_tree_close, what is added is in this list or map. At most
   YAML_DEPTH_MOST may be open. */
void yaml_tree_open(struct yaml_tree *tree, enum yaml_kind kind, unsigned line, unsigned column);
void yaml_tree_close(struct yaml_tree *tree);

/* Releases what it owns; it is empty then. */
void yaml_tree_free(struct yaml_tree *tree);

#endif
