#include "describer/walk/segments.h"

#include "describer/walk/messages.h"
#include "describer/walk/relays.h"

#include <string.h>

/* How often the loops around run, unless `program repeat` says it of all segments together. */
static const char *around(const struct describer *describer)
{
    for (int i = 0; i < describer->directives.count; i++)
        if (describer->directives.items[i].word == WORD_PROGRAM)
            return NULL;
    return describer->around;
}

static struct segment *new_segment(struct describer *describer, const char *name,
                                   struct place place)
{
    if (describer->segment_count == describer->segment_room) {
        describer->segment_room = describer->segment_room ? 2 * describer->segment_room : 8;
        struct segment **all =
            arena_take(describer->arena, (size_t)describer->segment_room, sizeof(struct segment *));
        if (describer->segment_count)
            memcpy(all, describer->segments, (size_t)describer->segment_count * sizeof *all);
        describer->segments = all;
    }
    struct segment *segment = arena_take(describer->arena, 1, sizeof *segment);
    const char *unique = strcmp(name, "all") ? name : "all_"; /* all segments are called so */
    for (int i = 2, j = 0; j < describer->segment_count; j++)
        if (!strcmp(describer->segments[j]->name, unique)) {
            unique = arena_format(describer->arena, "%s-%d", name, i++);
            j = -1;
        }
    segment->name = unique;
    segment->place = place;
    segment->repeat = around(describer);
    describer->segments[describer->segment_count++] = segment;
    return segment;
}

/* Goes through a statement as a segment. */
static void record(struct describer *describer, struct segment *segment,
                   const struct syntax *syntax)
{
    struct outline *body = describer->body;
    const int first = segment->root.count;
    const bool is_by_rank = describer->is_by_rank;
    segment->syntax = segment->function ? NULL : syntax;
    segment->function = describer->function;
    describer->is_by_rank = false;
    describer->body = &segment->root;
    describer->part = NULL;
    describer->is_recording = true;
    execute(describer, syntax);
    if (!describer->has_failed)
        messages_flush(describer);
    if (!describer->has_failed)
        relays_find(describer, &segment->root, first);
    describer->is_recording = false;
    segment->is_by_rank = segment->is_by_rank || describer->is_by_rank;
    describer->is_by_rank = is_by_rank;
    describer->body = body;
    describer->part = NULL;
}

void segment_begin(struct describer *describer, struct directive *directive,
                   const struct syntax *syntax)
{
    struct segment *segment = new_segment(describer, directive->name, directive->place);
    directive->is_used = true;
    segment->directive = directive;
    const char *repeat = directive_clause(directive, "repeat");
    segment->repeat = repeat ? repeat : around(describer);
    record(describer, segment, syntax);
}

void segment_of_function(struct describer *describer, const struct function *function,
                         struct directive *directive)
{
    if (directive) {
        segment_begin(describer, directive, function->body);
        return;
    }
    struct segment *segment = new_segment(describer, function->name, function->place);
    segment->is_function = true;
    record(describer, segment, function->body);
    describer->has_returned = false;
}

/* Where the region that begins with a scop ends. */
static size_t end_of_region(const struct describer *describer, const struct directive *scop)
{
    for (int i = 0; i < describer->directives.count; i++) {
        const struct directive *directive = &describer->directives.items[i];
        if (directive->word == WORD_ENDSCOP && directive->file == scop->file &&
            directive->begin > scop->begin)
            return directive->begin;
    }
    return (size_t)-1;
}

bool segment_in_region(struct describer *describer, const struct syntax *syntax)
{
    for (int i = 0; i < describer->directives.count; i++) {
        struct directive *scop = &describer->directives.items[i];
        if (scop->word != WORD_SCOP || scop->file != syntax->file || syntax->begin < scop->begin ||
            syntax->end > end_of_region(describer, scop))
            continue;
        if (!scop->segment)
            scop->segment = new_segment(describer, describer->function->name, scop->place);
        scop->is_used = true;
        record(describer, scop->segment, syntax);
        return true;
    }
    return false;
}

void segment_call(struct describer *describer, struct directive *directive)
{
    const char *name = directive_clause(directive, "segment");
    const char *bytes = directive_clause(directive, "bytes");
    const char *repeat = directive_clause(directive, "repeat");
    directive->is_used = true;
    if (!bytes)
        describer_fail(describer, directive->place, "how many bytes? call %s bytes(8)",
                       directive->name);
    struct segment *segment =
        new_segment(describer, name ? name : directive->name, directive->place);
    segment->repeat = repeat ? repeat : around(describer);
    struct outline *body = describer->body;
    describer->body = &segment->root;
    describer->here = directive->place;
    messages_add(describer, directive->name, bytes, directive_clause(directive, "processors"));
    describer->body = body;
}

void segment_calls(struct describer *describer, const struct syntax *syntax)
{
    for (int i = 0; i < describer->directives.count; i++) {
        struct directive *directive = &describer->directives.items[i];
        const bool is_here = directive->line > 0 ? directive->line == syntax->place.line
                                                 : directive->next == syntax->begin;
        if (directive->word == WORD_CALL && !directive->is_used && is_here &&
            directive->file == syntax->file)
            segment_call(describer, directive);
    }
}

/* A directive that begins a segment, or that is one. */
static bool marks_segment(const struct directive *directive)
{
    return !directive->function && (directive->word == WORD_SEGMENT ||
                                    directive->word == WORD_SCOP || directive->word == WORD_CALL);
}

bool segment_within(const struct describer *describer, const struct syntax *syntax)
{
    for (int i = 0; i < describer->directives.count; i++) {
        const struct directive *directive = &describer->directives.items[i];
        if (!marks_segment(directive) || directive->file != syntax->file)
            continue;
        if (directive->line > 0
                ? directive->line >= syntax->place.line && directive->line <= syntax->end_line
                : directive->begin >= syntax->begin && directive->begin < syntax->end)
            return true;
    }
    return false;
}

struct directive *segment_directive_of(struct describer *describer, const struct function *function)
{
    for (int i = 0; i < describer->directives.count; i++) {
        struct directive *directive = &describer->directives.items[i];
        if (directive->word == WORD_SEGMENT && directive->function &&
            directive->file == function->file && !strcmp(directive->function, function->name))
            return directive;
    }
    return NULL;
}

bool segment_in_function(struct describer *describer, const struct function *function)
{
    return segment_directive_of(describer, function) || segment_within(describer, function->body);
}
