/* Expressions over named values. */
#include "model/base/expression_nodes.h"
#include "test/draw.h"
#include "test/expression_text.h"
#include "test/suite.h"

#include <math.h>

#include <string.h>

static const struct place here = {"file.yaml", 3, 7};

static struct scope *scope_of_test(void)
{
    struct scope *scope = scope_new();
    ck_assert_int_eq(scope_set(scope, "N", 10, here, NULL), 0);
    ck_assert_int_eq(scope_set(scope, "sweeps", 4, here, NULL), 0);
    return scope;
}

START_TEST(values)
{
    static const struct {
        const char *text;
        double value;
    } truth[] = {
        {"N - 2",                     8     },
        {"N / 4",                     2.5   },
        {"2 ^ 3 * 2",                 16    },
        {"cdiv(N, 4)",                3     },
        {"mod(N, 4)",                 2     },
        {"mod(0 - 1, 4)",             3     },
        {"ilog2(N)",                  3     },
        {"log2(8)",                   3     },
        {"floor(2.7)",                2     },
        {"ceil(2.1)",                 3     },
        {"min(N, sweeps, 7)",         4     },
        {"max(1, 2)",                 2     },
        {"sqrt(16)",                  4     },
        {"if(N > 3, 1, 2)",           1     },
        {"if(N == 3, 1, 2)",          2     },
        {"1e3",                       1000  },
        {"N-2",                       8     },
        {"3 + N ",                    13    },
        {"N - sweeps",                6     },
        {"N + 1.5",                   11.5  },
        {"N - 2 * 3",                 4     },
        {"N - 2 - 3",                 5     },
        {"N - 1e1",                   0     },
        {"N + min(1, 2)",             11    },
        {"64k",                       65536 },
        {"2 * 1KiB + N",              2058  },
        {"1.5MiB / 1024",             1536  },
        {"max(1k, 1e3)-1K",           0     },
        {"1e1k",                      10240 },
        {"if(N > 1k,1k,2G)/1G",       2     },
        {"-2 ^ 2",                    -4    },
        {"2 ^ -3 ^ 2",                0x1p-9},
        {"2 ^ 3 ^ 2",                 512   },
        {"8 - 4 - 2",                 2     },
        {"64 / 4 / 2",                8     },
        {"1 + 2 < 4 && 2 > 1",        1     },
        {"0.5 && 1",                  1     },
        {"0 || 1 && 0",               0     },
        {"1 < 2 == 1",                1     },
        {"3 > 2 > 1",                 0     },
        {"N > 3 ? N < 5 ? 1 : 2 : 3", 2     },
        {"0 ? 1 : 0 ? 2 : 3",         3     },
        {"0 || 2 ? 5 : 6",            5     },
        {"3 * -N",                    -30   },
        {"-N * 3 + 1",                -29   },
        {"+N",                        10    },
        {"abs(-3) + sign(-7)",        2     },
        {"rint(2.5)",                 3     },
        {"sum(1, 2, N)",              13    },
        {"avg(1, 2, 6)",              3     },
        {"ln(_e)",                    1     },
        {"log10(1000)",               3     },
        {"(((N)))",                   10    },
    };
    struct scope *scope = scope_of_test();
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        double value;
        ck_assert_int_eq(text_value(scope, truth[i].text, here, &value, NULL), 0);
        ck_assert_double_eq_tol(value, truth[i].value, 1e-12);
    }
    scope_free(scope);
}
END_TEST

