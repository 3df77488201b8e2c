#include "describer/walk/segments.h"

#include "describer/walk/jumps.h"
#include "describer/walk/messages.h"
#include "describer/walk/relays.h"

#include <math.h>
#include <string.h>

/* The sum of a over all values of the loop's index; NULL: it has no simple form. */
static polynomial summed(struct describer *describer, polynomial a, const struct loop *loop)
{
    struct algebra *algebra = &describer->algebra;
    polynomial trips =
        polynomial_plus(algebra, polynomial_sum(algebra, loop->last, loop->first, -1), 1);
    polynomial slope = polynomial_coefficient(algebra, a, loop->index);
    polynomial rest = polynomial_product(algebra, polynomial_rest(algebra, a, loop->index), trips);
    if (slope->count == 0)
        return rest;
    if (polynomial_has(slope, loop->index))
        return NULL;
    polynomial ends =
        polynomial_product(algebra, polynomial_sum(algebra, loop->first, loop->last, 1), trips);
    return polynomial_sum(algebra, rest, polynomial_product(algebra, slope, ends), 0.5);
}

/* A size that grows with the index of a loop around the call is the mean over all iterations: what
   calls a description has are all of one size. NULL: it has no simple form. */
static polynomial mean_over_loops(struct describer *describer, const struct outline *call)
{
    struct algebra *algebra = &describer->algebra;
    polynomial mean = call->size, total = call->size, count = polynomial_constant(algebra, 1);
    bool is_even = true; /* loops within run as often in each iteration of those around */
    double middle;
    for (const struct outline *up = call->up; up; up = up->up) {
        const struct loop *loop = up->kind == OUTLINE_LOOP ? up->loop : NULL;
        if (!loop)
            continue;
        is_even = is_even && !polynomial_has(count, loop->index);
        total = total ? summed(describer, total, loop) : NULL;
        count = count ? summed(describer, count, loop) : NULL;
        if (mean && polynomial_has(mean, loop->index)) {
            polynomial slope = polynomial_coefficient(algebra, mean, loop->index);
            mean = polynomial_has(slope, loop->index)
                       ? NULL
                       : polynomial_sum(algebra, polynomial_rest(algebra, mean, loop->index),
                                        polynomial_product(
                                            algebra, slope,
                                            polynomial_sum(algebra, loop->first, loop->last, 1)),
                                        0.5);
        }
        if (!count)
            return NULL;
    }
    if (is_even && mean && !polynomial_has_index(mean))
        return mean;
    if (!total || polynomial_has_index(total) || polynomial_has_index(count))
        return NULL;
    if (polynomial_is_constant(count, &middle) && middle > 0)
        return polynomial_scaled(algebra, total, 1 / middle);
    polynomial_use(total);
    polynomial_use(count);
    return polynomial_symbol(
        algebra, symbol_derived(&describer->symbols, "mean",
                                arena_format(describer->arena, "(%s) / max(%s, 1)",
                                             polynomial_text(algebra, total, " "),
                                             polynomial_text(algebra, count, " ")),
                                polynomial_value(total) / fmax(1, polynomial_value(count))));
}

static void take_means(struct describer *describer, struct outline *outline)
{
    if (outline->kind == OUTLINE_CALL && outline->size && polynomial_has_index(outline->size)) {
        polynomial mean = mean_over_loops(describer, outline);
        if (!mean) {
            describer_fail(describer, outline->place,
                           "how much is sent here changes between iterations of the loops around "
                           "it, and its mean is not found: `ignore` the statement, and say what is "
                           "sent: #pragma forecost call point-to-point bytes(E) repeat(N)");
            return;
        }
        polynomial_use(mean);
        outline->size = mean;
        outline->bytes = polynomial_text(&describer->algebra, mean, " ");
        outline->remark =
            arena_format(describer->arena, "%s%sall as large as their mean",
                         outline->remark ? outline->remark : "", outline->remark ? ": " : "");
    }
    for (int i = 0; i < outline->count && !describer->has_failed; i++)
        take_means(describer, outline->children[i]);
}

void segments_take_means(struct describer *describer)
{
    for (int i = 0; i < describer->segment_count && !describer->has_failed; i++)
        take_means(describer, &describer->segments[i]->root);
}

/* How often the loops around run, unless `program repeat` says it of all segments together. */
static void set_repeat(struct describer *describer, struct segment *segment)
{
    struct algebra *algebra = &describer->algebra;
    double number;
    segment->count = polynomial_constant(algebra, 1);
    for (int i = 0; i < describer->directives.count; i++)
        if (describer->directives.items[i].word == WORD_PROGRAM)
            return;
    segment->probability = describer->probability;
    for (const struct loop *loop = describer->loop; loop && segment->count; loop = loop->up)
        segment->count = summed(describer, segment->count, loop);
    if (!segment->count || polynomial_has_rank(segment->count))
        describer_fail(describer, segment->place,
                       "how often this segment runs is not known: say so: #pragma forecost segment "
                       "NAME repeat(N)");
    else if (polynomial_is_constant(segment->count, &number) && number <= 0)
        segment->count = polynomial_constant(algebra, 0);
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
    segment->name = strcmp(name, "all") ? name : "all_"; /* all segments are called so */
    segment->place = place;
    set_repeat(describer, segment);
    describer->segments[describer->segment_count++] = segment;
    return segment;
}

