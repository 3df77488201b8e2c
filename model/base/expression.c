/* Named values, and the values of expressions. */
#include "model/base/expression.h"

#include "model/base/allocation.h"
#include "model/base/expression_nodes.h"
#include "model/base/names.h"
#include "model/base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scope ---- */

struct scope {
    size_t count;
    char *names[SCOPE_NAMES_MOST];
    double values[SCOPE_NAMES_MOST];
};

struct scope *scope_new(void)
{
    return memory_new(1, sizeof(struct scope));
}

void scope_free(struct scope *scope)
{
    if (scope)
        scope_cut(scope, 0);
    free(scope);
}

size_t scope_count(const struct scope *scope)
{
    return scope->count;
}

static size_t index_of(const struct scope *scope, const char *name)
{
    size_t i = 0;
    while (i < scope->count && strcmp(scope->names[i], name) != 0)
        i++;
    return i;
}

bool scope_get(const struct scope *scope, const char *name, double *value)
{
    const size_t i = index_of(scope, name);
    if (i < scope->count && value)
        *value = scope->values[i];
    return i < scope->count;
}

static bool is_name(const char *text)
{
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    return true;
}

int scope_set(struct scope *scope, const char *name, double value, struct place place,
              struct error *error)
{
    const size_t i = index_of(scope, name);
    if (i == SCOPE_NAMES_MOST)
        return error_at(error, place, "more than %d names", SCOPE_NAMES_MOST);
    if (i == scope->count) {
        if (!is_name(name) || strlen(name) > 60)
            return error_at(error, place, "'%.60s' is not a name: expected letters, digits and _",
                            name);
        if (strcmp(name, "_pi") == 0 || strcmp(name, "_e") == 0)
            return error_at(error, place, "'%s' cannot be a name: a constant has it", name);
        scope->names[scope->count++] = memory_copy_text(name);
    }
    scope->values[i] = value;
    return 0;
}

void scope_cut(struct scope *scope, size_t count)
{
    while (scope->count > count)
        free(scope->names[--scope->count]);
}

/* ---- expressions ---- */

void expression_free(struct expression *expression)
{
    if (!expression)
        return;
    for (size_t i = 0; i < expression->name_count; i++)
        free(expression->names[i]);
    free(expression->names);
    free(expression->text);
    free(expression->nodes->items);
    free(expression->nodes);
    free(expression);
}

bool expression_names(const struct expression *expression, const char *name)
{
    for (size_t i = 0; expression && i < expression->name_count; i++)
        if (strcmp(expression->names[i], name) == 0)
            return true;
    return false;
}

static int unknown_name(const struct expression *expression, const char *name,
                        const struct scope *scope, struct place place, struct error *error)
{
    const char *names[SCOPE_NAMES_MOST + 1] = {0};
    for (const struct function *it = expression_functions; it->name; it++)
        if (strcmp(it->name, name) == 0)
            return error_at(error, place,
                            "'%.60s' is not an expression: %s is a function: expected %s(",
                            expression->text, name, name);
    for (size_t i = 0; i < scope->count; i++)
        names[i] = scope->names[i];
    const char *near = nearest_name(name, names);
    return error_at(error, place, "unknown name '%.60s' in '%.60s'%s%s%s", name, expression->text,
                    near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* "2k" where k is a name. */
static int check_suffix(const struct expression *expression, const struct node *node,
                        const struct scope *scope, struct place place, struct error *error)
{
    size_t length = 0, letters = 0;
    while (!isalpha((unsigned char)node->literal[length]) ||
           strchr("eE", node->literal[length])) /* of an exponent */
        length++;
    while (isalnum((unsigned char)node->literal[length + letters]))
        letters++;
    char *suffix = memory_format("%.*s", (int)letters, node->literal + length);
    const int status =
        scope_get(scope, suffix, NULL)
            ? error_at(error, place,
                       "'%.*s%s' in '%.60s' is not clear, as %s is a name: expected %.*s * %s, or "
                       "%.*s%ciB",
                       (int)length, node->literal, suffix, expression->text, suffix, (int)length,
                       node->literal, suffix, (int)length, node->literal,
                       toupper((unsigned char)suffix[0]))
            : 0;
    free(suffix);
    return status;
}

int expression_operand(const struct expression *expression, const struct node *node,
                       const struct scope *scope, struct place place, double *value,
                       struct error *error)
{
    if (node->name)
        return scope_get(scope, node->name, value)
                   ? 0
                   : unknown_name(expression, node->name, scope, place, error);
    *value = node->value;
    return node->literal ? check_suffix(expression, node, scope, place, error) : 0;
}

int expression_check(const struct expression *expression, const struct scope *scope,
                     struct place place, struct error *error)
{
    const struct expression_nodes *nodes = expression->nodes;
    double value;
    for (size_t i = 0; i < nodes->count; i++)
        if (!nodes->items[i].function &&
            expression_operand(expression, &nodes->items[i], scope, place, &value, error) != 0)
            return -1;
    return 0;
}

int expression_check_finite(const struct expression *expression, double value, struct place place,
                            struct error *error)
{
    return isfinite(value)
               ? 0
               : error_at(error, place, "'%.60s' is not a finite number (a division by zero?)",
                          expression->text);
}

int expression_value(const struct expression *expression, const struct scope *scope,
                     struct place place, double *value, struct error *error)
{
    const struct expression_nodes *nodes = expression->nodes;
    double values[EXPRESSION_LENGTH_MOST]; /* every one of them is a character at least */
    size_t count = 0;
    for (size_t i = 0; i < nodes->count; i++) {
        const struct node *node = &nodes->items[i];
        if (node->function) {
            count -= node->arguments;
            values[count] = node->function->value(values + count, node->arguments);
        } else if (expression_operand(expression, node, scope, place, &values[count], error) != 0) {
            return -1;
        }
        count++;
    }
    if (expression_check_finite(expression, values[0], place, error) != 0)
        return -1;
    *value = values[0];
    return 0;
}

int expression_whole(const struct expression *expression, const struct scope *scope,
                     struct place place, double *value, struct error *error)
{
    if (expression_value(expression, scope, place, value, error) != 0)
        return -1;
    if (*value != floor(*value))
        return error_at(error, place, "'%.60s' is %g: expected a whole number", expression->text,
                        *value);
    return 0;
}
