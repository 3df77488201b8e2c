#include "model/base/expression.h"

#include "model/base/allocation.h"
#include "model/base/literals.h"
#include "model/base/names.h"

#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <muParserDLL.h>
#include <stdlib.h>
#include <string.h>

struct scope {
    muParserHandle_t parser;
    size_t count;
    char *names[SCOPE_NAMES_MOST];
    double values[SCOPE_NAMES_MOST]; /* muparser holds pointers to these */
};

/* ---- functions ---- */

static double divided_up(double a, double b)
{
    return ceil(a / b);
}

static double modulo(double a, double b)
{
    return a - b * floor(a / b);
}

static double whole_log2(double a)
{
    return floor(log2(a));
}

static double choose(double condition, double yes, double no)
{
    return condition != 0.0 ? yes : no;
}

static const struct {
    const char *name;
    double (*of_1)(double);
    double (*of_2)(double, double);
    double (*of_3)(double, double, double);
} functions[] = {
    {"floor", floor,      NULL,       NULL  },
    {"ceil",  ceil,       NULL,       NULL  },
    {"log2",  log2,       NULL,       NULL  },
    {"ilog2", whole_log2, NULL,       NULL  },
    {"cdiv",  NULL,       divided_up, NULL  },
    {"mod",   NULL,       modulo,     NULL  },
    {"if",    NULL,       NULL,       choose},
};

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static void define_functions(muParserHandle_t parser)
{
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        if (functions[i].of_1)
            mupDefineFun1(parser, functions[i].name, functions[i].of_1, 1);
        if (functions[i].of_2)
            mupDefineFun2(parser, functions[i].name, functions[i].of_2, 1);
        if (functions[i].of_3)
            mupDefineFun3(parser, functions[i].name, functions[i].of_3, 1);
    }
}

/* Errors are asked for with mupError; without a handler muparser prints them. */
static void keep_silent(muParserHandle_t parser)
{
    (void)parser;
}

/* muparser is written in C++, whose new throws where there is no memory, and no C program can catch
   that. The C++ library lets one say what is done instead; it is there because muparser is. A
   process that is somebody else's keeps what it has said. */
static void never_throw(void)
{
    typedef void (*handler)(void);
    union {
        void *symbol;
        handler (*set_new_handler)(handler);
    } found = {dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE")};
    if (found.symbol && memory_may_end())
        found.set_new_handler(memory_is_out);
}

/* ---- the scope ---- */

struct scope *scope_new(void)
{
    struct scope *scope = memory_new(1, sizeof *scope);
    never_throw();
    scope->parser = mupCreate(muBASETYPE_FLOAT);
    mupSetErrorHandler(scope->parser, keep_silent);
    define_functions(scope->parser);
    return scope;
}

void scope_free(struct scope *scope)
{
    if (!scope)
        return;
    scope_cut(scope, 0);
    mupRelease(scope->parser);
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
        mupDefineVar(scope->parser, name, &scope->values[i]);
        if (mupError(scope->parser))
            return error_at(error, place, "'%s' cannot be a name: a function has it", name);
        scope->names[scope->count++] = memory_copy_text(name);
    }
    scope->values[i] = value;
    return 0;
}

void scope_cut(struct scope *scope, size_t count)
{
    while (scope->count > count) {
        scope->count--;
        mupRemoveVar(scope->parser, scope->names[scope->count]);
        free(scope->names[scope->count]);
    }
}

/* ---- evaluation ---- */

/* Those of muparser's own that descriptions have. */
static const char *const others[] = {"min", "max", "abs", "sqrt"};
enum { OTHER_COUNT = sizeof others / sizeof *others };

static bool is_function(const char *token)
{
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        if (strcmp(functions[i].name, token) == 0)
            return true;
    for (size_t i = 0; i < OTHER_COUNT; i++)
        if (strcmp(others[i], token) == 0)
            return true;
    return false;
}

/* "cel(N / 2)" for cel */
static bool is_called(const char *text, const char *token)
{
    const char *at = strstr(text, token);
    return at && at[strlen(token) + strspn(at + strlen(token), " ")] == '(';
}

