/* Who meets whom in the rounds of a pattern, by what the pattern must bring about. */
#include "model/cost/grid.h"
#include "model/cost/rounds.h"
#include "test/suite.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CROWD_MOST = 40 };

static const struct rounds *const all_rounds[] = {
    &rounds_line_shift, &rounds_grid_shift,    &rounds_line_exchange, &rounds_grid_exchange,
    &rounds_ring,       &rounds_dissemination, &rounds_doubling};

/* Adds to sends[a][b] how often a sends to b, who expects it then. */
static void count_sends(const struct rounds *rounds, int p, int sends[CROWD_MOST][CROWD_MOST])
{
    const struct formation formation = formation_of(p);
    for (int round = 0; round < rounds->count(&formation); round++)
        for (int me = 0; me < p; me++) {
            const struct partners mine = rounds->partners(&formation, me, round);
            ck_assert(mine.to != me && mine.to < p && mine.from != me && mine.from < p);
            if (mine.from >= 0)
                ck_assert_int_eq(rounds->partners(&formation, mine.from, round).to, me);
            if (mine.to < 0)
                continue;
            ck_assert_int_eq(rounds->partners(&formation, mine.to, round).from, me);
            sends[me][mine.to]++;
        }
}

static bool is_neighbour(int a, int b, int row)
{
    return abs(a / row - b / row) + abs(a % row - b % row) == 1;
}

/* Once to each neighbour on lines and grids, once to everybody around a ring. */
START_TEST(everybody_sends_to_whom_the_pattern_says)
{
    for (int p = 2; p <= CROWD_MOST; p++)
        for (size_t i = 0; i < sizeof all_rounds / sizeof *all_rounds; i++) {
            const int row = i % 2 == 0 ? 1 : formation_of(p).row;
            int sends[CROWD_MOST][CROWD_MOST] = {{0}};
            count_sends(all_rounds[i], p, sends);
            for (int a = 0; a < p && i < 5; a++)
                for (int b = 0; b < p; b++)
                    ck_assert_msg(sends[a][b] == (i == 4 ? a != b : is_neighbour(a, b, row)),
                                  "pattern %zu, p = %d: %d sends to %d %d times", i, p, a, b,
                                  sends[a][b]);
        }
}
END_TEST

/* Pairs whose lower position is even come first. */
START_TEST(exchanges_begin_with_even_ones)
{
    const struct formation line = formation_of(5);
    ck_assert_int_eq(rounds_line_exchange.partners(&line, 0, 0).to, 1);
    ck_assert_int_eq(rounds_line_exchange.partners(&line, 2, 0).to, 3);
    ck_assert_int_eq(rounds_line_exchange.partners(&line, 4, 0).to, -1);
    ck_assert_int_eq(rounds_line_exchange.partners(&line, 2, 1).to, 1);
}
END_TEST

/* heard[i]: the processors that i has heard of, itself included. */
static void hear(const struct rounds *rounds, int p, int round, uint64_t *heard, bool once)
{
    const struct formation formation = formation_of(p);
    const uint64_t all = (1ULL << p) - 1;
    uint64_t before[CROWD_MOST];
    memcpy(before, heard, (size_t)p * sizeof *before);
    for (int me = 0; me < p; me++) {
        const int from = rounds->partners(&formation, me, round).from;
        if (from < 0)
            continue;
        if (once) /* or a sum would count some twice; the result itself replaces what was there */
            ck_assert((before[me] & before[from]) == 0 || before[from] == all);
        heard[me] |= before[from];
    }
}

static bool all_heard_all(const uint64_t *heard, int p)
{
    for (int i = 0; i < p; i++)
        if (heard[i] != (1ULL << p) - 1)
            return false;
    return true;
}

/* At the end of the last round, and not before; a combine takes each one's part once. */
START_TEST(all_hear_of_all_in_the_last_round)
{
    static const struct rounds *const spreading[] = {&rounds_dissemination, &rounds_doubling};
    for (int p = 2; p <= CROWD_MOST; p++)
        for (size_t i = 0; i < 2; i++) {
            const struct formation formation = formation_of(p);
            uint64_t heard[CROWD_MOST];
            for (int me = 0; me < p; me++)
                heard[me] = 1ULL << me;
            for (int round = 0; round < spreading[i]->count(&formation); round++) {
                ck_assert(!all_heard_all(heard, p));
                hear(spreading[i], p, round, heard, i == 1);
            }
            ck_assert(all_heard_all(heard, p));
        }
}
END_TEST

/* 58 is 29 x 2 and no box: its shortest side is 1. */
START_TEST(sides_are_in_order_and_make_all_processors)
{
    static const struct {
        int processors, sides[GRID_DIRECTIONS_MOST];
    } boxes[] = {
        {64, {4, 4, 4} },
        {58, {29, 2, 1}},
        {12, {3, 2, 2} },
        {27, {3, 3, 3} },
        {7,  {7, 1, 1} }
    };
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        int sides[GRID_DIRECTIONS_MOST];
        grid_sides(boxes[i].processors, GRID_DIRECTIONS_MOST, sides);
        ck_assert_mem_eq(sides, boxes[i].sides, sizeof sides);
    }
    for (int p = 1; p <= 200; p++) {
        int sides[GRID_DIRECTIONS_MOST];
        for (int directions = 1; directions <= GRID_DIRECTIONS_MOST; directions++) {
            int product = 1;
            grid_sides(p, directions, sides);
            for (int d = 0; d < directions; d++) {
                product *= sides[d];
                ck_assert(d == 0 || sides[d] <= sides[d - 1]);
            }
            ck_assert_int_eq(product, p);
        }
        ck_assert_int_eq(grid_shortest_side(p, 2), grid_shorter_side(p));
    }
}
END_TEST

SUITE("partners", everybody_sends_to_whom_the_pattern_says, exchanges_begin_with_even_ones,
      all_hear_of_all_in_the_last_round, sides_are_in_order_and_make_all_processors)
