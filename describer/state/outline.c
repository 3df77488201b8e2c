#include "describer/state/outline.h"

#include <string.h>

struct outline *outline_add(struct arena *arena, struct outline *outline, enum outline_kind kind)
{
    if (outline->count == outline->room) {
        outline->room = outline->room ? 2 * outline->room : 8;
        struct outline **children =
            arena_take(arena, (size_t)outline->room, sizeof(struct outline *));
        if (outline->count)
            memcpy(children, outline->children, (size_t)outline->count * sizeof *children);
        outline->children = children;
    }
    struct outline *child = arena_take(arena, 1, sizeof *child);
    child->kind = kind;
    child->up = outline;
    outline->children[outline->count++] = child;
    return child;
}
