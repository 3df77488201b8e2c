#include "describer/describe.h"

#include "describer/prepare.h"
#include "describer/ranks/ranks.h"
#include "describer/source/parse.h"
#include "describer/source/side.h"
#include "describer/walk/evaluate.h"
#include "describer/walk/outside.h"
#include "describer/walk/segments.h"
#include "describer/write/write.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* One remark for all pragmas of OpenMP or OpenACC: the first place, and how many there are. */
static void remark_threads(struct describer *describer)
{
    const struct pragma *first = NULL;
    int count = 0;
    for (int i = 0; i < describer->source->pragma_count; i++) {
        const struct pragma *pragma = &describer->source->pragmas[i];
        if (!pragma_is_of_threads(pragma))
            continue;
        first = first ? first : pragma;
        count++;
    }
    if (first)
        describer_remark(describer, first->place,
                         "#pragma %s%s: threads and accelerators are not modelled: each process "
                         "is predicted with one thread",
                         arena_format(describer->arena, "%.40s", first->text),
                         count > 1 ? arena_format(describer->arena, " (and %d more)", count - 1)
                                   : "");
}

enum { PROCESSES = 16 }; /* with which conditions are decided, unless one number is wanted */

/* Everything between the source and its description, to be freed. */
static char *describe(struct describer *describer, const struct options *options, int processes,
                      struct loop_codes **codes)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = memory_stream(&text, &size);
    prepare(describer, options, processes);
    remark_threads(describer);
    describer->captures_loops = options->has_places;
    describer->wanted = options->processes;
    describer->is_strict = options->is_strict;
    describer->compiled_flags = options->compiled_flags;
    *codes =
        options->has_places ? arena_take(describer->arena, 1, sizeof(struct loop_codes)) : NULL;
    if (!describer->has_failed)
        outside_run(describer);
    if (!describer->has_failed)
        ranks_settle(describer);
    if (!describer->has_failed)
        segments_take_means(describer);
    if (!describer->has_failed)
        write_description(describer, options->files, options->has_places, *codes, stream);
    if (!describer->has_failed)
        check_used(describer);
    memory_stream_end(stream);
    return text;
}

static void write_out(struct describer *describer, const struct options *options, const char *text,
                      struct loop_codes *codes, FILE *out, FILE *remarks)
{
    if (!describer->has_failed && options->has_loops)
        loop_codes_write(describer, codes, text, out);
    else if (!describer->has_failed)
        fputs(text, out);
    if (describer->default_costs)
        describer_remark(describer, describer->default_place,
                         "library functions count as divisions (%.200s), which is known within a "
                         "factor of 2: #pragma forecost cost NAME(add: 10, mul: 12) says it better",
                         describer->default_costs);
    if (describer->passed)
        describer_remark(describer, describer->passed_place,
                         "set-up and output are no part of the description: calls of %.300s",
                         describer->passed);
    for (int i = 0; i < describer->remark_count && !describer->has_failed; i++)
        fprintf(remarks, "estimator: remark: %s\n", describer->remarks[i]);
}

/* One that has gone through nothing yet; directives that were used before are not. */
static struct describer *new_describer(struct arena *arena, const struct source *source,
                                       const struct directives *directives, struct error *error)
{
    struct describer *describer = arena_take(arena, 1, sizeof *describer);
    *describer = (struct describer){.arena = arena, .error = error, .source = source};
    describer->directives = *directives;
    describer->directives.items =
        arena_take(arena, (size_t)directives->count + 1, sizeof *directives->items);
    if (directives->count > 0)
        memcpy(describer->directives.items, directives->items,
               (size_t)directives->count * sizeof *directives->items);
    describer->algebra.arena = describer->symbols.arena = describer->arrays.arena = arena;
    describer->graph.arena = arena;
    describer->graph.algebra = &describer->algebra;
    const size_t bindings = (size_t)source->declaration_count + MEMBERS_MOST;
    describer->bindings = arena_take(arena, bindings, sizeof *describer->bindings);
    describer->members = arena_take(arena, MEMBERS_MOST, sizeof *describer->members);
    return describer;
}

/* Describes the source for any number of processes; for the one that is wanted alone, where that
   makes another program of it. */
static int describe_source(struct arena *arena, const struct options *options,
                           const struct source *source, const struct directives *directives,
                           FILE *out, FILE *remarks, struct error *error)
{

    struct loop_codes *codes;
    struct error other;
    struct describer *describer = new_describer(arena, source, directives, error), *of_one = NULL;
    char *text = describe(describer, options, PROCESSES, &codes);
    const bool differs =
        options->processes > 0 && ((describer->has_failed && describer->is_lawless) ||
                                   condition_differs(describer, options->processes));
    if (options->processes > 0 && options->processes <= MESSAGES_P_MOST &&
        (differs || (describer->asks_rank && (describer->has_failed || options->processes == 1)))) {
        struct loop_codes *its_codes;
        of_one = new_describer(arena, source, directives, &other);
        of_one->is_of_one = true;
        char *its_text = describe(of_one, options, options->processes, &its_codes);
        if (!of_one->has_failed) {
            graph_free(&describer->graph);
            free(text);
            describer = of_one;
            of_one = NULL;
            text = its_text;
            codes = its_codes;
        } else {
            if (describer->has_failed && differs)
                *error = other;
            if (options->processes == 1)
                describer_remark(describer, place_at(source->files[0], 1, 1),
                                 "one process alone is described as if it were one of several: %s",
                                 other.text);
            free(its_text);
        }
    }
    if (!describer->is_of_one &&
        (options->processes == 0 || condition_differs(describer, options->processes)))
        condition_remark(describer);
    write_out(describer, options, text, codes, out, remarks);
    free(text);
    graph_free(&describer->graph);
    if (of_one)
        graph_free(&of_one->graph);
    return describer->has_failed ? -1 : 0;
}

int describe_files(struct arena *arena, const struct options *options, FILE *out, FILE *remarks,
                   struct error *error)
{
    struct source source;
    struct directives directives = {0};
    if (parse_files(arena, options->files, options->file_count, options->flags, options->flag_count,
                    &source, error) ||
        directives_read(arena, &source, &directives, error))
        return -1;
    if (options->side && side_read(arena, options->side, &source, &directives, error))
        return -1;
    if (options->messages_p == 0)
        return describe_source(arena, options, &source, &directives, out, remarks, error);
    struct describer *describer = new_describer(arena, &source, &directives, error);
    prepare(describer, options, PROCESSES);
    if (!describer->has_failed)
        ranks_write(describer, options->messages_p, out);
    graph_free(&describer->graph);
    return describer->has_failed ? -1 : 0;
}
