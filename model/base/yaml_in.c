#include "model/base/yaml_in.h"

#include "model/base/memory.h"
#include "model/base/number.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct yaml_file {
    char *name;
    yaml_document_t document;
};

static struct place place_of(const char *name, yaml_mark_t mark)
{
    return place_at(name, (unsigned)mark.line + 1, (unsigned)mark.column + 1);
}

/* ---- reading the bytes ---- */

int yaml_read_text(const char *path, char **text, size_t *bytes, struct error *error)
{
    const struct place whole = {path, 0, 0};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return error_at(error, whole, "cannot be read: %s", strerror(errno));
    size_t room = 1 << 14, got = 0;
    char *buffer = memory_new(room, 1);
    for (size_t more; (more = fread(buffer + got, 1, room - got, stream)) > 0;) {
        got += more;
        if (got == room)
            buffer = memory_grow(buffer, room *= 2, 1);
        if (got > YAML_BYTES_MOST)
            break;
    }
    const int failed = ferror(stream) ? errno : 0;
    fclose(stream);
    if (failed || got > YAML_BYTES_MOST) {
        free(buffer);
        return failed ? error_at(error, whole, "cannot be read: %s", strerror(failed))
                      : error_at(error, whole, "is larger than %d bytes", YAML_BYTES_MOST);
    }
    *text = buffer;
    *bytes = got;
    return 0;
}

/* ---- what is refused before anything is built ---- */

static int parser_error(const yaml_parser_t *parser, const char *name, struct error *error)
{
    /* libyaml forgets to say so at times. */
    if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
        return error_at(error, place_at(name, 0, 0), "out of memory");
    const char *problem = parser->problem;
    if (parser->error == YAML_READER_ERROR)
        return error_at(error, place_at(name, 1, 1), "not a text file: %s at byte %zu", problem,
                        parser->problem_offset);
    return error_at(error, place_of(name, parser->problem_mark), "not YAML: %s", problem);
}

/* What is counted on the way through a file. */
struct seen {
    int depth, documents, nodes;
};

static int check_text(const yaml_event_t *scalar, struct place place, struct error *error)
{
    const size_t length = scalar->data.scalar.length;
    if (strlen((const char *)scalar->data.scalar.value) != length)
        return error_at(error, place, "a zero byte in a text");
    if (length > YAML_TEXT_MOST)
        return error_at(error, place, "a text of more than %d bytes", YAML_TEXT_MOST);
    return 0;
}

static int check_event(const yaml_event_t *event, const char *name, struct seen *seen,
                       struct error *error)
{
    const struct place place = place_of(name, event->start_mark);
    const yaml_char_t *anchor = NULL;
    if (++seen->nodes > YAML_NODES_MOST)
        return error_at(error, place, "more than %d values", YAML_NODES_MOST);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++seen->documents > 1)
            return error_at(error, place, "a second document: expected one in a file");
        break;
    case YAML_ALIAS_EVENT:
        return error_at(error, place, "an alias: write the value itself");
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        if (check_text(event, place, error) != 0)
            return -1;
        break;
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        anchor = event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.anchor
                                                          : event->data.mapping_start.anchor;
        if (++seen->depth > YAML_DEPTH_MOST)
            return error_at(error, place, "nested deeper than %d levels", YAML_DEPTH_MOST);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        --seen->depth;
        break;
    default:
        break;
    }
    return anchor ? error_at(error, place, "an anchor: write the value itself") : 0;
}

/* Aliases are refused on the events, because the document no longer shows them, and a small file
   of aliases can stand for a huge tree. */
static int check_events(const char *name, const char *text, size_t bytes, struct error *error)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return error_set(error, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    struct seen seen = {0};
    int status = 0;
    for (bool more = true; more && status == 0;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = parser_error(&parser, name, error);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        status = check_event(&event, name, &seen, error);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (status == 0 && seen.documents == 0)
        status = error_at(error, place_at(name, 1, 1), "empty: expected a map of keys");
    return status;
}

/* ---- keys that stand twice ---- */

struct keyed {
    const char *key;
    const yaml_node_t *node;
};

static int by_key_then_line(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    const int order = strcmp(x->key, y->key);
    return order ? order : (x->node->start_mark.index > y->node->start_mark.index) * 2 - 1;
}

static int check_keys(struct yaml_file *file, yaml_node_t *map, struct error *error)
{
    const yaml_node_pair_t *pairs = map->data.mapping.pairs.start;
    const size_t count = (size_t)(map->data.mapping.pairs.top - pairs);
    struct keyed *keys = memory_new(count, sizeof *keys);
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        const yaml_node_t *key = yaml_document_get_node(&file->document, pairs[i].key);
        if (key->type != YAML_SCALAR_NODE)
            status =
                error_at(error, place_of(file->name, key->start_mark), "a key that is not a word");
        else
            keys[i] = (struct keyed){(const char *)key->data.scalar.value, key};
    }
    if (status == 0 && count > 1)
        qsort(keys, count, sizeof *keys, by_key_then_line);
    for (size_t i = 1; i < count && status == 0; i++)
        if (strcmp(keys[i - 1].key, keys[i].key) == 0)
            status = error_at(error, place_of(file->name, keys[i].node->start_mark),
                              "key '%s' a second time: first in line %zu", keys[i].key,
                              keys[i - 1].node->start_mark.line + 1);
    free(keys);
    return status;
}

