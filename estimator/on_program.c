#include "estimator/on_program.h"

int on_program(const struct options_face *face, int argc, char **argv, on_program_body *body,
               struct error *error)
{
    struct options options;
    struct machine machine;
    struct program program;
    if (options_parse(face, argc, argv, &options, error) != 0)
        return -1;
    int status = program_read(&program, options.arguments[1], error);
    if (status == 0) {
        status = machine_read_for_costs(&machine, options.arguments[0],
                                        options.overlap || program_overlaps(&program), error);
        if (status == 0) {
            status = body(&options, &machine, &program, error);
            machine_free(&machine);
        }
        program_free(&program);
    }
    options_free(&options);
    return status;
}
