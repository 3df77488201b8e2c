#include "describer/write/run.h"

#include <string.h>

/* reach(E) and loads(E) of `gather(v: reach(E) loads(E), w: ...)` for an array. */
static const char *gather_clause(struct describer *describer, const struct directive *directive,
                                 const char *array, const char *clause)
{
    const char *all = directive ? directive_clause(directive, "gather") : NULL;
    for (const char **part = text_split(describer->arena, all ? all : "", ','); *part; part++) {
        const size_t length = strcspn(*part, ": ");
        if (strlen(array) != length || strncmp(*part, array, length) != 0)
            continue;
        const char *at = strstr(*part + length, clause);
        at = at ? strchr(at, '(') : NULL;
        const char *end = at;
        for (int depth = 0; end && *end; end++) {
            depth += (*end == '(') - (*end == ')');
            if (depth == 0)
                return text_trimmed(describer->arena, at + 1, (size_t)(end - at) - 1);
        }
    }
    return NULL;
}

static int gathers_of(const struct reads *reads, const struct array *array)
{
    int count = 0;
    for (int i = 0; i < reads->gather_count; i++)
        count += reads->gathers[i]->reference.array == array;
    return count;
}

static bool is_first_gather(const struct reads *reads, int i)
{
    for (int j = 0; j < i; j++)
        if (reads->gathers[j]->reference.array == reads->gathers[i]->reference.array)
            return false;
    return true;
}

void write_gathers(struct run *run, const struct reads *reads)
{
    struct writer *writer = run->writer;
    if (reads->gather_count == 0)
        return;
    yaml_out_key(writer->out, "gathers");
    yaml_out_list(writer->out, true);
    for (int i = 0; i < reads->gather_count; i++) {
        struct array *array = reads->gathers[i]->reference.array;
        if (!is_first_gather(reads, i))
            continue;
        const struct directive *told = reads->gathers[i]->told;
        const char *reach = gather_clause(writer->describer, told, array->name, "reach");
        const char *loads = gather_clause(writer->describer, told, array->name, "loads");
        array->is_written = true;
        yaml_out_map(writer->out, true);
        write_pair(writer, "array", array->name);
        if (reach)
            write_pair(writer, "reach", reach);
        yaml_out_key(writer->out, "loads");
        if (loads)
            yaml_out_text(writer->out, loads);
        else
            yaml_out_number(writer->out, gathers_of(reads, array));
        yaml_out_map_end(writer->out);
    }
    yaml_out_list_end(writer->out);
}
