/* The catalogue of patterns: every row answers every question, rows that are named exist, and a row
   that lacks something says so. */
#include "model/cost/pattern.h"
#include "model/base/error.h"
#include "model/cost/rate.h"
#include "test/suite.h"

#include <math.h>
#include <string.h>

static int lacks(const struct pattern *pattern, const char *what, struct error *error)
{
    return error_set(error, "the catalogue's row of '%s' lacks %s",
                     pattern->name ? pattern->name : "a pattern without a name", what);
}

/* Whether a row answers all that is asked of it. */
static int pattern_check(const struct pattern *pattern, struct error *error)
{
    const struct {
        bool is_said;
        const char *what;
    } questions[] = {
        {pattern->name != NULL,                                                              "its name"                                        },
        {pattern->among != AMONG_NOT_SAID,                                                   "among whom it is: expected an enum among"        },
        {pattern->rate_messages != NULL,                                                     "the messages of its rate: expected a function"   },
        {pattern->under_way != NULL,
         "its messages under way: expected a function, or pattern_not_known"                                                                   },
        {pattern->interval != NULL,                                                          "its interval: expected a law, or law_not_known"  },
        {pattern->delivery != DELIVERY_NOT_SAID,                                             "its delivery: expected an enum delivery_kind"    },
        {pattern->plausible != PLAUSIBLE_NOT_SAID,
         "what is plausible: expected an enum plausibility"                                                                                    },
        {!pattern->strided_as || pattern->strided_as->vector || pattern->strided_as->packed,
         "what strided messages take: expected vector or packed of strided_as"                                                                 },
        {!pattern->near || pattern->near->noun,                                              "words for one of it: expected a noun of its near"},
    };
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (!questions[i].is_said)
            return lacks(pattern, questions[i].what, error);
    return 0;
}

static bool is_row(const struct pattern *pattern)
{
    for (size_t i = 0; i < patterns_count; i++)
        if (patterns[i] == pattern)
            return true;
    return false;
}

static size_t number_of(const struct pattern *pattern)
{
    size_t i = 0;
    while (patterns[i] != pattern)
        i++;
    return i;
}

/* ---- questions ---- */

static void answers_for(const struct pattern *pattern, double p)
{
    const double messages = pattern_under_way(pattern->name, p);
    ck_assert_double_ge(pattern_rate_messages(pattern->name, p), 1.0);
    ck_assert(isnan(messages) || messages >= 1.0);
    const struct interval_law *const laws[] = {pattern->interval, pattern->interval_parts};
    for (size_t k = 0; k < 2; k++) {
        if (!laws[k] || laws[k] == &law_not_known)
            continue;
        ck_assert_double_gt(laws[k]->least(p), 0.0);
        ck_assert_double_ge(laws[k]->most(p), laws[k]->least(p) - 1e-12);
        ck_assert_double_ge(laws[k]->least_volume(p), 0.0);
        ck_assert_double_ge(laws[k]->more_volume(p), 0.0);
    }
}

START_TEST(every_row_answers_every_question)
{
    for (size_t i = 0; i < patterns_count; i++) {
        struct error error = {.text = ""};
        ck_assert_msg(pattern_check(patterns[i], &error) == 0, "%s", error.text);
        ck_assert_ptr_eq(pattern_named(patterns[i]->name), patterns[i]); /* none has its name */
        for (double p = 2.0; p <= 65.0; p++)
            answers_for(patterns[i], p);
    }
    ck_assert_uint_gt(patterns_count, 30);
}
END_TEST

START_TEST(a_row_that_lacks_something_says_what)
{
    struct pattern rows[9];
    static const char *const lacks[] = {"name",     "among",     "rate",    "under way", "interval",
                                        "delivery", "plausible", "strided", "noun"};
    for (size_t i = 0; i < 9; i++)
        rows[i] = pattern_exchange;
    rows[0].name = NULL;
    rows[1].among = AMONG_NOT_SAID;
    rows[2].rate_messages = NULL;
    rows[3].under_way = NULL;
    rows[4].interval = NULL;
    rows[5].delivery = DELIVERY_NOT_SAID;
    rows[6].plausible = PLAUSIBLE_NOT_SAID;
    rows[7].strided_as = &pattern_broadcast;
    rows[8].near = &pattern_broadcast;
    for (size_t i = 0; i < 9; i++) {
        struct error error;
        ck_assert_int_eq(pattern_check(&rows[i], &error), -1);
        ck_assert_ptr_nonnull(strstr(error.text, lacks[i]));
        ck_assert(i == 0 || strstr(error.text, "'exchange'"));
    }
}
END_TEST

/* ---- what rows name ---- */

