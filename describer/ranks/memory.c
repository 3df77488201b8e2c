#include "describer/ranks/run.h"

#include <math.h>
#include <string.h>

struct object *object_new(struct run *run)
{
    return arena_take(run->describer->arena, 1, sizeof(struct object));
}

struct cell cell_number(double number)
{
    return (struct cell){.kind = CELL_NUMBER, .number = number};
}

struct cell cell_unknown(const char *why)
{
    return (struct cell){.kind = CELL_UNKNOWN, .why = why};
}

struct cell cell_pointer(struct object *object, double offset)
{
    return (struct cell){.kind = CELL_POINTER, .object = object, .offset = offset};
}

struct cell cell_own(double number)
{
    return (struct cell){.kind = CELL_NUMBER, .number = number, .is_own = true};
}

struct cell cell_formed(struct run *run, polynomial form, double number)
{
    (void)run;
    return (struct cell){.kind = CELL_NUMBER, .number = number, .form = form};
}

polynomial cell_form(struct run *run, const struct cell *cell)
{
    if (cell->kind != CELL_NUMBER || cell->is_floating || cell->is_own)
        return NULL;
    return cell->form ? cell->form : polynomial_constant(&run->describer->algebra, cell->number);
}

static struct slot *slot_at(const struct object *object, double offset)
{
    unsigned at = (unsigned)(long long)(offset * 4) * 2654435761u;
    for (;; at++) {
        struct slot *slot = &object->slots[at & (unsigned)(object->room - 1)];
        if (!slot->is_taken || slot->offset == offset)
            return slot;
    }
}

long object_written(const struct object *object, double offset)
{
    if (!object || isnan(offset) || !object->room)
        return -1;
    const struct slot *slot = slot_at(object, offset);
    return slot->is_taken ? slot->written : -1;
}

struct cell object_read(const struct object *object, double offset)
{
    if (!object)
        return cell_unknown("a null pointer is followed");
    if (isnan(offset))
        return cell_unknown("an element whose subscript is not known");
    if (object->room) {
        const struct slot *slot = slot_at(object, offset);
        if (slot->is_taken)
            return slot->cell;
    }
    if (object->is_zero && !object->is_lost)
        return cell_number(0);
    return cell_unknown(!object->is_lost ? "what nothing has set"
                        : object->why    ? object->why
                                         : "what is set in a way that is not followed");
}

void object_lose(struct object *object, const char *why)
{
    if (!object)
        return;
    object->is_lost = true;
    object->why = why;
    object->text = NULL;
    for (int i = 0; i < object->room; i++)
        object->slots[i].is_taken = false;
    object->count = 0;
}

void object_write(struct run *run, struct object *object, double offset, struct cell cell)
{
    if (!object || isnan(offset)) {
        object_lose(object, NULL);
        return;
    }
    if (2 * object->count >= object->room) {
        struct slot *before = object->slots;
        const int room = object->room;
        object->room = room ? 4 * room : 2;
        object->slots =
            arena_take(run->describer->arena, (size_t)object->room, sizeof *object->slots);
        for (int i = 0; i < room; i++)
            if (before[i].is_taken)
                *slot_at(object, before[i].offset) = before[i];
    }
    struct slot *slot = slot_at(object, offset);
    object->count += !slot->is_taken;
    object->text = NULL;
    *slot = (struct slot){.offset = offset, .is_taken = true, .written = run->steps, .cell = cell};
}
