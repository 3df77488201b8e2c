#include "model/segment/traffic/message.h"

#include <math.h>
#include <stdio.h>

const struct record message_record = {
    .name = "a message", .size = sizeof(struct message), .place_offset = NO_PLACE};

char *reads_print(const struct reads *reads, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < reads->count && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                 reads->references[k]->text->text);
    return text;
}

static bool same_nest(const struct nest *a, const struct nest *b)
{
    return a->depth == b->depth && nest_common(a, b) == a->depth;
}

/* Whether two homes put every iteration on the same processors. */
static bool homes_agree(const struct reference *a, const struct reference *b,
                        const struct layout *layout, const struct program *program)
{
    if (!a || !b)
        return a == b;
    return array_layout_same(layout_of(layout, program, a->array),
                             layout_of(layout, program, b->array)) &&
           reference_same_subscripts(a, b);
}

bool message_same_places(const struct message *a, const struct message *b,
                         const struct layout *layout)
{
    return same_nest(&a->reader->nest, &b->reader->nest) &&
           homes_agree(a->home, b->home, layout, a->reader->nest.program);
}

static bool has(const struct reads *reads, const struct reference *reference)
{
    for (size_t k = 0; k < reads->count; k++)
        if (reference_same_subscripts(reads->references[k], reference))
            return true;
    return false;
}

/* What is read of an earlier iteration is there for all statements that read it. */
static bool is_there(const struct message *message, const struct message *other)
{
    return message->carried && other->carried && has(&message->reads, other->reads.references[0]);
}

static bool joins(const struct message *message, const struct message *other,
                  const struct layout *layout)
{
    return message->depth == other->depth && message->reads.count < READS_MOST &&
           (message->reader == other->reader || message->depth < message->reader->nest.depth ||
            is_there(message, other)) &&
           message_same_places(message, other, layout) &&
           reads_agree(&message->reads, other->reads.references[0]);
}

static void add_read(struct list *messages, const struct message *read, const struct layout *layout)
{
    struct message *known = messages->items;
    for (size_t i = 0; i < messages->count; i++)
        if (joins(&known[i], read, layout)) {
            known[i].carried |= read->carried;
            if (read->apart > 0.0)
                known[i].apart =
                    known[i].apart > 0.0 ? fmin(known[i].apart, read->apart) : read->apart;
            if (!has(&known[i].reads, read->reads.references[0]))
                known[i].reads.references[known[i].reads.count++] = read->reads.references[0];
            return;
        }
    *(struct message *)list_add(&message_record, messages) = *read;
}

void messages_make(struct list *messages, const struct list *instances, const struct layout *layout,
                   const struct program *program)
{
    const struct instance *all = instances->items;
    for (size_t i = 0; i < instances->count; i++)
        for (size_t k = 0; k < all[i].read_count; k++) {
            if (all[i].placements[k].is_brought)
                continue;
            struct message read = {
                .reader = &all[i],
                .home = all[i].has_home ? &all[i].home : NULL,
                .reads = {
                          .array = all[i].reads[k].array, .count = 1, .references = {&all[i].reads[k]}}
            };
            read.lies = layout_of(layout, program, all[i].reads[k].array);
            read.depth = all[i].placements[k].depth;
            read.carried = all[i].placements[k].carried;
            read.apart = all[i].placements[k].apart;
            add_read(messages, &read, layout);
        }
}

/* ---- what needs no message ---- */

static bool same_element(const struct affine *a, double a_offset, const struct affine *b,
                         double b_offset)
{
    return affine_parallel(a, b) && a->constant + a_offset == b->constant + b_offset;
}

static bool is_at_home(const struct message *message, const struct reference *read,
                       const struct layout *layout, const struct program *program)
{
    const struct reference *home = message->home;
    const struct array_layout *lies = message->lies;
    const struct array_layout *runs = layout_of(layout, program, home->array);
    for (int d = 0; d < lies->dimensions; d++) {
        const struct distribution *data = &lies->along[d];
        if (data->grid_dimension < 0)
            continue;
        const int h = array_layout_along(runs, data->grid_dimension);
        if (h < 0 || layout->beyond[data->grid_dimension] > 0.0 ||
            runs->along[h].block != data->block ||
            !same_element(&read->subscripts[d], data->offset, &home->subscripts[h],
                          runs->along[h].offset))
            return false;
    }
    return true;
}

struct reads message_reads_elsewhere(const struct message *message, const struct layout *layout,
                                     const struct program *program)
{
    if (!message->home)
        return message->reads;
    struct reads elsewhere = {.array = message->reads.array};
    for (size_t k = 0; k < message->reads.count; k++)
        if (!is_at_home(message, message->reads.references[k], layout, program))
            elsewhere.references[elsewhere.count++] = message->reads.references[k];
    return elsewhere;
}

bool message_is_local(const struct message *message, const struct layout *layout,
                      const struct program *program)
{
    return message->reads.count == 1 &&
           message_reads_elsewhere(message, layout, program).count == 0;
}

bool message_goes_on(const struct message *message, int loop)
{
    return message->carried && message->apart == 0.0 && loop == message->depth - 1;
}

/* ---- around a periodic array ---- */

bool message_goes_around(const struct message *message)
{
    for (size_t k = 0; k < message->reads.count; k++)
        if (message->reads.references[k]->wraps)
            return true;
    return false;
}

int message_goes_too_far(const struct message *message, struct error *error)
{
    const struct reference *read = message->reads.references[0];
    return error_at(error, program_place(message->reader->nest.program, read->text->place),
                    "'%.60s' goes around %s: expected loops that bound no other, each in one "
                    "subscript, and no writes that it depends on",
                    read->text->text, read->array->name);
}

int messages_check_around(const struct list *messages, struct error *error)
{
    const struct message *all = messages->items;
    for (size_t i = 0; i < messages->count; i++)
        if (all[i].depth > 0 && message_goes_around(&all[i]))
            return message_goes_too_far(&all[i], error);
    return 0;
}
