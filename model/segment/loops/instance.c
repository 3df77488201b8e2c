#include "model/segment/loops/instance.h"

const struct record instance_record = {
    .name = "an instance", .size = sizeof(struct instance), .place_offset = NO_PLACE};

static int add_body(struct list *instances, const struct nest *nest, double probability,
                    const struct list *body, struct error *error);

/* ---- statements ---- */

static int read_references(struct instance *instance, struct error *error)
{
    const struct statement *statement = instance->statement;
    const struct formula *texts = statement->reads.items;
    const struct place place = program_place(instance->nest.program, statement->place);
    if (statement->reads.count > READS_MOST)
        return error_at(error, place, "more than %d reads in one statement", READS_MOST);
    for (size_t i = 0; i < statement->reads.count; i++)
        if (reference_parse(&instance->reads[instance->read_count++], &texts[i], &instance->nest,
                            error) != 0)
            return -1;
    instance->has_writes = statement->writes.text != NULL;
    return instance->has_writes
               ? reference_parse(&instance->writes, &statement->writes, &instance->nest, error)
               : 0;
}

/* A reduction runs where it reads, unless it says otherwise: its result may live everywhere. */
static int find_home(struct instance *instance, struct error *error)
{
    const struct statement *statement = instance->statement;
    if (statement->home.text) {
        instance->has_home = true;
        if (reference_parse(&instance->home, &statement->home, &instance->nest, error) != 0)
            return -1;
        instance->chooses = statement->reduce != REDUCE_NONE && instance->has_writes &&
                            instance->home.array == instance->writes.array &&
                            reference_same_subscripts(&instance->home, &instance->writes);
        return 0;
    }
    const bool reduces = statement->reduce != REDUCE_NONE && instance->read_count > 0;
    instance->has_home = reduces || instance->has_writes;
    if (instance->has_home)
        instance->home = reduces ? instance->reads[0] : instance->writes;
    return 0;
}

/* What goes around is read of its owner; nothing is written there, and nothing runs there. */
static int check_no_wrap(const struct reference *reference, const struct instance *instance,
                         struct error *error)
{
    return reference->wraps
               ? error_at(error, program_place(instance->nest.program, reference->text->place),
                          "'%.60s' goes around %s: expected elements of the array where something "
                          "is written or runs",
                          reference->text->text, reference->array->name)
               : 0;
}

static int add_statement(struct list *instances, const struct nest *nest, double probability,
                         const struct statement *statement, struct error *error)
{
    struct instance *instance = list_add(&instance_record, instances);
    instance->statement = statement;
    instance->nest = *nest;
    instance->probability = probability;
    if (statement->reduce != REDUCE_NONE && !statement->writes.text)
        return error_at(error, program_place(nest->program, statement->place),
                        "reduce without writes");
    double strip; /* wrong even where nothing makes a pipeline */
    if (statement_strip(statement, nest->program, nest->scope, &strip, error) != 0 ||
        read_references(instance, error) != 0 || find_home(instance, error) != 0)
        return -1;
    if (instance->has_writes && check_no_wrap(&instance->writes, instance, error) != 0)
        return -1;
    return instance->has_home ? check_no_wrap(&instance->home, instance, error) : 0;
}

/* ---- loops and calls ---- */

static int add_loop(struct list *instances, const struct nest *nest, double probability,
                    const struct loop *loop, struct error *error)
{
    struct nest inner = *nest;
    if (nest_enter(&inner, loop, error) != 0)
        return -1;
    return add_body(instances, &inner, probability, &loop->body, error);
}

static int add_branches(struct list *instances, const struct nest *nest, double probability,
                        const struct list *branches, struct error *error)
{
    const struct branch *items = branches->items;
    double sum = 0.0;
    for (size_t i = 0; i < branches->count; i++) {
        double share;
        if (branch_probability(&items[i], nest->program, nest->scope, &share, error) != 0)
            return -1;
        sum += share;
        if (sum > 1.0 + 1e-9)
            return error_at(error, program_place(nest->program, items[i].place),
                            "the probabilities of the branches add up to %g", sum);
        /* Nobody goes a way of probability 0: it needs no messages either. */
        if (share > 0.0 && add_body(instances, nest, probability * share, &items[i].body, error))
            return -1;
    }
    return 0;
}

/* Reports what would be one statement or call too many. */
static int check_room(const struct list *instances, const struct nest *nest,
                      const struct step *step, struct error *error)
{
    return instances->count < STATEMENTS_MOST
               ? 0
               : error_at(error, program_place(nest->program, step->place),
                          "more than %d statements and calls in one segment", STATEMENTS_MOST);
}

static int add_step(struct list *instances, const struct nest *nest, double probability,
                    const struct step *step, struct error *error)
{
    if (step->loop)
        return add_loop(instances, nest, probability, step->loop, error);
    if ((step->statement || step->call) && check_room(instances, nest, step, error) != 0)
        return -1;
    if (step->statement)
        return add_statement(instances, nest, probability, step->statement, error);
    if (!step->call)
        return add_branches(instances, nest, probability, &step->branches, error);
    struct instance *instance = list_add(&instance_record, instances);
    instance->call = step->call;
    instance->nest = *nest;
    instance->probability = probability;
    return 0;
}

static int add_body(struct list *instances, const struct nest *nest, double probability,
                    const struct list *body, struct error *error)
{
    const struct step *steps = body->items;
    for (size_t i = 0; i < body->count; i++)
        if (add_step(instances, nest, probability, &steps[i], error) != 0)
            return -1;
    return 0;
}

int instances_make(struct list *instances, const struct program *program,
                   const struct segment *segment, struct scope *scope, struct error *error)
{
    const struct nest nest = {.program = program, .scope = scope};
    return add_body(instances, &nest, 1.0, &segment->body, error);
}

bool instance_sends_result(const struct instance *instance)
{
    const struct statement *statement = instance->statement;
    return statement && (statement->reduce != REDUCE_NONE || statement->home.text);
}
