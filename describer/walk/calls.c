#include "describer/walk/evaluate.h"

#include "describer/walk/jumps.h"
#include "describer/walk/messages.h"

#include "model/base/number.h"

#include <string.h>

/* Functions of the library that are one operation or none, without the f or l behind their names.
 */
static const struct {
    const char *name;
    int arguments;
    enum node_kind kind;
} known_functions[] = {
    {"sqrt", 1, NODE_ROOT    },
    {"fabs", 1, NODE_ABSOLUTE},
    {"fmax", 2, NODE_EXTREME },
    {"fmin", 2, NODE_EXTREME },
};

/* Functions that have nothing to do with what is computed: output, memory, clocks. */
static const char *const free_functions[] = {"printf",
                                             "fprintf",
                                             "puts",
                                             "fputs",
                                             "putchar",
                                             "fputc",
                                             "fflush",
                                             "perror",
                                             "free",
                                             "exit",
                                             "abort",
                                             "assert",
                                             "clock",
                                             "time",
                                             "gettimeofday",
                                             "fclose",
                                             "sprintf",
                                             "snprintf",
                                             "__assert_fail",
                                             "fopen",
                                             "srand",
                                             "clock_gettime",
                                             "omp_get_wtime",
                                             "setbuf",
                                             "setvbuf",
                                             "__builtin_expect",
                                             "omp_set_num_threads",
                                             "omp_set_dynamic",
                                             "omp_set_nested",
                                             "omp_init_lock",
                                             "omp_destroy_lock",
                                             "omp_set_lock",
                                             "omp_unset_lock"};

/* Functions that give a whole number: a process is described with one thread, and a program as it
   runs without arguments and without variables of its environment. */
static const struct {
    const char *name;
    double value;
} constant_functions[] = {
    {"omp_get_thread_num",  0 },
    {"omp_get_num_threads", 1 },
    {"omp_get_max_threads", 1 },
    {"omp_get_num_procs",   1 },
    {"omp_in_parallel",     0 },
    {"omp_get_level",       0 },
    {"getopt",              -1},
    {"getopt_long",         -1},
    {"getopt_long_only",    -1},
    {"getenv",              0 },
};

const struct function *function_called(const struct source *source, const struct syntax *call)
{
    const struct function *found = NULL;
    for (int i = 0; i < source->function_count; i++) {
        const struct function *function = source->functions[i];
        if (strcmp(function->name, call->name) != 0)
            continue;
        if (function->place.file == call->place.file)
            return function;
        if (!function->is_static || function->file < 0)
            found = function;
    }
    return found;
}

static bool is_named(const char *name, const char *known)
{
    const size_t length = strlen(known);
    return !strncmp(name, known, length) &&
           (!name[length] || (strchr("fl", name[length]) && !name[length + 1]));
}

static int argument_node(struct describer *describer, const struct syntax *call, int i)
{
    return value_node(describer, evaluate(describer, call->children[i]), call->children[i]);
}

static bool known_call(struct describer *describer, const struct syntax *call, struct value *value)
{
    struct part *part = describer_part(describer);
    struct graph *graph = &describer->graph;
    for (size_t i = 0; i < sizeof known_functions / sizeof *known_functions; i++) {
        if (!is_named(call->name, known_functions[i].name) ||
            call->count != known_functions[i].arguments)
            continue;
        const int a = argument_node(describer, call, 0);
        *value =
            value_of_node(call->count == 1 ? graph_unary(graph, part, known_functions[i].kind, a)
                                           : graph_binary(graph, part, known_functions[i].kind, a,
                                                          argument_node(describer, call, 1)));
        return true;
    }
    if (!is_named(call->name, "fma") || call->count != 3)
        return false;
    const int a = argument_node(describer, call, 0), b = argument_node(describer, call, 1);
    const int product = graph_binary(graph, part, NODE_MULTIPLY, a, b);
    *value = value_of_node(
        graph_binary(graph, part, NODE_ADD, product, argument_node(describer, call, 2)));
    return true;
}

/* add: 10, mul: 12 */
static bool read_cost(struct describer *describer, const char *text, struct cost *cost)
{
    const struct {
        const char *name;
        double *value;
    } fields[] = {
        {"add",  &cost->add     },
        {"mul",  &cost->multiply},
        {"div",  &cost->divide  },
        {"sqrt", &cost->root    }
    };
    const char **parts = text_split(describer->arena, text, ',');
    for (; *parts; parts++) {
        bool is_known = false;
        const char *colon = strchr(*parts, ':');
        for (size_t i = 0; colon && i < sizeof fields / sizeof *fields; i++)
            if (!strncmp(*parts, fields[i].name, (size_t)(colon - *parts)) &&
                strlen(fields[i].name) == (size_t)(colon - *parts))
                is_known = number_parse(colon + 1 + strspn(colon + 1, " "), fields[i].value) &&
                           *fields[i].value >= 0;
        if (!is_known)
            return false;
    }
    return true;
}