/* What depends on the index of a loop around a segment is no longer known in it: a number is a
   parameter, a pointer keeps its array. */
void segment_forget_indices(struct describer *describer)
{
    struct algebra *algebra = &describer->algebra;
    for (int i = 0; i < describer->source->declaration_count + describer->member_count; i++) {
        struct binding *binding = &describer->bindings[i];
        struct value *value = &binding->value;
        for (const struct loop *loop = describer->loop; loop; loop = loop->up)
            if (value->kind == VALUE_INDEX && polynomial_has(value->index, loop->index))
                *binding = (struct binding){.origin = arena_format(describer->arena,
                                                                   "changes in the loop at line %u "
                                                                   "around the segment",
                                                                   loop->place.line),
                                            .place = loop->place};
            else if (value->kind == VALUE_ELEMENT && value->offset)
                value->offset = polynomial_rest(algebra, value->offset, loop->index);
    }
}

/* Behind the segment they are known again, unless it assigns them. */
void segment_remember_indices(struct describer *describer, const struct snapshot *before,
                              const struct syntax *syntax)
{
    struct assigned_list list = {.count = 0};
    assigned_in(describer, syntax, &list);
    for (int i = 0; i < describer->source->declaration_count + describer->member_count; i++) {
        struct binding *binding = &describer->bindings[i];
        const struct value *value = &snapshot_binding(before, i)->value;
        polynomial index = value->kind == VALUE_INDEX     ? value->index
                           : value->kind == VALUE_ELEMENT ? value->offset
                                                          : NULL;
        bool is_of_loop = false;
        for (const struct loop *loop = describer->loop; loop && index; loop = loop->up)
            is_of_loop = is_of_loop || polynomial_has(index, loop->index);
        for (int k = 0; k < list.count && is_of_loop; k++)
            is_of_loop = list.items[k].binding != binding;
        if (is_of_loop)
            *binding = *snapshot_binding(before, i);
    }
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
    segment->origin = describer->origin;
    segment->way = 0;
    for (int i = 0; i < describer->entered; i++)
        segment->way = way_through(segment->way, describer->calls[i]);
    describer->is_by_rank = false;
    describer->busiest = (struct busiest){0};
    const struct loop *loop = describer->loop, *function_loop = describer->function_loop;
    const struct jumping outside = jumping_enter(describer, false);
    struct snapshot *before = snapshot_take(describer);
    segment_forget_indices(describer);
    describer->loop = describer->function_loop = NULL;
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
    describer->loop = loop;
    describer->function_loop = function_loop;
    segment_remember_indices(describer, before, syntax);
    snapshot_free(before);
    jumping_leave(describer, &outside);
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
    segment->repeat = repeat;
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

void segment_of_statement(struct describer *describer, const struct syntax *syntax)
{
    struct segment *segment = new_segment(describer, describer->function->name, syntax->place);
    segment->is_function = true;
    record(describer, segment, syntax);
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
        /* Where its first statement is met again, the function is called once more. */
        if (!scop->segment || syntax->begin == scop->first) {
            scop->segment = new_segment(describer, describer->function->name, scop->place);
            scop->segment->region = scop;
            scop->first = syntax->begin;
        }
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
    segment->repeat = repeat;
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
        if (directive->word == WORD_CALL && is_here && directive->file == syntax->file &&
            syntax->kind != SYNTAX_VARIABLE)
            segment_call(describer, directive);
    }
}

/* A directive that begins a segment, or that is one. */
static bool marks_segment(const struct directive *directive)
{
    return !directive->function && (directive->word == WORD_SEGMENT ||
                                    directive->word == WORD_SCOP || directive->word == WORD_CALL);
}

static bool stands_within(const struct directive *directive, const struct syntax *syntax)
{
    if (!marks_segment(directive) || directive->file != syntax->file)
        return false;
    return directive->line > 0
               ? directive->line >= syntax->place.line && directive->line <= syntax->end_line
               : directive->begin >= syntax->begin && directive->begin < syntax->end;
}

bool segment_needs_repeat(const struct describer *describer, const struct syntax *syntax)
{
    for (int i = 0; i < describer->directives.count; i++)
        if (stands_within(&describer->directives.items[i], syntax) &&
            !directive_clause(&describer->directives.items[i], "repeat"))
            return true;
    return false;
}

void segment_pass(struct describer *describer, const struct syntax *syntax)
{
    for (int i = 0; i < describer->directives.count; i++) {
        struct directive *directive = &describer->directives.items[i];
        if (directive->file == syntax->file && directive->line == 0 &&
            directive->begin >= syntax->begin && directive->begin < syntax->end)
            directive->is_used = true;
    }
    if (segment_within(describer, syntax))
        describer_remark(describer, syntax->place,
                         "this way is never taken: what is described in it is left out");
}

bool segment_within(const struct describer *describer, const struct syntax *syntax)
{
    for (int i = 0; i < describer->directives.count; i++)
        if (stands_within(&describer->directives.items[i], syntax))
            return true;
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
