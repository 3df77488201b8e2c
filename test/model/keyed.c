/* Sums by key against plain arrays, and sets as bits and as keys alike. */
#include "model/base/keyed.h"
#include "test/suite.h"

enum { KEYS = 3000, TURNS = 20000 };

/* Numbers that repeat, without an order: a linear congruence. */
static uint64_t next_key(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % KEYS;
}

START_TEST(sums_are_those_of_an_array)
{
    static double expected[KEYS];
    struct keyed keyed = {0};
    uint64_t state = 1;
    size_t distinct = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        const uint64_t key = next_key(&state);
        distinct += expected[key] == 0.0;
        ck_assert_int_eq(keyed_add(&keyed, key << 40, turn + 1.0), expected[key] == 0.0);
        expected[key] += turn + 1.0;
    }
    ck_assert_uint_eq(keyed.count, distinct);
    for (size_t i = 0; i < keyed.count; i++)
        ck_assert_double_eq(keyed.sums[i].sum, expected[keyed.sums[i].key >> 40]);
    keyed_free(&keyed);
}
END_TEST

START_TEST(a_set_of_bits_is_one_of_keys)
{
    struct number_set bits = number_set_new(KEYS), keys = number_set_new(0x1p60);
    uint64_t state = 2;
    ck_assert_ptr_nonnull(bits.bits);
    ck_assert_ptr_null(keys.bits);
    for (int turn = 0; turn < TURNS; turn++) {
        const uint64_t number = next_key(&state);
        ck_assert_int_eq(number_set_add(&bits, number), number_set_add(&keys, number));
    }
    number_set_free(&bits);
    number_set_free(&keys);
}
END_TEST

SUITE("keyed", sums_are_those_of_an_array, a_set_of_bits_is_one_of_keys)
