/* What a prediction reads of a machine table, and what it leaves out before libyaml sees it. */
#include "model/machine/machine.h"

#include "test/scratch.h"
#include "test/suite.h"

#include <stdio.h>
#include <string.h>

static int read_parts(struct machine *machine, const char *text, bool overlaps,
                      bool (*needs)(const char *utility), struct error *error)
{
    char *path = scratch_path("table.yaml");
    FILE *stream = fopen(path, "w");
    ck_assert(stream && fputs(text, stream) >= 0 && fclose(stream) == 0);
    const int status = machine_read_for_costs(machine, path, overlaps, needs, error);
    remove_scratch(path);
    return status;
}

static int read_for_costs(struct machine *machine, const char *text, struct error *error)
{
    return read_parts(machine, text, true, NULL, error);
}

#define HEAD "forecost: 1\nmachine: {name: m}\n"
#define COST "communication:\n  - {utility: exchange, regions: [{t0_us: 3}]}\n"
#define SWAP "  - {order: 0, protocol: 1, set: basic, way: warm, volume_bytes: 8192, a_us: 2}\n"

START_TEST(the_microbenchmarks_are_not_read)
{
    static const char *const texts[] = {
        HEAD "swap:\n" SWAP SWAP "\n" COST, /* twice the same: refused where it is read */
        HEAD "swap:\n- nothing: like it\n# a remark\n" COST "logp: \n  gap_us: x\n",
        HEAD COST "swap:\r\n" SWAP SWAP,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct machine machine;
        ck_assert_int_eq(read_for_costs(&machine, texts[i], NULL), 0);
        ck_assert_uint_eq(machine.swap.count, 0);
        ck_assert_ptr_null(machine.logp);
        ck_assert_uint_eq(machine.communication.count, 1);
        machine_free(&machine);
    }
}
END_TEST

START_TEST(overlap_is_read_where_something_overlaps)
{
    const char *text = HEAD "overlap:\n  - {side: send, bytes: 8, loop_us: 11, work_us: 9, "
                            "overhead_us: 2, transfer_us: 8, availability: 0.75}\n" COST;
    for (int overlaps = 0; overlaps <= 1; overlaps++) {
        struct machine machine;
        ck_assert_int_eq(read_parts(&machine, text, overlaps, NULL, NULL), 0);
        ck_assert_uint_eq(machine.overlap.count, (size_t)overlaps);
        ck_assert_uint_eq(machine.communication.count, 1);
        machine_free(&machine);
    }
}
END_TEST

/* Refused in the line, of the table read whole. */
static void refused_in(const char *text, unsigned line)
{
    struct machine machine;
    struct error error;
    char said[800], place[40];
    ck_assert_int_eq(read_for_costs(&machine, text, &error), -1);
    snprintf(place, sizeof place, "table.yaml:%u:", line);
    ck_assert_ptr_nonnull(strstr(error_line(&error, said, sizeof said), place));
}

START_TEST(the_places_of_errors_stay)
{
    struct machine machine;
    refused_in(HEAD "swap:\n" SWAP "communcation: []\n", 5);
    refused_in(HEAD "swap:\n" SWAP "  # more\n" SWAP "communcation: []\n", 7);
    refused_in(HEAD "swap: 1\n" COST, 3);
    refused_in(HEAD "swap:\n" SWAP "---\n" COST, 5);
    /* Not as trainer writes it: read whole. */
    ck_assert_int_eq(read_for_costs(&machine,
                                    HEAD
                                    "swap:\n  - {order: 0,\nprotocol: 1, set: basic, way: warm, "
                                    "not_available: x}\n",
                                    NULL),
                     0);
    ck_assert_uint_eq(machine.swap.count, 1);
    machine_free(&machine);
}
END_TEST

static bool is_exchange(const char *utility)
{
    return strncmp(utility, "exchange", 8) == 0;
}

/* The names of the utilities that are read of a table. */
static const char *utilities_read(const char *text)
{
    static char names[200];
    struct machine machine;
    struct error error;
    ck_assert_int_eq(read_parts(&machine, text, false, is_exchange, &error), 0);
    const struct cost *costs = machine.communication.items;
    names[0] = '\0';
    for (size_t i = 0; i < machine.communication.count; i++)
        strcat(strcat(names, i ? " " : ""), costs[i].utility);
    machine_free(&machine);
    return names;
}

#define LIST HEAD "communication:\n"
#define ITEM(name) "  - utility: " name "\n    regions:\n      - {t0_us: 3}\n"
#define WRONG(name) "  - utility: " name "\n    regoins: [{t0_us: 3}]\n"

START_TEST(utilities_that_nothing_needs_are_not_read)
{
    ck_assert_str_eq(utilities_read(LIST ITEM("exchange") ITEM("EXCH1") ITEM("exchange-pairs")),
                     "exchange exchange-pairs");
    ck_assert_str_eq(utilities_read(LIST WRONG("EXCH1") "\n# a remark\n" ITEM(
                         "exchange") "swap:\n" SWAP SWAP WRONG("x")),
                     "exchange");
    ck_assert_str_eq(utilities_read(LIST "- utility: EXCH1\n  regoins: [{t0_us: 3}]\n"
                                         "- utility: exchange\n  regions: [{t0_us: 3}]\n"
                                         "node: {rate_mflops: 1}\n"),
                     "exchange");
    ck_assert_str_eq(
        utilities_read(LIST "  - utility: EXCH1\r\n    regoins: 3\r\n" ITEM("exchange")),
        "exchange");
    /* Not as trainer writes them, or nothing left of the list: read whole. */
    ck_assert_str_eq(utilities_read(LIST "  - {utility: EXCH1, regions: [{t0_us: 3}]}\n" ITEM(
                         "exchange") ITEM("\"vSR\"") ITEM("iSR # so")),
                     "EXCH1 exchange vSR iSR");
    ck_assert_str_eq(utilities_read(LIST ITEM("EXCH1") ITEM("vSR")), "EXCH1 vSR");
}
END_TEST

START_TEST(a_text_that_looks_like_a_utility_is_none)
{
    ck_assert_str_eq(utilities_read(LIST "  - utility: exchange\n    note: \"as\n"
                                         "  - utility: EXCH1\n    says\"\n"
                                         "    regions: [{t0_us: 3}]\n" ITEM("vSR")),
                     "exchange vSR");
    ck_assert_str_eq(
        utilities_read(LIST ITEM("exchange") "    note: |\n      as\n"
                                             "      - utility: EXCH1\n" ITEM("exchange-best")),
        "exchange exchange-best");
}
END_TEST

START_TEST(an_error_behind_utilities_keeps_its_place)
{
    static const char *const texts[] = {
        LIST ITEM("EXCH1") ITEM("exchange") "communcation: []\n",
        LIST ITEM("EXCH1") "    statistic: median\n\n" WRONG("exchange")};
    static const char *const places[] = {"table.yaml:10:1:", "table.yaml:10:5:"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct machine machine;
        struct error error;
        char said[800];
        ck_assert_int_eq(read_parts(&machine, texts[i], false, is_exchange, &error), -1);
        ck_assert_ptr_nonnull(strstr(error_line(&error, said, sizeof said), places[i]));
    }
}
END_TEST

SUITE("for-costs", the_microbenchmarks_are_not_read, overlap_is_read_where_something_overlaps,
      the_places_of_errors_stay, utilities_that_nothing_needs_are_not_read,
      a_text_that_looks_like_a_utility_is_none, an_error_behind_utilities_keeps_its_place)
