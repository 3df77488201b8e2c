#include "describer/count/copies.h"
#include "describer/count/scalars.h"
#include "describer/walk/colours.h"
#include "describer/write/run.h"

#include <string.h>

static const char *element_text(struct describer *describer, const struct reference *reference)
{
    reference->array->is_written = true;
    struct reference whole = *reference;
    whole.count = 0;
    for (int i = 0; i < reference->array->prefix_count; i++)
        whole.subscripts[whole.count++] = reference->array->prefix[i];
    for (int i = 0; i < reference->count; i++)
        whole.subscripts[whole.count++] = reference->subscripts[i];
    for (int i = 0; i < whole.count; i++)
        polynomial_use(whole.subscripts[i]);
    return reference_text(&describer->algebra, &whole);
}

static bool has_statements(struct describer *describer, const struct part *part)
{
    for (int i = 0; i < part->statement_count; i++)
        if (!part->statements[i].is_dropped)
            return true;
    for (int i = 0; i < part->link_count; i++) {
        const struct carry *carry = describer->graph.nodes[part->links[i].from].carry;
        if (carry->is_kept || (carry->reduces && result_of_carry(describer, carry) >= 0))
            return true;
    }
    for (int i = part->begin; i < part->end; i++)
        if (describer->graph.nodes[i].is_copied && !describer->graph.nodes[i].copied_before &&
            describer->graph.nodes[i].part == part)
            return true;
    return false;
}

