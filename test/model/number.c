/* Numbers as text. */
#include "model/base/number.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(only_whole_texts_are_numbers)
{
    static const char *const bad[] = {"",     " 1",  "1 ", "4x7",   "nan",   "inf",
                                      "-inf", "0x1", "1e", "1e999", "1.2.3", "--1"};
    double value;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!number_parse(bad[i], &value), "'%s' was taken", bad[i]);
    ck_assert(number_parse("-1.5e3", &value));
    ck_assert_double_eq(value, -1500);
}
END_TEST

START_TEST(suffixes_are_powers_of_1024)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"2k",     2048      },
        {"2K",     2048      },
        {"2KiB",   2048      },
        {"2kiB",   2048      },
        {"1.5M",   1572864   },
        {"1.5MiB", 1572864   },
        {"1G",     1073741824},
        {"1GiB",   1073741824},
        {"1e1k",   10240     },
        {"7",      7         },
        {"1e3",    1000      },
    };
    static const char *const bad[] = {"",     "k",   "1kk", "1ki", "1Ki",   "1 k",
                                      "1KIB", "KiB", "1e",  "1B",  "1.2.3k"};
    static const char *const unclear[] = {"1kB", "1KB", "1kb", "4MB", "4mb", "1GB", "1gb"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(number_parse_bytes(good[i].text, &value), "'%s' was refused", good[i].text);
        ck_assert_double_eq(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_msg(!number_parse_bytes(bad[i], &value), "'%s' was taken", bad[i]);
        ck_assert_str_eq(number_wrong(bad[i]), "not a number");
    }
    for (size_t i = 0; i < sizeof unclear / sizeof *unclear; i++) {
        ck_assert_msg(!number_parse_bytes(unclear[i], &value), "'%s' was taken", unclear[i]);
        ck_assert_ptr_nonnull(strstr(number_wrong(unclear[i]), "expected KiB"));
    }
    struct number_list list;
    ck_assert_ptr_nonnull(strstr(number_list_parse("1,1:4MB:x2", &list), "expected KiB"));
}
END_TEST

START_TEST(what_is_printed_reads_back_equal)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < 20000; i++) {
        char text[NUMBER_TEXT];
        const double value =
            ldexp(gsl_rng_uniform(random) - 0.5, (int)gsl_rng_uniform_int(random, 200) - 100);
        double back;
        ck_assert(number_parse(number_print(value, text), &back));
        ck_assert_double_eq(back, value);
    }
    gsl_rng_free(random);
    char text[NUMBER_TEXT];
    ck_assert_str_eq(number_print(0.1, text), "0.1");
    ck_assert_str_eq(number_print(65536, text), "65536");
    ck_assert_str_eq(number_print(1e20, text), "1e+20");
}
END_TEST

/* Texts of few digits are read without the C library, and have to be read as it does. */
START_TEST(numbers_are_read_as_the_c_library_reads_them)
{
    static const char *const edges[] = {"0",
                                        "-0",
                                        "1.",
                                        ".5",
                                        "-.25",
                                        "007",
                                        "9007199254740992",
                                        "9007199254740993",
                                        "0.9007199254740993",
                                        "999999999999999999",
                                        "123456789012345678901234567890",
                                        "0.000000000000000001",
                                        "0.0000000000000000000001"};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < 20000 + sizeof edges / sizeof *edges; i++) {
        char text[64];
        const double some = ldexp(gsl_rng_uniform(random) - 0.5, 60);
        const int digits = (int)gsl_rng_uniform_int(random, 18);
        if (i < sizeof edges / sizeof *edges)
            strcpy(text, edges[i]);
        else
            snprintf(text, sizeof text, "%.*f", digits,
                     ldexp(some, -(int)gsl_rng_uniform_int(random, 70)));
        double value;
        ck_assert_msg(number_parse(text, &value), "'%s' was refused", text);
        ck_assert_msg(memcmp(&value, &(double){strtod(text, NULL)}, sizeof value) == 0,
                      "'%s' was read as %.17g", text, value);
    }
    gsl_rng_free(random);
    double value;
    ck_assert(!number_parse("-", &value) && !number_parse(".", &value));
}
END_TEST

START_TEST(rounding_keeps_significant_digits)
{
    ck_assert_double_eq(number_rounded(24.38399999968258, 7), 24.384);
    ck_assert_double_eq(number_rounded(-1234567.89, 7), -1234568.0);
    ck_assert_double_eq(number_rounded(1.5e-300, 1), 2e-300);
    ck_assert_double_eq(number_rounded(0.0, 7), 0.0);
    ck_assert_double_nan(number_rounded(NAN, 7));
    ck_assert_double_infinite(number_rounded(INFINITY, 7));
}
END_TEST

static void assert_list(const char *text, size_t count, const double *expected)
{
    struct number_list list;
    ck_assert_ptr_null(number_list_parse(text, &list));
    ck_assert_uint_eq(list.count, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq_tol(list.values[i], expected[i], 1e-9);
    number_list_free(&list);
}

START_TEST(lists)
{
    assert_list("1,2,4", 3, (const double[]){1, 2, 4});
    assert_list("1:8:x2", 4, (const double[]){1, 2, 4, 8});
    assert_list("1:7:x2", 3, (const double[]){1, 2, 4});
    assert_list("0:32:+16,1k", 4, (const double[]){0, 16, 32, 1024});
    assert_list("1:2:+0.25", 5, (const double[]){1, 1.25, 1.5, 1.75, 2});
    static const char *const bad[] = {"",       "1,",     ",1",     "1:2",    "1:2:3",
                                      "2:1:+1", "0:8:x2", "1:8:x1", "1:8:+0", "1:1G:+1"};
    struct number_list list;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(number_list_parse(bad[i], &list) != NULL, "'%s' was taken", bad[i]);
}
END_TEST

SUITE("number", only_whole_texts_are_numbers, suffixes_are_powers_of_1024,
      what_is_printed_reads_back_equal, numbers_are_read_as_the_c_library_reads_them,
      rounding_keeps_significant_digits, lists)
