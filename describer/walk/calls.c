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

/* What functions of the library take, in divisions, unless `cost` says it; without the f or l
   behind their names. Measured with glibc 2.36 on an Intel Xeon (gcc -O2, one call an iteration,
   arguments of 0.01 to 4): their times over that of a division, rounded. The description says that
   they are known within a factor of 2 (`functions`). */
static const struct {
    const char *name;
    double divisions;
} function_costs[] = {
    {"sin",                  5 },
    {"cos",                  5 },
    {"tan",                  6 },
    {"asin",                 4 },
    {"acos",                 4 },
    {"atan",                 5 },
    {"atan2",                10},
    {"sinh",                 9 },
    {"cosh",                 5 },
    {"tanh",                 9 },
    {"asinh",                9 },
    {"acosh",                9 },
    {"atanh",                9 },
    {"exp",                  4 },
    {"exp2",                 3 },
    {"exp10",                5 },
    {"expm1",                8 },
    {"log",                  4 },
    {"log2",                 3 },
    {"log10",                5 },
    {"log1p",                5 },
    {"pow",                  10},
    {"cbrt",                 10},
    {"hypot",                4 },
    {"fmod",                 4 },
    {"erf",                  10},
    {"erfc",                 10},
    {"tgamma",               23},
    {"lgamma",               7 },
    {"j0",                   15},
    {"j1",                   15},
    {"floor",                1 },
    {"ceil",                 1 },
    {"trunc",                1 },
    {"round",                2 },
    {"rint",                 1 },
    {"ldexp",                4 },
    {"rand",                 6 },
    {"random",               6 },
    {"rand_r",               6 },
    {"drand48",              6 },
    {"lrand48",              6 },
    {"isnan",                0 },
    {"isinf",                0 },
    {"isfinite",             0 },
    {"__builtin_isnan",      0 },
    {"__builtin_isinf_sign", 0 },
    {"__builtin_isfinite",   0 },
    {"copysign",             0 },
    {"abs",                  0 },
    {"labs",                 0 },
};

/* Functions that have nothing to do with what is computed: output, input, memory, clocks. */
static const char *const free_functions[] = {"printf",
                                             "fprintf",
                                             "vprintf",
                                             "vfprintf",
                                             "sprintf",
                                             "snprintf",
                                             "puts",
                                             "fputs",
                                             "putchar",
                                             "putc",
                                             "fputc",
                                             "fwrite",
                                             "fflush",
                                             "perror",
                                             "free",
                                             "exit",
                                             "_exit",
                                             "abort",
                                             "assert",
                                             "__assert_fail",
                                             "atexit",
                                             "clock",
                                             "sleep",
                                             "usleep",
                                             "fopen",
                                             "fclose",
                                             "feof",
                                             "rewind",
                                             "fseek",
                                             "getchar",
                                             "getc",
                                             "fgetc",
                                             "setbuf",
                                             "setvbuf",
                                             "setlocale",
                                             "signal",
                                             "system",
                                             "remove",
                                             "isatty",
                                             "srand",
                                             "srandom",
                                             "srand48",
                                             "malloc",
                                             "calloc",
                                             "realloc",
                                             "aligned_alloc",
                                             "memalign",
                                             "strdup",
                                             "atoi",
                                             "atol",
                                             "atoll",
                                             "atof",
                                             "strtol",
                                             "strtoll",
                                             "strtoul",
                                             "strtod",
                                             "strtof",
                                             "strcmp",
                                             "strncmp",
                                             "strlen",
                                             "strchr",
                                             "strstr",
                                             "strerror",
                                             "localtime",
                                             "gmtime",
                                             "ctime",
                                             "difftime",
                                             "__builtin_expect",
                                             "omp_get_wtime",
                                             "omp_set_num_threads",
                                             "omp_set_dynamic",
                                             "omp_set_nested"};

/* Those of them that set what their arguments point at. */
static const char *const setting_functions[] = {
    "scanf",    "fscanf",         "sscanf",           "fgets",         "fread",
    "getline",  "posix_memalign", "gettimeofday",     "clock_gettime", "time",
    "times",    "getrusage",      "strcpy",           "strncpy",       "strcat",
    "strftime", "omp_init_lock",  "omp_destroy_lock", "omp_set_lock",  "omp_unset_lock"};

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
    if (call->pointer)
        return NULL;
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

