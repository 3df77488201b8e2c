/* Measured points as CSV: what is written reads back equal, and nothing else is taken. */
#include "model/fit/points.h"
#include "test/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const path = "points-test.csv";

static void write_file(const char *text)
{
    FILE *stream = fopen(path, "w");
    fputs(text, stream);
    fclose(stream);
}

static struct point example(void)
{
    struct point point = {.utility = "point-to-point",
                          .processors = 2,
                          .bytes = 4096,
                          .repetitions = 3000,
                          .minimum_us = 0.1,
                          .median_us = 1.0 / 3.0,
                          .mean_us = 0.5,
                          .standard_deviation_us = 1e-3,
                          .maximum_us = 12.25,
                          .half_width_us = 0.01,
                          .rejected = 0.05,
                          .attempt = 1,
                          .launch = 2,
                          .held_out = true};
    return point;
}

START_TEST(what_is_written_reads_back_equal)
{
    const struct point written = example();
    struct list list = {0};
    struct error error;
    FILE *stream = fopen(path, "w");
    points_write_header(stream);
    points_write(stream, &written);
    points_write(stream, &written);
    fclose(stream);
    ck_assert_int_eq(points_read(path, &list, &error), 0);
    ck_assert_uint_eq(list.count, 2);
    const struct point *read = list.items;
    ck_assert_str_eq(read[1].utility, written.utility);
    ck_assert_double_eq(read[1].median_us, written.median_us);
    ck_assert_double_eq(read[1].bytes, 4096);
    ck_assert_double_eq(read[1].rejected, 0.05);
    ck_assert(read[1].held_out);
    free(list.items);
    unlink(path);
}
END_TEST

/* A good header in another order, and one line. */
static void expect(const char *text, const char *says, unsigned line)
{
    struct list list = {0};
    struct error error;
    write_file(text);
    ck_assert_int_eq(points_read(path, &list, &error), -1);
    ck_assert_msg(strstr(error.text, says) != NULL, "%s", error.text);
    ck_assert_uint_eq(error.line, line);
    ck_assert_uint_eq(list.count, 0);
    free(list.items);
    unlink(path);
}

#define HEADER                                                                                     \
    "utility,processors,bytes,repetitions,minimum_us,median_us,mean_us,standard_deviation_us,"     \
    "maximum_us,half_width_us,rejected,attempt,launch,held_out\n"

START_TEST(bad_files_are_refused_at_their_place)
{
    expect("", "empty", 1);
    expect("utility,colour\n", "unknown column 'colour'", 1);
    expect("utility,utility\n", "a second time", 1);
    expect("utility,bytes\n", "2 columns", 1);
    expect(HEADER "a,2,8,1,1,1,1,0,1,0,0,1,1\n", "13 cells", 2);
    expect(HEADER "a,2,8,1,1,1,1,0,1,0,0,1,1,0,9\n", "more cells", 2);
    expect(HEADER "a,2,4x,1,1,1,1,0,1,0,0,1,1,0\n", "bytes is '4x'", 2);
    expect(HEADER "a,2,8,1,1,nan,1,0,1,0,0,1,1,0\n", "median_us is 'nan'", 2);
    expect(HEADER ",2,8,1,1,1,1,0,1,0,0,1,1,0\n", "not the name of a utility", 2);
    struct list list = {0};
    struct error error;
    ck_assert_int_eq(points_read("no-such-file.csv", &list, &error), -1);
}
END_TEST

START_TEST(an_interrupted_last_line_loses_nothing_silently)
{
    expect(HEADER "a,2,8,1,1,1,1,0,1,0,0,1,1,0\na,2,16,1,1,1", "6 cells", 3);
}
END_TEST

START_TEST(the_quartile_of_points_is_one_of_them)
{
    static const double quartiles[] = {0, 10, 10, 20, 20, 20, 20, 30, 30, 30};
    for (size_t count = 1; count < sizeof quartiles / sizeof *quartiles; count++) {
        struct point points[10];
        for (size_t i = 0; i < count; i++) /* the slowest first */
            points[i] = (struct point){.median_us = (double)(count - i),
                                       .bytes = 10.0 * (double)(count - i)};
        ck_assert_double_eq(points_quartile(points, count)->bytes, quartiles[count]);
    }
}
END_TEST

/* At each processor count those of its last attempt, other utilities in between. */
START_TEST(the_last_attempt_counts)
{
    static const struct {
        const char *utility;
        double processors, attempt, bytes;
    } rows[] = {
        {"exchange", 4, 1, 8 },
        {"exchange", 4, 2, 16},
        {"exchange", 2, 1, 32},
        {"combine",  4, 3, 64},
        {"exchange", 4, 2, 24},
    };
    static const double counts_bytes[] = {16, 32, 24};
    struct list all = {0}, last = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct point point = {
            .processors = rows[i].processors, .attempt = rows[i].attempt, .bytes = rows[i].bytes};
        strcpy(point.utility, rows[i].utility);
        *(struct point *)list_add(&point_record, &all) = point;
    }
    points_last(&all, "exchange", &last);
    ck_assert_uint_eq(last.count, 3);
    for (size_t i = 0; i < last.count; i++)
        ck_assert_double_eq(((const struct point *)last.items)[i].bytes, counts_bytes[i]);
    ck_assert_double_eq(points_last_attempt(&all, "exchange", 4), 2);
    ck_assert_double_eq(points_last_attempt(&all, "combine", 2), 0);
    free(last.items);
    free(all.items);
}
END_TEST

SUITE("points", the_quartile_of_points_is_one_of_them, what_is_written_reads_back_equal,
      bad_files_are_refused_at_their_place, an_interrupted_last_line_loses_nothing_silently,
      the_last_attempt_counts)
