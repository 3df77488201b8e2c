/* A hundred thousand calls of libforecost, good ones and bad ones: calls TABLE DESCRIPTION. Ends
   with status 1 where what is allocated has grown. The locale is what the environment says, and a
   number must be read the same there. */
#include <forecost.h>

#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 100000, SELDOM = 500 };

static void must(int is_so, const char *what)
{
    if (is_so)
        return;
    fprintf(stderr, "calls: not so: %s\n", what);
    exit(3);
}

/* Everything that is made and released. */
static void cycle(const char *table, const char *description)
{
    static const char *const wrong[] = {"NONE=1", NULL};
    struct forecost_machine *machine;
    struct forecost_program *program;
    struct forecost_prediction *prediction;
    struct forecost_ranking *ranking;
    struct forecost_bounds *bounds;
    struct forecost_error error;
    must(forecost_machine_read(&machine, table, &error) == FORECOST_DONE, error.message);
    must(forecost_program_read(&program, description, &error) == FORECOST_DONE, error.message);
    must(!forecost_predict(&prediction, machine, program, NULL, 4, NULL, &error), error.message);
    must(!forecost_rank(&ranking, machine, program, 4, NULL, &error), error.message);
    forecost_prediction_free(prediction);
    forecost_ranking_free(ranking);
    if (forecost_bound(&bounds, machine, program, 0, NULL, &error) == FORECOST_DONE)
        forecost_bounds_free(bounds);
    must(forecost_rank(&ranking, machine, program, 4, wrong, &error) == FORECOST_BAD_INPUT, "-D");
    must(forecost_rank(&ranking, machine, program, 0.5, NULL, NULL) == FORECOST_BAD_INPUT, "p");
    must(forecost_predict(&prediction, machine, program, "none", 4, NULL, &error) ==
             FORECOST_BAD_INPUT,
         "none");
    forecost_program_free(program);
    must(forecost_program_read(&program, table, NULL) == FORECOST_BAD_INPUT, "a table is none");
    must(program == NULL, "nothing is made of bad input");
    forecost_program_free(program);
    forecost_machine_free(machine);
}

int main(int argc, char **argv)
{
    struct forecost_machine *machine;
    struct forecost_cost cost;
    struct forecost_error error;
    size_t begun = 0;
    setlocale(LC_ALL, "");
    if (argc < 3 || forecost_machine_read(&machine, argv[1], &error) != FORECOST_DONE)
        return 9;
    for (int i = 0; i < CALLS; i++) {
        const double bytes = 16.0 * (i % 5000);
        if (i % SELDOM == 0)
            cycle(argv[1], argv[2]);
        if (i % 10 == 9)
            must(forecost_cost(machine, "exchagne", bytes, 2, &cost, &error) == FORECOST_BAD_INPUT,
                 "exchagne");
        else
            must(!forecost_cost(machine, "exchange", bytes, 2, &cost, &error), error.message);
        if (i == CALLS / 10)
            begun = mallinfo2().uordblks;
    }
    const size_t ended = mallinfo2().uordblks;
    forecost_machine_free(machine);
    printf("%d calls, %zu bytes before, %zu after\n", CALLS, begun, ended);
    return ended > begun + 1024;
}
