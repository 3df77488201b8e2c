#include "model/segment/instance.h"

const struct record instance_record = {
    .name = "an instance", .size = sizeof(struct instance), .place_offset = NO_PLACE};

static int add_body(struct list *instances, const struct nest *nest, const struct list *body,
                    struct error *error);

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
        return reference_parse(&instance->home, &statement->home, &instance->nest, error);
    }
    const bool reduces = statement->reduce != REDUCE_NONE && instance->read_count > 0;
    instance->has_home = reduces || instance->has_writes;
    if (instance->has_home)
        instance->home = reduces ? instance->reads[0] : instance->writes;
    return 0;
}

static int add_statement(struct list *instances, const struct nest *nest,
                         const struct statement *statement, struct error *error)
{
    struct instance *instance = list_add(&instance_record, instances);
    instance->statement = statement;
    instance->nest = *nest;
    instance->probability = 1.0;
    if (statement->reduce != REDUCE_NONE && !statement->writes.text)
        return error_at(error, program_place(nest->program, statement->place),
                        "reduce without writes");
    if (read_references(instance, error) != 0)
        return -1;
    return find_home(instance, error);
}

/* ---- loops and calls ---- */

static int add_loop(struct list *instances, const struct nest *nest, const struct loop *loop,
                    struct error *error)
{
    struct nest inner = *nest;
    if (nest_enter(&inner, loop, error) != 0)
        return -1;
    return add_body(instances, &inner, &loop->body, error);
}

static int add_step(struct list *instances, const struct nest *nest, const struct step *step,
                    struct error *error)
{
    if (step->loop)
        return add_loop(instances, nest, step->loop, error);
    if (step->statement)
        return add_statement(instances, nest, step->statement, error);
    struct instance *instance = list_add(&instance_record, instances);
    instance->call = step->call;
    instance->nest = *nest;
    instance->probability = 1.0;
    return 0;
}

static int add_body(struct list *instances, const struct nest *nest, const struct list *body,
                    struct error *error)
{
    const struct step *steps = body->items;
    for (size_t i = 0; i < body->count; i++)
        if (add_step(instances, nest, &steps[i], error) != 0)
            return -1;
    return 0;
}

int instances_make(struct list *instances, const struct program *program,
                   const struct segment *segment, struct scope *scope, struct error *error)
{
    const struct nest nest = {.program = program, .scope = scope};
    return add_body(instances, &nest, &segment->body, error);
}
