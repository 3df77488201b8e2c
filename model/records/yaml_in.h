/* YAML documents with their places: the only reader of libyaml.

   A file is read whole or not at all. It is refused, at its line and column, when it is not YAML,
   is empty, holds more than one document, uses anchors or aliases, has a key twice, is nested
   deeper than YAML_DEPTH_MOST, is larger than YAML_BYTES_MOST, has a text longer than
   YAML_TEXT_MOST or more than YAML_NODES_MOST values. */
#ifndef MODEL_RECORDS_YAML_IN_H
#define MODEL_RECORDS_YAML_IN_H

#include "model/base/error.h"

#include <stddef.h>

enum {
    YAML_DEPTH_MOST = 64,
    YAML_BYTES_MOST = 64 * 1024 * 1024,
    YAML_TEXT_MOST = 10000, /* bytes of a scalar */
    YAML_NODES_MOST = 1000000
};

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_file;

/* A value in an open file; valid until the file is closed. Small: passed by value. */
struct yaml_node {
    const struct yaml_file *file; /* borrowed */
    size_t index;
};

/* Opens and checks a file, or standard input (input.h). On success *file must be closed with
 * yaml_close. */
int yaml_open(struct yaml_file **file, const char *path, struct error *error);

/* The same for a text in memory; name stands in its places. The text is copied. */
int yaml_open_text(struct yaml_file **file, const char *name, const char *text, size_t bytes,
                   struct error *error);

/* NULL is allowed. */
void yaml_close(struct yaml_file *file);

struct yaml_node yaml_root(const struct yaml_file *file);
enum yaml_kind yaml_kind(struct yaml_node node);
struct place yaml_place(struct yaml_node node);

/* "a number", "a list", "a map"...: what a node is, for messages. */
const char *yaml_kind_name(enum yaml_kind kind);

/* The text of a scalar. Borrowed. */
const char *yaml_text(struct yaml_node scalar);

/* Items of a list, or pairs of a map. */
size_t yaml_count(struct yaml_node list_or_map);
struct yaml_node yaml_item(struct yaml_node list, size_t at);
struct yaml_node yaml_key(struct yaml_node map, size_t at);
struct yaml_node yaml_value(struct yaml_node map, size_t at);

/* An error unless node is of the kind. */
int yaml_expect(struct yaml_node node, enum yaml_kind kind, struct error *error);

/* A scalar that is a number (strict: number_parse). */
int yaml_number(struct yaml_node node, double *value, struct error *error);

/* The same with or without a suffix: number_parse_bytes. */
int yaml_bytes(struct yaml_node node, double *value, struct error *error);

#endif
