#include "describer/describe.h"

#include "describer/prepare.h"
#include "describer/ranks/ranks.h"
#include "describer/source/parse.h"
#include "describer/source/side.h"
#include "describer/walk/outside.h"
#include "describer/write/write.h"

#include "model/base/allocation.h"

#include <stdlib.h>

/* Everything between the source and its description. */
static void describe(struct describer *describer, const struct options *options, FILE *out,
                     FILE *remarks)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = memory_stream(&text, &size);
    struct loop_codes *codes = NULL;
    prepare(describer, options);
    describer->captures_loops = options->has_places;
    describer->is_strict = options->is_strict;
    describer->compiled_flags = options->compiled_flags;
    if (options->has_places)
        codes = arena_take(describer->arena, 1, sizeof *codes);
    if (!describer->has_failed)
        outside_run(describer);
    if (!describer->has_failed)
        ranks_settle(describer);
    if (!describer->has_failed)
        write_description(describer, options->files, options->has_places, codes, stream);
    if (!describer->has_failed)
        check_used(describer);
    memory_stream_end(stream);
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
    free(text);
}

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

int describe_files(struct arena *arena, const struct options *options, FILE *out, FILE *remarks,
                   struct error *error)
{
    struct source source;
    struct describer *describer = arena_take(arena, 1, sizeof *describer);
    *describer = (struct describer){.arena = arena, .error = error, .source = &source};
    if (parse_files(arena, options->files, options->file_count, options->flags, options->flag_count,
                    &source, error) ||
        directives_read(arena, &source, &describer->directives, error))
        return -1;
    if (options->side && side_read(arena, options->side, &source, &describer->directives, error))
        return -1;
    describer->algebra.arena = describer->symbols.arena = describer->arrays.arena = arena;
    describer->graph.arena = arena;
    describer->graph.algebra = &describer->algebra;
    const size_t bindings = (size_t)source.declaration_count + MEMBERS_MOST;
    describer->bindings = arena_take(arena, bindings, sizeof *describer->bindings);
    describer->members = arena_take(arena, MEMBERS_MOST, sizeof *describer->members);
    remark_threads(describer);
    if (options->messages_p > 0) {
        prepare(describer, options);
        if (!describer->has_failed)
            ranks_write(describer, options->messages_p, out);
    } else
        describe(describer, options, out, remarks);
    graph_free(&describer->graph);
    return describer->has_failed ? -1 : 0;
}