START_TEST(errors_have_their_place)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"N / 0",       "not a finite number"                                                       },
        {"sqrt(0 - 1)", "not a finite number"                                                       },
        {"log2(0)",     "not a finite number"                                                       },
        {"swepes",      "did you mean 'sweeps'?"                                                    },
        {"N +",         "not an expression"                                                         },
        {"",            "not an expression"                                                         },
        {"  ",          "not an expression"                                                         },
        {"1, 2",        "not an expression"                                                         },
        {"N = 3",       "not an expression"                                                         },
        {"\"text\"",    "not an expression"                                                         },
        {"(1",          "not an expression"                                                         },
        {"N N",         "'N'"                                                                       },
        {"cdiv(1)",     "'cdiv(1)' is not an expression: cdiv has other arguments, 2"               },
        {"min()",       "min has other arguments, at least 1"                                       },
        {"cel(2)",      "did you mean 'ceil'?"                                                      },
        {"min",         "min is a function: expected min("                                          },
        {"min (1, 2)",  "expected an operator where '(1, 2)' stands"                                },
        {"2 ** 3",      "expected a number, a name or '(' where '* 3' stands"                       },
        {"N % 2",       "expected an operator where '% 2' stands"                                   },
        {"--3",         "expected a number, a name or '(' where '-3' stands"                        },
        {"(1, 2)",      "expected ')' where ', 2)' stands"                                          },
        {"1 ? 2",       "expected ':' at its end"                                                   },
        {"2k.5",        "expected an operator where '.5' stands"                                    },
        {"1e999",       "'1e999' in '1e999' is not a number"                                        },
        {"0x10",        "expected an operator where 'x10' stands"                                   },
        {"2 * 4MB",     "'4MB' in '2 * 4MB' is not clear, of 1000 or 1024: expected KiB, MiB or GiB"},
        {"64kb",        "is not clear"                                                              },
        {"1.2.3k",      "is not a number"                                                           },
        {"1kk",         "'kk'"                                                                      },
        {"4Mx",         "'Mx'"                                                                      },
        {"N k",         "'k'"                                                                       },
    };
    struct scope *scope = scope_of_test();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error error;
        double value = 17;
        ck_assert_int_eq(text_value(scope, wrong[i].text, here, &value, &error), -1);
        ck_assert_double_eq(value, 17);
        ck_assert_uint_eq(error.line, 3);
        ck_assert_uint_eq(error.column, 7);
        ck_assert_msg(strstr(error.text, wrong[i].says) != NULL, "'%s': %s", wrong[i].text,
                      error.text);
    }
    double unchanged;
    ck_assert(scope_get(scope, "N", &unchanged));
    ck_assert_double_eq(unchanged, 10);
    scope_free(scope);
}
END_TEST

START_TEST(a_suffix_that_is_a_name_too_is_asked_for)
{
    struct scope *scope = scope_of_test();
    struct error error;
    double value;
    ck_assert_int_eq(scope_set(scope, "k", 3, here, &error), 0);
    ck_assert_int_eq(text_value(scope, "N + 2k", here, &value, &error), -1);
    ck_assert_str_eq(error.text,
                     "'2k' in 'N + 2k' is not clear, as k is a name: expected 2 * k, or 2KiB");
    ck_assert_int_eq(text_value(scope, "N + 2 * k + 2KiB + 1M", here, &value, &error), 0);
    ck_assert_double_eq(value, 10 + 6 + 2048 + 1048576);
    scope_cut(scope, scope_count(scope) - 1);
    ck_assert_int_eq(text_value(scope, "N + 2k", here, &value, &error), 0);
    ck_assert_double_eq(value, 2058);
    scope_free(scope);
}
END_TEST

START_TEST(whole_numbers_where_they_are_needed)
{
    struct scope *scope = scope_of_test();
    struct error error;
    double value;
    struct expression *fifth = expression_read("N / 5", here, &error);
    struct expression *fourth = expression_read("N / 4", here, &error);
    ck_assert_int_eq(expression_whole(fifth, scope, here, &value, &error), 0);
    ck_assert_double_eq(value, 2);
    ck_assert_int_eq(expression_whole(fourth, scope, here, &value, &error), -1);
    ck_assert_ptr_nonnull(strstr(error.text, "is 2.5: expected a whole number"));
    expression_free(fifth);
    expression_free(fourth);
    scope_free(scope);
}
END_TEST

