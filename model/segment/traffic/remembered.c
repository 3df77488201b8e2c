#include "model/segment/traffic/remembered.h"

#include "model/base/allocation.h"
#include "model/segment/traffic/demand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* When there are more uses, or items, all are forgotten: 100 MB or so. */
static const size_t uses_most = 200000, items_most = 500000;

/* ---- keys ---- */

static void push_word(struct remembered_key *key, uint64_t word)
{
    if (key->count < REMEMBERED_WORDS)
        key->words[key->count] = word;
    key->count++;
}

static void push_number(struct remembered_key *key, double number)
{
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    push_word(key, word);
}

/* What is the same thing lies at the same place, as long as the subject lives. */
static void push_thing(struct remembered_key *key, const void *thing)
{
    push_word(key, (uint64_t)(uintptr_t)thing);
}

static void push_lies(struct remembered_key *key, const struct array_layout *lies)
{
    push_word(key, (uint64_t)lies->dimensions);
    for (int d = 0; d < lies->dimensions; d++) {
        const struct distribution *along = &lies->along[d];
        push_number(key, lies->extent[d]);
        push_number(key, (double)along->grid_dimension);
        push_number(key, along->elements);
        push_number(key, along->processors);
        push_number(key, along->block);
        push_number(key, along->offset);
    }
}

static void push_reference(struct remembered_key *key, const struct reference *reference, int depth)
{
    push_thing(key, reference->array);
    push_thing(key, reference->text);
    push_word(key, (uint64_t)reference->dimensions);
    for (int d = 0; d < reference->dimensions; d++) {
        push_number(key, reference->subscripts[d].constant);
        for (int l = 0; l < depth; l++)
            push_number(key, reference->subscripts[d].by[l]);
    }
}

/* What is derived; of which instance. */
static void begin(struct remembered_key *key, const char *what, const struct instance *instance)
{
    key->count = 0;
    push_thing(key, what);
    push_thing(key, instance->statement);
    push_thing(key, instance->call);
}

static void push_home(struct remembered_key *key, const struct reference *home,
                      const struct instance *instance, const struct layout *layout)
{
    push_thing(key, home ? home->array : NULL);
    if (!home)
        return;
    push_reference(key, home, instance->nest.depth);
    push_lies(key, layout_of(layout, instance->nest.program, home->array));
}

void remembered_message(struct remembered_key *key, const struct message *message,
                        const char *prefix, const struct layout *layout)
{
    const struct instance *reader = message->reader;
    begin(key, prefix, reader);
    push_word(key, (uint64_t)message->depth);
    push_word(key, message->carried);
    push_number(key, message->apart);
    push_home(key, message->home, reader, layout);
    push_lies(key, message->lies);
    for (size_t k = 0; k < message->reads.count; k++)
        push_reference(key, message->reads.references[k], reader->nest.depth);
}

void remembered_reduction(struct remembered_key *key, const struct instance *instance,
                          const struct layout *layout)
{
    static const char reduction[] = "reduction";
    begin(key, reduction, instance);
    push_home(key, instance->has_home ? &instance->home : NULL, instance, layout);
    push_lies(key, layout_of(layout, instance->nest.program, instance->writes.array));
}

void remembered_work(struct remembered_key *key, const struct instance *instance,
                     const struct waits *waits, const struct layout *layout)
{
    static const char work[] = "work";
    begin(key, work, instance);
    push_word(key, (uint64_t)waits->depth);
    push_number(key, waits->together);
    push_home(key, instance->has_home ? &instance->home : NULL, instance, layout);
}

/* ---- items ---- */

static void make_room(struct remembered *it)
{
    if (it->keys.count < it->room)
        return;
    it->room = it->room ? 2 * it->room : 64;
    it->items = memory_grow(it->items, it->room, sizeof *it->items);
}

static struct remembered_item *find(struct remembered *it, const struct remembered_key *key)
{
    if (key->count > REMEMBERED_WORDS)
        return NULL;
    if (it->uses > uses_most || it->keys.count > items_most)
        remembered_free(it);
    make_room(it);
    const size_t before = it->keys.count;
    const size_t number = lookup_add(&it->keys, key->words, key->count);
    if (number == before)
        it->items[number] = (struct remembered_item){0};
    return &it->items[number];
}

static double left_of(const struct effort *effort)
{
    return effort ? effort->left : INFINITY;
}

struct recollection remembered_begin(struct remembered *it, const struct remembered_key *key,
                                     struct effort *effort, struct analysis *analysis)
{
    struct recollection begun = {.remembered = it,
                                 .item = find(it, key),
                                 .effort = effort,
                                 .left = left_of(effort),
                                 .analysis = analysis,
                                 .first = analysis->demands.count};
    begun.known = begun.item && begun.item->known && begun.left >= begun.item->steps;
    if (begun.known)
        effort_take(effort, begun.item->steps);
    return begun;
}

void remembered_add(const struct recollection *begun)
{
    const struct demand *demands = begun->remembered->demands.demands.items;
    for (size_t i = 0; i < begun->item->count; i++)
        demand_add_copy(begun->analysis, &demands[begun->item->first + i]);
}

void remembered_end(const struct recollection *begun, int status)
{
    struct remembered *it = begun->remembered;
    struct remembered_item *item = begun->item;
    const struct demand *demands = begun->analysis->demands.items;
    if (!item || status != 0)
        return;
    item->known = true;
    item->steps = begun->effort ? begun->left - begun->effort->left : 0.0;
    item->first = it->demands.demands.count;
    item->count = begun->analysis->demands.count - begun->first;
    for (size_t i = begun->first; i < begun->analysis->demands.count; i++) {
        demand_add_copy(&it->demands, &demands[i]);
        it->uses += 1 + demands[i].uses.count;
    }
}

void remembered_free(struct remembered *it)
{
    lookup_free(&it->keys);
    free(it->items);
    demands_free(&it->demands.demands);
    *it = (struct remembered){0};
}
