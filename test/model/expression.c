/* Expressions over named values. */
#include "model/base/expression.h"
#include "test/suite.h"

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
        {"N - 2",               8    },
        {"N / 4",               2.5  },
        {"2 ^ 3 * 2",           16   },
        {"cdiv(N, 4)",          3    },
        {"mod(N, 4)",           2    },
        {"mod(0 - 1, 4)",       3    },
        {"ilog2(N)",            3    },
        {"log2(8)",             3    },
        {"floor(2.7)",          2    },
        {"ceil(2.1)",           3    },
        {"min(N, sweeps, 7)",   4    },
        {"max(1, 2)",           2    },
        {"sqrt(16)",            4    },
        {"if(N > 3, 1, 2)",     1    },
        {"if(N == 3, 1, 2)",    2    },
        {"1e3",                 1000 },
        {"N-2",                 8    },
        {"3 + N ",              13   },
        {"N - sweeps",          6    },
        {"N + 1.5",             11.5 },
        {"N - 2 * 3",           4    },
        {"N - 2 - 3",           5    },
        {"N - 1e1",             0    },
        {"N + min(1, 2)",       11   },
        {"64k",                 65536},
        {"2 * 1KiB + N",        2058 },
        {"1.5MiB / 1024",       1536 },
        {"max(1k, 1e3)-1K",     0    },
        {"1e1k",                10240},
        {"if(N > 1k,1k,2G)/1G", 2    },
    };
    struct scope *scope = scope_of_test();
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        double value;
        ck_assert_int_eq(expression_value(scope, truth[i].text, here, &value, NULL), 0);
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
        {"cdiv(1)",     "expression"                                                                },
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
        ck_assert_int_eq(expression_value(scope, wrong[i].text, here, &value, &error), -1);
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
    ck_assert_int_eq(expression_value(scope, "N + 2k", here, &value, &error), -1);
    ck_assert_str_eq(error.text,
                     "'2k' in 'N + 2k' is not clear, as k is a name: expected 2 * k, or 2KiB");
    ck_assert_int_eq(expression_value(scope, "N + 2 * k + 2KiB + 1M", here, &value, &error), 0);
    ck_assert_double_eq(value, 10 + 6 + 2048 + 1048576);
    scope_cut(scope, scope_count(scope) - 1);
    ck_assert_int_eq(expression_value(scope, "N + 2k", here, &value, &error), 0);
    ck_assert_double_eq(value, 2058);
    scope_free(scope);
}
END_TEST

START_TEST(whole_numbers_where_they_are_needed)
{
    struct scope *scope = scope_of_test();
    struct error error;
    double value;
    ck_assert_int_eq(expression_whole(scope, "N / 5", here, &value, &error), 0);
    ck_assert_double_eq(value, 2);
    ck_assert_int_eq(expression_whole(scope, "N / 4", here, &value, &error), -1);
    ck_assert_ptr_nonnull(strstr(error.text, "is 2.5: expected a whole number"));
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
    ck_assert_int_eq(expression_value(scope, "N + i", here, &value, &error), 0);
    ck_assert_double_eq(value, 13);
    scope_cut(scope, before);
    ck_assert_int_eq(expression_value(scope, "N + i", here, &value, &error), -1);
    ck_assert_int_eq(scope_set(scope, "4x", 1, here, &error), -1);
    ck_assert_int_eq(scope_set(scope, "", 1, here, &error), -1);
    ck_assert_int_eq(scope_set(scope, "N", 11, here, &error), 0);
    ck_assert_int_eq(expression_value(scope, "N", here, &value, &error), 0);
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
    ck_assert_int_eq(expression_value(scope, text, here, &value, &error), -1);
    text[900] = '\0';
    ck_assert_int_eq(expression_value(scope, text, here, &value, &error), -1);
    scope_free(scope);
}
END_TEST

SUITE("expression", values, errors_have_their_place, a_suffix_that_is_a_name_too_is_asked_for,
      whole_numbers_where_they_are_needed, names_come_and_go, a_long_expression_is_refused)
