#include "describer/results.h"
#include "describer/write.h"

#include <string.h>

/* A run while it is written. */
struct run {
    struct writer *writer;
    struct count count;
    const char *kernel;
    bool is_counted; /* the operations are written, with the first statement */
};

static const char *element_text(struct describer *describer, const struct reference *reference)
{
    reference->array->is_written = true;
    for (int i = 0; i < reference->count; i++)
        polynomial_use(reference->subscripts[i]);
    return reference_text(&describer->algebra, reference);
}

static bool has_statements(struct describer *describer, const struct part *part, struct mark *marks)
{
    struct count count = {.describer = describer, .part = part, .marks = marks};
    for (int i = 0; i < part->statement_count; i++)
        if (!part->statements[i].is_dropped)
            return true;
    for (int i = 0; i < part->link_count; i++)
        if (accumulation_of(&count, part->links[i].from, part->links[i].to) &&
            result_of_link(describer, part, &part->links[i]) >= 0)
            return true;
    return false;
}

/* Statements apart, conditions are worth writing. */
bool part_is_empty(struct describer *describer, const struct part *part, struct mark *marks)
{
    if (has_statements(describer, part, marks))
        return false;
    for (int i = part->begin; i < part->end && part->loop; i++)
        if (describer->graph.nodes[i].part == part && describer->graph.nodes[i].is_condition)
            return false;
    return true;
}

/* line21, line21-2 */
static const char *statement_name(struct writer *writer, struct place place)
{
    struct arena *arena = writer->describer->arena;
    const char *base = arena_format(arena, "line%u", place.line), *name = base;
    for (int i = 0, again = 2; i < writer->name_count; i++)
        if (!strcmp(writer->names[i], name)) {
            name = arena_format(arena, "%s-%d", base, again++);
            i = -1;
        }
    if (writer->name_count < STEPS_MOST / 10)
        writer->names[writer->name_count++] = name;
    return name;
}

/* The names under which operations are written and told. */
struct operation_row {
    const char *name, *plural;
    double count;
};

static int operation_rows(const struct tally *tally, struct operation_row rows[7])
{
    const struct operation_row all[] = {
        {"add",   "add",    tally->add         },
        {"mul",   "mul",    tally->multiply    },
        {"madd",  "madd",   tally->multiply_add},
        {"div",   "div",    tally->divide      },
        {"sqrt",  "sqrt",   tally->root        },
        {"load",  "loads",  tally->load        },
        {"store", "stores", tally->store       }
    };
    int count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].count > 0)
            rows[count++] = all[i];
    return count;
}

static void write_remark(struct run *run, struct place place)
{
    struct operation_row rows[7];
    struct arena *arena = run->writer->describer->arena;
    const int count = operation_rows(&run->count.tally, rows);
    const char *base = strrchr(place.file ? place.file : "", '/');
    const char *text = arena_format(arena, "%s:%u:", base ? base + 1 : place.file, place.line);
    for (int i = 0; i < count && !run->is_counted; i++)
        text = arena_format(arena, "%s%s %g %s", text, i ? "," : "", rows[i].count,
                            rows[i].count == 1 ? rows[i].name : rows[i].plural);
    if (run->is_counted)
        text = arena_format(arena, "%s counted with the statement before", text);
    else if (count == 0)
        text = arena_format(arena, "%s nothing that each iteration computes", text);
    yaml_out_remark(run->writer->out, text);
}

static void write_operations(struct run *run)
{
    struct operation_row rows[7];
    const int count = run->is_counted ? 0 : operation_rows(&run->count.tally, rows);
    struct yaml_out *out = run->writer->out;
    run->is_counted = true;
    if (count == 0)
        return;
    yaml_out_key(out, "operations");
    yaml_out_map(out, true);
    for (int i = 0; i < count; i++) {
        yaml_out_key(out, rows[i].name);
        yaml_out_number(out, rows[i].count);
    }
    yaml_out_map_end(out);
    if (run->kernel)
        write_pair(run->writer, "kernel", run->kernel);
}

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

static void write_gathers(struct run *run, const struct reads *reads)
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

static void write_reads(struct run *run, const struct reads *reads, int from)
{
    struct writer *writer = run->writer;
    if (reads->count > from) {
        yaml_out_key(writer->out, "reads");
        yaml_out_list(writer->out, true);
        for (int i = from; i < reads->count; i++)
            yaml_out_text(writer->out, element_text(writer->describer, &reads->items[i]));
        yaml_out_list_end(writer->out);
    }
    write_gathers(run, reads);
}

