#include "describer/write/write.h"

#include "describer/count/copies.h"
#include "describer/count/privates.h"
#include "describer/count/results.h"
#include "describer/count/scalars.h"
#include "describer/write/references.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

enum { LOOPS_MOST = 20 };

void write_pair(struct writer *writer, const char *key, const char *text)
{
    yaml_out_key(writer->out, key);
    yaml_out_text(writer->out, text);
}

const char *write_text_of(struct writer *writer, polynomial a)
{
    polynomial_use(a);
    return polynomial_text(&writer->describer->algebra, a, " ");
}

static bool is_empty(struct writer *writer, const struct outline *outline)
{
    if (outline->kind == OUTLINE_CALL)
        return false;
    if (outline->kind == OUTLINE_AGAIN)
        return is_empty(writer, outline->again);
    if (outline->part && !part_is_empty(writer->describer, outline->part))
        return false;
    for (int i = 0; i < outline->count; i++)
        if (!is_empty(writer, outline->children[i]))
            return false;
    return true;
}

static void write_children(struct writer *writer, const struct outline *outline);

/* Whether it has statements alone, which run as often as one another. */
static bool is_innermost(const struct outline *loop)
{
    for (int i = 0; i < loop->count; i++)
        if (loop->children[i]->kind != OUTLINE_PART)
            return false;
    return loop->count > 0;
}

void write_loop_head(struct writer *writer, const struct loop *loop)
{
    yaml_out_map(writer->out, false);
    yaml_out_key(writer->out, "loop");
    yaml_out_map(writer->out, true);
    yaml_out_key(writer->out, loop->index->name);
    yaml_out_list(writer->out, true);
    yaml_out_text(writer->out, write_text_of(writer, loop->first));
    yaml_out_text(writer->out, write_text_of(writer, loop->last));
    yaml_out_list_end(writer->out);
    yaml_out_map_end(writer->out);
    yaml_out_key(writer->out, "body");
}

static void write_loop(struct writer *writer, const struct outline *outline)
{
    const struct loop *loop = outline->loop;
    write_starts(writer, loop);
    if (outline->remark)
        yaml_out_remark(writer->out, outline->remark);
    write_loop_head(writer, loop);
    writer->is_innermost = is_innermost(outline);
    if (writer->codes && loop->capture && writer->is_innermost)
        writer->code = loop_code_add(writer->describer, writer->codes, loop);
    write_children(writer, outline);
    writer->code = NULL;
    writer->is_innermost = false;
    yaml_out_map_end(writer->out);
}

static void write_branch(struct writer *writer, const struct outline *outline)
{
    yaml_out_map(writer->out, false);
    yaml_out_key(writer->out, "branch");
    yaml_out_list(writer->out, false);
    for (int i = 0; i < outline->count; i++) {
        const struct outline *way = outline->children[i];
        if (is_empty(writer, way))
            continue;
        yaml_out_map(writer->out, false);
        write_pair(writer, "probability", way->probability);
        yaml_out_key(writer->out, "body");
        write_children(writer, way);
        yaml_out_map_end(writer->out);
    }
    yaml_out_list_end(writer->out);
    yaml_out_map_end(writer->out);
}

const char *write_place(struct writer *writer, struct place place)
{
    const char *base = strrchr(place.file, '/');
    return arena_format(writer->describer->arena, "%s:%u", base ? base + 1 : place.file,
                        place.line);
}

void write_at(struct writer *writer, struct place place)
{
    if (writer->has_places && place.file && place.line > 0)
        write_pair(writer, "at", write_place(writer, place));
}

static void write_call(struct writer *writer, const struct outline *outline)
{
    if (outline->remark)
        yaml_out_remark(writer->out, outline->remark);
    yaml_out_map(writer->out, false);
    yaml_out_key(writer->out, "call");
    yaml_out_map(writer->out, true);
    write_pair(writer, "utility", outline->utility);
    write_pair(writer, "bytes", outline->bytes);
    if (outline->processors)
        write_pair(writer, "processors", outline->processors);
    write_at(writer, outline->place);
    yaml_out_map_end(writer->out);
    yaml_out_map_end(writer->out);
}

static void write_child(struct writer *writer, const struct outline *outline)
{
    switch (outline->kind) {
    case OUTLINE_LOOP:
        write_loop(writer, outline);
        break;
    case OUTLINE_BRANCH:
        write_branch(writer, outline);
        break;
    case OUTLINE_CALL:
        write_call(writer, outline);
        break;
    case OUTLINE_PART:
        write_part(writer, outline->part);
        break;
    case OUTLINE_AGAIN:
        write_child(writer, outline->again);
        break;
    default:
        write_children(writer, outline);
    }
}

