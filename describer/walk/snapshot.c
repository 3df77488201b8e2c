#include "describer/walk/evaluate.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

struct snapshot {
    struct binding *bindings;
    int nodes, children;
    struct outline *body;
    struct part *part;
    const struct loop *loop;
    int segments, messages;
    struct message open[MESSAGES_MOST];
};

static size_t binding_count(const struct describer *describer)
{
    return (size_t)describer->source->declaration_count + MEMBERS_MOST;
}

struct snapshot *snapshot_take(const struct describer *describer)
{
    struct snapshot *snapshot = memory_new(1, sizeof *snapshot);
    const size_t count = binding_count(describer);
    snapshot->bindings = memory_new(count, sizeof *snapshot->bindings);
    memcpy(snapshot->bindings, describer->bindings, count * sizeof *snapshot->bindings);
    snapshot->nodes = describer->graph.count;
    snapshot->body = describer->body;
    snapshot->children = describer->body->count;
    snapshot->part = describer->part;
    snapshot->loop = describer->loop;
    snapshot->segments = describer->segment_count;
    snapshot->messages = describer->message_count;
    memcpy(snapshot->open, describer->messages, sizeof snapshot->open);
    return snapshot;
}

void snapshot_restore(struct describer *describer, const struct snapshot *snapshot)
{
    memcpy(describer->bindings, snapshot->bindings,
           binding_count(describer) * sizeof *snapshot->bindings);
    graph_cut(&describer->graph, snapshot->nodes);
    describer->body = snapshot->body;
    describer->body->count = snapshot->children;
    describer->part = snapshot->part;
    describer->loop = snapshot->loop;
    describer->segment_count = snapshot->segments;
    describer->message_count = snapshot->messages;
    memcpy(describer->messages, snapshot->open, sizeof snapshot->open);
}

const struct binding *snapshot_binding(const struct snapshot *snapshot, int id)
{
    return &snapshot->bindings[id];
}

void snapshot_free(struct snapshot *snapshot)
{
    free(snapshot->bindings);
    free(snapshot);
}
