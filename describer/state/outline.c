#include "describer/state/outline.h"

#include <string.h>

static void make_room(struct arena *arena, struct outline *outline)
{
    if (outline->count < outline->room)
        return;
    outline->room = outline->room ? 2 * outline->room : 8;
    struct outline **children = arena_take(arena, (size_t)outline->room, sizeof(struct outline *));
    if (outline->count)
        memcpy(children, outline->children, (size_t)outline->count * sizeof *children);
    outline->children = children;
}

struct outline *outline_add(struct arena *arena, struct outline *outline, enum outline_kind kind)
{
    make_room(arena, outline);
    struct outline *child = arena_take(arena, 1, sizeof *child);
    child->kind = kind;
    child->up = outline;
    outline->children[outline->count++] = child;
    return child;
}

void outline_insert(struct arena *arena, struct outline *outline, int at, struct outline *child)
{
    make_room(arena, outline);
    memmove(&outline->children[at + 1], &outline->children[at],
            (size_t)(outline->count - at) * sizeof *outline->children);
    child->up = outline;
    outline->children[at] = child;
    outline->count++;
}
