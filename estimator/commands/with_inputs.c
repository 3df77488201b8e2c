#include "estimator/commands/with_inputs.h"

#include "estimator/commands/observed.h"
#include "estimator/commands/own_loops.h"

static int run(with_inputs_body *body, const struct options *options, struct program *program,
               struct error *error)
{
    struct machine machine;
    if (options_machine(options, 0, &machine, error) != 0)
        return -1;
    struct anchor anchor;
    int status = observed_take(&anchor, options, program, &machine, error);
    if (status == 0)
        status = body(options, &machine, program, error);
    machine_free(&machine);
    return status;
}

int with_inputs(const struct options_face *face, int argc, char **argv, with_inputs_body *body,
                struct error *error)
{
    struct options options;
    struct program program;
    if (options_parse(face, argc, argv, &options, error) != 0)
        return -1;
    int status = options_program(&options, 1, &program, error);
    if (status == 0) {
        status = own_loops_measure(&options, 1, error);
        if (status == 0)
            status = run(body, &options, &program, error);
        program_free(&program);
    }
    options_free(&options);
    return status;
}