static void write_children(struct writer *writer, const struct outline *outline)
{
    if (++writer->depth > LOOPS_MOST)
        describer_fail(writer->describer, outline->place, "loops and branches more than %d deep",
                       LOOPS_MOST);
    yaml_out_list(writer->out, false);
    for (int i = 0; i < outline->count && !writer->describer->has_failed; i++)
        if (!is_empty(writer, outline->children[i]))
            write_child(writer, outline->children[i]);
    yaml_out_list_end(writer->out);
    writer->depth--;
}

/* {load: 0.125}, or auto and none as they are. */
static void write_misses(struct writer *writer, const char *text)
{
    yaml_out_key(writer->out, "misses");
    if (!strchr(text, ':')) {
        yaml_out_text(writer->out, text);
        return;
    }
    yaml_out_map(writer->out, true);
    for (const char **part = text_split(writer->describer->arena, text, ','); *part; part++) {
        const size_t length = strcspn(*part, ": "); /* clang-format writes "load : 0.1" */
        const char *value = *part + strcspn(*part, ":");
        write_pair(writer, arena_copy(writer->describer->arena, *part, length),
                   *value ? value + 1 + strspn(value + 1, " ") : "");
    }
    yaml_out_map_end(writer->out);
}

/* clang-format writes "in - turn". */
static const char *without_blanks(struct writer *writer, const char *text)
{
    char *word = arena_copy(writer->describer->arena, text, strlen(text)), *end = word;
    for (; *text; text++)
        if (*text != ' ')
            *end++ = *text;
    *end = '\0';
    return word;
}

/* How often the loops around a segment run, if that is not once. */
static const char *repeat_of(struct writer *writer, const struct segment *segment)
{
    struct algebra *algebra = &writer->describer->algebra;
    polynomial always = polynomial_constant(algebra, 0);
    const char *sometimes = NULL;
    double number;
    for (; segment; segment = segment->again) {
        if (!segment->probability) {
            always = polynomial_sum(algebra, always, segment->count, 1);
            continue;
        }
        const char *count = arena_format(algebra->arena, "(%s) * (%s)", segment->probability,
                                         write_text_of(writer, segment->count));
        sometimes = sometimes ? arena_format(algebra->arena, "%s + %s", sometimes, count) : count;
    }
    if (!sometimes)
        return polynomial_is_constant(always, &number) && number == 1
                   ? NULL
                   : write_text_of(writer, always);
    return always->count == 0
               ? sometimes
               : arena_format(algebra->arena, "%s + %s", write_text_of(writer, always), sometimes);
}

static void write_segment(struct writer *writer, const struct segment *segment)
{
    const struct directive *directive = segment->directive;
    writer->segment = segment;
    writer->name_count = 0;
    yaml_out_map(writer->out, false);
    write_pair(writer, "segment", segment->name);
    const char *repeat = segment->repeat ? segment->repeat : repeat_of(writer, segment);
    if (repeat)
        write_pair(writer, "repeat", repeat);
    if (directive && directive_has(directive, "overlap"))
        write_pair(writer, "overlap", "true");
    if (directive && directive_clause(directive, "corners"))
        write_pair(writer, "corners", directive_clause(directive, "corners"));
    if (directive && directive_clause(directive, "exchange"))
        write_pair(writer, "exchange",
                   without_blanks(writer, directive_clause(directive, "exchange")));
    if (directive && directive_clause(directive, "misses"))
        write_misses(writer, directive_clause(directive, "misses"));
    yaml_out_key(writer->out, "body");
    write_children(writer, &segment->root);
    yaml_out_map_end(writer->out);
}

/* What a segment is, but for its name and how often it runs. */
static char *segment_text(struct writer *writer, const struct segment *segment)
{
    char *text = NULL;
    size_t size = 0;
    struct yaml_out *out = writer->out;
    struct loop_codes *codes = writer->codes;
    FILE *stream = memory_stream(&text, &size);
    writer->out = yaml_out_begin(stream);
    writer->codes = NULL;
    writer->segment = segment;
    writer->name_count = 0;
    write_children(writer, &segment->root);
    yaml_out_end(writer->out);
    writer->out = out;
    writer->codes = codes;
    memory_stream_end(stream);
    return text;
}

