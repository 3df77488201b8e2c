#include "model/records/yaml_in.h"

#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/base/number.h"
#include "model/records/yaml_hint.h"
#include "model/records/yaml_text.h"
#include "model/records/yaml_tree.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct yaml_file {
    char *name;
    struct yaml_tree tree;
};

static struct place place_of(const char *name, yaml_mark_t mark)
{
    return place_at(name, (unsigned)mark.line + 1, (unsigned)mark.column + 1);
}

/* ---- what is refused before anything is built ---- */

static struct yaml_spot spot_of(yaml_mark_t mark)
{
    return (struct yaml_spot){mark.line, mark.column};
}

static int parser_error(const yaml_parser_t *parser, const char *name, const char *text,
                        size_t bytes, struct error *error)
{
    /* libyaml forgets to say so at times. */
    if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
        return error_at(error, place_at(name, 0, 0), "out of memory");
    const char *problem = parser->problem;
    if (parser->error == YAML_READER_ERROR)
        return error_at(error, place_at(name, 1, 1), "not a text file: %s at byte %zu", problem,
                        parser->problem_offset);
    const struct yaml_fault fault = {problem, spot_of(parser->problem_mark),
                                     spot_of(parser->context_mark), text, bytes};
    char room[YAML_HINT_TEXT];
    const char *hint = yaml_hint(&fault, room);
    return error_at(error, place_of(name, parser->problem_mark), "not YAML: %s%s%s", problem,
                    hint ? ": " : "", hint ? hint : "");
}

/* What is counted on the way through a file. */
struct seen {
    int depth, documents, nodes;
    int flow_from; /* the depth from which on all is in brackets or braces; 0: none is */
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

static bool is_flow(const yaml_event_t *event)
{
    return event->type == YAML_SEQUENCE_START_EVENT
               ? event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
               : event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
}

/* What has a comma and no quotes is two values in brackets and braces, and neither is what was
   meant. */
static int check_comma(const yaml_event_t *event, const char *name, const char *text, size_t bytes,
                       struct error *error)
{
    const struct yaml_fault scalar = {.at = spot_of(event->end_mark), .text = text, .bytes = bytes};
    if (event->type != YAML_SCALAR_EVENT || event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return 0;
    const char *value = (const char *)event->data.scalar.value;
    return yaml_is_cut(&scalar, value)
               ? error_at(error, place_of(name, event->start_mark),
                          "'%.60s' ends at a comma: quote what has one: \"%.60s, ...)\"", value,
                          value)
               : 0;
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
        if (seen->flow_from == 0 && is_flow(event))
            seen->flow_from = seen->depth;
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        if (--seen->depth < seen->flow_from)
            seen->flow_from = 0;
        break;
    default:
        break;
    }
    return anchor ? error_at(error, place, "an anchor: write the value itself") : 0;
}

static void take_event(const yaml_event_t *event, struct yaml_tree *tree)
{
    const unsigned line = (unsigned)event->start_mark.line + 1;
    const unsigned column = (unsigned)event->start_mark.column + 1;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        yaml_tree_scalar(tree, line, column, (const char *)event->data.scalar.value,
                         event->data.scalar.length);
        break;
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        yaml_tree_open(tree, event->type == YAML_MAPPING_START_EVENT ? YAML_MAP : YAML_LIST, line,
                       column);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        yaml_tree_close(tree);
        break;
    default:
        break;
    }
}

/* By events: a document of libyaml's no longer shows aliases, and a small file of aliases can stand
   for a huge tree. */
static int read_events(struct yaml_file *file, const char *text, size_t bytes, struct error *error)
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
            status = parser_error(&parser, file->name, text, bytes, error);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        status = check_event(&event, file->name, &seen, error);
        if (status == 0 && seen.flow_from > 0)
            status = check_comma(&event, file->name, text, bytes, error);
        if (status == 0)
            take_event(&event, &file->tree);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (status == 0 && seen.documents == 0)
        status = error_at(error, place_at(file->name, 1, 1), "empty: expected a map of keys");
    return status;
}

/* ---- keys that stand twice ---- */

static const char *text_of(const struct yaml_file *file, size_t value)
{
    return file->tree.texts + file->tree.values[value].at;
}

static struct place value_place(const struct yaml_file *file, size_t value)
{
    return place_at(file->name, file->tree.values[value].line, file->tree.values[value].column);
}

struct keyed {
    const char *key;
    size_t value; /* in the order of the text */
};

static int by_key_then_place(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    const int order = strcmp(x->key, y->key);
    return order ? order : (x->value > y->value) * 2 - 1;
}

static bool is_same_text(const struct yaml_file *file, const struct yaml_value *a,
                         const struct yaml_value *b)
{
    return a->count == b->count &&
           memcmp(file->tree.texts + a->at, file->tree.texts + b->at, a->count) == 0;
}

