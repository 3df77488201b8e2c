/* What a prediction reads of a machine table, and what it leaves out before libyaml sees it. */
#include "model/machine/machine.h"

#include "test/scratch.h"
#include "test/suite.h"

#include <stdio.h>
#include <string.h>

static int read_parts(struct machine *machine, const char *text, bool overlaps,
                      enum utilities_read utilities, struct error *error)
{
    char *path = scratch_path("table.yaml");
    FILE *stream = fopen(path, "w");
    ck_assert(stream && fputs(text, stream) >= 0 && fclose(stream) == 0);
    const int status = machine_read_for_costs(machine, path, overlaps, utilities, error);
    remove_scratch(path);
    return status;
}

static int read_for_costs(struct machine *machine, const char *text, struct error *error)
{
    return read_parts(machine, text, true, UTILITIES_ALL, error);
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
        ck_assert_int_eq(read_parts(&machine, text, overlaps, UTILITIES_ALL, NULL), 0);
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

/* How many utilities of a table stay unread, and are asked for. */
static size_t unread_of(const char *text)
{
    struct machine machine;
    struct error error;
    ck_assert_int_eq(read_parts(&machine, text, false, UTILITIES_ASKED, &error), 0);
    const size_t count = machine.communication.count;
    ck_assert_ptr_null(machine_cost(&machine, "not-there"));
    const struct cost *exchange = machine_cost(&machine, "exchange");
    ck_assert_ptr_nonnull(exchange);
    ck_assert_str_eq(exchange->utility, "exchange");
    ck_assert_ptr_eq(machine_cost(&machine, "exchange"), exchange);
    ck_assert_double_eq(region_time_us(exchange->regions.items, 0, 2), 3);
    ck_assert(!machine_failed(&machine));
    machine_free(&machine);
    return count;
}

#define LIST HEAD "communication:\n"
#define ITEM(name) "  - utility: " name "\n    regions:\n      - {t0_us: 3}\n"
#define WRONG(name) "  - utility: " name "\n    regoins: [{t0_us: 3}]\n"

START_TEST(utilities_are_read_when_they_are_asked_for)
{
    static const char *const unread[] = {
        LIST ITEM("exchange") ITEM("EXCH1") ITEM("exchange-pairs"),
        LIST WRONG("EXCH1") "\n# a remark\n" ITEM("exchange") "swap:\n" SWAP SWAP,
        LIST "- utility: EXCH1\n  regoins: [{t0_us: 3}]\n- utility: exchange\n"
             "  regions: [{t0_us: 3}]\nnode: {rate_mflops: 1}\n",
        LIST "  - utility: EXCH1\r\n    regoins: 3\r\n" ITEM("exchange"),
        LIST "  # first\n" ITEM("exchange") "    note: |\n      as\n      - utility: EXCH1\n",
    };
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
        ck_assert_uint_eq(unread_of(unread[i]), 0);
    /* Not as trainer writes them: all are read. */
    ck_assert_uint_eq(unread_of(LIST "  - {utility: EXCH1, regions: [{t0_us: 3}]}\n" ITEM(
                          "exchange") ITEM("\"vSR\"") ITEM("iSR # so")),
                      4);
    ck_assert_uint_eq(unread_of(LIST ITEM("EXCH1") "  - statistic: median\n    utility: vSR\n"
                                                   "    regions: [{t0_us: 3}]\n" ITEM("exchange")),
                      3);
}
END_TEST

/* What a machine says of a utility that is asked for. */
static void fails_for(const char *text, const char *utility)
{
    struct machine machine;
    ck_assert_int_eq(read_parts(&machine, text, false, UTILITIES_ASKED, NULL), 0);
    ck_assert_uint_eq(machine.communication.count, 0);
    ck_assert_ptr_nonnull(machine_cost(&machine, "exchange"));
    ck_assert(!machine_failed(&machine));
    ck_assert_ptr_null(machine_cost(&machine, utility));
    ck_assert(machine_failed(&machine));
    ck_assert_ptr_nonnull(machine_cost(&machine, "exchange"));
    ck_assert(machine_failed(&machine));
    machine_free(&machine);
}

START_TEST(a_utility_in_error_is_none_and_is_told)
{
    fails_for(LIST ITEM("exchange") WRONG("EXCH1"), "EXCH1");
    fails_for(LIST ITEM("exchange") "  - utility: EXCH1\n    regions: [{t0_us: 3\n", "EXCH1");
    fails_for(LIST ITEM("exchange") "  - utility: EXCH1\n    regions: []\n", "EXCH1");
    fails_for(LIST ITEM("exchange") "  - utility: EXCH1\n    note: \"as\n"
                                    "  - utility: vSR\n    says\"\n"
                                    "    regions: [{t0_us: 3}]\n",
              "EXCH1");
}
END_TEST

START_TEST(what_is_wrong_in_all_the_list_is_refused)
{
    static const char *const texts[] = {
        LIST ITEM("EXCH1") ITEM("exchange") "communcation: []\n",
        LIST ITEM("EXCH1") ITEM("EXCH1"),
        LIST "  " ITEM("EXCH1") ITEM("exchange"),
    };
    static const char *const places[] = {"table.yaml:10:1:", "table.yaml:7:5:", "table.yaml:5:5:"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct machine machine;
        struct error error;
        char said[800];
        ck_assert_int_eq(read_parts(&machine, texts[i], false, UTILITIES_ASKED, &error), -1);
        error_line(&error, said, sizeof said);
        ck_assert_msg(strstr(said, places[i]), "%s", said);
    }
}
END_TEST

SUITE("for-costs", the_microbenchmarks_are_not_read, overlap_is_read_where_something_overlaps,
      the_places_of_errors_stay, utilities_are_read_when_they_are_asked_for,
      a_utility_in_error_is_none_and_is_told, what_is_wrong_in_all_the_list_is_refused)