/* What `cost NAME(...)` says of a function; NULL: nothing. */
static const struct cost *cost_of(struct describer *describer, const char *name)
{
    const size_t length = strlen(name);
    for (int i = 0; i < describer->directives.count; i++) {
        struct directive *directive = &describer->directives.items[i];
        const char *rest = directive->rest;
        if (directive->word != WORD_COST || strncmp(rest, name, length) != 0)
            continue;
        rest += length + strspn(rest + length, " ");
        if (*rest != '(')
            continue;
        directive->is_used = true;
        struct cost *cost = arena_take(describer->arena, 1, sizeof *cost);
        const char *text = text_trimmed(describer->arena, rest + 1, strcspn(rest + 1, ")"));
        if (!read_cost(describer, text, cost))
            describer_fail(describer, directive->place,
                           "'%s': what a function costs is add, mul, div and sqrt with numbers, as "
                           "in cost %s(add: 10, mul: 12)",
                           text, name);
        return cost;
    }
    return NULL;
}

static struct value costly_call(struct describer *describer, const struct syntax *call,
                                const struct cost *cost)
{
    struct node node = {.kind = NODE_CALL, .cost = cost, .name = call->name};
    for (int i = 0; i < call->count && i < OPERANDS_MOST; i++) {
        const struct value value = evaluate(describer, call->children[i]);
        if (value.kind == VALUE_NODE || value.kind == VALUE_INDEX)
            node.operands[node.operand_count++] = value_node(describer, value, call);
    }
    const int made = graph_add(&describer->graph, describer_part(describer), node);
    if (!call->type || call->type->kind == TYPE_VOID)
        describer->graph.nodes[made].is_live_out = describer->graph.nodes[made].is_condition = true;
    return value_of_node(made);
}

static bool can_enter(struct describer *describer, const struct function *function,
                      const struct syntax *call)
{
    for (int i = 0; i < describer->entered; i++)
        if (describer->entering[i] == function) {
            describer_fail(describer, call->place,
                           "%s calls itself: how deep is not known; write a loop, or say what it "
                           "costs: #pragma forecost cost %s(add: 1)",
                           function->name, function->name);
            return false;
        }
    if (describer->entered == ENTERED_MOST)
        describer_fail(describer, call->place,
                       "calls more than %d deep: say what %s costs: #pragma "
                       "forecost cost %s(add: 1)",
                       ENTERED_MOST, function->name, function->name);
    return !describer->has_failed;
}

/* Goes into a function with the values of its arguments; its parameters are as before behind it. */
static struct value enter(struct describer *describer, const struct syntax *call,
                          const struct function *function)
{
    struct value given[32];
    struct binding kept[32];
    const int count = function->parameter_count < 32 ? function->parameter_count : 32;
    for (int i = 0; i < count; i++)
        given[i] = i < call->count ? evaluate(describer, call->children[i]) : (struct value){0};
    if (describer_is_stopped(describer) || !can_enter(describer, function, call))
        return value_unknown(NULL);
    for (int i = 0; i < count; i++) {
        struct binding *binding = &describer->bindings[function->parameters[i]->id];
        kept[i] = *binding;
        binding->value = given[i];
        binding->depth = describer->loop ? describer->loop->depth + 1 : 0;
    }
    const struct place here = describer->here;
    const struct loop *function_loop = describer->function_loop;
    const struct jumping outside = jumping_enter(describer, false);
    describer->function_loop = describer->loop;
    describer->entering[describer->entered++] = function;
    execute(describer, function->body);
    describer->entered--;
    describer->function_loop = function_loop;
    jumping_leave(describer, &outside);
    describer->here = here;
    const struct value value = describer->has_returned ? describer->returned : (struct value){0};
    describer->has_returned = false;
    for (int i = 0; i < count; i++)
        describer->bindings[function->parameters[i]->id] = kept[i];
    return value;
}

static bool is_free(const char *name)
{
    for (size_t i = 0; i < sizeof free_functions / sizeof *free_functions; i++)
        if (!strcmp(name, free_functions[i]))
            return true;
    return false;
}

/* A function of which nothing is known: free outside all loops, if it gives a number. */
static struct value unknown_call(struct describer *describer, const struct syntax *call)
{
    const enum type_kind kind = call->type ? call->type->kind : TYPE_OTHER;
    for (size_t i = 0; i < sizeof constant_functions / sizeof *constant_functions; i++)
        if (!strcmp(call->name, constant_functions[i].name))
            return value_of_index(
                polynomial_constant(&describer->algebra, constant_functions[i].value));
    if (is_free(call->name))
        return (struct value){0};
    forget_addressed(describer, call);
    if (kind == TYPE_POINTER)
        return (struct value){0};
    if (!describer->loop && kind == TYPE_FLOATING)
        return value_of_node(graph_add(&describer->graph, describer_part(describer),
                                       (struct node){.kind = NODE_SAME, .name = call->name}));
    if (!describer->loop && kind == TYPE_INTEGER)
        return (struct value){0};
    describer_fail(describer, call->place,
                   "nothing is known of what %s() costs: say so: #pragma forecost cost %s(add: 10, "
                   "mul: 12), or `ignore` the statement",
                   *call->name ? call->name : "this", *call->name ? call->name : "NAME");
    return value_unknown(NULL);
}

struct value call_value(struct describer *describer, const struct syntax *call)
{
    struct value value = {0};
    const struct cost *cost = cost_of(describer, call->name);
    if (describer->has_failed)
        return value_unknown(NULL);
    if (cost)
        return costly_call(describer, call, cost);
    if (known_call(describer, call, &value) || messages_call(describer, call, &value))
        return value;
    const struct function *function = function_called(describer->source, call);
    return function ? enter(describer, call, function) : unknown_call(describer, call);
}
