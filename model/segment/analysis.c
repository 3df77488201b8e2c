#include "model/segment/analysis.h"

#include "model/segment/home.h"
#include "model/segment/shift.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the walk through a segment carries along. */
struct walk {
    struct analysis *analysis;
    const struct program *program;
    const struct segment *segment;
    const struct layout *layout;
    struct scope *scope;
    struct nest nest;
};

const struct record demand_record = {
    .name = "a demand", .size = sizeof(struct demand), .place_offset = NO_PLACE};
static const struct record work_record = {
    .name = "work", .size = sizeof(struct work), .place_offset = NO_PLACE};

/* ---- recurrences ---- */

static bool writes_array(const struct list *body, const char *array)
{
    const struct step *steps = body->items;
    for (size_t i = 0; i < body->count; i++) {
        const struct statement *statement = steps[i].statement;
        const char *writes = statement ? statement->writes.text : NULL;
        const size_t length = writes ? strcspn(writes, "[") : 0;
        if (writes && strlen(array) == length && strncmp(writes, array, length) == 0)
            return true;
        if (steps[i].loop && writes_array(&steps[i].loop->body, array))
            return true;
    }
    return false;
}

/* Messages are hoisted out of a nest that does not change what they carry (D5). One that does needs
   them step by step. */
static int check_recurrence(const struct walk *walk, const struct list *demands, size_t before,
                            const struct array *array, struct error *error)
{
    if (demands->count == before || walk->nest.depth == 0 ||
        !writes_array(&walk->segment->body, array->name))
        return 0;
    const struct demand *demand = (const struct demand *)demands->items + before;
    return error_at(error, program_place(walk->program, demand->place),
                    "%s is changed by the segment that reads it from neighbours: a recurrence, for "
                    "which no communication is derived; write it as a call",
                    array->name);
}

/* ---- statements ---- */

static void add_work(struct walk *walk, const struct statement *statement, const struct home *home)
{
    struct work *work = list_add(&work_record, &walk->analysis->work);
    *work = (struct work){statement, 1.0, 1.0};
    bool shared[LOOPS_MOST] = {false};
    for (int g = 0; g < home->grid_dimensions; g++) {
        double most, mean;
        if (home->axes[g].kind == AXIS_ALL)
            continue;
        home_spread(&home->axes[g], &walk->nest, walk->layout->grid[g], &most, &mean);
        work->iterations_most *= most;
        work->iterations_mean *= mean;
        if (home->axes[g].kind == AXIS_LOOP)
            shared[home->axes[g].loop] = true;
    }
    for (int loop = 0; loop < walk->nest.depth; loop++)
        if (!shared[loop]) {
            work->iterations_most *= nest_trips(&walk->nest, loop);
            work->iterations_mean *= nest_trips(&walk->nest, loop);
        }
}

/* The reads of each array together: a union per pair (D4). */
static int derive_reads(struct walk *walk, const struct reference *references, size_t count,
                        const struct home *home, struct error *error)
{
    bool done[READS_MOST] = {false};
    for (size_t i = 0; i < count; i++) {
        struct reads reads = {.array = references[i].array};
        for (size_t k = i; k < count && !done[i]; k++)
            if (references[k].array == reads.array)
                reads.references[reads.count++] = &references[k];
        for (size_t k = i; k < count; k++)
            done[k] |= references[k].array == reads.array;
        if (reads.count == 0)
            continue;
        const size_t before = walk->analysis->demands.count;
        if (shift_derive(&walk->analysis->demands, &reads, home, &walk->nest, walk->layout,
                         walk->program, error) != 0 ||
            check_recurrence(walk, &walk->analysis->demands, before, reads.array, error) != 0)
            return -1;
    }
    return 0;
}

/* D10: processors that contribute to the same element form the group; n = the elements that one
   processor contributes to. */
static void derive_reduction(struct walk *walk, const struct statement *statement,
                             const struct reference *result, const struct home *home)
{
    const struct array_layout *lies = layout_of(walk->layout, walk->program, result->array);
    double group = 1.0, bytes = result->array->element_bytes;
    for (int g = 0; g < home->grid_dimensions; g++)
        if (home->axes[g].kind == AXIS_LOOP && array_layout_along(lies, g) < 0)
            group *= walk->layout->grid[g];
    for (int d = 0; d < result->dimensions; d++) {
        const int loop = result->subscripts[d].loop;
        double most = loop < 0 ? 1.0 : nest_trips(&walk->nest, loop), mean;
        for (int g = 0; g < home->grid_dimensions && loop >= 0; g++)
            if (home->axes[g].kind == AXIS_LOOP && home->axes[g].loop == loop)
                home_spread(&home->axes[g], &walk->nest, walk->layout->grid[g], &most, &mean);
        bytes *= most;
    }
    if (group == 1.0)
        return;
    struct demand *demand = list_add(&demand_record, &walk->analysis->demands);
    *demand = (struct demand){.kind = DEMAND_COMBINE,
                              .times = 1.0,
                              .bytes = bytes,
                              .processors = group,
                              .place = statement->place};
    snprintf(demand->cause, sizeof demand->cause, "reduction into %.80s", statement->writes.text);
}

