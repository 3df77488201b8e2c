#include "model/tables/addition.h"

#include "model/base/allocation.h"
#include "model/cost/pattern.h"
#include "model/fit/points.h"

#include <stdlib.h>
#include <string.h>

/* ---- what was added before ---- */

/* The names of a list "a, b" that are not among the things; NULL: none. */
static char *without(const char *list, const struct things *things)
{
    char *copy = memory_copy_text(list), *rest = NULL, *state = NULL;
    for (char *name = strtok_r(copy, ", ", &state); name; name = strtok_r(NULL, ", ", &state)) {
        if (things_have(things, name))
            continue;
        char *longer = rest ? memory_format("%s, %s", rest, name) : memory_copy_text(name);
        free(rest);
        rest = longer;
    }
    free(copy);
    return rest;
}

static void forget_replaced(struct list *added, const struct things *measured)
{
    struct addition *rows = added->items;
    size_t kept = 0;
    for (size_t i = 0; i < added->count; i++) {
        char *what = without(rows[i].what, measured);
        if (what) {
            free(rows[i].what);
            rows[i].what = what;
            rows[kept++] = rows[i];
        } else {
            record_free(&addition_record, &rows[i]);
        }
    }
    added->count = kept;
}

static void note_addition(struct machine *into, struct machine *now, const struct things *measured)
{
    forget_replaced(&into->machine.added, measured);
    struct addition *row = list_add(&addition_record, &into->machine.added);
    row->what = things_text(measured, (size_t)-1);
    row->measured = now->machine.measured;
    now->machine.measured = NULL;
}

/* ---- what is missing ---- */

/* "swap of 8192 bytes" is missing of swap. */
static bool is_about(const struct not_measured *row, const struct things *things)
{
    if (strcmp(row->what, "eager_upto_bytes") == 0)
        return things_have(things, pattern_point_to_point.name);
    for (size_t i = 0; i < things->count; i++) {
        const size_t length = strlen(things->names[i]);
        if (strncmp(row->what, things->names[i], length) == 0 &&
            (row->what[length] == '\0' || row->what[length] == ' '))
            return true;
    }
    return false;
}

static void forget_missing(struct list *rows, const struct things *things)
{
    struct not_measured *items = rows->items;
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (is_about(&items[i], things))
            record_free(&not_measured_record, &items[i]);
        else
            items[kept++] = items[i];
    rows->count = kept;
}

/* Moves the items of one list to the end of the other. */
static void move_all(const struct record *record, struct list *into, struct list *from)
{
    for (size_t i = 0; i < from->count; i++)
        memcpy(list_add(record, into), (char *)from->items + i * record->size, record->size);
    free(from->items);
    *from = (struct list){0};
}

/* What now lacks and *into has is not missing. */
static void add_missing(struct machine *into, struct machine *now, const struct things *measured)
{
    struct things before = things_of(into), lacking = before;
    lacking.count = 0;
    forget_missing(&into->not_measured, measured);
    for (size_t i = 0; i < before.count; i++)
        if (!things_have(measured, before.names[i]))
            lacking.names[lacking.count++] = before.names[i];
    forget_missing(&now->not_measured, &lacking);
    move_all(&not_measured_record, &into->not_measured, &now->not_measured);
    things_free(&lacking);
}

/* ---- what was measured ---- */

static struct cost *cost_named(const struct list *costs, const char *name)
{
    struct cost *items = costs->items;
    for (size_t i = 0; i < costs->count; i++)
        if (strcmp(items[i].utility, name) == 0)
            return &items[i];
    return NULL;
}

static void add_costs(struct list *into, struct list *now)
{
    struct cost *costs = now->items;
    for (size_t i = 0; i < now->count; i++) {
        struct cost *place = cost_named(into, costs[i].utility);
        if (place) {
            in_situ_keep(&costs[i].in_situ, &place->in_situ);
            record_free(&cost_record, place);
        } else
            place = list_add(&cost_record, into);
        *place = costs[i];
    }
    free(now->items);
    *now = (struct list){0};
}

static void swap_lists(struct list *into, struct list *now)
{
    const struct list before = *into;
    if (now->count == 0)
        return;
    *into = *now;
    *now = before;
}

/* Those of before are no longer told of, whether they had been read or not. */
static void swap_experiments(struct machine *into, struct machine *now)
{
    swap_lists(&into->swap, &now->swap);
    const struct list before = into->swap_rows;
    into->swap_rows = now->swap_rows;
    now->swap_rows = before;
}

#define SWAP_POINTERS(into, now)                                                                   \
    do {                                                                                           \
        void *const before = (into);                                                               \
        (into) = (now);                                                                            \
        (now) = before;                                                                            \
    } while (0)

static bool has_flags(const struct node *node, const char *flags)
{
    const struct compilation *items = node->compilations.items;
    for (size_t i = 0; i < node->compilations.count; i++)
        if (strcmp(items[i].flags, flags) == 0)
            return true;
    return false;
}

/* Those with flags that the later one has not. */
static void keep_compilations(struct node *now, struct node *before)
{
    struct compilation *items = before->compilations.items;
    size_t left = 0;
    for (size_t i = 0; i < before->compilations.count; i++)
        if (has_flags(now, items[i].flags))
            items[left++] = items[i];
        else
            *(struct compilation *)list_add(&compilation_record, &now->compilations) = items[i];
    before->compilations.count = left;
}

/* Of another launch, whose states have other numbers. */
static void forget_states(struct machine *now)
{
    struct cost *costs = now->communication.items;
    for (size_t i = 0; i < now->communication.count; i++)
        list_free(&state_factor_record, &costs[i].states);
}

void addition_make(struct machine *into, struct machine *now)
{
    struct things measured = things_of(now);
    add_missing(into, now, &measured);
    note_addition(into, now, &measured);
    forget_states(now);
    things_free(&measured);
    add_costs(&into->communication, &now->communication);
    if (now->swap.count > 0)
        swap_experiments(into, now);
    swap_lists(&into->overlap, &now->overlap);
    move_all(&description_record, &into->machine.described, &now->machine.described);
    if (now->node) {
        SWAP_POINTERS(into->node, now->node);
        if (now->node)
            keep_compilations(into->node, now->node);
    }
    if (now->memory)
        SWAP_POINTERS(into->memory, now->memory);
    if (now->logp)
        SWAP_POINTERS(into->logp, now->logp);
    if (!into->topology)
        SWAP_POINTERS(into->topology, now->topology);
    if (into->start_up.count == 0)
        swap_lists(&into->start_up, &now->start_up);
    if (into->first_touch.count == 0)
        swap_lists(&into->first_touch, &now->first_touch);
    if (now->waiting.count > 0)
        swap_lists(&into->waiting, &now->waiting);
    if (!into->noise)
        SWAP_POINTERS(into->noise, now->noise);
}

/* ---- their points ---- */

static bool has_name(const struct point *points, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(points[i].utility, name) == 0)
            return true;
    return false;
}

void addition_of_points(struct list *into, const struct list *now, const struct things *measured)
{
    struct point *before = into->items;
    const struct point *points = now->items;
    size_t kept = 0;
    for (size_t i = 0; i < into->count; i++)
        if (!things_have_point(measured, before[i].utility))
            before[kept++] = before[i];
    into->count = kept;
    for (size_t i = 0; i < now->count; i++)
        if (things_have_point(measured, points[i].utility) ||
            !has_name(into->items, kept, points[i].utility))
            *(struct point *)list_add(&point_record, into) = points[i];
}
