/* Which partitioning is the cheapest: cc ranking.c `pkg-config --cflags --libs forecost` */
#include <forecost.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct forecost_machine *machine = NULL;
    struct forecost_program *program = NULL;
    struct forecost_ranking *ranking = NULL;
    struct forecost_error error;
    if (argc < 3) {
        fprintf(stderr, "usage: %s TABLE DESCRIPTION [NAME=VALUE...]\n", argv[0]);
        return 2;
    }
    const char *const *definitions = (const char *const *)argv + 3;
    int status = forecost_machine_read(&machine, argv[1], &error);
    if (status == FORECOST_DONE)
        status = forecost_program_read(&program, argv[2], &error);
    if (status == FORECOST_DONE)
        status = forecost_rank(&ranking, machine, program, 16, definitions, &error);
    const struct forecost_ranked *row;
    for (size_t i = 0; ranking && (row = forecost_ranking_row(ranking, i)); i++)
        printf("%zu. %s: %.6g us (%.6g to %.6g)\n", row->rank, row->candidate, row->whole.total_us,
               row->whole.low_us, row->whole.high_us);
    if (status != FORECOST_DONE)
        fprintf(stderr, "%s\n", error.message);
    forecost_ranking_free(ranking);
    forecost_program_free(program);
    forecost_machine_free(machine);
    return status;
}