/* Whether nothing is wrong with a map's keys, which are few in nearly all maps. */
static bool are_keys_good(const struct yaml_file *file, const unsigned *held, size_t count)
{
    const struct yaml_value *values = file->tree.values;
    for (size_t i = 0; i < count; i++) {
        if (values[held[2 * i]].kind != YAML_SCALAR || count > 32)
            return false;
        for (size_t k = 0; k < i; k++)
            if (is_same_text(file, &values[held[2 * i]], &values[held[2 * k]]))
                return false;
    }
    return true;
}

static int check_keys(const struct yaml_file *file, const unsigned *held, size_t count,
                      struct error *error)
{
    struct keyed *keys = memory_new(count, sizeof *keys);
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        keys[i] = (struct keyed){text_of(file, held[2 * i]), held[2 * i]};
        if (file->tree.values[held[2 * i]].kind != YAML_SCALAR)
            status = error_at(error, value_place(file, held[2 * i]), "a key that is not a word");
    }
    if (status == 0 && count > 1)
        qsort(keys, count, sizeof *keys, by_key_then_place);
    for (size_t i = 1; i < count && status == 0; i++)
        if (strcmp(keys[i - 1].key, keys[i].key) == 0)
            status = error_at(error, value_place(file, keys[i].value),
                              "key '%s' a second time: first in line %u", keys[i].key,
                              value_place(file, keys[i - 1].value).line);
    free(keys);
    return status;
}

/* {N:64} is a key "N:64" without a value. */
static int check_colons(const struct yaml_file *file, const unsigned *held, size_t count,
                        struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct yaml_value *value = &file->tree.values[held[2 * i + 1]];
        if (value->kind != YAML_SCALAR || value->count > 0)
            continue;
        const char *key = text_of(file, held[2 * i]), *colon = strchr(key, ':');
        if (colon)
            return error_at(error, value_place(file, held[2 * i]),
                            "'%.60s' has no value: expected a blank behind the colon, %.*s: %.60s",
                            key, (int)(colon - key < 60 ? colon - key : 60), key, colon + 1);
    }
    return 0;
}

static int check_all_keys(const struct yaml_file *file, struct error *error)
{
    const struct yaml_tree *tree = &file->tree;
    for (size_t i = 0; i < tree->count; i++) {
        const struct yaml_value *map = &tree->values[i];
        if (map->kind != YAML_MAP || map->count == 0)
            continue;
        const unsigned *held = tree->held + map->at;
        if (!are_keys_good(file, held, map->count) &&
            check_keys(file, held, map->count, error) != 0)
            return -1;
        if (check_colons(file, held, map->count, error) != 0)
            return -1;
    }
    return 0;
}

/* ---- open and close ---- */

int yaml_open_text(struct yaml_file **opened, const char *name, const char *text, size_t bytes,
                   struct error *error)
{
    struct yaml_file *file = memory_new(1, sizeof *file);
    file->name = memory_copy_text(name);
    if (read_events(file, text, bytes, error) != 0 || check_all_keys(file, error) != 0) {
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
    const int status = yaml_open_text(opened, input_name(path), text, bytes, error);
    free(text);
    return status;
}

void yaml_close(struct yaml_file *file)
{
    if (!file)
        return;
    yaml_tree_free(&file->tree);
    free(file->name);
    free(file);
}

/* ---- looking around ---- */

static const struct yaml_value *value_of(struct yaml_node node)
{
    return &node.file->tree.values[node.index];
}

struct yaml_node yaml_root(const struct yaml_file *file)
{
    return (struct yaml_node){file, 0};
}

enum yaml_kind yaml_kind(struct yaml_node node)
{
    return value_of(node)->kind;
}

struct place yaml_place(struct yaml_node node)
{
    return value_place(node.file, node.index);
}

const char *yaml_kind_name(enum yaml_kind kind)
{
    static const char *const names[] = {"a single value", "a list", "a map"};
    return names[kind];
}

const char *yaml_text(struct yaml_node scalar)
{
    return text_of(scalar.file, scalar.index);
}

size_t yaml_count(struct yaml_node node)
{
    return value_of(node)->count;
}

static struct yaml_node held(struct yaml_node node, size_t at)
{
    return (struct yaml_node){node.file, node.file->tree.held[value_of(node)->at + at]};
}

struct yaml_node yaml_item(struct yaml_node list, size_t at)
{
    return held(list, at);
}

struct yaml_node yaml_key(struct yaml_node map, size_t at)
{
    return held(map, 2 * at);
}

struct yaml_node yaml_value(struct yaml_node map, size_t at)
{
    return held(map, 2 * at + 1);
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

int yaml_bytes(struct yaml_node node, double *value, struct error *error)
{
    if (yaml_expect(node, YAML_SCALAR, error) != 0)
        return -1;
    const char *text = yaml_text(node);
    if (number_parse_bytes(text, value))
        return 0;
    return error_at(error, yaml_place(node), "'%.60s' is %s", text, number_wrong(text));
}