static int unknown_name(const struct scope *scope, const char *text, struct place place,
                        const char *token, struct error *error)
{
    const char *names[SCOPE_NAMES_MOST + FUNCTION_COUNT + OTHER_COUNT + 1] = {0};
    size_t count = 0;
    if (is_called(text, token)) {
        for (size_t i = 0; i < FUNCTION_COUNT; i++)
            names[count++] = functions[i].name;
        for (size_t i = 0; i < OTHER_COUNT; i++)
            names[count++] = others[i];
    } else {
        for (size_t i = 0; i < scope->count; i++)
            names[count++] = scope->names[i];
    }
    const char *near = nearest_name(token, names);
    return error_at(error, place, "unknown name '%.60s' in '%.60s'%s%s%s", token, text,
                    near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int not_understood(const struct scope *scope, const char *text, struct place place,
                          struct error *error)
{
    const char *token = mupGetErrorToken(scope->parser);
    if (token && is_function(token))
        return error_at(error, place, "'%.60s' is not an expression: %s has other arguments", text,
                        token);
    if (token && is_name(token))
        return unknown_name(scope, text, place, token, error);
    return error_at(error, place, "'%.60s' is not an expression", text);
}

/* muparser would take an assignment and change the scope, and a list and give its last value. */
static bool is_one_value(const char *text)
{
    int depth = 0;
    for (const char *c = text; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        if (strchr("\";'", *c) || (*c == ',' && depth <= 0))
            return false;
        if (*c == '=' && c[1] != '=' && (c == text || !strchr("=<>!", c[-1])))
            return false;
    }
    return text[strspn(text, " \t")] != '\0';
}

/* A whole number or a name at *text, which goes on behind it and the spaces that follow. */
static bool take_operand(const struct scope *scope, const char **text, double *value)
{
    char name[64];
    const size_t digits = strspn(*text, "0123456789");
    size_t length = digits;
    if (digits > 0 && digits <= 15)
        *value = strtod(*text, NULL);
    else if (digits > 0 || !isalpha((unsigned char)**text))
        return false;
    while (isalnum((unsigned char)(*text)[length]) || (*text)[length] == '_')
        length++;
    if (digits > 0 ? length > digits || (*text)[length] == '.' : length >= sizeof name)
        return false;
    if (digits == 0) {
        memcpy(name, *text, length);
        name[length] = '\0';
        if (!scope_get(scope, name, value))
            return false;
    }
    *text += length;
    *text += strspn(*text, " ");
    return true;
}

/* Most expressions are a whole number or a name, or the sum or difference of two of them, such as
   the bounds k + 1 and N - 2: those need no parser, which would begin anew for each of them. */
static bool is_simple(const struct scope *scope, const char *text, double *value)
{
    double first, second;
    if (!take_operand(scope, &text, &first))
        return false;
    const char sign = *text;
    if (sign == '\0') {
        *value = first;
        return isfinite(*value);
    }
    if (sign != '+' && sign != '-')
        return false;
    text += 1 + strspn(text + 1, " ");
    if (!take_operand(scope, &text, &second) || *text != '\0')
        return false;
    *value = sign == '+' ? first + second : first - second;
    return isfinite(*value);
}

/* The value may not be finite. */
static int evaluate(struct scope *scope, const char *text, struct place place, double *value,
                    struct error *error)
{
    char *written;
    if (is_simple(scope, text, value))
        return 0;
    if (strlen(text) > EXPRESSION_LENGTH_MOST)
        return error_at(error, place, "an expression of more than %d characters",
                        EXPRESSION_LENGTH_MOST);
    if (!is_one_value(text))
        return error_at(error, place, "'%.60s' is not an expression", text);
    if (literals_write_out(scope, text, place, &written, error) != 0)
        return -1;
    mupSetExpr(scope->parser, written ? written : text);
    free(written);
    *value = mupError(scope->parser) ? (double)NAN : mupEval(scope->parser);
    return mupError(scope->parser) ? not_understood(scope, text, place, error) : 0;
}

int expression_check(struct scope *scope, const char *text, struct place place, struct error *error)
{
    double value;
    return evaluate(scope, text, place, &value, error);
}

int expression_value(struct scope *scope, const char *text, struct place place, double *value,
                     struct error *error)
{
    double result;
    if (evaluate(scope, text, place, &result, error) != 0)
        return -1;
    if (!isfinite(result))
        return error_at(error, place, "'%.60s' is not a finite number (a division by zero?)", text);
    *value = result;
    return 0;
}

int expression_whole(struct scope *scope, const char *text, struct place place, double *value,
                     struct error *error)
{
    if (expression_value(scope, text, place, value, error) != 0)
        return -1;
    if (*value != floor(*value))
        return error_at(error, place, "'%.60s' is %g: expected a whole number", text, *value);
    return 0;
}
