#include "describer/walk/evaluate.h"

#include "model/base/expression.h"
#include "model/base/number.h"

#include <string.h>

/* Functions of the C library as expressions of the description language. */
static const struct {
    const char *name;
    int count;
    const char *text;
} functions[] = {
    {"sqrt",  1, "sqrt(%s)"       },
    {"sqrtf", 1, "sqrt(%s)"       },
    {"cbrt",  1, "(%s)^(1 / 3)"   },
    {"floor", 1, "floor(%s)"      },
    {"ceil",  1, "ceil(%s)"       },
    {"round", 1, "floor(%s + 0.5)"},
    {"log2",  1, "log2(%s)"       },
    {"log10", 1, "log10(%s)"      },
    {"log",   1, "ln(%s)"         },
    {"exp2",  1, "2^(%s)"         },
    {"pow",   2, "(%s)^(%s)"      },
};

/* The text of an expression, and what is in it. */
struct real {
    struct describer *describer;
    struct scope *scope; /* the values of the names */
    bool has_names;
};

static const char *real_text(struct real *it, const struct syntax *syntax);

static const char *call_text(struct real *it, const struct syntax *call)
{
    struct arena *arena = it->describer->arena;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(call->name, functions[i].name) != 0 || call->count != functions[i].count)
            continue;
        const char *operands[2] = {"", ""}, *text = "";
        int count = 0;
        for (int k = 0; k < call->count; k++)
            if (!(operands[k] = real_text(it, call->children[k])))
                return NULL;
        for (const char *at = functions[i].text; *at;) {
            const size_t length = strcspn(at, "%");
            const bool is_operand = at[length] == '%';
            text = arena_format(arena, "%s%.*s%s", text, (int)length, at,
                                is_operand ? operands[count++] : "");
            at += length + (is_operand ? 2 : 0);
        }
        return text;
    }
    return NULL;
}

/* A whole number of parameters and of how many processes there are. */
static const char *whole_text(struct real *it, const struct syntax *syntax)
{
    struct error error;
    const struct value value = evaluate_leniently(it->describer, syntax);
    if (value.kind != VALUE_INDEX || polynomial_has_index(value.index) ||
        polynomial_has_rank(value.index))
        return NULL;
    for (int i = 0; i < value.index->count; i++)
        for (int j = 0; j < value.index->terms[i].degree; j++) {
            const struct symbol *symbol = value.index->terms[i].symbols[j];
            it->has_names = true;
            scope_set(it->scope, symbol->name, symbol->value, syntax->place, &error);
        }
    polynomial_use(value.index);
    return arena_format(it->describer->arena, value.index->count > 1 ? "(%s)" : "%s",
                        polynomial_text(&it->describer->algebra, value.index, " "));
}

static const char *real_text(struct real *it, const struct syntax *syntax)
{
    struct arena *arena = it->describer->arena;
    char number[NUMBER_TEXT];
    if (syntax->kind == SYNTAX_FLOATING)
        return arena_format(arena, "%s", number_print(syntax->number, number));
    if (syntax->type && syntax->type->kind == TYPE_INTEGER)
        return whole_text(it, syntax);
    if (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        return real_text(it, syntax->children[0]);
    if (syntax->kind == SYNTAX_CALL)
        return call_text(it, syntax);
    const char *operation = syntax->kind != SYNTAX_BINARY      ? NULL
                            : syntax->operation == DO_ADD      ? "+"
                            : syntax->operation == DO_SUBTRACT ? "-"
                            : syntax->operation == DO_MULTIPLY ? "*"
                            : syntax->operation == DO_DIVIDE   ? "/"
                                                               : NULL;
    const char *left = operation ? real_text(it, syntax->children[0]) : NULL;
    const char *right = left ? real_text(it, syntax->children[1]) : NULL;
    return right ? arena_format(arena, "(%s %s %s)", left, operation, right) : NULL;
}

struct value value_whole(struct describer *describer, const struct syntax *syntax)
{
    struct error error;
    double value;
    struct real it = {.describer = describer, .scope = scope_new()};
    struct value found = {0};
    const char *text =
        syntax->type && syntax->type->kind == TYPE_FLOATING && !describer_is_stopped(describer)
            ? real_text(&it, syntax)
            : NULL;
    if (text && it.has_names) {
        const char *definition = arena_format(describer->arena, "floor(%s)", text);
        struct expression *expression = expression_read(definition, syntax->place, &error);
        if (expression &&
            expression_value(expression, it.scope, syntax->place, &value, &error) == 0 &&
            value >= 0)
            found = value_of_index(polynomial_symbol(
                &describer->algebra, symbol_derived(&describer->symbols, NULL, definition, value)));
        expression_free(expression);
    }
    scope_free(it.scope);
    return found;
}
