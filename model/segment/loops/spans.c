#include "model/segment/loops/spans.h"

#include "model/base/allocation.h"

#include <stdlib.h>

/* The first span of the key. */
static size_t *head_of(struct spans *spans, const uint64_t key[2])
{
    const size_t before = spans->keys.count;
    const size_t number = lookup_add(&spans->keys, key, 2);
    if (number == spans->heads_room) {
        spans->heads_room = spans->heads_room ? 2 * spans->heads_room : 64;
        spans->heads = memory_grow(spans->heads, spans->heads_room, sizeof *spans->heads);
    }
    if (number == before)
        spans->heads[number] = 0;
    return &spans->heads[number];
}

static size_t new_item(struct spans *spans)
{
    if (spans->count == spans->room) {
        spans->room = spans->room ? 2 * spans->room : 64;
        spans->items = memory_grow(spans->items, spans->room, sizeof *spans->items);
    }
    return ++spans->count;
}

/* Whether one goes on where the other ends, or within it. */
static bool touches(struct span a, struct span b)
{
    return a.first <= b.last + 1 && b.first <= a.last + 1;
}

void spans_add(struct spans *spans, const uint64_t key[2], struct span span,
               void (*take)(void *taker, struct span fresh), void *taker)
{
    size_t *head = head_of(spans, key);
    size_t before = 0, at = *head, joined = 0;
    struct span all = span;
    uint64_t from = span.first; /* what is before was shown, or known */
    while (at && spans->items[at - 1].span.last + 1 < span.first) {
        before = at;
        at = spans->items[at - 1].next;
    }
    for (; at && touches(spans->items[at - 1].span, span); at = spans->items[at - 1].next) {
        const struct span known = spans->items[at - 1].span;
        if (known.first > from)
            take(taker, (struct span){from, known.first - 1});
        from = known.last + 1 > from ? known.last + 1 : from;
        all.first = known.first < all.first ? known.first : all.first;
        all.last = known.last > all.last ? known.last : all.last;
        joined = at;
    }
    if (from <= span.last)
        take(taker, (struct span){from, span.last});
    if (!joined)
        joined = new_item(spans);
    spans->items[joined - 1] = (struct spans_item){all, at};
    *(before ? &spans->items[before - 1].next : head) = joined;
}

void spans_free(struct spans *spans)
{
    lookup_free(&spans->keys);
    free(spans->items);
    free(spans->heads);
    *spans = (struct spans){0};
}