START_TEST(names_come_and_go)
{
    struct scope *scope = scope_of_test();
    struct error error;
    double value;
    const size_t before = scope_count(scope);
    ck_assert_int_eq(scope_set(scope, "i", 3, here, &error), 0);
    ck_assert_int_eq(text_value(scope, "N + i", here, &value, &error), 0);
    ck_assert_double_eq(value, 13);
    scope_cut(scope, before);
    ck_assert_int_eq(text_value(scope, "N + i", here, &value, &error), -1);
    ck_assert_int_eq(scope_set(scope, "4x", 1, here, &error), -1);
    ck_assert_int_eq(scope_set(scope, "", 1, here, &error), -1);
    ck_assert_int_eq(scope_set(scope, "N", 11, here, &error), 0);
    ck_assert_int_eq(text_value(scope, "N", here, &value, &error), 0);
    ck_assert_double_eq(value, 11);
    scope_free(scope);
}
END_TEST

START_TEST(a_long_expression_is_refused)
{
    struct scope *scope = scope_of_test();
    struct error error;
    double value;
    char text[5000];
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert_int_eq(text_value(scope, text, here, &value, &error), -1);
    text[900] = '\0';
    ck_assert_int_eq(text_value(scope, text, here, &value, &error), -1);
    scope_free(scope);
}
END_TEST

START_TEST(names_are_told_each_once)
{
    struct expression *it = expression_read("min(N, k) + k * _pi - 2k", here, NULL);
    ck_assert_uint_eq(it->name_count, 2);
    ck_assert_str_eq(it->names[0], "N");
    ck_assert_str_eq(it->names[1], "k");
    ck_assert(expression_names(it, "k"));
    ck_assert(!expression_names(it, "min"));
    expression_free(it);
}
END_TEST

/* ---- random expressions, with the value that their operations give ---- */

enum { DEPTH = 5, TEXT = 4000, EXPRESSIONS = 5000, BINDS_SIGN = 5, BINDS_OPERAND = 7 };

struct drawn {
    char text[TEXT];
    double value;
    int binds; /* the operation that was drawn last */
};

static const struct function *function_named(const char *name)
{
    const struct function *it = expression_functions;
    while (strcmp(it->name, name) != 0)
        it++;
    return it;
}

static void bracket(struct drawn *it)
{
    char inner[TEXT];
    strcpy(inner, it->text);
    ck_assert_int_lt(snprintf(it->text, TEXT, "(%s)", inner), TEXT);
    it->binds = BINDS_OPERAND;
}

static struct drawn draw_expression(gsl_rng *random, int depth);

static struct drawn draw_operand(gsl_rng *random)
{
    static const char *const names[] = {"N", "sweeps"};
    struct drawn it = {.binds = BINDS_OPERAND};
    const int which = draw_between(random, 0, 4);
    if (which < 2) {
        strcpy(it.text, names[which]);
        it.value = which == 0 ? 10 : 4;
    } else if (which == 2) {
        it.value = draw_between(random, 0, 9);
        sprintf(it.text, "%.0fk", it.value);
        it.value *= 1024;
    } else {
        it.value = draw_between(random, 0, 400) / (which == 3 ? 1.0 : 4.0);
        sprintf(it.text, "%g", it.value);
    }
    return it;
}

static struct drawn draw_operator(gsl_rng *random, int depth)
{
    static const struct {
        const char *name;
        int binds;
    } operators[] = {
        {"||", 1},
        {"&&", 2},
        {"<",  3},
        {"<=", 3},
        {">",  3},
        {">=", 3},
        {"==", 3},
        {"!=", 3},
        {"+",  4},
        {"-",  4},
        {"*",  5},
        {"/",  5},
        {"^",  6},
    };
    const size_t which = (size_t)draw_between(random, 0, 12);
    const int binds = operators[which].binds;
    const bool is_power = operators[which].name[0] == '^';
    struct drawn a = draw_expression(random, depth - 1), b = draw_expression(random, depth - 1), it;
    if (a.binds < binds + is_power || draw_chance(random, 10))
        bracket(&a);
    if (b.binds < binds + !is_power || draw_chance(random, 10))
        bracket(&b);
    const double arguments[] = {a.value, b.value};
    ck_assert_int_lt(snprintf(it.text, TEXT, draw_chance(random, 50) ? "%s%s%s" : "%s %s %s",
                              a.text, operators[which].name, b.text),
                     TEXT);
    it.value = function_named(operators[which].name)->value(arguments, 2);
    it.binds = binds;
    return it;
}

