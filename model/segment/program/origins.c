#include "model/segment/program/origins.h"

#include "model/base/allocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value of the document, in the order of the text. */
struct origin {
    unsigned line, column;
    char *file; /* owned; NULL: not told */
    unsigned source_line;
};

struct origins {
    struct origin *items;
    size_t count, room;
    bool any;
};

/* ---- FILE:LINE ---- */

/* The length of FILE in FILE:LINE, and the line; 0 where the text is none. */
static size_t split(const char *text, unsigned *line)
{
    const char *colon = strrchr(text, ':');
    const size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    if (digits == 0 || digits > 9 || colon[1 + digits] != '\0' || colon == text)
        return 0;
    *line = (unsigned)strtoul(colon + 1, NULL, 10);
    return *line > 0 ? (size_t)(colon - text) : 0;
}

int origins_check_at(struct yaml_node value, void *member, struct error *error)
{
    unsigned line;
    (void)member;
    if (yaml_expect(value, YAML_SCALAR, error) != 0)
        return -1;
    return split(yaml_text(value), &line) > 0
               ? 0
               : error_at(error, yaml_place(value), "'%.60s': expected FILE:LINE",
                          yaml_text(value));
}

int origins_check_places(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++)
        if (origins_check_at(yaml_value(value, i), member, error) != 0)
            return -1;
    return 0;
}

/* ---- making ---- */

/* What holds for the values within a map: the texts of its keys, NULL: not told. */
struct told {
    const char *at;
    struct yaml_node places;
    bool has_places;
};

static struct told told_in(struct yaml_node map, struct told outer)
{
    struct told told = outer;
    for (size_t i = 0; i < yaml_count(map); i++) {
        const char *key = yaml_text(yaml_key(map, i));
        const struct yaml_node value = yaml_value(map, i);
        if (strcmp(key, "at") == 0 && yaml_kind(value) == YAML_SCALAR) {
            told = (struct told){.at = yaml_text(value)};
        } else if (strcmp(key, "places") == 0 && yaml_kind(value) == YAML_MAP) {
            told.places = value;
            told.has_places = true;
        }
    }
    return told;
}

/* A reference has a place of its own where it is told. */
static const char *at_of(struct yaml_node value, const struct told *told)
{
    for (size_t i = 0;
         told->has_places && yaml_kind(value) == YAML_SCALAR && i < yaml_count(told->places); i++) {
        const struct yaml_node at = yaml_value(told->places, i);
        if (yaml_kind(at) == YAML_SCALAR &&
            strcmp(yaml_text(yaml_key(told->places, i)), yaml_text(value)) == 0)
            return yaml_text(at);
    }
    return told->at;
}

static void add(struct origins *origins, struct yaml_node value, const struct told *told)
{
    const struct place place = yaml_place(value);
    const char *at = at_of(value, told);
    struct origin origin = {.line = place.line, .column = place.column};
    const size_t length = at ? split(at, &origin.source_line) : 0;
    if (length > 0)
        origin.file = memory_format("%.*s", (int)length, at);
    if (origins->count == origins->room) {
        origins->room = origins->room ? 2 * origins->room : 256;
        origins->items = memory_grow(origins->items, origins->room, sizeof origin);
    }
    origins->items[origins->count++] = origin;
    origins->any |= length > 0;
}

/* A document is nested to YAML_DEPTH_MOST at most. */
static void walk(struct origins *origins, struct yaml_node value, struct told told)
{
    const enum yaml_kind kind = yaml_kind(value);
    if (kind == YAML_MAP)
        told = told_in(value, told);
    add(origins, value, &told);
    for (size_t i = 0; kind != YAML_SCALAR && i < yaml_count(value); i++)
        if (kind == YAML_LIST) {
            walk(origins, yaml_item(value, i), told);
        } else {
            add(origins, yaml_key(value, i), &told);
            walk(origins, yaml_value(value, i), told);
        }
}

struct origins *origins_make(struct yaml_node root)
{
    struct origins *origins = memory_new(1, sizeof *origins);
    walk(origins, root, (struct told){0});
    if (origins->any)
        return origins;
    origins_free(origins);
    return NULL;
}

void origins_free(struct origins *origins)
{
    if (!origins)
        return;
    for (size_t i = 0; i < origins->count; i++)
        free(origins->items[i].file);
    free(origins->items);
    free(origins);
}

/* ---- asking ---- */

static bool is_behind(const struct origin *origin, struct place place)
{
    return origin->line > place.line ||
           (origin->line == place.line && origin->column > place.column);
}

/* The last value that begins there or before: a map begins where its first key does. */
bool origins_find(const struct origins *origins, struct place place, struct place *source)
{
    size_t from = 0, to = origins ? origins->count : 0;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (is_behind(&origins->items[middle], place))
            to = middle;
        else
            from = middle + 1;
    }
    const struct origin *found = from > 0 ? &origins->items[from - 1] : NULL;
    if (!found || !found->file)
        return false;
    *source = place_at(found->file, found->source_line, 0);
    return true;
}

/* Whether the list has the item, whole. */
static bool has_item(const char *list, const char *item)
{
    const size_t length = strlen(item);
    for (const char *at = list; (at = strstr(at, item)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return true;
    return false;
}

void origins_list(const struct origins *origins, struct place place, char *text, size_t size)
{
    struct place source;
    const size_t used = strlen(text);
    if (!origins_find(origins, place, &source))
        return;
    char *item = memory_format("%s:%u", source.file, source.line);
    if (!has_item(text, item) && used + strlen(item) + 2 < size)
        snprintf(text + used, size - used, "%s%s", used ? ", " : "", item);
    free(item);
}
