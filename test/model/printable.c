/* What a terminal may be given: UTF-8 stays, what a terminal obeys does not. */
#include "model/base/printable.h"
#include "model/base/error.h"
#include "test/suite.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *shown;
} truth[] = {
    {"plain text, 100 %",       "plain text, 100 %"         },
    {"",                        ""                          },
    {"Grüße, 東京, 𝛼",   "Grüße, 東京, 𝛼"     },
    {"\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"},
    {"two\nlines\r\t",          "two\\x0alines\\x0d\\x09"   },
    {"\x7f",                    "\\x7f"                     },
    {"\xc2\x9b"
     "[31m",               "\\xc2\\x9b[31m"            }, /* C1: CSI */
    {"\x9b"
     "31m",                "\\x9b31m"                  }, /* not UTF-8 */
    {"a\xe2\x80\xae"
     "b",                  "a\\xe2\\x80\\xaeb"         }, /* from the right */
    {"\xc0\x80\xed\xa0\x80",    "\\xc0\\x80\\xed\\xa0\\x80" }, /* overlong; half */
    {"\xf4\x90\x80\x80\xf8",    "\\xf4\\x90\\x80\\x80\\xf8" }, /* beyond Unicode */
    {"cut \xe6\x9d",            "cut \\xe6\\x9d"            },
};

START_TEST(texts)
{
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        char *shown = printable(truth[i].text);
        ck_assert_str_eq(shown, truth[i].shown);
        free(shown);
    }
    ck_assert_ptr_null(printable(NULL));
}
END_TEST

/* However short the copy, it is the beginning of the whole one, between two characters. */
START_TEST(copies_that_are_cut)
{
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++)
        for (size_t size = 1; size <= 60; size++) {
            char copy[64];
            memset(copy, 'x', sizeof copy);
            ck_assert_ptr_eq(printable_copy(copy, size, truth[i].text), copy);
            ck_assert_uint_lt(strlen(copy), size);
            ck_assert_int_eq(strncmp(copy, truth[i].shown, strlen(copy)), 0);
            ck_assert_int_ne((unsigned char)truth[i].shown[strlen(copy)] & 0xc0, 0x80);
            ck_assert_int_eq(copy[size], 'x');
        }
}
END_TEST

START_TEST(errors_are_one_line)
{
    struct error error;
    char line[800];
    error_fill(&error, place_at("a\nb.yaml", 1, 2), "'%s' is no name", "\x1b[31mred\n");
    ck_assert_str_eq(error_line(&error, line, sizeof line),
                     "a\\x0ab.yaml:1:2: '\\x1b[31mred\\x0a' is no name");
}
END_TEST

SUITE("printable", texts, copies_that_are_cut, errors_are_one_line)
