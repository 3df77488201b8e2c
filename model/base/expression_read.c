/* The functions and operators of expressions, and how a text is read. */
#include "model/base/allocation.h"
#include "model/base/expression_nodes.h"
#include "model/base/names.h"
#include "model/base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions ---- */

#define VALUE(name, formula)                                                                       \
    static double name(const double *a, size_t count)                                              \
    {                                                                                              \
        (void)count;                                                                               \
        return formula;                                                                            \
    }

VALUE(either, a[0] != 0.0 || a[1] != 0.0)
VALUE(both, a[0] != 0.0 && a[1] != 0.0)
VALUE(less_equal, a[0] <= a[1])
VALUE(greater_equal, a[0] >= a[1])
VALUE(unequal, a[0] != a[1])
VALUE(equal, a[0] == a[1])
VALUE(less, a[0] < a[1])
VALUE(greater, a[0] > a[1])
VALUE(plus, a[0] + a[1])
VALUE(minus, a[0] - a[1])
VALUE(times, a[0] * a[1])
VALUE(divided, a[0] / a[1])
VALUE(power, pow(a[0], a[1]))
VALUE(negative, -a[0])
VALUE(choice, a[0] != 0.0 ? a[1] : a[2])
VALUE(rounded_down, floor(a[0]))
VALUE(rounded_up, ceil(a[0]))
VALUE(rounded, floor(a[0] + 0.5))
VALUE(absolute, a[0] >= 0.0 ? a[0] : -a[0])
VALUE(sign_of, (a[0] > 0.0) - (a[0] < 0.0))
VALUE(square_root, sqrt(a[0]))
VALUE(exponential, exp(a[0]))
VALUE(natural_log, log(a[0]))
VALUE(log_of_2, log2(a[0]))
VALUE(log_of_10, log10(a[0]))
VALUE(whole_log_of_2, floor(log2(a[0])))
VALUE(divided_up, ceil(a[0] / a[1]))
VALUE(remainder_of, a[0] - a[1] * floor(a[0] / a[1]))
VALUE(sine, sin(a[0]))
VALUE(cosine, cos(a[0]))
VALUE(tangent, tan(a[0]))
VALUE(arc_sine, asin(a[0]))
VALUE(arc_cosine, acos(a[0]))
VALUE(arc_tangent, atan(a[0]))
VALUE(arc_tangent_of_2, atan2(a[0], a[1]))
VALUE(hyperbolic_sine, sinh(a[0]))
VALUE(hyperbolic_cosine, cosh(a[0]))
VALUE(hyperbolic_tangent, tanh(a[0]))
VALUE(area_sine, asinh(a[0]))
VALUE(area_cosine, acosh(a[0]))
VALUE(area_tangent, atanh(a[0]))

static double sum(const double *a, size_t count)
{
    double all = 0.0;
    for (size_t i = 0; i < count; i++)
        all += a[i];
    return all;
}

static double mean(const double *a, size_t count)
{
    return sum(a, count) / (double)count;
}

/* The first of them where one is not a number, as with std::min. */
static double least(const double *a, size_t count)
{
    double found = a[0];
    for (size_t i = 1; i < count; i++)
        found = a[i] < found ? a[i] : found;
    return found;
}

static double most(const double *a, size_t count)
{
    double found = a[0];
    for (size_t i = 1; i < count; i++)
        found = found < a[i] ? a[i] : found;
    return found;
}

enum { BINDS_LEAST = 1, BINDS_POWER = 6 };

#define ANY EXPRESSION_LENGTH_MOST