/* Statements apart, conditions are worth writing. */
bool part_is_empty(struct describer *describer, const struct part *part)
{
    if (has_statements(describer, part))
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

static void write_tally(struct run *run, const char *key, const struct tally *tally)
{
    struct operation_row rows[7];
    const int count = operation_rows(tally, rows);
    struct yaml_out *out = run->writer->out;
    if (count == 0)
        return;
    yaml_out_key(out, key);
    yaml_out_map(out, true);
    for (int i = 0; i < count; i++) {
        yaml_out_key(out, rows[i].name);
        yaml_out_number(out, rows[i].count);
    }
    yaml_out_map_end(out);
}

static void write_operations(struct run *run)
{
    struct operation_row rows[7];
    const bool is_first = !run->is_counted;
    run->is_counted = true;
    if (!is_first || operation_rows(&run->count.tally, rows) == 0)
        return;
    write_tally(run, "operations", &run->count.tally);
    write_tally(run, "functions", &run->count.functions);
    if (run->kernel)
        write_pair(run->writer, "kernel", run->kernel);
}

/* Whether it is written already: as another member of the same record. */
static bool is_read_before(struct describer *describer, const struct reads *reads, int i)
{
    const char *text = reference_text(&describer->algebra, &reads->items[i]);
    for (int j = 0; j < i && reads->items[i].array->is_whole; j++)
        if (!strcmp(reference_text(&describer->algebra, &reads->items[j]), text))
            return true;
    return false;
}

static void write_reads(struct run *run, const struct reads *reads, int from)
{
    struct writer *writer = run->writer;
    if (reads->count > from) {
        yaml_out_key(writer->out, "reads");
        yaml_out_list(writer->out, true);
        for (int i = from; i < reads->count; i++)
            if (!is_read_before(writer->describer, reads, i))
                yaml_out_text(writer->out, element_text(writer->describer, &reads->items[i]));
        yaml_out_list_end(writer->out);
    }
    write_gathers(run, reads);
}

/* Where the statement stands, and those of its reads that stand elsewhere. */
static void write_places(struct run *run, struct place place, const struct reads *reads)
{
    struct writer *writer = run->writer;
    bool is_begun = false;
    if (!writer->has_places || !place.file)
        return;
    if (writer->code && writer->code->text)
        write_pair(writer, "source_hash", writer->code->hash);
    write_at(writer, place);
    for (int i = 0; i < reads->count; i++) {
        const struct place at = reads->places[i];
        if (!at.file || at.line == 0 || at.line == place.line ||
            is_read_before(writer->describer, reads, i))
            continue;
        if (!is_begun) {
            yaml_out_key(writer->out, "places");
            yaml_out_map(writer->out, true);
        }
        is_begun = true;
        write_pair(writer, element_text(writer->describer, &reads->items[i]),
                   write_place(writer, at));
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

/* Whether `reduction(+: y)` names what is assigned, as the source or the description calls it. It
   is heeded where that accumulates. */
static bool is_told_reduction(struct describer *describer, struct directive *directive,
                              const char *name, const char *described, bool accumulates)
{
    const char *text = directive ? directive_clause(directive, "reduction") : NULL;
    const char *colon = text ? strchr(text, ':') : NULL;
    bool is_told = false;
    if (!text)
        return false;
    directive->is_described = true;
    const char **names = text_split(describer->arena, colon ? colon + 1 : text, ',');
    for (unsigned i = 0; names[i] && i < 32; i++) {
        const char *told = text_trimmed(describer->arena, names[i], strcspn(names[i], "["));
        if (strcmp(told, described) != 0 && (!name || strcmp(told, name) != 0))
            continue;
        directive->heeded |= accumulates ? 1u << i : 0;
        is_told = true;
    }
    return is_told;
}

static int indices_in(const struct reference *reference, bool without,
                      const struct reference *other, const struct loop *loop)
{
    int count = 0;
    for (; loop; loop = loop->up)
        count += reference_has(reference, loop->index) &&
                 !(without && reference_has(other, loop->index));
    return count;
}

/* Of what a reduction reads that a directive asks for, the element where it runs: of all its
   iterations, or most of those that make one result, each has one of its own. NULL: there is none.
 */
static const struct reference *home_of_told(const struct part *part, const struct reference *to,
                                            const struct reads *reads)
{
    const struct reference *found = NULL;
    int most = 0;
    for (int i = 0; i < reads->count; i++) {
        const struct reference *read = &reads->items[i];
        const int all = indices_in(read, false, NULL, part->loop);
        const int own = indices_in(read, true, to, part->loop);
        if (all + 100 * own <= most)
            continue;
        most = all + 100 * own;
        found = read;
    }
    return found;
}

static void write_told_home(struct run *run, const struct told_home *home)
{
    home->directive->heeded = 1;
    write_pair(run->writer, "home",
               arena_format(run->writer->describer->arena, "%s%s",
                            home->array ? home->array->name : home->name, home->subscripts));
}

/* Where a reduction runs, unless that is where its first read lies: where it is told; where the
   data of a sum lie that a directive calls a reduction; else where its result lies. */
static void write_home(struct run *run, const struct told_home *home, bool is_told,
                       const struct reference *to, const struct reads *reads)
{
    struct describer *describer = run->writer->describer;
    if (home) {
        write_told_home(run, home);
        return;
    }
    const struct reference *beside = to;
    if (is_told)
        beside = home_of_told(run->count.part, to, reads);
    else if (reads->count == 0 ||
             (reads->count == 1 && (reads->items[0].array == to->array->beside ||
                                    indices_in(to, false, NULL, run->count.part->loop) == 0)))
        beside = NULL; /* it runs there anyway */
    if (beside && beside != &reads->items[0])
        write_pair(run->writer, "home", element_text(describer, beside));
}

/* A scalar that accumulates. */
static void write_accumulation(struct run *run, const struct link *link, const char *how)
{
    struct describer *describer = run->writer->describer;
    const int result = result_of_carry(describer, describer->graph.nodes[link->from].carry);
    struct reads reads;
    if (result < 0)
        return;
    const struct reference to = *result_reference(describer, result);
    reads_of(describer, link->to, link->from, &reads);
    copies_read(describer, run->count.part, &reads);
    begin_statement(run, link->place, &to);
    write_reads(run, &reads, 0);
    const struct carry *carry = describer->graph.nodes[link->from].carry;
    write_home(run, carry->home,
               is_told_reduction(describer, carry->reduction, carry->name, carry->name, true), &to,
               &reads);
    write_pair(run->writer, "reduce", how);
    write_operations(run);
    if (describer->is_strict && strcmp(how, "max") != 0) {
        const struct recurrence recurrence = {
            .chain = reduction_chain_text(&run->count, link->from, link->to), .distance = 1};
        write_recurrence(run, &recurrence);
    }
    write_places(run, link->place, &reads);
    yaml_out_map_end(run->writer->out);
}

/* How a statement accumulates onto its own element, and the load of that; NULL: it does not. Where
   the innermost loop leads from element to element, only a directive makes it a reduction. */
static const char *own_accumulation(struct run *run, const struct statement *statement,
                                    bool is_told, int *load)
{
    struct describer *describer = run->writer->describer;
    const struct part *part = run->count.part;
    *load = -1;
    if (!run->count.index || (!is_told && reference_has(&statement->to, run->count.index)))
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

static void write_told(struct run *run, const struct statement *statement, bool reduces)
{
    if (statement->home && !reduces)
        write_told_home(run, statement->home);
    if (statement->strip && directive_clause(statement->strip, "strip"))
        write_pair(run->writer, "strip", directive_clause(statement->strip, "strip"));
}

/* Whether a statement of one colour reads, of the array that it assigns, other colours alone. */
static bool is_independent(struct describer *describer, const struct statement *statement,
                           const struct reads *reads)
{
    bool reads_own = false;
    for (int i = 0; i < reads->count && statement->colour; i++) {
        if (reads->items[i].array != statement->to.array)
            continue;
        if (!colour_differs(describer, statement, &reads->items[i]))
            return false;
        reads_own = true;
    }
    return reads_own;
}

static void write_statement(struct run *run, const struct statement *statement)
{
    struct describer *describer = run->writer->describer;
    int load;
    bool is_told = statement->reduction != NULL;
    const char *how = own_accumulation(run, statement, is_told, &load);
    const bool accumulates = how != NULL;
    const struct recurrence recurrence = recurrence_of(run, statement, accumulates);
    struct reads reads;
    is_told = is_told_reduction(describer, statement->reduction, statement->name,
                                statement->to.array->name, how != NULL);
    if (!is_told)
        how = NULL;
    reads_of(describer, statement->value, how ? load : -1, &reads);
    copies_read(describer, run->count.part, &reads);
    begin_statement(run, statement->place, &statement->to);
    write_reads(run, &reads, 0);
    if (how)
        write_home(run, statement->home, true, &statement->to, &reads);
    if (how)
        write_pair(run->writer, "reduce", how);
    write_operations(run);
    write_recurrence(run, &recurrence);
    if (is_independent(describer, statement, &reads))
        write_pair(run->writer, "independent", "true");
    write_told(run, statement, how != NULL);
    write_places(run, statement->place, &reads);
    yaml_out_map_end(run->writer->out);
}

/* The elements that loops within overwrite while they use them. */
static void write_copies(struct run *run)
{
    struct writer *writer = run->writer;
    const struct part *part = run->count.part;
    for (int i = part->begin; i < part->end; i++) {
        const struct node *node = &writer->describer->graph.nodes[i];
        if (!node->is_copied || node->copied_before || node->part != part)
            continue;
        struct reads reads;
        reads_of_scalar(writer->describer, i, &reads);
        begin_statement(run, node->place, &node->copied_as);
        write_reads(run, &reads, 0);
        write_operations(run);
        write_places(run, node->place, &reads);
        yaml_out_map_end(writer->out);
    }
}

/* What is made of the values of a run, or done where its condition holds: the value's node, and the
   element that it becomes. */
struct product {
    int value;
    struct reference to;
};

static bool product_of_part(struct describer *describer, const struct part *part,
                            const struct part *run, struct product *product)
{
    for (int i = 0; i < part->link_count; i++) {
        const struct carry *carry = describer->graph.nodes[part->links[i].from].carry;
        const int result = carry->reduces ? result_of_carry(describer, carry) : -1;
        bool is_made = result >= 0 && !run;
        for (int node = run ? run->begin : 0; result >= 0 && run && node < run->end; node++)
            is_made = is_made || (describer->graph.nodes[node].part == run &&
                                  describer->graph.nodes[node].is_condition &&
                                  node_depends(describer, part->links[i].to, node));
        if (is_made) {
            *product = (struct product){part->links[i].to, *result_reference(describer, result)};
            return true;
        }
    }
    for (int i = 0; i < part->statement_count && !run; i++)
        if (!part->statements[i].is_dropped) {
            *product = (struct product){part->statements[i].value, part->statements[i].to};
            return true;
        }
    return false;
}

/* run NULL: what is done within the outline, whatever it is made of. */
static bool find_product(struct describer *describer, const struct outline *outline,
                         const struct part *run, struct product *product)
{
    bool found = outline->part && outline->part != run &&
                 product_of_part(describer, outline->part, run, product);
    for (int i = 0; i < outline->count && !found; i++)
        found = find_product(describer, outline->children[i], run, product);
    return found;
}

static const struct outline *outline_of(const struct outline *outline, const struct part *part)
{
    const struct outline *found = outline->part == part ? outline : NULL;
    for (int i = 0; i < outline->count && !found; i++)
        found = outline_of(outline->children[i], part);
    return found;
}

/* Whether the loops around the run say which element it is. */
static bool is_one_here(const struct reference *reference, const struct loop *around)
{
    for (int d = 0; d < reference->count; d++)
        for (int i = 0; i < reference->subscripts[d]->count; i++)
            for (int k = 0; k < reference->subscripts[d]->terms[i].degree; k++) {
                const struct symbol *symbol = reference->subscripts[d]->terms[i].symbols[k];
                const struct loop *loop = around;
                while (loop && loop != symbol->loop)
                    loop = loop->up;
                if (symbol->kind == SYMBOL_INDEX && !loop)
                    return false;
            }
    return true;
}

/* The element where a condition runs, of those that it reads, that what is made of it reads, and
   that this becomes: every iteration has one of its own, or it lies beside what is made. */
static bool home_of_condition(struct run *run, const struct reads *reads, struct reference *home)
{
    struct describer *describer = run->writer->describer;
    const struct part *part = run->count.part;
    const struct outline *here = outline_of(&run->writer->segment->root, part);
    struct product product;
    bool has_product = find_product(describer, &run->writer->segment->root, part, &product);
    for (int i = 0; here && here->up && i + 1 < here->up->count && !has_product; i++)
        has_product = here->up->children[i] == here &&
                      here->up->children[i + 1]->kind == OUTLINE_BRANCH &&
                      find_product(describer, here->up->children[i + 1], NULL, &product);
    struct reads more = {0};
    if (has_product)
        reads_of(describer, product.value, -1, &more);
    int most = -1;
    for (int i = 0; i < reads->count + more.count + has_product; i++) {
        const struct reference *at = i < reads->count                ? &reads->items[i]
                                     : i < reads->count + more.count ? &more.items[i - reads->count]
                                                                     : &product.to;
        const int all = indices_in(at, false, NULL, part->loop);
        const int beside = has_product ? all - indices_in(at, true, &product.to, part->loop) : 0;
        if (100 * all + beside <= most || !is_one_here(at, part->loop))
            continue;
        most = 100 * all + beside;
        *home = *at;
    }
    return most >= 0;
}

/* A condition: it runs where what it reads lies; one that reads no element, wherever it is asked.
 */
static void write_condition(struct run *run)
{
    struct describer *describer = run->writer->describer;
    struct reads reads = {0};
    struct operation_row rows[7];
    for (int i = run->count.part->begin; i < run->count.part->end && reads.count == 0; i++)
        if (run->count.marks[i].is_reached && describer->graph.nodes[i].is_condition)
            reads_of(describer, i, -1, &reads);
    copies_read(describer, run->count.part, &reads);
    /* What it takes from the values of a scalar that iterations hand on waits with that. */
    int kept = 0;
    for (int i = 0; i < reads.count; i++)
        if (!reads.items[i].array->beside && !reads.items[i].array->is_scalar) {
            reads.items[kept] = reads.items[i];
            reads.places[kept] = reads.places[i];
            reads.nodes[kept++] = reads.nodes[i];
        }
    reads.count = kept > 0 ? kept : reads.count;
    if (reads.count == 0 && (run->is_counted || operation_rows(&run->count.tally, rows) == 0))
        return;
    begin_statement(run, run->count.part->place, NULL);
    struct reference home;
    if (reads.count > 0 && home_of_condition(run, &reads, &home))
        write_pair(run->writer, "home", element_text(describer, &home));
    write_reads(run, &reads, 0);
    write_operations(run);
    write_places(run, run->count.part->place, &reads);
    yaml_out_map_end(run->writer->out);
}

static bool reads_as(struct describer *describer, int a, int b)
{
    struct reads left, right;
    reads_of(describer, a, -1, &left);
    reads_of(describer, b, -1, &right);
    if (left.count != right.count || left.gather_count + right.gather_count > 0)
        return false;
    for (int i = 0; i < left.count; i++)
        if (strcmp(reference_text(&describer->algebra, &left.items[i]),
                   reference_text(&describer->algebra, &right.items[i])) != 0)
            return false;
    return true;
}

/* Whether a statement before assigns another member of the same record from the same elements. */
static bool is_same_record(struct describer *describer, const struct part *part, int i)
{
    const struct statement *this = &part->statements[i];
    const char *text = reference_text(&describer->algebra, &this->to);
    for (int j = 0; j < i && this->to.array->is_whole; j++) {
        const struct statement *other = &part->statements[j];
        if (!other->is_dropped && !strcmp(reference_text(&describer->algebra, &other->to), text) &&
            reads_as(describer, other->value, this->value))
            return true;
    }
    return false;
}

/* Of the scalars that a run keeps, the link of the one that is computed next after that node; -1:
   there is none. */
static int next_kept(struct describer *describer, const struct part *part, int after)
{
    int found = -1;
    for (int i = 0; i < part->link_count; i++) {
        const struct carry *carry = describer->graph.nodes[part->links[i].from].carry;
        if (carry->is_kept && !carry->hoisted && carry->to > after &&
            (found < 0 || carry->to < part->links[found].to))
            found = i;
    }
    return found;
}

/* A scalar that iterations hand on, as the element that it is. */
static void write_scalar(struct run *run, const struct carry *carry, struct place place)
{
    struct describer *describer = run->writer->describer;
    const struct recurrence recurrence = recurrence_of_scalar(run, carry);
    const struct reference to = describer->graph.nodes[carry->to].stored_as;
    struct reads reads;
    reads_of_scalar(describer, carry->to, &reads);
    begin_statement(run, place, &to);
    write_reads(run, &reads, 0);
    write_operations(run);
    write_recurrence(run, &recurrence);
    write_places(run, place, &reads);
    yaml_out_map_end(run->writer->out);
}

/* What a scalar begins with before a loop, where that has to be sent: to the element that it is, or
   to where its first iteration runs. */
static void write_start(struct run *run, const struct carry *carry)
{
    struct describer *describer = run->writer->describer;
    struct algebra *algebra = &describer->algebra;
    struct reads reads;
    struct reference to;
    if (carry->reduces) {
        const struct node *start = &describer->graph.nodes[carry->start];
        const int result = result_of_carry(describer, carry);
        if (result < 0 || (start->kind == NODE_CARRY && start->carry->reduces))
            return;
        to = *result_reference(describer, result);
        /* Each of the two loops combines its own parts, which a program does once. */
        if (start->kind == NODE_RESULT && start->carry->reduces)
            describer_remark(describer, carry->place,
                             "the %s goes on with that of the loop before: where these loops are "
                             "distributed, each is taken to combine its parts with messages of "
                             "its own, which is too dear",
                             carry->reduces);
    } else {
        int left = carry->to; /* it may be what other scalars were some iterations before */
        while (describer->graph.nodes[left].kind == NODE_CARRY)
            left = describer->graph.nodes[left].carry->to;
        if (!describer->graph.nodes[left].is_stored)
            return;
        to = reference_at(algebra, &describer->graph.nodes[left].stored_as, carry->loop->index,
                          carry->loop->first);
    }
    reads_of(describer, carry->start, -1, &reads);
    if (reads.count == 0 || (reads.count == 1 && reference_equal(algebra, &reads.items[0], &to)))
        return;
    begin_statement(run, carry->place, carry->reduces ? &to : NULL);
    if (!carry->reduces)
        write_pair(run->writer, "home", element_text(describer, &to));
    write_reads(run, &reads, 0);
    write_places(run, carry->place, &reads);
    yaml_out_map_end(run->writer->out);
}

/* The loops from one to another within it, those alone that the element names where it is told. */
static void begin_loops(struct writer *writer, const struct loop *outer, const struct loop *inner,
                        const struct reference *element)
{
    if (inner != outer)
        begin_loops(writer, outer, inner->up, element);
    if (element && !reference_has(element, inner->index))
        return;
    write_loop_head(writer, inner);
    yaml_out_list(writer->out, false);
}

static void end_loops(struct writer *writer, const struct loop *outer, const struct loop *inner,
                      const struct reference *element)
{
    if (!element || reference_has(element, inner->index)) {
        yaml_out_list_end(writer->out);
        yaml_out_map_end(writer->out);
    }
    if (inner != outer)
        end_loops(writer, outer, inner->up, element);
}

static void write_hoisted(struct writer *writer, const struct carry *carry)
{
    struct run run = {.writer = writer, .is_counted = true};
    begin_loops(writer, carry->hoisted, carry->loop, NULL);
    const struct reference to = writer->describer->graph.nodes[carry->to].stored_as;
    struct reads reads;
    reads_of_scalar(writer->describer, carry->to, &reads);
    begin_statement(&run, carry->place, &to);
    write_reads(&run, &reads, 0);
    write_places(&run, carry->place, &reads);
    yaml_out_map_end(writer->out);
    end_loops(writer, carry->hoisted, carry->loop, NULL);
}

/* Of the loops within it, or it. */
static void write_all_hoisted(struct writer *writer, const struct outline *outline,
                              const struct loop *before)
{
    for (const struct carry *carry = outline->loop ? outline->loop->carries : NULL; carry;
         carry = carry->next)
        if (carry->is_needed && carry->hoisted == before)
            write_hoisted(writer, carry);
    for (int i = 0; i < outline->count; i++)
        write_all_hoisted(writer, outline->children[i], before);
}

/* Elements that iterations overwrite, each its own: a loop of its own reads them before. */
static void write_copy_first(struct writer *writer, int i)
{
    struct run run = {.writer = writer, .is_counted = true};
    const struct node *node = &writer->describer->graph.nodes[i];
    struct reads reads;
    begin_loops(writer, node->copied_before, node->part->loop, &node->copied_as);
    reads_of_scalar(writer->describer, i, &reads);
    begin_statement(&run, node->place, &node->copied_as);
    write_reads(&run, &reads, 0);
    if (node->kind != NODE_LOAD && part_is_empty(writer->describer, node->part)) {
        /* What is computed there has no other statement. */
        count_part(writer->describer, node->part, writer->marks, &run.count);
        run.is_counted = false;
        write_operations(&run);
    }
    write_places(&run, node->place, &reads);
    yaml_out_map_end(writer->out);
    end_loops(writer, node->copied_before, node->part->loop, &node->copied_as);
}

void write_starts(struct writer *writer, const struct loop *loop)
{
    struct describer *describer = writer->describer;
    struct run run = {.writer = writer, .is_counted = true};
    for (int i = 0; i < describer->graph.count; i++) {
        const struct node *node = &describer->graph.nodes[i];
        if (node->copied_before == loop)
            write_copy_first(writer, i);
    }
    for (int i = 0; i < describer->segment_count; i++)
        write_all_hoisted(writer, &describer->segments[i]->root, loop);
    for (const struct carry *carry = loop->carries; carry; carry = carry->next) {
        if (!carry->is_needed)
            continue;
        if (carry->needs_start && (carry->reduces || describer->graph.nodes[carry->from].is_stored))
            write_start(&run, carry);
    }
}

/* Whether two statements assign elements of one array that lie a distance apart that the source
   does not tell as a number: then different processors may execute them. */
static bool may_run_apart(struct describer *describer, const struct reference *a,
                          const struct reference *b)
{
    double distance;
    for (int i = 0; i < a->count && a->array == b->array && a->count == b->count; i++) {
        polynomial between =
            polynomial_sum(&describer->algebra, a->subscripts[i], b->subscripts[i], -1);
        if (!between || !polynomial_is_constant(between, &distance))
            return true;
    }
    return false;
}

/* Numbers the statements of a run by where they may run, so that each has the operations that those
   before it do not need. A loop that is known as a whole is one. Returns how many groups there are.
 */
static int group_statements(struct run *run, int *groups)
{
    struct describer *describer = run->writer->describer;
    const struct part *part = run->count.part;
    int count = 0;
    for (int i = 0; i < part->statement_count; i++) {
        groups[i] = -1;
        if (part->statements[i].is_dropped || is_same_record(describer, part, i))
            continue;
        for (int j = 0; j < i && groups[i] < 0; j++)
            if (groups[j] >= 0 &&
                !may_run_apart(describer, &part->statements[j].to, &part->statements[i].to))
                groups[i] = groups[j];
        if (groups[i] < 0)
            groups[i] = count++;
    }
    for (int i = 0; i < part->statement_count; i++) /* with the member that is written */
        for (int j = 0; j < i && groups[i] < 0; j++)
            if (groups[j] >= 0 && part->statements[i].to.array->is_whole &&
                !may_run_apart(describer, &part->statements[j].to, &part->statements[i].to))
                groups[i] = groups[j];
    for (int group = 0; group < count && count > 1; group++) {
        struct count counted;
        if (!count_group(describer, part, run->writer->marks, groups, group, &counted))
            return 1;
    }
    return run->kernel || part->link_count > 0 ? 1 : count;
}

void write_part(struct writer *writer, const struct part *part)
{
    struct run run = {.writer = writer};
    count_part(writer->describer, part, writer->marks, &run.count);
    run.count.is_alone = writer->is_innermost;
    run.kernel = kernel_of(&run.count);
    write_copies(&run);
    for (int i = 0; i < part->link_count; i++) {
        const struct carry *carry = writer->describer->graph.nodes[part->links[i].from].carry;
        if (carry->reduces)
            write_accumulation(&run, &part->links[i], carry->reduces);
    }
    for (int link = next_kept(writer->describer, part, -1); link >= 0;
         link = next_kept(writer->describer, part, part->links[link].to))
        write_scalar(&run, writer->describer->graph.nodes[part->links[link].from].carry,
                     part->links[link].place);
    int *groups =
        arena_take(writer->describer->arena, (size_t)part->statement_count + 1, sizeof *groups);
    const int group_count = run.is_counted ? 1 : group_statements(&run, groups);
    if (group_count == 1) {
        count_part(writer->describer, part, writer->marks, &run.count);
        run.count.is_alone = writer->is_innermost;
    }
    for (int i = 0, written = 0; i < part->statement_count; i++) {
        if (part->statements[i].is_dropped || is_same_record(writer->describer, part, i))
            continue;
        if (group_count > 1 && groups[i] == written) {
            count_group(writer->describer, part, writer->marks, groups, written++, &run.count);
            struct operation_row rows[7];
            run.count.is_alone = writer->is_innermost;
            run.is_counted = operation_rows(&run.count.tally, rows) == 0;
        }
        write_statement(&run, &part->statements[i]);
    }
    if (!run.is_counted)
        write_condition(&run);
}
