/* The choices as intervals against asking at every length. */
#include "model/machine/broadcast_choice.h"

#include "test/suite.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static struct machine machine_of(const char *text)
{
    struct machine machine;
    struct error error;
    if (machine_read_text(&machine, "text", text, strlen(text), &error) != 0)
        ck_abort_msg("line %u: %s", error.line, error.text);
    return machine;
}

static struct machine sp2(void)
{
    const char *source = getenv("FORECOST_SOURCE");
    char path[4096];
    struct machine machine;
    snprintf(path, sizeof path, "%s/machines/sp2-mpl.yaml", source ? source : ".");
    ck_assert_int_eq(machine_read(&machine, path, NULL), 0);
    return machine;
}

/* The time that the table gives for what was chosen, over the least that it gives. */
static double excess(const struct machine *machine, const struct broadcast_choices *choices,
                     int bytes, double processors)
{
    const struct broadcast_times times = broadcast_times(machine, bytes, processors);
    const int chosen = broadcast_choice_at(choices, bytes)->algorithm;
    return times.time_us[chosen] / times.time_us[times.fastest] - 1.0;
}

static int drawn_length(unsigned *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (int)exp2((*seed >> 8) / 16777216.0 * 30.0) - 1;
}

START_TEST(every_length_gets_the_fastest)
{
    struct machine machine = sp2();
    unsigned seed = 1;
    for (int p = 2; p <= 130; p += p < 20 ? 1 : 13) {
        struct broadcast_choices choices = broadcast_choices(&machine, p);
        for (int i = 0; i < 5000; i++)
            ck_assert_double_le(excess(&machine, &choices, drawn_length(&seed), p), 1e-3);
        free(choices.items);
    }
    machine_free(&machine);
}
END_TEST

START_TEST(changes_are_found_to_the_byte)
{
    /* rd = 10 + n / 10; 1m = 20 + n / 20 up to 1000, then 1000: equal at 200, jump after 1000. */
    struct machine machine = machine_of(
        "forecost: 1\nmachine: {name: m}\ncommunication:\n"
        "  - {utility: broadcast-rd, regions: [{t0_us: 10, rinf_mb_per_s: 10}]}\n"
        "  - {utility: broadcast-1m, regions: [{bytes_upto: 1000, t0_us: 20, rinf_mb_per_s: 20},"
        " {t0_us: 1000}]}\n"
        "  - {utility: broadcast-pbt, part_bytes: 777, regions: [{t0_us: 500}]}\n");
    struct broadcast_choices choices = broadcast_choices(&machine, 4);
    static const struct broadcast_choice truth[] = {
        {199,     BROADCAST_RD,  INT_MAX},
        {1000,    BROADCAST_1M,  INT_MAX},
        {4900,    BROADCAST_RD,  INT_MAX},
        {INT_MAX, BROADCAST_PBT, 777    },
    };
    ck_assert_uint_eq(choices.count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(choices.items[i].bytes_upto, truth[i].bytes_upto);
        ck_assert_int_eq(choices.items[i].algorithm, truth[i].algorithm);
        ck_assert_int_eq(choices.items[i].part_bytes, truth[i].part_bytes);
    }
    ck_assert_int_eq(broadcast_choice_at(&choices, 0)->algorithm, BROADCAST_RD);
    ck_assert_int_eq(broadcast_choice_at(&choices, 1001)->algorithm, BROADCAST_RD);
    ck_assert_int_eq(broadcast_choice_at(&choices, INT_MAX)->algorithm, BROADCAST_PBT);
    free(choices.items);
    machine_free(&machine);
}
END_TEST

START_TEST(of_equals_the_library_and_times_of_nothing_are_none)
{
    struct machine machine =
        machine_of("forecost: 1\nmachine: {name: m}\ncommunication:\n"
                   "  - {utility: broadcast-rd, regions: [{t0_us: 10}]}\n"
                   "  - {utility: broadcast-bt, regions: [{setup_us: {p: -1, 1: 3}}]}\n"
                   "  - {utility: broadcast, measures: completion, processors_mean: destinations,"
                   " regions: [{setup_us: {p: 2}}]}\n");
    ck_assert_uint_eq(broadcast_times(&machine, 8, 6).fastest, BROADCAST_BC);
    ck_assert_uint_eq(broadcast_times(&machine, 8, 7).fastest, BROADCAST_RD);
    ck_assert_uint_eq(broadcast_times(&machine, 8, 2).fastest, BROADCAST_BT);
    machine_free(&machine);
    machine = machine_of("forecost: 1\nmachine: {name: m}\ncommunication:\n"
                         "  - {utility: combine, regions: [{t0_us: 10}]}\n");
    ck_assert_uint_eq(broadcast_times(&machine, 8, 6).fastest, BROADCAST_COUNT);
    struct broadcast_choices choices = broadcast_choices(&machine, 6);
    ck_assert_uint_eq(choices.count, 1);
    ck_assert_int_eq(choices.items[0].algorithm, BROADCAST_BC);
    free(choices.items);
    machine_free(&machine);
}
END_TEST

/* Near messages of 2 us + n / 1000 while far ones of 20 us are under way, then n / 100 for each
 * far. */
static double flat_us(double bytes, double near, double far)
{
    const double near_us = near > 0.0 ? 2.0 + near * bytes / 1000.0 : 0.0;
    return far > 0.0 ? fmax(20.0, near_us) + far * bytes / 100.0 : near_us;
}

START_TEST(one_to_many_from_a_node_of_fewer)
{
    enum { NODE = 4 };
    struct machine machine =
        machine_of("forecost: 1\nmachine: {name: m}\ncommunication:\n"
                   "  - {utility: broadcast-1m, processors: [2, 16], processors_near: 4, regions: ["
                   "{bytes_upto: 6000, processors_upto: 4, t0_us: 2, per_byte_us: {p-1: 0.001}},"
                   "{processors_upto: 4, t0_us: 2, per_byte_us: {p-1: 0.001}},"
                   "{bytes_upto: 6000, t0_us: 20, per_byte_us: {p: 0.01, 1: -0.04}},"
                   "{t0_us: 2, per_byte_us: {p: 0.01, 1: -0.037}}]}\n");
    ck_assert(broadcast_depends_on_root(&machine));
    for (int p = 2; p <= 16; p++)
        for (int root = 0; root < p; root++)
            for (double bytes = 1.0; bytes < 1e6; bytes *= 7.0) {
                const int first = root - root % NODE, beside = p - first < NODE ? p - first : NODE;
                const double truth_us = flat_us(bytes, beside - 1, p - beside);
                ck_assert_double_eq_tol(
                    broadcast_times_from(&machine, bytes, p, root).time_us[BROADCAST_1M], truth_us,
                    1e-9 * truth_us);
            }
    machine_free(&machine);
}
END_TEST

SUITE("broadcast choice", every_length_gets_the_fastest, changes_are_found_to_the_byte,
      of_equals_the_library_and_times_of_nothing_are_none, one_to_many_from_a_node_of_fewer)