static const char *place_text(struct writer *writer, struct place place)
{
    const char *base = strrchr(place.file ? place.file : "", '/');
    return arena_format(writer->describer->arena, "%s:%u", base ? base + 1 : place.file,
                        place.line);
}

/* Where the statement stands, and those of its reads that stand elsewhere. */
static void write_places(struct run *run, struct place place, const struct reads *reads)
{
    struct writer *writer = run->writer;
    bool is_begun = false;
    if (!writer->has_places || !place.file)
        return;
    write_pair(writer, "at", place_text(writer, place));
    for (int i = 0; i < reads->count; i++) {
        const struct place at = reads->places[i];
        if (!at.file || at.line == 0 || at.line == place.line)
            continue;
        if (!is_begun) {
            yaml_out_key(writer->out, "places");
            yaml_out_map(writer->out, true);
        }
        is_begun = true;
        write_pair(writer, element_text(writer->describer, &reads->items[i]),
                   place_text(writer, at));
    }
    if (is_begun)
        yaml_out_map_end(writer->out);
}

static void begin_statement(struct run *run, struct place place, const struct reference *to)
{
    struct writer *writer = run->writer;
    write_remark(run, place);
    yaml_out_map(writer->out, true);
    write_pair(writer, "statement", statement_name(writer, place));
    if (to)
        write_pair(writer, "writes", element_text(writer->describer, to));
}

/* A scalar that accumulates. */
static void write_accumulation(struct run *run, const struct link *link, const char *how)
{
    struct describer *describer = run->writer->describer;
    const int result = result_of_link(describer, run->count.part, link);
    struct reads reads;
    if (result < 0)
        return;
    const struct reference to = *result_reference(describer, result);
    reads_of(describer, link->to, link->from, &reads);
    begin_statement(run, link->place, &to);
    write_reads(run, &reads, 0);
    write_pair(run->writer, "reduce", how);
    write_operations(run);
    write_places(run, link->place, &reads);
    yaml_out_map_end(run->writer->out);
}

/* Whether `reduction(+: y)` names the array. */
static bool is_told_reduction(struct describer *describer, const struct directive *directive,
                              const struct array *array)
{
    const char *text = directive ? directive_clause(directive, "reduction") : NULL;
    const char *colon = text ? strchr(text, ':') : NULL;
    if (!text)
        return false;
    for (const char **name = text_split(describer->arena, colon ? colon + 1 : text, ','); *name;
         name++)
        if (!strcmp(*name, array->name))
            return true;
    return false;
}

struct recurrence {
    const char *chain;
    int distance;
    double cycles; /* an iteration */
};

static void consider(struct count *count, int from, int to, int distance,
                     struct recurrence *recurrence)
{
    double cycles;
    const char *chain = chain_text(count, from, to, &cycles);
    if (!chain || cycles / distance <= recurrence->cycles)
        return;
    *recurrence = (struct recurrence){chain, distance, cycles / distance};
}

/* The longest chain from what an iteration before has stored to what is stored now. */
static struct recurrence recurrence_of(struct run *run, const struct statement *statement,
                                       bool accumulates, bool is_last)
{
    struct recurrence found = {NULL, 1, 0};
    struct count *count = &run->count;
    struct describer *describer = run->writer->describer;
    const struct part *part = count->part;
    for (int i = 0; i < describer->graph.count && count->index; i++) {
        const struct node *node = &describer->graph.nodes[i];
        int distance;
        if (node->kind != NODE_LOAD || node->part != part || !count->marks[i].is_reached)
            continue;
        if (!reference_has(&statement->to, count->index)) {
            if (!accumulates &&
                reference_equal(&describer->algebra, &statement->to, &node->reference))
                consider(count, i, statement->value, 1, &found);
        } else if (reference_shift(&describer->algebra, &statement->to, &node->reference,
                                   count->index, &distance) &&
                   distance > 0)
            consider(count, i, statement->value, distance, &found);
    }
    for (int i = 0; i < part->link_count && is_last; i++)
        if (count->marks[part->links[i].from].is_reached &&
            !accumulation_of(count, part->links[i].from, part->links[i].to))
            consider(count, part->links[i].from, part->links[i].to, 1, &found);
    return found;
}

