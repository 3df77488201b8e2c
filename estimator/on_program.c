#include "estimator/on_program.h"

static int run(on_program_body *body, const struct options *options, struct program *program,
               enum utilities_read utilities, struct error *error)
{
    struct machine machine;
    const bool overlaps = options->overlap || program_overlaps(program);
    if (machine_read_for_costs(&machine, options->arguments[0], overlaps, utilities, error) != 0)
        return -1;
    const int status = body(options, &machine, program, error);
    machine_free(&machine);
    return status;
}

int on_program(const struct options_face *face, int argc, char **argv, on_program_body *body,
               struct error *error)
{
    struct options options;
    struct program program;
    if (options_parse(face, argc, argv, &options, error) != 0)
        return -1;
    int status = program_read(&program, options.arguments[1], error);
    if (status == 0) {
        status = run(body, &options, &program, UTILITIES_ASKED, error);
        /* What is wrong with a table, and what else it has, all of it tells. */
        if (status < 0)
            status = run(body, &options, &program, UTILITIES_ALL, error);
        program_free(&program);
    }
    options_free(&options);
    return status;
}