static struct drawn draw_call(gsl_rng *random, int depth)
{
    static const char *const names[] = {"floor", "ceil", "abs", "rint", "min",
                                        "max",   "cdiv", "mod", "if",   "sum"};
    const struct function *function = function_named(names[draw_between(random, 0, 9)]);
    const size_t count =
        function->at_most > 3 ? (size_t)draw_between(random, 1, 4) : function->at_most;
    struct drawn it = {.binds = BINDS_OPERAND};
    double arguments[4];
    size_t used = (size_t)sprintf(it.text, "%s(", function->name);
    for (size_t i = 0; i < count; i++) {
        const struct drawn argument = draw_expression(random, depth - 1);
        arguments[i] = argument.value;
        used += (size_t)snprintf(it.text + used, TEXT - used, "%s%s", i ? ", " : "", argument.text);
        ck_assert_uint_lt(used, TEXT - 1);
    }
    strcat(it.text, ")");
    it.value = function->value(arguments, count);
    return it;
}

static struct drawn draw_expression(gsl_rng *random, int depth)
{
    struct drawn it;
    const int which = depth == 0 ? 0 : draw_between(random, 1, 10);
    if (which < 2)
        return draw_operand(random);
    if (which < 7)
        return draw_operator(random, depth);
    if (which < 9)
        return draw_call(random, depth);
    if (which == 9) {
        struct drawn of = draw_expression(random, depth - 1);
        if (of.binds <= BINDS_SIGN)
            bracket(&of);
        ck_assert_int_lt(snprintf(it.text, TEXT, "-%s", of.text), TEXT);
        it.value = -of.value;
        it.binds = BINDS_SIGN;
        return it;
    }
    struct drawn condition = draw_expression(random, depth - 1);
    const struct drawn a = draw_expression(random, depth - 1),
                       b = draw_expression(random, depth - 1);
    if (condition.binds == 0)
        bracket(&condition);
    ck_assert_int_lt(snprintf(it.text, TEXT, "%s ? %s : %s", condition.text, a.text, b.text), TEXT);
    it.value = condition.value != 0.0 ? a.value : b.value;
    it.binds = 0;
    return it;
}

START_TEST(random_expressions_have_the_value_of_their_operations)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 44);
    struct scope *scope = scope_of_test();
    int finite = 0;
    for (int k = 0; k < EXPRESSIONS; k++) {
        const struct drawn drawn = draw_expression(random, draw_between(random, 1, DEPTH));
        double value = 17;
        struct error error;
        if (strlen(drawn.text) > EXPRESSION_LENGTH_MOST)
            continue;
        const int status = text_value(scope, drawn.text, here, &value, &error);
        ck_assert_msg((status == 0) == (isfinite(drawn.value) != 0), "%s: %s", drawn.text,
                      status ? error.text : "has a value");
        ck_assert_msg(status != 0 || memcmp(&value, &drawn.value, sizeof value) == 0,
                      "%s is %.17g: expected %.17g", drawn.text, value, drawn.value);
        finite += status == 0;
    }
    ck_assert_int_gt(finite, EXPRESSIONS / 2);
    scope_free(scope);
    gsl_rng_free(random);
}
END_TEST

/* ---- affine forms ---- */

static const char *const index_names[] = {"i", "j"};
static const double anywhere_least[] = {-(double)INFINITY, -(double)INFINITY};
static const double anywhere_most[] = {(double)INFINITY, (double)INFINITY};
static const struct indices anywhere = {2, index_names, anywhere_least, anywhere_most};