START_TEST(rows_that_are_named_exist)
{
    for (size_t i = 0; i < patterns_count; i++) {
        const struct pattern *const it = patterns[i];
        const struct pattern *const named[] = {
            it->near, it->vector, it->packed, it->strided_as, it->whole, it->same, it->same_of_two};
        for (size_t k = 0; k < sizeof named / sizeof *named; k++)
            ck_assert(!named[k] || (is_row(named[k]) && named[k] != it));
        ck_assert(!it->same || number_of(it->same) < i);
        ck_assert(!it->near || (it->among == AMONG_TWO && it->near->among == AMONG_TWO));
    }
}
END_TEST

START_TEST(compositions_are_of_rows_and_of_others)
{
    size_t count = 0;
    for (size_t i = 0; i < patterns_count; i++) {
        const struct composition *from = patterns[i]->compositions;
        for (; from && from->parts->pattern; from++)
            for (size_t k = 0; k < INGREDIENTS_MOST && from->parts[k].pattern; k++, count++) {
                ck_assert(is_row(from->parts[k].pattern));
                ck_assert_ptr_ne(from->parts[k].pattern, patterns[i]);
                ck_assert_int_ge((int)from->parts[k].uses, USES_ONCE);
            }
    }
    ck_assert_uint_gt(count, 15);
}
END_TEST

START_TEST(every_class_is_priced_by_one_row)
{
    size_t rows[TRAFFIC_CLASSES] = {0};
    for (size_t i = 0; i < patterns_count; i++)
        rows[patterns[i]->class]++;
    for (int class = TRAFFIC_LOCAL + 1; class < TRAFFIC_CLASSES; class ++) {
        ck_assert_uint_eq(rows[class], 1);
        ck_assert_int_eq((int)pattern_of_class((enum traffic_class) class)->class, class);
    }
}
END_TEST

/* ---- by hand ---- */

START_TEST(rates_count_what_is_sent)
{
    static const struct {
        const char *utility;
        double p, mb_per_s;
    } cases[] = {
        {"point-to-point", 2, 10 },
        {"exchange",       2, 20 },
        {"exchange-pairs", 8, 20 },
        {"exchange-best",  2, 20 },
        {"many-to-many",   4, 120},
        {"all-gather",     4, 120},
        {"broadcast",      7, 10 },
        {"nobody's",       7, 10 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_double_eq(rate_mb_per_s(cases[i].utility, 1000.0, cases[i].p, 100.0),
                            cases[i].mb_per_s);
    ck_assert(isnan(rate_mb_per_s("exchange", 0.0, 2.0, 1.0)));
}
END_TEST

START_TEST(messages_under_way_are_those_of_the_steps)
{
    ck_assert_double_eq(pattern_under_way("exchange", 2.0), 2.0);
    ck_assert_double_eq(pattern_under_way("one-to-many", 5.0), 4.0);
    ck_assert_double_eq(pattern_under_way("many-to-many", 5.0), 5.0);
    ck_assert_double_eq(pattern_under_way("broadcast", 16.0), 15.0 / 4.0);
    ck_assert_double_eq(pattern_under_way("broadcast", 1.0), 1.0);
    ck_assert(isnan(pattern_under_way("EXCH1", 4.0)));
}
END_TEST

/* A table may have what the catalogue does not. */
START_TEST(of_a_utility_of_another_name_little_is_known)
{
    const struct pattern *const other = pattern_named("shift-1d");
    struct error error;
    ck_assert_ptr_eq(other, &pattern_other);
    ck_assert_ptr_null(other->name);
    ck_assert(!is_row(other));
    ck_assert_int_eq(pattern_check(other, &error), -1); /* it has no name, all else is said */
    ck_assert_ptr_nonnull(strstr(error.text, "lacks its name"));
    ck_assert(isnan(pattern_under_way("shift-1d", 4.0)));
    ck_assert(!other->interval->least);
    ck_assert(!pattern_is_between_two("shift-1d") && !pattern_is_of_pairs("shift-1d"));
    ck_assert_ptr_eq(pattern_of_form("all-gather-packed"), &pattern_all_gather);
    ck_assert_ptr_eq(pattern_of_form("shift-1d-packed"), &pattern_other);
    ck_assert_ptr_eq(pattern_of_form("EXCH1-packed"), &pattern_EXCH1_packed);
    ck_assert_ptr_eq(pattern_of_form("-packed"), &pattern_other);
}
END_TEST

SUITE("pattern", every_row_answers_every_question, a_row_that_lacks_something_says_what,
      rows_that_are_named_exist, compositions_are_of_rows_and_of_others,
      every_class_is_priced_by_one_row, rates_count_what_is_sent,
      messages_under_way_are_those_of_the_steps, of_a_utility_of_another_name_little_is_known)
