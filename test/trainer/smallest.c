/* The smallest sizes of a sweep, which are few: how often they are asked, and what regions they
 * make. */
#include "test/suite.h"
#include "test/trainer/known_curve.h"

/* ---- regions of the smallest sizes of doubles ---- */

/* A strided vector of one element is contiguous; up to 24 bytes travel with their header; both of
   MPICH over shared memory, and its rendezvous. */
static const struct line vector[] = {
    {0,    0.41, 22000},
    {16,   0.72, 2500 },
    {8256, 10,   600  }
};
static const struct line header[] = {
    {0,    0.42, 22000},
    {32,   0.57, 9000 },
    {8256, 3.0,  16000}
};
static const struct line doubles[] = {
    {0,    0.57, 9000 },
    {8256, 3.0,  16000}
};

/* How often the regions of doubles are not those. */
static int missed_of(const struct line *lines, size_t count, double noise_us, double disturbances)
{
    int missed = 0;
    for (unsigned long seed = 1; seed <= OFTEN(14, 50); seed++) {
        struct truth truth = {.lines = lines,
                              .count = count,
                              .noise_us = noise_us,
                              .draws = 30,
                              .disturbances = disturbances};
        struct sweep_plan with = seed % 4 < 2 ? usual_plan : plan_of_launch();
        with.bytes_least = with.granule = 8;
        with.seed = seed;
        struct list regions = known_sweep(&truth, &with);
        const struct region *items = regions.items;
        bool found = regions.count == count;
        for (size_t k = 0; k + 1 < count && found; k++)
            found = items[k].bytes_upto == lines[k + 1].from_bytes - 8.0;
        missed += !found;
        list_free(&region_record, &regions);
    }
    return missed;
}

START_TEST(one_size_or_three_are_a_region_where_they_stand_apart)
{
    ck_assert_int_eq(missed_of(vector, 3, 0.0, 0.0), 0);
    ck_assert_int_eq(missed_of(header, 3, 0.0, 0.0), 0);
    ck_assert_int_eq(missed_of(doubles, 2, 0.0, 0.0), 0);
    ck_assert_int_le(missed_of(vector, 3, 0.02, 0.0), 2);
    ck_assert_int_le(missed_of(header, 3, 0.02, 0.0), 2);
    ck_assert_int_le(missed_of(doubles, 2, 0.02, 0.0), 2);
    ck_assert_int_le(missed_of(doubles, 2, 0.02, 0.04), 5);
    ck_assert_int_le(missed_of(vector, 3, 0.02, 0.04), 5);
}
END_TEST

/* ---- the smallest sizes ---- */

enum { CLOSE_GRANULES = 12 };

/* How often each of the smallest sizes was asked, in granules, and whether to try a fit. */
struct asked {
    double granule;
    int times[CLOSE_GRANULES];
    bool held_out[CLOSE_GRANULES];
};

static int count_asked(void *state, const struct ask *ask, struct point *point, struct error *error)
{
    struct asked *asked = state;
    const size_t granules = (size_t)(ask->bytes / asked->granule);
    (void)error;
    *point = (struct point){.bytes = ask->bytes, .held_out = ask->held_out};
    point->median_us = 5.0 + ask->bytes / 200.0;
    if (granules < CLOSE_GRANULES) {
        asked->times[granules] += !ask->again;
        asked->held_out[granules] |= ask->held_out;
    }
    return 0;
}

/* Sizes below four granules three times, but those that no fit sees, and all others, once. */
START_TEST(the_smallest_sizes_are_asked_three_times)
{
    int thrice = 0, held_out = 0;
    for (unsigned long seed = 1; seed <= 20; seed++) {
        struct sweep_plan with = usual_plan;
        struct asked asked = {.granule = seed % 2 ? 1.0 : 8.0};
        with.granule = asked.granule;
        with.seed = seed;
        struct list regions = regions_swept(&with, count_asked, &asked);
        list_free(&region_record, &regions);
        ck_assert_int_eq(asked.times[0], 3);
        for (int i = 0; i < CLOSE_GRANULES; i++) {
            if (asked.times[i] > 0)
                ck_assert_int_eq(asked.times[i], i < 4 && !asked.held_out[i] ? 3 : 1);
            thrice += i > 0 && asked.times[i] == 3;
            held_out += i < 4 && asked.held_out[i];
        }
    }
    ck_assert_int_gt(thrice, 0); /* or nothing is shown */
    ck_assert_int_gt(held_out, 0);
}
END_TEST

SUITE("smallest", one_size_or_three_are_a_region_where_they_stand_apart,
      the_smallest_sizes_are_asked_three_times)