START_TEST(affine_forms_are_derived)
{
    static const struct {
        const char *text;
        double constant, by[2];
    } truth[] = {
        {"7",                                    7,  {0, 0}   },
        {"i",                                    0,  {1, 0}   },
        {"2 * i - 3 * j + N",                    10, {2, -3}  },
        {"N * (i + 1) - -j",                     10, {10, 1}  },
        {"i - i",                                0,  {0, 0}   },
        {"(2 * i + 4 * j) / 2 - 1",              -1, {1, 2}   },
        {"i ^ 1 + j ^ 0",                        1,  {1, 0}   },
        {"i / 4",                                0,  {.25, 0} },
        {"floor(i + 0.5) + ceil(j + 0.5)",       1,  {1, 1}   },
        {"mod(4 * i + 7, 4)",                    3,  {0, 0}   },
        {"cdiv(4 * i + 7, 4)",                   2,  {1, 0}   },
        {"if(N > 3, i, j * j)",                  0,  {1, 0}   },
        {"N < 3 ? min(i, j) : 2 * j",            0,  {0, 2}   },
        {"min(i + 1, i, i + 2) + max(j - 1, j)", 0,  {1, 1}   },
        {"sum(i, j, 1) + avg(2 * i, 4)",         3,  {2, 1}   },
        {"0 * i",                                0,  {0, 0}   },
        {"1k * i",                               0,  {1024, 0}},
    };
    struct scope *scope = scope_of_test();
    for (size_t k = 0; k < sizeof truth / sizeof *truth; k++) {
        struct error error;
        struct affine affine;
        int index;
        struct expression *it = expression_read(truth[k].text, here, &error);
        ck_assert_int_eq(expression_affine(it, &anywhere, scope, here, &affine, &index, &error), 0);
        ck_assert_msg(index == -1 && affine.constant == truth[k].constant &&
                          affine.by[0] == truth[k].by[0] && affine.by[1] == truth[k].by[1],
                      "%s: %d: %g + %g i + %g j", truth[k].text, index, affine.constant,
                      affine.by[0], affine.by[1]);
        expression_free(it);
    }
    scope_free(scope);
}
END_TEST

/* Two of them differ from an affine form only beyond the values that a program would try. */
START_TEST(what_is_not_affine_is_told_with_its_index)
{
    static const struct {
        const char *text;
        int index;
    } wrong[] = {
        {"min(i, 1500000)",        0},
        {"i + if(i == 5, 100, 0)", 0},
        {"j + (j > 1e9 ? 1 : 0)",  1},
        {"i * j",                  0},
        {"j * j",                  1},
        {"2 ^ j",                  1},
        {"N / j",                  1},
        {"mod(j, 2)",              1},
        {"floor(i / 2)",           0},
        {"abs(j)",                 1},
        {"j + max(i, 0)",          0},
        {"i * (i - i) + sqrt(j)",  1},
        {"if(j, 1, 1)",            1},
    };
    struct scope *scope = scope_of_test();
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct error error;
        struct affine affine;
        int index;
        struct expression *it = expression_read(wrong[k].text, here, &error);
        ck_assert_int_eq(expression_affine(it, &anywhere, scope, here, &affine, &index, &error), 0);
        ck_assert_msg(index == wrong[k].index, "%s: %d", wrong[k].text, index);
        expression_free(it);
    }
    scope_free(scope);
}
END_TEST