static void write_recurrence(struct run *run, const struct recurrence *recurrence)
{
    struct yaml_out *out = run->writer->out;
    if (!recurrence->chain)
        return;
    yaml_out_key(out, "recurrence");
    if (recurrence->distance > 1) {
        yaml_out_map(out, true);
        yaml_out_key(out, "chain");
    }
    yaml_out_list(out, true);
    const char **names = text_split(run->writer->describer->arena, recurrence->chain, ',');
    for (; *names; names++)
        yaml_out_text(out, *names);
    yaml_out_list_end(out);
    if (recurrence->distance > 1) {
        yaml_out_key(out, "distance");
        yaml_out_number(out, recurrence->distance);
        yaml_out_map_end(out);
    }
}

/* How a statement accumulates onto its own element, and the load of that; NULL: it does not. */
static const char *own_accumulation(struct run *run, const struct statement *statement, int *load)
{
    struct describer *describer = run->writer->describer;
    const struct part *part = run->count.part;
    *load = -1;
    if (!run->count.index || reference_has(&statement->to, run->count.index))
        return NULL;
    for (int i = part->begin; i < part->end; i++) {
        const struct node *node = &describer->graph.nodes[i];
        if (node->kind != NODE_LOAD || node->part != part ||
            !reference_equal(&describer->algebra, &node->reference, &statement->to))
            continue;
        *load = i;
        return accumulation_of(&run->count, i, statement->value);
    }
    return NULL;
}

static void write_told(struct run *run, const struct statement *statement)
{
    if (statement->home)
        write_pair(run->writer, "home", directive_clause(statement->home, "home"));
    if (statement->strip && directive_clause(statement->strip, "strip"))
        write_pair(run->writer, "strip", directive_clause(statement->strip, "strip"));
}

static void write_statement(struct run *run, const struct statement *statement, bool is_last)
{
    struct describer *describer = run->writer->describer;
    int load;
    const char *how = own_accumulation(run, statement, &load);
    const bool accumulates = how != NULL;
    const struct recurrence recurrence = recurrence_of(run, statement, accumulates, is_last);
    struct reads reads;
    if (how && !is_told_reduction(describer, statement->reduction, statement->to.array))
        how = NULL;
    reads_of(describer, statement->value, how ? load : -1, &reads);
    begin_statement(run, statement->place, &statement->to);
    write_reads(run, &reads, 0);
    if (how)
        write_pair(run->writer, "reduce", how);
    write_operations(run);
    write_recurrence(run, &recurrence);
    write_told(run, statement);
    write_places(run, statement->place, &reads);
    yaml_out_map_end(run->writer->out);
}

/* A condition: it runs where what it reads lies. */
static void write_condition(struct run *run)
{
    struct describer *describer = run->writer->describer;
    struct reads reads = {0};
    for (int i = run->count.part->begin; i < run->count.part->end && reads.count == 0; i++)
        if (run->count.marks[i].is_reached && describer->graph.nodes[i].is_condition)
            reads_of(describer, i, -1, &reads);
    if (reads.count == 0)
        return;
    begin_statement(run, run->count.part->place, NULL);
    write_pair(run->writer, "home", element_text(describer, &reads.items[0]));
    write_reads(run, &reads, 0);
    write_operations(run);
    write_places(run, run->count.part->place, &reads);
    yaml_out_map_end(run->writer->out);
}

static int last_statement(const struct part *part)
{
    int last = -1;
    for (int i = 0; i < part->statement_count; i++)
        if (!part->statements[i].is_dropped)
            last = i;
    return last;
}

void write_part(struct writer *writer, const struct part *part)
{
    struct run run = {.writer = writer};
    count_part(writer->describer, part, writer->marks, &run.count);
    run.kernel = kernel_of(&run.count);
    for (int i = 0; i < part->link_count; i++) {
        const char *how = accumulation_of(&run.count, part->links[i].from, part->links[i].to);
        if (how)
            write_accumulation(&run, &part->links[i], how);
    }
    const int last = last_statement(part);
    for (int i = 0; i <= last; i++)
        if (!part->statements[i].is_dropped)
            write_statement(&run, &part->statements[i], i == last);
    if (!run.is_counted)
        write_condition(&run);
}
