#include "recorder/stream.h"

#include "model/base/allocation.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* constant: nodes of a loop's body, at most: 512 nodes
   a limit of effort: each call is compared with so many before it, 0.3 us. One iteration of the NAS
   benchmark MG, the longest seen, has 300 nodes; a longer body is kept once an iteration. */
enum { BODY_MOST = 512 };

struct stream_body {
    uint64_t hash;
    uint32_t length;
    uint64_t *counts; /* owned; of its nodes */
    uint32_t *kinds;  /* owned */
    bool *are_loops;  /* owned */
};

static bool is_same(const struct stream_node *a, const struct stream_node *b)
{
    return a->kind == b->kind && a->count == b->count && !a->length == !b->length;
}

static bool are_same(const struct stream_node *a, const struct stream_node *b, size_t count)
{
    for (size_t i = count; i-- > 0;)
        if (!is_same(&a[i], &b[i]))
            return false;
    return true;
}

/* ---- bodies, each kept once ---- */

static uint64_t hash_of(const struct stream_node *nodes, size_t length)
{
    const uint64_t prime = 1099511628211u;
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ nodes[i].kind) * prime;
        hash = (hash ^ nodes[i].count) * prime;
        hash = (hash ^ (nodes[i].length > 0)) * prime;
    }
    return hash ^ hash >> 29;
}

static bool is_body(const struct stream_body *body, const struct stream_node *nodes, size_t length)
{
    bool is = body->length == length;
    for (size_t i = 0; i < length && is; i++)
        is = body->kinds[i] == nodes[i].kind && body->counts[i] == nodes[i].count &&
             body->are_loops[i] == (nodes[i].length > 0);
    return is;
}

static void make_table(struct stream *stream)
{
    free(stream->table);
    stream->table_room = stream->table_room ? 2 * stream->table_room : 256;
    stream->table = memory_new(stream->table_room, sizeof *stream->table);
    for (size_t i = 0; i < stream->body_count; i++) {
        size_t at = stream->bodies[i].hash % stream->table_room;
        while (stream->table[at])
            at = (at + 1) % stream->table_room;
        stream->table[at] = (uint32_t)i + 1;
    }
}

/* The number of the body that these nodes are. */
static uint32_t body_number(struct stream *stream, const struct stream_node *nodes, size_t length)
{
    const uint64_t hash = hash_of(nodes, length);
    if (2 * stream->body_count >= stream->table_room)
        make_table(stream);
    size_t at = hash % stream->table_room;
    for (; stream->table[at]; at = (at + 1) % stream->table_room) {
        const struct stream_body *known = &stream->bodies[stream->table[at] - 1];
        if (known->hash == hash && is_body(known, nodes, length))
            return stream->table[at] - 1;
    }
    if (stream->body_count == stream->body_room) {
        stream->body_room = stream->body_room ? 2 * stream->body_room : 64;
        stream->bodies = memory_grow(stream->bodies, stream->body_room, sizeof *stream->bodies);
    }
    struct stream_body *body = &stream->bodies[stream->body_count++];
    *body = (struct stream_body){.hash = hash,
                                 .length = (uint32_t)length,
                                 .counts = memory_new(length, sizeof *body->counts),
                                 .kinds = memory_new(length, sizeof *body->kinds),
                                 .are_loops = memory_new(length, sizeof *body->are_loops)};
    for (size_t i = 0; i < length; i++) {
        body->counts[i] = nodes[i].count;
        body->kinds[i] = nodes[i].kind;
        body->are_loops[i] = nodes[i].length > 0;
    }
    stream->table[at] = (uint32_t)stream->body_count;
    return (uint32_t)stream->body_count - 1;
}

/* ---- folding ---- */

static void free_node(struct stream_node *node)
{
    for (size_t i = 0; i < node->length; i++)
        free_node(&node->body[i]);
    free(node->body);
}

/* Adds the times of the one to the other, which is the same but for these, and frees it. */
static void merge(struct stream_node *into, struct stream_node *from)
{
    into->us += from->us;
    for (size_t i = 0; i < into->length; i++)
        merge(&into->body[i], &from->body[i]);
    free(from->body);
}

/* The last nodes are one more iteration of the loop before them. */
static bool join_loop(struct stream *stream, size_t length)
{
    struct stream_node *last = &stream->nodes[stream->count - length], *loop = last - 1;
    if (stream->count <= length || loop->length != length || !are_same(loop->body, last, length))
        return false;
    for (size_t i = 0; i < length; i++)
        merge(&loop->body[i], &last[i]);
    loop->count++;
    stream->count -= length;
    return true;
}

/* The last nodes are the same as those before them: a loop begins. */
static bool begin_loop(struct stream *stream, size_t length)
{
    struct stream_node *last = &stream->nodes[stream->count - length], *first = last - length;
    if (stream->count < 2 * length || !are_same(first, last, length))
        return false;
    struct stream_node loop = {
        .length = (uint32_t)length, .count = 2, .body = memory_new(length, sizeof *loop.body)};
    for (size_t i = 0; i < length; i++)
        merge(&first[i], &last[i]);
    memcpy(loop.body, first, length * sizeof *loop.body);
    loop.kind = body_number(stream, loop.body, length);
    *first = loop;
    stream->count -= 2 * length - 1;
    return true;
}

static bool fold(struct stream *stream)
{
    for (size_t length = 1; length <= BODY_MOST && length < stream->count; length++)
        if (join_loop(stream, length) || begin_loop(stream, length))
            return true;
    return false;
}

void stream_add(struct stream *stream, uint32_t kind, double us)
{
    if (stream->count == stream->room) {
        stream->room = stream->room ? stream->room + stream->room / 2 : 256;
        stream->nodes = memory_grow(stream->nodes, stream->room, sizeof *stream->nodes);
    }
    stream->nodes[stream->count++] = (struct stream_node){.kind = kind, .count = 1, .us = us};
    while (fold(stream))
        ;
}

/* ---- out ---- */

static void write_nodes(const struct stream_node *nodes, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i].length > 0) {
            fprintf(out, "(%" PRIu64 " ", nodes[i].count);
            write_nodes(nodes[i].body, nodes[i].length, out);
            fputs(") ", out);
        } else {
            fprintf(out, "%" PRIu32 ":%.4g ", nodes[i].kind, nodes[i].us);
        }
}

void stream_write(const struct stream *stream, FILE *out)
{
    write_nodes(stream->nodes, stream->count, out);
}

void stream_free(struct stream *stream)
{
    for (size_t i = 0; i < stream->count; i++)
        free_node(&stream->nodes[i]);
    for (size_t i = 0; i < stream->body_count; i++) {
        free(stream->bodies[i].counts);
        free(stream->bodies[i].kinds);
        free(stream->bodies[i].are_loops);
    }
    free(stream->nodes);
    free(stream->bodies);
    free(stream->table);
    *stream = (struct stream){0};
}
