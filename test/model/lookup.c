/* Keys of several words, and spans by key, against plain arrays. */
#include "model/base/lookup.h"

#include "model/segment/loops/spans.h"
#include "test/draw.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <string.h>

/* The key number i: of one to four words, all of which the last ones have in common. */
static size_t key_of(size_t i, uint64_t words[4])
{
    const size_t count = i % 4 + 1;
    for (size_t k = 0; k < count; k++)
        words[k] = k == 0 ? i / 4 : UINT64_MAX;
    return count;
}

START_TEST(keys_have_numbers_in_the_order_in_which_they_came)
{
    enum { KEYS = 5000 }; /* the table grows several times */
    struct lookup lookup = {0};
    uint64_t words[4];
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < KEYS; i++) {
            const size_t count = key_of(i, words);
            ck_assert_uint_eq(lookup.count, round == 0 ? i : KEYS);
            ck_assert_uint_eq(lookup_add(&lookup, words, count), i);
        }
    lookup_free(&lookup);
    ck_assert_uint_eq(lookup.count, 0);
    words[0] = 7;
    ck_assert_uint_eq(lookup_add(&lookup, words, 1), 0);
    lookup_free(&lookup);
}
END_TEST

START_TEST(keys_differ_in_length_and_in_every_bit)
{
    struct lookup lookup = {0};
    const uint64_t zeros[2] = {0, 0};
    const double negative = -0.0;
    ck_assert_uint_eq(lookup_add(&lookup, zeros, 0), 0);
    ck_assert_uint_eq(lookup_add(&lookup, zeros, 1), 1);
    ck_assert_uint_eq(lookup_add(&lookup, zeros, 2), 2);
    ck_assert_uint_eq(lookup_add(&lookup, &negative, 1), 3);
    for (unsigned bit = 0; bit < 63; bit++) {
        const uint64_t word = UINT64_C(1) << bit;
        ck_assert_uint_eq(lookup_add(&lookup, &word, 1), bit + 4);
    }
    lookup_free(&lookup);
}
END_TEST

/* ---- spans ---- */

enum { KEYS = 3, NUMBERS = 60 };

struct shown {
    bool known[NUMBERS], now[NUMBERS];
};

static void show(void *taker, struct span fresh)
{
    struct shown *shown = taker;
    ck_assert_uint_le(fresh.first, fresh.last);
    ck_assert_uint_lt(fresh.last, NUMBERS);
    for (uint64_t n = fresh.first; n <= fresh.last; n++) {
        ck_assert(!shown->known[n]);
        ck_assert(!shown->now[n]);
        shown->now[n] = true;
    }
}

/* Every number of the span that was not known is shown, once. */
static void add(struct spans *spans, struct shown *shown, uint64_t key, struct span span)
{
    const uint64_t words[2] = {key, 1};
    memset(shown->now, 0, sizeof shown->now);
    spans_add(spans, words, span, show, shown);
    for (uint64_t n = 0; n < NUMBERS; n++) {
        const bool fresh = n >= span.first && n <= span.last && !shown->known[n];
        ck_assert_int_eq(shown->now[n], fresh);
        shown->known[n] |= fresh;
    }
}

START_TEST(spans_show_what_is_new)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int round = 0; round < 2000; round++) {
        struct spans spans = {0};
        struct shown shown[KEYS] = {0};
        for (int i = 0; i < 25; i++) {
            const uint64_t first = (uint64_t)draw_between(random, 0, NUMBERS - 1);
            const uint64_t last = (uint64_t)draw_between(random, (int)first, NUMBERS - 1);
            const uint64_t least = first + 6 < last ? first + 6 : last; /* mostly short ones */
            const uint64_t key = (uint64_t)draw_between(random, 0, KEYS - 1);
            add(&spans, &shown[key], key, (struct span){first, i % 5 ? least : last});
        }
        spans_free(&spans);
    }
    gsl_rng_free(random);
}
END_TEST

SUITE("lookup", keys_have_numbers_in_the_order_in_which_they_came,
      keys_differ_in_length_and_in_every_bit, spans_show_what_is_new)
