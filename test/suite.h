/* The main program of a unit test: one suite, its tests, TAP on stdout. Use, after the tests:
     SUITE("cost", test_of_this, test_of_that)
   Loop tests have a suite of their own: see tcase_add_loop_test of Check. */
#ifndef TEST_SUITE_H
#define TEST_SUITE_H

#include "test/check.h"

#include <stdlib.h>

static int suite_run(const char *name, const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 1200); /* against what hangs; how quick a machine is decides no test */
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define SUITE(name, ...)                                                                           \
    int main(void)                                                                                 \
    {                                                                                              \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        return suite_run(name, tests, sizeof tests / sizeof *tests);                               \
    }

#endif