bool function_is_pointed(const struct source *source, const struct function *function)
{
    for (int i = 0; i < source->pointed_count; i++)
        if (!strcmp(source->pointed[i], function->name))
            return true;
    return false;
}

const struct function *function_maybe_called(const struct source *source, const struct syntax *call,
                                             int i)
{
    if (!call->pointer)
        return i == 0 ? function_called(source, call) : NULL;
    for (int k = 0; k < source->function_count; k++) {
        const struct function *function = source->functions[k];
        if (function->parameter_count == call->count && function_is_pointed(source, function) &&
            i-- == 0)
            return function;
    }
    return NULL;
}

/* ---- pointers to functions ---- */

static const struct syntax *without_address(const struct syntax *syntax)
{
    while (((syntax->kind == SYNTAX_CAST) ||
            (syntax->kind == SYNTAX_UNARY &&
             (syntax->operation == DO_ADDRESS || syntax->operation == DO_FOLLOW))) &&
           syntax->count == 1)
        syntax = syntax->children[0];
    return syntax;
}

/* The variable of which it is a part: t of t[2].run. */
static const struct declaration *variable_of(const struct syntax *syntax)
{
    while ((syntax->kind == SYNTAX_CAST || syntax->kind == SYNTAX_MEMBER ||
            syntax->kind == SYNTAX_SUBSCRIPT) &&
           syntax->count > 0)
        syntax = syntax->children[0];
    return syntax->kind == SYNTAX_NAME ? syntax->declaration : NULL;
}

/* Whether a variable keeps what it begins with: nothing within sets it, or hands its address on. */
static bool keeps(const struct syntax *syntax, const struct declaration *variable, bool is_part)
{
    const bool sets = syntax->kind == SYNTAX_ASSIGN ||
                      (syntax->kind == SYNTAX_UNARY &&
                       (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT ||
                        syntax->operation == DO_ADDRESS));
    if (sets && syntax->count > 0 && variable_of(syntax->children[0]) == variable)
        return false;
    if (syntax->kind == SYNTAX_NAME && syntax->declaration == variable)
        return is_part || variable->type->kind != TYPE_ARRAY;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] &&
            !keeps(syntax->children[i], variable,
                   i == 0 && (syntax->kind == SYNTAX_SUBSCRIPT || syntax->kind == SYNTAX_MEMBER)))
            return false;
    return true;
}

/* The initialiser of a part of a variable that nothing sets, or NULL. */
static const struct syntax *begun_with(struct describer *describer, const struct syntax *syntax)
{
    if (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        return begun_with(describer, syntax->children[0]);
    if (syntax->kind == SYNTAX_NAME) {
        const struct declaration *variable = syntax->declaration;
        if (!variable || !variable->initial)
            return NULL;
        for (int i = 0; i < describer->source->function_count; i++)
            if (!keeps(describer->source->functions[i]->body, variable, false))
                return NULL;
        return variable->initial;
    }
    const struct syntax *list = (syntax->kind == SYNTAX_SUBSCRIPT || syntax->kind == SYNTAX_MEMBER)
                                    ? begun_with(describer, syntax->children[0])
                                    : NULL;
    if (!list || list->kind != SYNTAX_LIST)
        return NULL;
    int at = -1;
    if (syntax->kind == SYNTAX_SUBSCRIPT) {
        const struct value index = evaluate_leniently(describer, syntax->children[1]);
        double number;
        for (int i = 0; i < list->count; i++)
            if (list->children[i]->kind == SYNTAX_DESIGNATED)
                return NULL;
        if (index.kind != VALUE_INDEX || !polynomial_is_constant(index.index, &number))
            return NULL;
        at = (int)number;
    } else
        for (int i = 0, next = 0; i < list->count; i++, next++) {
            const struct syntax *child = list->children[i];
            const bool is_named = child->kind == SYNTAX_DESIGNATED;
            for (int k = 0; is_named && k < list->field_count; k++)
                next = strcmp(list->fields[k].name, child->name) ? next : k;
            if (next < list->field_count && !strcmp(list->fields[next].name, syntax->name))
                return is_named ? child->children[0] : child;
        }
    return at >= 0 && at < list->count ? list->children[at] : NULL;
}

static bool has_address_taken(const struct syntax *syntax, const struct declaration *variable)
{
    if (syntax->kind == SYNTAX_UNARY && syntax->operation == DO_ADDRESS &&
        syntax->children[0]->kind == SYNTAX_NAME && syntax->children[0]->declaration == variable)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && has_address_taken(syntax->children[i], variable))
            return true;
    return false;
}