/* What a program does in several places, the same with the same arrays, is one segment: it runs as
   often as all of them together. Others of one name are told apart by numbers. */
static void join_segments(struct writer *writer)
{
    struct describer *describer = writer->describer;
    const size_t count = (size_t)describer->segment_count;
    char **texts = memory_new(count + 1, sizeof *texts);
    for (int i = 0; i < describer->segment_count; i++) {
        struct segment *segment = describer->segments[i];
        if (is_empty(writer, &segment->root) || describer->has_failed)
            continue;
        const char *name = segment->name;
        int number = 2;
        for (int k = 0; k < i; k++) {
            struct segment *other = describer->segments[k];
            if (!texts[k] || other->is_joined || strcmp(other->name, segment->name) != 0)
                continue;
            if (!texts[i])
                texts[i] = segment_text(writer, segment);
            const bool is_same =
                other->directive == segment->directive && other->region == segment->region &&
                other->place.line == segment->place.line && !strcmp(texts[k], texts[i]);
            if (is_same) {
                while (other->again)
                    other = other->again;
                other->again = segment;
                segment->is_joined = true;
                break;
            }
            segment->name = arena_format(describer->arena, "%s-%d", name, number++);
            k = -1;
        }
        if (!texts[i])
            texts[i] = segment_text(writer, segment);
    }
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

/* Segments that do something; functions that nobody marked may do nothing. */
static void write_program(struct writer *writer)
{
    struct describer *describer = writer->describer;
    int count = 0;
    join_segments(writer);
    yaml_out_key(writer->out, "program");
    yaml_out_list(writer->out, false);
    for (int i = 0; i < describer->segment_count && !describer->has_failed; i++) {
        const struct segment *segment = describer->segments[i];
        if (segment->is_joined)
            continue;
        if (!is_empty(writer, &segment->root)) {
            write_segment(writer, segment);
            count++;
        } else if (!segment->is_function)
            describer_fail(describer, segment->place,
                           "segment %s assigns no element of an array in a loop: put the directive "
                           "before a loop that does",
                           segment->name);
    }
    yaml_out_list_end(writer->out);
    if (count == 0)
        describer_fail(
            describer, place_at(describer->source->files[0], 0, 0),
            "nothing to describe: no loop computes, and nothing is sent; if one does that "
            "is missed here, put #pragma forecost segment NAME before it");
}

/* All parameters without a value in one error: where each comes from, and how to give them. */
static void check_parameters(struct describer *describer)
{
    struct arena *arena = describer->arena;
    const struct symbol *first = NULL;
    const char *reasons = "", *given = "", *listed = "";
    int count = 0;
    for (int i = 0; i < describer->symbols.count; i++) {
        const struct symbol *symbol = describer->symbols.items[i];
        if (symbol->kind != SYMBOL_PARAMETER || !symbol->is_used || symbol->has_value)
            continue;
        const char *base = symbol->place.file ? strrchr(symbol->place.file, '/') : NULL;
        const char *place =
            !first || !symbol->place.file
                ? ""
                : arena_format(arena, " (%s:%u)", base ? base + 1 : symbol->place.file,
                               symbol->place.line);
        reasons = arena_format(arena, "%s%s%s %s%s", reasons, first ? "; " : "", symbol->name,
                               symbol->origin ? symbol->origin : "has no value", place);
        given = arena_format(arena, "%s -D %s=1000", given, symbol->name);
        listed = arena_format(arena, "%s%s%s = 1000", listed, first ? ", " : "", symbol->name);
        first = first ? first : symbol;
        count++;
    }
    if (first)
        describer_fail(describer, first->place,
                       "%s: give %s with%s, or #pragma forecost parameters(%s)", reasons,
                       count > 1 ? "them" : "it", given, listed);
}

static void write_names(struct writer *writer, enum symbol_kind kind, const char *key)
{
    struct symbols *symbols = &writer->describer->symbols;
    bool is_begun = false;
    for (int i = 0; i < symbols->count; i++) {
        const struct symbol *symbol = symbols->items[i];
        /* What -D gives a value stays a parameter, where the source names it for something else. */
        if (symbol->kind != kind || !(symbol->is_used || (symbol->is_defined && symbol->is_met)))
            continue;
        if (!is_begun) {
            yaml_out_key(writer->out, key);
            yaml_out_map(writer->out, true);
            is_begun = true;
        }
        yaml_out_key(writer->out, symbol->name);
        if (kind == SYMBOL_PARAMETER)
            yaml_out_number(writer->out, symbol->value);
        else
            yaml_out_text(writer->out, symbol->definition);
    }
    if (is_begun)
        yaml_out_map_end(writer->out);
}

static void write_head(struct writer *writer, const char *const *files)
{
    const char *base = strrchr(files[0], '/');
    yaml_out_key(writer->out, "forecost-segment");
    yaml_out_number(writer->out, 1);
    write_pair(writer, "title", base ? base + 1 : files[0]);
    write_pair(writer, "source", files[0]);
    if (writer->describer->compiled_flags)
        write_pair(writer, "compiled_flags", writer->describer->compiled_flags);
}

static const char *program_repeat(struct describer *describer)
{
    for (int i = 0; i < describer->directives.count; i++) {
        struct directive *directive = &describer->directives.items[i];
        if (directive->word != WORD_PROGRAM)
            continue;
        directive->is_used = true;
        return directive_clause(directive, "repeat");
    }
    return NULL;
}

static void write_arrays_and_candidates(struct writer *writer)
{
    exchanges_align(writer->describer);
    write_arrays(writer);
    write_candidates(writer);
    const char *repeat = program_repeat(writer->describer);
    if (repeat)
        write_pair(writer, "repeat", repeat);
}

/* A part of the description, aside; to be freed. */
static char *written_by(struct writer *writer, void (*write)(struct writer *writer))
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = memory_stream(&text, &size);
    writer->out = yaml_out_begin(stream);
    yaml_out_map(writer->out, false);
    write(writer);
    yaml_out_map_end(writer->out);
    yaml_out_end(writer->out);
    memory_stream_end(stream);
    return text;
}

