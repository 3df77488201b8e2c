/* The describer in process: source text in, lines of the description out. The cases stand in
   rows.txt:

     == what the case is about
     C source; sizes are n = 100, m = 50 and steps = 10
     --
     the description from behind its parameters on, without comments and hashes; or
     refused: LINE:COLUMN: a part of the message */
#include "describer/describe.h"

#include "model/base/allocation.h"
#include "test/check.h"
#include "test/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_MOST = 300 };
static const char parameters[] = "#pragma forecost parameters(n = 100, m = 50, steps = 10)\n";

struct rows_case {
    const char *name, *source, *rows;
};

static struct rows_case cases[CASES_MOST];
static int case_count;

static char *whole_file(const char *path)
{
    FILE *stream = fopen(path, "r");
    if (!stream) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, EOF, stream) < 0)
        abort();
    fclose(stream);
    return text;
}

/* Cuts the text into cases, in place. */
static void read_cases(char *text)
{
    for (char *at = strstr(text, "== "); at; case_count++) {
        struct rows_case *each = &cases[case_count];
        each->name = at + 3;
        char *end = strchr(at, '\n'), *divider = strstr(end, "\n--\n");
        *end = '\0';
        each->source = end + 1;
        divider[1] = '\0';
        each->rows = divider + 4;
        at = strstr(each->rows, "\n== ");
        if (at)
            *at++ = '\0';
    }
}

/* The description from behind the line of its parameters on, without comments and hashes. */
static char *rows_of(const char *description)
{
    const char *at = strstr(description, "\nparameters:");
    ck_assert_ptr_nonnull(at);
    char *rows = memory_new(strlen(description) + 1, 1), *end = rows;
    for (at = strchr(at + 1, '\n') + 1; *at;) {
        const char *line_end = strchr(at, '\n');
        const char *hash = strstr(at, ", source_hash: ");
        if (at[strspn(at, " ")] == '#') {
            at = line_end + 1;
            continue;
        }
        while (at <= line_end) {
            if (at == hash) {
                at += strlen(", source_hash: ");
                at += strspn(at, "0123456789abcdef");
            } else
                *end++ = *at++;
        }
    }
    return rows;
}

/* Without the blank lines at the end. */
static char *trimmed(const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    return memory_format("%.*s", (int)length, text);
}

static void describe_source(const char *source, char **description, char **message, char *path)
{
    FILE *file = fopen(path, "w");
    fprintf(file, "%s%s", source, parameters);
    fclose(file);
    size_t size;
    FILE *out = open_memstream(description, &size);
    FILE *remarks = fopen("/dev/null", "w");
    struct arena *arena = arena_new();
    struct error error;
    struct options options = {.files = &(const char *){path}, .file_count = 1};
    if (describe_files(arena, &options, out, remarks, &error)) {
        char line[800];
        *message = memory_format("%s", error_line(&error, line, sizeof line));
    }
    arena_free(arena);
    fclose(remarks);
    fclose(out);
}

START_TEST(test_rows)
{
    const struct rows_case *each = &cases[_i];
    char *description = NULL, *message = NULL, *path = scratch_path("rows.c");
    describe_source(each->source, &description, &message, path);
    if (message && strstr(message, "'mpi.h' file not found"))
        ; /* without MPI nothing is told of MPI */
    else if (!strncmp(each->rows, "refused: ", 9)) {
        ck_assert_msg(message, "%s: described:\n%s", each->name, description);
        char *expected = trimmed(each->rows + 9), *place_end = strstr(expected, ": ");
        *place_end = '\0';
        char *place = memory_format("%s:%s: ", path, expected);
        ck_assert_msg(!strncmp(message, place, strlen(place)) && strstr(message, place_end + 2),
                      "%s: %s", each->name, message);
        free(place);
        free(expected);
    } else {
        ck_assert_msg(!message, "%s: %s", each->name, message);
        char *rows = rows_of(description), *got = trimmed(rows), *expected = trimmed(each->rows);
        ck_assert_msg(!strcmp(got, expected), "%s: described:\n%s\nexpected:\n%s", each->name, got,
                      expected);
        free(rows);
        free(got);
        free(expected);
    }
    remove_scratch(path);
    free(description);
    free(message);
}
END_TEST

int main(void)
{
    const char *folder = getenv("FORECOST_SOURCE");
    char *path = memory_format("%s/test/describer/rows.txt", folder ? folder : ".");
    char *text = whole_file(path);
    read_cases(text);
    Suite *suite = suite_create("rows");
    TCase *tcase = tcase_create("rows");
    tcase_set_timeout(tcase, 1200);
    tcase_add_loop_test(tcase, test_rows, 0, case_count);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    free(text);
    free(path);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