static int parse(struct walk *walk, const struct formula *text, struct reference *reference,
                 struct error *error)
{
    return reference_parse(reference, walk->program, text, &walk->nest, walk->scope, error);
}

static int walk_statement(struct walk *walk, const struct statement *statement, struct error *error)
{
    struct reference references[READS_MOST], home_reference, result;
    const struct formula *texts = statement->reads.items;
    const size_t count = statement->reads.count;
    const bool reduces = statement->reduce != REDUCE_NONE;
    const struct place place = program_place(walk->program, statement->place);
    if (count > READS_MOST)
        return error_at(error, place, "more than %d reads in one statement", READS_MOST);
    if (reduces && !statement->writes.text)
        return error_at(error, place, "reduce without writes");
    for (size_t i = 0; i < count; i++)
        if (parse(walk, &texts[i], &references[i], error) != 0)
            return -1;
    if (statement->writes.text && parse(walk, &statement->writes, &result, error) != 0)
        return -1;
    /* A reduction runs where it reads, unless it says otherwise: its result may live everywhere. */
    const struct formula *home_text = statement->home.text ? &statement->home
                                      : reduces && count   ? &texts[0]
                                                           : &statement->writes;
    if (home_text->text && parse(walk, home_text, &home_reference, error) != 0)
        return -1;
    struct home home;
    if (home_of(&home, home_text->text ? &home_reference : NULL, walk->layout, walk->program,
                error) != 0 ||
        derive_reads(walk, references, count, &home, error) != 0)
        return -1;
    add_work(walk, statement, &home);
    if (reduces)
        derive_reduction(walk, statement, &result, &home);
    return 0;
}

/* ---- calls and loops ---- */

static int walk_call(struct walk *walk, const struct call *call, struct error *error)
{
    double times = 1.0;
    struct demand demand = {.kind = DEMAND_CALL,
                            .utility = call->utility,
                            .processors = walk->layout->processors,
                            .place = call->place};
    if (call->bytes.text && expression_value(walk->scope, call->bytes.text,
                                             program_place(walk->program, call->bytes.place),
                                             &demand.bytes, error) != 0)
        return -1;
    if (call->processors.text &&
        expression_whole(walk->scope, call->processors.text,
                         program_place(walk->program, call->processors.place), &demand.processors,
                         error) != 0)
        return -1;
    if (demand.bytes < 0.0 || demand.processors < 1.0)
        return error_at(error, program_place(walk->program, call->place),
                        "%g bytes among %g processors", demand.bytes, demand.processors);
    for (int loop = 0; loop < walk->nest.depth; loop++)
        times *= nest_trips(&walk->nest, loop);
    demand.times = times;
    demand.bytes = ceil(demand.bytes);
    snprintf(demand.cause, sizeof demand.cause, "call");
    if (demand.processors > 1.0)
        *(struct demand *)list_add(&demand_record, &walk->analysis->demands) = demand;
    return 0;
}

static int walk_body(struct walk *walk, const struct list *body, struct error *error);

static int walk_loop(struct walk *walk, const struct loop *loop, struct error *error)
{
    const int depth = walk->nest.depth;
    const struct place first = program_place(walk->program, loop->first.place);
    const struct place last = program_place(walk->program, loop->last.place);
    if (depth == LOOPS_MOST)
        return error_at(error, first, "more than %d loops within one another", LOOPS_MOST);
    if (scope_get(walk->scope, loop->index, NULL))
        return error_at(error, first, "loop index '%.60s' is the name of something else",
                        loop->index);
    if (expression_whole(walk->scope, loop->first.text, first, &walk->nest.first[depth], error) !=
            0 ||
        expression_whole(walk->scope, loop->last.text, last, &walk->nest.last[depth], error) != 0)
        return -1;
    walk->nest.index[depth] = loop->index;
    walk->nest.depth++;
    const int status = walk_body(walk, &loop->body, error);
    walk->nest.depth--;
    return status;
}

static int walk_body(struct walk *walk, const struct list *body, struct error *error)
{
    const struct step *steps = body->items;
    int status = 0;
    for (size_t i = 0; i < body->count && status == 0; i++) {
        if (steps[i].loop)
            status = walk_loop(walk, steps[i].loop, error);
        else if (steps[i].statement)
            status = walk_statement(walk, steps[i].statement, error);
        else
            status = walk_call(walk, steps[i].call, error);
    }
    return status;
}

int analysis_make(struct analysis *analysis, const struct program *program,
                  const struct segment *segment, const struct layout *layout, struct scope *scope,
                  struct error *error)
{
    struct walk walk = {analysis, program, segment, layout, scope, {0}};
    *analysis = (struct analysis){.repeat = 1.0};
    int status = 0;
    if (segment->repeat.text)
        status = expression_value(scope, segment->repeat.text,
                                  program_place(program, segment->repeat.place), &analysis->repeat,
                                  error);
    if (status == 0 && analysis->repeat < 0.0)
        status = error_at(error, program_place(program, segment->repeat.place),
                          "repeated %g times: expected at least 0", analysis->repeat);
    if (status == 0)
        status = walk_body(&walk, &segment->body, error);
    if (status != 0)
        analysis_free(analysis);
    return status;
}

void analysis_free(struct analysis *analysis)
{
    list_free(&work_record, &analysis->work);
    list_free(&demand_record, &analysis->demands);
}