/* Every name of a `reduction` is one of something that accumulates behind it; behind a `home` there
   is a statement. */
static void check_told(struct describer *describer)
{
    for (int i = 0; i < describer->directives.count; i++) {
        const struct directive *directive = &describer->directives.items[i];
        if (directive->word == WORD_HOME && directive->is_described && !directive->heeded)
            describer_fail(describer, directive->place,
                           "home(%s): behind it stands no statement of the description: a scalar "
                           "is computed where its value is used, so put it before that statement",
                           directive_clause(directive, "home"));
        const char *text = directive_clause(directive, "reduction");
        if (directive->word != WORD_REDUCTION || !directive->is_described ||
            directive->is_implied || !text)
            continue;
        const char *colon = strchr(text, ':');
        const char **names = text_split(describer->arena, colon ? colon + 1 : text, ',');
        for (unsigned k = 0; names[k] && k < 32; k++)
            if (!(directive->heeded & 1u << k))
                describer_fail(describer, directive->place,
                               "reduction(%s): nothing behind it adds to %s, or multiplies it, or "
                               "takes the larger: expected the name of the variable or array that "
                               "the statement behind it accumulates into",
                               text, names[k]);
    }
}

/* The program is written first: only then is known which arrays it uses, and only with these which
   names, which come before both. */
void write_description(struct describer *describer, const char *const *files, bool has_places,
                       struct loop_codes *codes, FILE *stream)
{
    struct writer writer = {.describer = describer, .has_places = has_places, .codes = codes};
    writer.marks = memory_new((size_t)describer->graph.count + 1, sizeof *writer.marks);
    writer.names = arena_take(describer->arena, (size_t)STEPS_MOST / 10, sizeof *writer.names);
    scalars_classify(describer);
    results_place(describer);
    arrays_rename(&describer->arrays);
    flat_unfold(describer);
    records_join(describer);
    privates_place(describer);
    scalars_place(describer);
    copies_place(describer);
    char *program = written_by(&writer, write_program), *arrays = NULL;
    read_told_extents(describer);
    if (!describer->has_failed)
        arrays = written_by(&writer, write_arrays_and_candidates);
    if (!describer->has_failed)
        check_parameters(describer);
    if (!describer->has_failed)
        check_told(describer);
    if (!describer->has_failed) {
        writer.out = yaml_out_begin(stream);
        yaml_out_map(writer.out, false);
        write_head(&writer, files);
        write_names(&writer, SYMBOL_PARAMETER, "parameters");
        write_names(&writer, SYMBOL_DERIVED, "let");
        yaml_out_map_end(writer.out);
        yaml_out_end(writer.out);
        fputs(arrays, stream);
        fputs(program, stream);
    }
    free(program);
    free(arrays);
    free(writer.marks);
}