/* "<=" stands before "<", which it begins with. */
const struct function expression_functions[] = {
    {"||",                1, 2, 2, either, AFFINE_IF_CONSTANT},
    {"&&",                  2, 2, 2, both, AFFINE_IF_CONSTANT},
    {"<=",             3, 2, 2, less_equal, AFFINE_STEP},
    {">=",                   3, 2, 2, greater_equal, AFFINE_STEP},
    {"!=", 3, 2, 2, unequal, AFFINE_STEP},
    {"==",                  3, 2, 2, equal, AFFINE_STEP},
    {"<", 3, 2, 2, less, AFFINE_STEP},
    {">",                3, 2, 2, greater, AFFINE_STEP},
    {"+",                  4, 2, 2, plus, AFFINE_SUM},
    {"-",         4, 2, 2, minus, AFFINE_DIFFERENCE},
    {"*",                   5, 2, 2, times, AFFINE_PRODUCT},
    {"/",5, 2, 2, divided, AFFINE_QUOTIENT},
    {"^",                  BINDS_POWER, 2, 2, power, AFFINE_POWER},
    {"floor",        0, 1, 1, rounded_down, AFFINE_ROUNDED},
    {"ceil",                0, 1, 1, rounded_up, AFFINE_ROUNDED},
    {"rint",                  0, 1, 1, rounded, AFFINE_ROUNDED},
    {"abs",            0, 1, 1, absolute, AFFINE_ABSOLUTE},
    {"sign",                   0, 1, 1, sign_of, AFFINE_STEP},
    {"sqrt", 0, 1, 1, square_root, AFFINE_IF_CONSTANT},
    {"exp",                  0, 1, 1, exponential, AFFINE_IF_CONSTANT},
    {"ln",        0, 1, 1, natural_log, AFFINE_IF_CONSTANT},
    {"log",                 0, 1, 1, natural_log, AFFINE_IF_CONSTANT},
    {"log2",                  0, 1, 1, log_of_2, AFFINE_IF_CONSTANT},
    {"log10",               0, 1, 1, log_of_10, AFFINE_IF_CONSTANT},
    {"ilog2",                   0, 1, 1, whole_log_of_2, AFFINE_IF_CONSTANT},
    {"cdiv",   0, 2, 2, divided_up, AFFINE_QUOTIENT_ROUNDED},
    {"mod",                  0, 2, 2, remainder_of, AFFINE_REMAINDER},
    {"min",        0, 1, ANY, least, AFFINE_LEAST},
    {"max",                 0, 1, ANY, most, AFFINE_MOST},
    {"sum",                  0, 1, ANY, sum, AFFINE_SUM},
    {"avg",               0, 1, ANY, mean, AFFINE_MEAN},
    {"if",                   0, 3, 3, choice, AFFINE_CHOICE},
    {"sin",          0, 1, 1, sine, AFFINE_IF_CONSTANT},
    {"cos",                  0, 1, 1, cosine, AFFINE_IF_CONSTANT},
    {"tan",  0, 1, 1, tangent, AFFINE_IF_CONSTANT},
    {"asin",                 0, 1, 1, arc_sine, AFFINE_IF_CONSTANT},
    {"acos",                  0, 1, 1, arc_cosine, AFFINE_IF_CONSTANT},
    {"atan",              0, 1, 1, arc_tangent, AFFINE_IF_CONSTANT},
    {"atan2",                   0, 2, 2, arc_tangent_of_2, AFFINE_IF_CONSTANT},
    {"sinh",                   0, 1, 1, hyperbolic_sine, AFFINE_IF_CONSTANT},
    {"cosh",                  0, 1, 1, hyperbolic_cosine, AFFINE_IF_CONSTANT},
    {"tanh",    0, 1, 1, hyperbolic_tangent, AFFINE_IF_CONSTANT},
    {"asinh",                 0, 1, 1, area_sine, AFFINE_IF_CONSTANT},
    {"acosh",                  0, 1, 1, area_cosine, AFFINE_IF_CONSTANT},
    {"atanh",              0, 1, 1, area_tangent, AFFINE_IF_CONSTANT},
    {0                  }
};

enum { FUNCTION_COUNT = sizeof expression_functions / sizeof *expression_functions - 1 };

/* A sign in front of an operand, and the choice by ? and :, have names that no text finds. */
static const struct function sign_minus = {"-", 0, 1, 1, negative, AFFINE_NEGATIVE};
static const struct function question_mark = {"?", 0, 3, 3, choice, AFFINE_CHOICE};

