/* What a calibration leaves to go on from: only what was measured is counted, and points that are
   not all there are refused as they are. */
#include "trainer/base/checkpoint.h"
#include "model/base/allocation.h"
#include "model/machine/swap_rows.h"
#include "test/suite.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const char *const table = "checkpoint-test.yaml";
static const char *const points = "checkpoint-test.unfinished.points.csv";
static const char *const swaps = "checkpoint-test.unfinished.swap.csv";
static const char *const unfinished = "checkpoint-test.unfinished.yaml";

static void write_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    fputs(text, stream);
    fclose(stream);
}

static void expect_file(const char *path, const char *text)
{
    char got[1000];
    FILE *stream = fopen(path, "r");
    ck_assert_ptr_nonnull(stream);
    got[fread(got, 1, sizeof got - 1, stream)] = '\0';
    fclose(stream);
    ck_assert_str_eq(got, text);
}

static struct machine example(const char *options, const char *cpu, double processors)
{
    struct machine machine = machine_begin();
    struct provenance *measured = memory_new(1, sizeof *measured);
    *measured = (struct provenance){.options = memory_copy_text(options),
                                    .cpu = memory_copy_text(cpu),
                                    .cores = NAN,
                                    .seed = NAN,
                                    .duration_s = NAN,
                                    .clock_tick_us = NAN};
    machine.machine.name = memory_copy_text("it");
    machine.machine.processors = processors;
    machine.machine.measured = measured;
    return machine;
}

static void clean(void)
{
    unlink(points);
    unlink(unfinished);
}

/* As many experiments as machine->swap tells of. */
static void add_swaps(struct machine *machine, int count)
{
    for (int i = 0; i < count; i++) {
        struct swap *swap = list_add(&swap_record, &machine->swap_rows);
        swap->order = 0;
        swap->protocol = i;
        swap->a_us = 0.5;
        swap->b_us_per_byte = 0.25;
        swap_take_rates(swap);
    }
    swap_summarise(&machine->swap_rows, &machine->swap);
}

/* The table has their summaries; without the file beside it they would be lost in silence. */
START_TEST(swaps_are_kept_beside_and_missed)
{
    struct error error;
    struct machine machine = example("-o it", "cpu", 2), read;
    FILE *stream = checkpoint_points(table, NULL, &error);
    add_swaps(&machine, 3);
    ck_assert_int_eq(checkpoint_save(&machine, table, 1, stream, &error), 0);
    fclose(stream);
    ck_assert_int_eq(checkpoint_read(&read, table, &machine, &error), 0);
    ck_assert_uint_eq(read.swap_rows.count, 3);
    ck_assert_double_eq(((const struct swap *)read.swap_rows.items)[2].protocol, 2);
    machine_free(&read);
    ck_assert_int_eq(unlink(swaps), 0);
    ck_assert_int_eq(checkpoint_read(&read, table, &machine, &error), -1);
    ck_assert_str_eq(error.text, "the swaps of the calibration that was cut off are gone");
    ck_assert_int_eq(swap_rows_save(&machine, swaps, &error), 0);
    checkpoint_remove(table);
    ck_assert_int_ne(access(swaps, F_OK), 0);
    machine_free(&machine);
    clean();
}
END_TEST

START_TEST(a_new_calibration_leaves_nothing_of_an_earlier_one)
{
    struct error error;
    write_file(unfinished, "stale");
    write_file(points, "stale\n");
    FILE *stream = checkpoint_points(table, NULL, &error);
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_ne(access(unfinished, F_OK), 0);
    const long header_bytes = ftell(stream);
    fclose(stream);
    FILE *written = fopen(points, "r");
    char line[1000];
    ck_assert_ptr_nonnull(fgets(line, sizeof line, written));
    ck_assert_int_eq(strncmp(line, "utility,", 8), 0);
    ck_assert_int_eq((long)strlen(line), header_bytes);
    ck_assert_ptr_null(fgets(line, sizeof line, written));
    fclose(written);
    clean();
}
END_TEST

START_TEST(one_that_goes_on_has_the_points_that_count_and_no_other)
{
    const struct unfinished before = {.parts = 1, .points_bytes = 12};
    struct error error;
    write_file(unfinished, "kept");
    write_file(points, "header\none,\ntwo,\nthr");
    FILE *stream = checkpoint_points(table, &before, &error);
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(ftell(stream), 12);
    fputs("2,\n", stream);
    fclose(stream);
    expect_file(points, "header\none,\n2,\n");
    expect_file(unfinished, "kept");
    clean();
}
END_TEST

/* So many bytes are told of; the points are refused, and stay as they are. */
static void expect_refused(const char *text, double bytes)
{
    const struct unfinished before = {.parts = 1, .points_bytes = bytes};
    struct error error;
    write_file(points, text);
    ck_assert_ptr_null(checkpoint_points(table, &before, &error));
    ck_assert_str_eq(error.file, points);
    ck_assert_msg(strstr(error.text, "has not all points") != NULL, "%s", error.text);
    expect_file(points, text);
}

START_TEST(points_that_are_not_all_there_are_refused_as_they_are)
{
    struct error error;
    const struct unfinished before = {.parts = 1, .points_bytes = 12};
    write_file(unfinished, "kept");
    expect_refused("header\none,", 12);      /* a byte too few */
    expect_refused("", 12);                  /* none */
    expect_refused("header\none,two\n", 12); /* others: a line goes on there */
    expect_refused("header\n", 0x1p53);
    unlink(points);
    ck_assert_ptr_null(checkpoint_points(table, &before, &error));
    ck_assert_int_ne(access(points, F_OK), 0);
    expect_file(unfinished, "kept");
    clean();
}
END_TEST

START_TEST(what_is_saved_is_read_by_the_same_calibration_alone)
{
    struct machine machine = example("--quick", "this", 2), read;
    struct machine others[] = {example("", "this", 2), example("--quick", "that", 2),
                               example("--quick", "this", 3)};
    static const char *const says[] = {"was begun with '--quick'", "was begun on 'this'",
                                       "was begun with 2 ranks"};
    struct error error;
    FILE *stream = checkpoint_points(table, NULL, &error);
    fputs("a point\n", stream);
    ck_assert_int_eq(checkpoint_save(&machine, table, 3, stream, &error), 0);
    const long bytes = ftell(stream);
    fclose(stream);
    ck_assert_int_eq(checkpoint_read(&read, table, &machine, &error), 0);
    ck_assert_double_eq(read.unfinished->parts, 3);
    ck_assert_double_eq(read.unfinished->points_bytes, (double)bytes);
    stream = checkpoint_points(table, read.unfinished, &error);
    ck_assert_ptr_nonnull(stream);
    fclose(stream);
    machine_free(&read);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(checkpoint_read(&read, table, &others[i], &error), -1);
        ck_assert_msg(strstr(error.text, says[i]) != NULL, "%s", error.text);
        machine_free(&others[i]);
    }
    ck_assert(checkpoint_is_there(table));
    checkpoint_remove(table);
    ck_assert(!checkpoint_is_there(table));
    ck_assert_int_ne(access(points, F_OK), 0);
    ck_assert_int_eq(checkpoint_read(&read, table, &machine, &error), -1);
    ck_assert_str_eq(error.file, unfinished);
    machine_free(&machine);
    clean();
}
END_TEST

SUITE("checkpoint", swaps_are_kept_beside_and_missed,
      a_new_calibration_leaves_nothing_of_an_earlier_one,
      one_that_goes_on_has_the_points_that_count_and_no_other,
      points_that_are_not_all_there_are_refused_as_they_are,
      what_is_saved_is_read_by_the_same_calibration_alone)
