#include "describer/write/references.h"

#include "model/base/allocation.h"

static void add(struct references *references, const struct array *array,
                struct reference *reference)
{
    if (reference->array != array)
        return;
    if (references->count == references->room) {
        references->room = references->room ? 2 * references->room : 64;
        references->items =
            memory_grow(references->items, (size_t)references->room, sizeof *references->items);
    }
    references->items[references->count++] = reference;
}

static void add_written(struct outline *outline, const struct array *array,
                        struct references *references)
{
    for (int i = 0; outline->part && i < outline->part->statement_count; i++)
        add(references, array, &outline->part->statements[i].to);
    for (int i = 0; i < outline->count; i++)
        add_written(outline->children[i], array, references);
}

void references_find(struct describer *describer, const struct array *array,
                     struct references *references)
{
    *references = (struct references){0};
    for (int i = 0; i < describer->graph.count; i++) {
        struct node *node = &describer->graph.nodes[i];
        if (node->kind == NODE_LOAD || node->kind == NODE_FORWARD)
            add(references, array, &node->reference);
        if (node->is_stored)
            add(references, array, &node->stored_as);
    }
    for (int i = 0; i < describer->segment_count; i++)
        add_written(&describer->segments[i]->root, array, references);
}