START_TEST(ranges_of_indices_decide)
{
    static const double least[] = {0, 1}, most[] = {9, 4};
    static const struct indices ranges = {2, index_names, least, most};
    static const struct {
        const char *text;
        int index;
        double constant, by[2];
    } truth[] = {
        {"min(i, N - 1)",              -1, 0, {1, 0} },
        {"min(i, N - 2)",              0,  0, {0, 0} },
        {"max(i, 0) + abs(j)",         -1, 0, {1, 1} },
        {"max(i, j)",                  0,  0, {0, 0} },
        {"mod(i, N)",                  -1, 0, {1, 0} },
        {"mod(i + 1, N)",              0,  0, {0, 0} },
        {"floor(j / 5) + ceil(j / 4)", -1, 1, {0, 0} },
        {"if(i >= 0 && j < 5, i, 7)",  -1, 0, {1, 0} },
        {"if(j == 0, 100, j)",         -1, 0, {0, 1} },
        {"if(j == 1, 100, j)",         1,  0, {0, 0} },
        {"sign(j) - abs(-j)",          -1, 1, {0, -1}},
    };
    struct scope *scope = scope_of_test();
    for (size_t k = 0; k < sizeof truth / sizeof *truth; k++) {
        struct error error;
        struct affine affine;
        int index;
        struct expression *it = expression_read(truth[k].text, here, &error);
        ck_assert_int_eq(expression_affine(it, &ranges, scope, here, &affine, &index, &error), 0);
        ck_assert_msg(index == truth[k].index, "%s: %d", truth[k].text, index);
        if (index < 0) {
            ck_assert_double_eq(affine.constant, truth[k].constant);
            ck_assert_double_eq(affine.by[0], truth[k].by[0]);
            ck_assert_double_eq(affine.by[1], truth[k].by[1]);
        }
        expression_free(it);
    }
    scope_free(scope);
}
END_TEST

/* 49 times 1/49 is less than 1 in doubles, 49/49 is not. */
START_TEST(what_is_rounded_decides_nothing)
{
    static const struct {
        const char *text;
        int index;
    } truth[] = {
        {"floor(i / 49)",        0 },
        {"mod(i, 49)",           0 },
        {"if(i / 49 < 1, 7, 8)", 0 },
        {"min(i / 49, 1)",       0 },
        {"floor(i / 50)",        -1},
        {"mod(i, 50)",           -1},
        {"if(i / 50 < 1, 7, 8)", -1},
        {"ceil((i + 1) / 64)",   -1},
    };
    static const double least[] = {0, 0}, most[] = {49, 0};
    static const struct indices ranges = {2, index_names, least, most};
    struct scope *scope = scope_of_test();
    for (size_t k = 0; k < sizeof truth / sizeof *truth; k++) {
        struct error error;
        struct affine affine;
        int index;
        struct expression *it = expression_read(truth[k].text, here, &error);
        ck_assert_int_eq(expression_affine(it, &ranges, scope, here, &affine, &index, &error), 0);
        ck_assert_msg(index == truth[k].index, "%s: %d", truth[k].text, index);
        expression_free(it);
    }
    scope_free(scope);
}
END_TEST

START_TEST(affine_forms_have_the_errors_of_values)
{
    static const char *const wrong[] = {"i + M", "i / 0", "1 / (N - 10) + j"};
    struct scope *scope = scope_of_test();
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct error error;
        struct affine affine;
        int index;
        struct expression *it = expression_read(wrong[k], here, &error);
        ck_assert_int_eq(expression_affine(it, &anywhere, scope, here, &affine, &index, &error),
                         -1);
        ck_assert_uint_eq(error.line, 3);
        ck_assert_uint_eq(error.column, 7);
        expression_free(it);
    }
    scope_free(scope);
}
END_TEST

/* i and j are names of the scope there, too. */
static bool holds_everywhere(const struct expression *it, const struct affine *affine,
                             struct scope *scope, const struct indices *ranges)
{
    for (double i = ranges->least[0]; i <= ranges->most[0]; i++)
        for (double j = ranges->least[1]; j <= ranges->most[1]; j++) {
            const double form = affine->constant + affine->by[0] * i + affine->by[1] * j;
            double value;
            scope_set(scope, "i", i, here, NULL);
            scope_set(scope, "j", j, here, NULL);
            if (expression_value(it, scope, here, &value, NULL) != 0 ||
                fabs(value - form) > 1e-9 * fmax(1.0, fabs(value)))
                return false;
        }
    return true;
}

/* Whether the value never falls, or never rises, as i or j does. Where it has no value nothing is
 * said. */