/* ---- reading: operators by how tightly they bind ---- */

struct reading {
    struct expression *expression;
    const char *at; /* in the expression's text */
    size_t values;  /* that are waiting for their function */
    struct place place;
    struct error *error;
};

static int read_choice(struct reading *it);

static void skip_blanks(struct reading *it)
{
    it->at += strspn(it->at, " \t\n\v\f\r");
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

static int expected(const struct reading *it, const char *what)
{
    return *it->at ? error_at(it->error, it->place,
                              "'%.60s' is not an expression: expected %s where '%.20s' stands",
                              it->expression->text, what, it->at)
                   : error_at(it->error, it->place,
                              "'%.60s' is not an expression: expected %s at its end",
                              it->expression->text, what);
}

static void add_node(struct reading *it, struct node node)
{
    struct expression_nodes *nodes = it->expression->nodes;
    if (nodes->count == nodes->room) {
        nodes->room = nodes->room ? 2 * nodes->room : 4;
        nodes->items = memory_grow(nodes->items, nodes->room, sizeof *nodes->items);
    }
    nodes->items[nodes->count++] = node;
    it->values += 1 - node.arguments;
    nodes->values_most = it->values > nodes->values_most ? it->values : nodes->values_most;
}

static void add_call(struct reading *it, const struct function *function, size_t arguments)
{
    add_node(it, (struct node){.function = function, .arguments = arguments});
}

/* "64", "1.5" or "1e-3" at the beginning of the text. */
static size_t digits_length(const char *text)
{
    size_t length = strspn(text, "0123456789.");
    if (text[length] == 'e' || text[length] == 'E') {
        const size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
        const size_t exponent = strspn(text + length + 1 + sign, "0123456789");
        length += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return length;
}

static int read_number(struct reading *it)
{
    const size_t digits = digits_length(it->at), letters = word_length(it->at + digits);
    double factor;
    const bool has_suffix = number_suffix(it->at + digits, letters, &factor) != SUFFIX_NONE;
    char *word = memory_format("%.*s", (int)(digits + (has_suffix ? letters : 0)), it->at);
    struct node node = {.literal = has_suffix ? it->at : NULL};
    int status = 0;
    if (!number_parse_bytes(word, &node.value))
        status = error_at(it->error, it->place, "'%.60s' in '%.60s' is %s", word,
                          it->expression->text, number_wrong(word));
    it->at += strlen(word);
    free(word);
    if (status == 0)
        add_node(it, node);
    return status;
}

static int unknown_function(const struct reading *it, const char *name)
{
    const char *names[FUNCTION_COUNT + 1] = {0};
    size_t count = 0;
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        if (expression_functions[i].binds == 0)
            names[count++] = expression_functions[i].name;
    const char *near = nearest_name(name, names);
    return error_at(it->error, it->place, "unknown name '%.60s' in '%.60s'%s%s%s", name,
                    it->expression->text, near ? ": did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
}

/* Behind the bracket that opens. */
static int read_arguments(struct reading *it, const char *name)
{
    const struct function *function = expression_functions;
    while (function->name && (function->binds > 0 || strcmp(function->name, name) != 0))
        function++;
    if (!function->name)
        return unknown_function(it, name);
    size_t count = 0;
    skip_blanks(it);
    while (*it->at != ')' || count > 0) {
        if (read_choice(it) != 0)
            return -1;
        count++;
        if (*it->at == ')')
            break;
        if (*it->at != ',')
            return expected(it, "')' or ','");
        it->at++;
    }
    it->at++;
    if (count < function->arguments || count > function->at_most)
        return error_at(it->error, it->place,
                        "'%.60s' is not an expression: %s has other arguments, %s%zu",
                        it->expression->text, name, function->at_most == ANY ? "at least " : "",
                        function->arguments);
    add_call(it, function, count);
    return 0;
}

/* The name is kept once. */
static void add_name(struct reading *it, char *name)
{
    struct expression *expression = it->expression;
    size_t i = 0;
    while (i < expression->name_count && strcmp(expression->names[i], name) != 0)
        i++;
    if (i < expression->name_count) {
        free(name);
    } else {
        expression->names = memory_grow(expression->names, i + 1, sizeof *expression->names);
        expression->names[expression->name_count++] = name;
    }
    add_node(it, (struct node){.name = expression->names[i]});
}

static int read_word(struct reading *it)
{
    const size_t length = word_length(it->at);
    char *word = memory_format("%.*s", (int)length, it->at);
    int status = 0;
    it->at += length;
    if (*it->at == '(') {
        it->at++;
        status = read_arguments(it, word);
    } else if (strcmp(word, "_pi") == 0) {
        add_node(it, (struct node){.value = M_PI});
    } else if (strcmp(word, "_e") == 0) {
        add_node(it, (struct node){.value = M_E});
    } else {
        add_name(it, word);
        return 0;
    }
    free(word);
    return status;
}

static int read_operators(struct reading *it, int binds);

/* With a sign, at most one: -2 ^ 2 is -(2 ^ 2). */
static int read_operand(struct reading *it)
{
    skip_blanks(it);
    const char sign = *it->at;
    if (sign == '-' || sign == '+') {
        it->at++;
        skip_blanks(it);
        if (*it->at == '-' || *it->at == '+')
            return expected(it, "a number, a name or '('");
        if (read_operators(it, BINDS_POWER) != 0)
            return -1;
        if (sign == '-')
            add_call(it, &sign_minus, 1);
        return 0;
    }
    if (isdigit((unsigned char)sign) || sign == '.')
        return read_number(it);
    if (isalpha((unsigned char)sign) || sign == '_')
        return read_word(it);
    if (sign != '(')
        return expected(it, "a number, a name or '('");
    it->at++;
    if (read_choice(it) != 0)
        return -1;
    if (*it->at != ')')
        return expected(it, "')'");
    it->at++;
    return 0;
}

/* NULL: none stands there. */
static const struct function *operator_at(const char *text)
{
    for (const struct function *it = expression_functions; it->binds > 0; it++)
        if (strncmp(it->name, text, strlen(it->name)) == 0)
            return it;
    return NULL;
}

/* An operand, and the operators behind it that bind at least so tightly. */
static int read_operators(struct reading *it, int binds)
{
    if (read_operand(it) != 0)
        return -1;
    for (skip_blanks(it);; skip_blanks(it)) {
        const struct function *operator= operator_at(it->at);
        if (!operator|| operator->binds<binds)
            return 0;
        it->at += strlen(operator->name);
        const bool from_the_right = operator->binds == BINDS_POWER;
        if (read_operators(it, operator->binds + !from_the_right) != 0)
            return -1;
        add_call(it, operator, 2);
    }
}

static int read_choice(struct reading *it)
{
    if (read_operators(it, BINDS_LEAST) != 0)
        return -1;
    if (*it->at != '?')
        return 0;
    it->at++;
    if (read_choice(it) != 0)
        return -1;
    if (*it->at != ':')
        return expected(it, "':'");
    it->at++;
    if (read_choice(it) != 0)
        return -1;
    add_call(it, &question_mark, 3);
    return 0;
}

struct expression *expression_read(const char *text, struct place place, struct error *error)
{
    if (strlen(text) > EXPRESSION_LENGTH_MOST) {
        error_fill(error, place, "an expression of more than %d characters",
                   EXPRESSION_LENGTH_MOST);
        return NULL;
    }
    struct expression *expression = memory_new(1, sizeof *expression);
    expression->text = memory_copy_text(text);
    expression->nodes = memory_new(1, sizeof *expression->nodes);
    struct reading it = {expression, expression->text, 0, place, error};
    int status = read_choice(&it);
    if (status == 0 && *it.at != '\0')
        status = expected(&it, "an operator");
    if (status == 0)
        return expression;
    expression_free(expression);
    return NULL;
}