struct value function_of_variable(struct describer *describer, const struct syntax *name,
                                  struct value value)
{
    for (int i = 0; i < describer->source->function_count; i++)
        if (has_address_taken(describer->source->functions[i]->body, name->declaration))
            return value_unknown("what is set through its address");
    return value;
}

const struct syntax *call_followed(struct describer *describer, const struct syntax *call)
{
    const struct syntax *pointer = without_address(call->pointer);
    const struct syntax *initial = begun_with(describer, pointer);
    struct value function = {0};
    if (initial)
        pointer = without_address(initial);
    if (pointer->kind != SYNTAX_SUBSCRIPT)
        function = evaluate_leniently(describer, pointer);
    if (function.kind != VALUE_FUNCTION)
        return NULL;
    struct syntax *direct = arena_take(describer->arena, 1, sizeof *direct);
    *direct = *call;
    direct->pointer = NULL;
    direct->name = function.text;
    return direct;
}

unsigned way_through(unsigned way, const struct syntax *call)
{
    return (way * 31 + (unsigned)call->begin * 2 + 1) * 31 + (unsigned)(call->file + 1);
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
static const struct cost *cost_told(struct describer *describer, const char *name)
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

/* Whether a name stands in a list "sin 5, exp 4". */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ' ') &&
            strchr(" ,", at[length])) /* strchr finds the end too */
            return true;
    return false;
}

static void note_default(struct describer *describer, const struct syntax *call, double divisions)
{
    if (describer->is_noting || !describer->loop || is_listed(describer->default_costs, call->name))
        return;
    if (!describer->default_costs)
        describer->default_place = call->place;
    describer->default_costs = arena_format(
        describer->arena, "%s%s%s %g", describer->default_costs ? describer->default_costs : "",
        describer->default_costs ? ", " : "", call->name, divisions);
}

