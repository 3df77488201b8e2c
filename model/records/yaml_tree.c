#include "model/records/yaml_tree.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* Of a column, which is less than YAML_BYTES_MOST. */
#define YAML_COLUMN 0x3fffffffu

static void *with_room(void *items, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return items;
    while (*room < needed)
        *room = *room ? 2 * *room : 64;
    return memory_grow(items, *room, size);
}

static void add(struct yaml_tree *tree, struct yaml_value value)
{
    tree->values = with_room(tree->values, &tree->room, tree->count + 1, sizeof *tree->values);
    tree->waiting = with_room(tree->waiting, &tree->waiting_room, tree->waiting_count + 1,
                              sizeof *tree->waiting);
    tree->waiting[tree->waiting_count++] = (unsigned)tree->count;
    tree->values[tree->count++] = value;
}

void yaml_tree_scalar(struct yaml_tree *tree, unsigned line, unsigned column, const char *text,
                      size_t length)
{
    const size_t at = tree->text_bytes;
    tree->texts = with_room(tree->texts, &tree->text_room, at + length + 1, 1);
    memcpy(tree->texts + at, text, length);
    tree->texts[at + length] = '\0';
    tree->text_bytes += length + 1;
    add(tree, (struct yaml_value){line, YAML_SCALAR, column & YAML_COLUMN, (unsigned)at,
                                  (unsigned)length});
}

void yaml_tree_open(struct yaml_tree *tree, enum yaml_kind kind, unsigned line, unsigned column)
{
    add(tree, (struct yaml_value){.line = line, .kind = kind & 3u, .column = column & YAML_COLUMN});
    tree->open[tree->depth].value = tree->count - 1;
    tree->open[tree->depth++].first = tree->waiting_count;
}

void yaml_tree_close(struct yaml_tree *tree)
{
    const size_t first = tree->open[--tree->depth].first;
    const size_t count = tree->waiting_count - first;
    struct yaml_value *value = &tree->values[tree->open[tree->depth].value];
    tree->held =
        with_room(tree->held, &tree->held_room, tree->held_count + count + 1, sizeof *tree->held);
    memcpy(tree->held + tree->held_count, tree->waiting + first, count * sizeof *tree->held);
    value->at = (unsigned)tree->held_count;
    value->count = (unsigned)(value->kind == YAML_MAP ? count / 2 : count);
    tree->held_count += count;
    tree->waiting_count = first;
}

void yaml_tree_free(struct yaml_tree *tree)
{
    free(tree->values);
    free(tree->texts);
    free(tree->held);
    free(tree->waiting);
    *tree = (struct yaml_tree){0};
}