static int check_all_keys(struct yaml_file *file, struct error *error)
{
    const yaml_node_t *end = file->document.nodes.top;
    for (yaml_node_t *node = file->document.nodes.start; node < end; node++)
        if (node->type == YAML_MAPPING_NODE && check_keys(file, node, error) != 0)
            return -1;
    return 0;
}

/* ---- open and close ---- */

static int load(struct yaml_file *file, const char *text, size_t bytes, struct error *error)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return error_set(error, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    const int loaded = yaml_parser_load(&parser, &file->document);
    const int status = loaded ? 0 : parser_error(&parser, file->name, error);
    yaml_parser_delete(&parser);
    return status;
}

int yaml_open_text(struct yaml_file **opened, const char *name, const char *text, size_t bytes,
                   struct error *error)
{
    if (check_events(name, text, bytes, error) != 0)
        return -1;
    struct yaml_file *file = memory_new(1, sizeof *file);
    file->name = memory_copy_text(name);
    if (load(file, text, bytes, error) != 0) {
        free(file->name);
        free(file);
        return -1;
    }
    if (check_all_keys(file, error) != 0) {
        yaml_close(file);
        return -1;
    }
    *opened = file;
    return 0;
}

int yaml_open(struct yaml_file **opened, const char *path, struct error *error)
{
    char *text;
    size_t bytes;
    if (yaml_read_text(path, &text, &bytes, error) != 0)
        return -1;
    const int status = yaml_open_text(opened, path, text, bytes, error);
    free(text);
    return status;
}

/* Where the line after the one at `at` begins. */
static size_t next_line(const char *text, size_t bytes, size_t at)
{
    const char *end = memchr(text + at, '\n', bytes - at);
    return end ? (size_t)(end - text) + 1 : bytes;
}

/* Whether the line from at to end is "key:" and nothing more. */
static bool is_key_line(const char *text, size_t at, size_t end, const char *key)
{
    const size_t length = strlen(key);
    if (end - at <= length || memcmp(text + at, key, length) != 0 || text[at + length] != ':')
        return false;
    for (at += length + 1; at < end; at++)
        if (!memchr(" \r\n", text[at], 3))
            return false;
    return true;
}

void yaml_blank_key(char *text, size_t bytes, const char *key)
{
    size_t at = 0;
    while (at < bytes && !is_key_line(text, at, next_line(text, bytes, at), key))
        at = next_line(text, bytes, at);
    for (bool first = true; at < bytes && (first || memchr(" -#\n", text[at], 4)); first = false)
        for (const size_t end = next_line(text, bytes, at); at < end; at++)
            if (text[at] != '\n')
                text[at] = ' ';
}

void yaml_close(struct yaml_file *file)
{
    if (!file)
        return;
    yaml_document_delete(&file->document);
    free(file->name);
    free(file);
}

/* ---- looking around ---- */

/* libyaml's look-ups take a document that is not const, and change nothing in it. */
static const yaml_node_t *raw(struct yaml_node node)
{
    return node.file->document.nodes.start + (node.index - 1);
}

struct yaml_node yaml_root(const struct yaml_file *file)
{
    return (struct yaml_node){file, 1};
}

enum yaml_kind yaml_kind(struct yaml_node node)
{
    switch (raw(node)->type) {
    case YAML_SEQUENCE_NODE:
        return YAML_LIST;
    case YAML_MAPPING_NODE:
        return YAML_MAP;
    default:
        return YAML_SCALAR;
    }
}

struct place yaml_place(struct yaml_node node)
{
    return place_of(node.file->name, raw(node)->start_mark);
}

const char *yaml_kind_name(enum yaml_kind kind)
{
    static const char *const names[] = {"a single value", "a list", "a map"};
    return names[kind];
}

const char *yaml_text(struct yaml_node scalar)
{
    return (const char *)raw(scalar)->data.scalar.value;
}

size_t yaml_count(struct yaml_node node)
{
    const yaml_node_t *it = raw(node);
    if (it->type == YAML_SEQUENCE_NODE)
        return (size_t)(it->data.sequence.items.top - it->data.sequence.items.start);
    return (size_t)(it->data.mapping.pairs.top - it->data.mapping.pairs.start);
}

struct yaml_node yaml_item(struct yaml_node list, size_t at)
{
    return (struct yaml_node){list.file, raw(list)->data.sequence.items.start[at]};
}

struct yaml_node yaml_key(struct yaml_node map, size_t at)
{
    return (struct yaml_node){map.file, raw(map)->data.mapping.pairs.start[at].key};
}

struct yaml_node yaml_value(struct yaml_node map, size_t at)
{
    return (struct yaml_node){map.file, raw(map)->data.mapping.pairs.start[at].value};
}

int yaml_expect(struct yaml_node node, enum yaml_kind kind, struct error *error)
{
    if (yaml_kind(node) == kind)
        return 0;
    return error_at(error, yaml_place(node), "%s: expected %s", yaml_kind_name(yaml_kind(node)),
                    yaml_kind_name(kind));
}

int yaml_number(struct yaml_node node, double *value, struct error *error)
{
    if (yaml_expect(node, YAML_SCALAR, error) != 0)
        return -1;
    if (!number_parse(yaml_text(node), value))
        return error_at(error, yaml_place(node), "'%.60s' is not a number", yaml_text(node));
    return 0;
}