/* By the table; NULL: not in it. */
static const struct cost *cost_by_default(struct describer *describer, const struct syntax *call)
{
    for (size_t i = 0; i < sizeof function_costs / sizeof *function_costs; i++) {
        if (!is_named(call->name, function_costs[i].name))
            continue;
        if (function_costs[i].divisions > 0)
            note_default(describer, call, function_costs[i].divisions);
        struct cost *cost = arena_take(describer->arena, 1, sizeof *cost);
        *cost = (struct cost){.divide = function_costs[i].divisions,
                              .add = function_costs[i].divisions > 0 ? 0 : 1,
                              .is_default = function_costs[i].divisions > 0};
        return cost;
    }
    return NULL;
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
        given[i] =
            i < call->count ? evaluate_turn(describer, call->children[i]) : (struct value){0};
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
    describer->calls[describer->entered] = call;
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

/* A call that is no part of the description. */
static void note_passed(struct describer *describer, const struct syntax *call)
{
    describer->passed_count++;
    if (is_listed(describer->passed, call->name))
        return;
    if (!describer->passed)
        describer->passed_place = call->place;
    describer->passed =
        arena_format(describer->arena, "%s%s%s", describer->passed ? describer->passed : "",
                     describer->passed ? ", " : "", call->name);
}

static bool is_named_in(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* How much memory a call takes; NULL: none, or that is not known. */
static polynomial bytes_taken(struct describer *describer, const struct syntax *call)
{
    static const struct {
        const char *name;
        int size, times; /* numbers of arguments; -1: none */
    } takers[] = {
        {"malloc",        0, -1},
        {"calloc",        0, 1 },
        {"realloc",       1, -1},
        {"aligned_alloc", 1, -1},
        {"memalign",      1, -1},
    };
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
        if (strcmp(call->name, takers[i].name) != 0 || call->count <= takers[i].size)
            continue;
        struct value size = evaluate_leniently(describer, call->children[takers[i].size]);
        if (size.kind == VALUE_INDEX && takers[i].times >= 0) {
            const struct value times =
                evaluate_leniently(describer, call->children[takers[i].times]);
            size.kind = times.kind;
            if (times.kind == VALUE_INDEX)
                size.index = polynomial_product(&describer->algebra, size.index, times.index);
        }
        return size.kind == VALUE_INDEX && size.index->count > 0 ? size.index : NULL;
    }
    return NULL;
}

bool call_is_passed(const char *name)
{
    return is_named_in(free_functions, sizeof free_functions / sizeof *free_functions, name);
}

/* A function that the source does not define. Those of output, memory and clocks are passed over;
   another one is so outside all loops, where it runs once. */
static struct value unknown_call(struct describer *describer, const struct syntax *call)
{
    const enum type_kind kind = call->type ? call->type->kind : TYPE_OTHER;
    const char *name = call->name;
    for (size_t i = 0; i < sizeof constant_functions / sizeof *constant_functions; i++)
        if (!strcmp(name, constant_functions[i].name))
            return value_of_index(
                polynomial_constant(&describer->algebra, constant_functions[i].value));
    if (call_is_passed(name) && !call->pointer) {
        note_passed(describer, call);
        return (struct value){.bytes = bytes_taken(describer, call)};
    }
    forget_addressed(describer, call);
    const bool sets =
        is_named_in(setting_functions, sizeof setting_functions / sizeof *setting_functions, name);
    const bool is_number = kind == TYPE_FLOATING || kind == TYPE_INTEGER || kind == TYPE_POINTER;
    const bool may_enter = call->pointer && function_maybe_called(describer->source, call, 0);
    if (!sets && (describer->loop || !is_number || may_enter)) {
        describer_fail(describer, call->place,
                       "%s %s() costs: say so: #pragma forecost cost %s(add: 10, mul: 12), or "
                       "`ignore` the statement",
                       call->pointer ? "which function the pointer is, is not known, nor what"
                                     : "nothing is known of what",
                       *name ? name : "this", *name ? name : "NAME");
        return value_unknown(NULL);
    }
    note_passed(describer, call);
    if (kind == TYPE_FLOATING)
        return value_of_node(graph_add(&describer->graph, describer_part(describer),
                                       (struct node){.kind = NODE_SAME, .name = name}));
    return (struct value){0};
}

/* abs() of an index or a parameter: itself or its negative, where that is known. */
static bool absolute_call(struct describer *describer, const struct syntax *call,
                          struct value *value)
{
    if ((strcmp(call->name, "abs") && strcmp(call->name, "labs")) || call->count != 1)
        return false;
    *value = evaluate(describer, call->children[0]);
    if (value->kind != VALUE_INDEX)
        return !describer_is_stopped(describer) && value->kind == VALUE_UNKNOWN;
    polynomial zero = polynomial_constant(&describer->algebra, 0);
    const enum truth truth = condition_compare(describer, DO_GREATER_EQUAL, value->index, zero);
    if (truth == IS_FALSE)
        *value = value_of_index(polynomial_scaled(&describer->algebra, value->index, -1));
    else if (truth != IS_TRUE)
        *value = value_unknown("an absolute value");
    return true;
}

struct value call_value(struct describer *describer, const struct syntax *call)
{
    struct value value = {0};
    if (call->pointer) {
        const struct syntax *direct = call_followed(describer, call);
        if (direct)
            return call_value(describer, direct);
    }
    const struct cost *cost = cost_told(describer, call->name);
    if (describer->has_failed)
        return value_unknown(NULL);
    if (cost)
        return costly_call(describer, call, cost);
    const struct function *function = function_called(describer->source, call);
    if (function)
        return enter(describer, call, function);
    if (call->pointer)
        return unknown_call(describer, call);
    if (known_call(describer, call, &value) || messages_call(describer, call, &value))
        return value;
    if (memory_call(describer, call))
        return (struct value){0};
    if (absolute_call(describer, call, &value))
        return value;
    cost = cost_by_default(describer, call);
    return cost ? costly_call(describer, call, cost) : unknown_call(describer, call);
}
