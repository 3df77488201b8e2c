#include "estimator/report/texts.h"

#include "estimator/output/json.h"
#include "model/base/allocation.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Fowler, Noll and Vo's FNV-1a of 64 bits. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = 14695981039346656037u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

/* The slot that has the text, or is free for it. */
static size_t *slot_of(const struct texts *texts, const char *text)
{
    size_t at = hash_of(text) & (texts->slot_count - 1);
    while (texts->slots[at] > 0 && strcmp(texts->items[texts->slots[at] - 1], text) != 0)
        at = (at + 1) & (texts->slot_count - 1);
    return &texts->slots[at];
}

/* Twice as many slots as texts, a power of two, so that free ones are near. */
static void make_room(struct texts *texts)
{
    if (texts->count < texts->room)
        return;
    texts->room = texts->room ? 2 * texts->room : 64;
    texts->items = memory_grow(texts->items, texts->room, sizeof *texts->items);
    texts->slot_count = 2 * texts->room;
    free(texts->slots);
    texts->slots = memory_new(texts->slot_count, sizeof *texts->slots);
    for (size_t i = 0; i < texts->count; i++)
        *slot_of(texts, texts->items[i]) = i + 1;
}

size_t texts_number(struct texts *texts, const char *text)
{
    make_room(texts);
    size_t *slot = slot_of(texts, text);
    if (*slot == 0) {
        texts->items[texts->count++] = memory_copy_text(text);
        *slot = texts->count;
    }
    return *slot - 1;
}

void texts_write(const struct texts *texts, FILE *json)
{
    putc('[', json);
    for (size_t i = 0; i < texts->count; i++) {
        fputs(i > 0 ? ",\n" : "", json);
        json_text(json, texts->items[i]);
    }
    putc(']', json);
}

void texts_free(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
    free(texts->slots);
    *texts = (struct texts){0};
}