static bool is_seen_monotone(const struct expression *it, struct scope *scope,
                             const struct indices *ranges, size_t index)
{
    const size_t other = 1 - index;
    bool rises = false, falls = false;
    for (double b = ranges->least[other]; b <= ranges->most[other]; b++) {
        double before = NAN;
        for (double a = ranges->least[index]; a <= ranges->most[index]; a++) {
            double value = NAN;
            scope_set(scope, index_names[index], a, here, NULL);
            scope_set(scope, index_names[other], b, here, NULL);
            expression_value(it, scope, here, &value, NULL);
            rises |= value > before;
            falls |= value < before;
            before = value;
        }
    }
    return !(rises && falls);
}

static void draw_with_indices(gsl_rng *random, int depth, char *text)
{
    static const char *const binary[] = {
        "(%s + %s)",   "(%s - %s)",    "(%s * %s)", "(%s / %s)",  "min(%s, %s)",  "max(%s, %s)",
        "mod(%s, %s)", "cdiv(%s, %s)", "(%s < %s)", "(%s == %s)", "if(%s, %s, 3)"};
    static const char *const unary[] = {"floor(%s)", "ceil(%s)", "abs(%s)", "-(%s)", "sign(%s)"};
    static const char *const operands[] = {"i", "j", "i", "j", "N", "2", "3", "0.5", "0"};
    char a[TEXT], b[TEXT];
    if (depth == 0) {
        strcpy(text, operands[draw_between(random, 0, 8)]);
        return;
    }
    draw_with_indices(random, depth - 1, a);
    draw_with_indices(random, draw_between(random, 0, depth - 1), b);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int length = draw_chance(random, 75)
                           ? snprintf(text, TEXT, binary[draw_between(random, 0, 10)], a, b)
                           : snprintf(text, TEXT, unary[draw_between(random, 0, 4)], a);
#pragma GCC diagnostic pop
    ck_assert_int_lt(length, TEXT);
}

START_TEST(random_forms_hold_at_every_index)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 45);
    struct scope *scope = scope_of_test();
    int affine_count = 0, monotone_count = 0;
    for (int k = 0; k < EXPRESSIONS; k++) {
        char text[TEXT];
        const double least[] = {draw_between(random, -3, 2), draw_between(random, -3, 2)};
        const double most[] = {least[0] + draw_between(random, 0, 6),
                               least[1] + draw_between(random, 0, 6)};
        const struct indices ranges = {2, index_names, least, most};
        struct error error;
        struct affine affine;
        int index;
        draw_with_indices(random, draw_between(random, 1, 4), text);
        struct expression *it = expression_read(text, here, &error);
        ck_assert_msg(it != NULL, "%s", text);
        if (expression_affine(it, &ranges, scope, here, &affine, &index, &error) == 0 &&
            index < 0) {
            affine_count++;
            ck_assert_msg(holds_everywhere(it, &affine, scope, &ranges), "%s: %g + %g i + %g j",
                          text, affine.constant, affine.by[0], affine.by[1]);
        }
        for (size_t i = 0; i < 2 && index >= 0; i++)
            if (expression_is_monotone(it, &ranges, scope, i)) {
                monotone_count++;
                ck_assert_msg(is_seen_monotone(it, scope, &ranges, i), "%s in %s", text,
                              index_names[i]);
            }
        expression_free(it);
    }
    ck_assert_int_gt(affine_count, EXPRESSIONS / 4);
    ck_assert_int_gt(monotone_count, EXPRESSIONS / 20);
    scope_free(scope);
    gsl_rng_free(random);
}
END_TEST

SUITE("expression", values, errors_have_their_place, a_suffix_that_is_a_name_too_is_asked_for,
      whole_numbers_where_they_are_needed, names_come_and_go, a_long_expression_is_refused,
      names_are_told_each_once, random_expressions_have_the_value_of_their_operations,
      affine_forms_are_derived, what_is_not_affine_is_told_with_its_index, ranges_of_indices_decide,
      what_is_rounded_decides_nothing, affine_forms_have_the_errors_of_values,
      random_forms_hold_at_every_index)
