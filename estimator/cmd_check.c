/* estimator check: are these machine tables and segment descriptions right? */
#include "estimator/commands.h"
#include "estimator/options.h"
#include "model/machine/machine.h"
#include "model/segment/program.h"

#include <stdio.h>

static const struct options_face face = {
    .arguments = "FILE...",
    .doc = "Reads every FILE, a machine table or a segment description, and says whether it is "
           "right. Exit status 2 at the first that is not.",
    .takes = "",
    .least = 1,
    .most = OPTIONS_ARGUMENTS,
};

static int check_machine(const char *path, struct error *error)
{
    struct machine machine;
    if (machine_read(&machine, path, error) != 0)
        return -1;
    printf("%s: a machine table, %zu utilities%s\n", path, machine.communication.count,
           machine.node ? ", node" : "");
    machine_free(&machine);
    return 0;
}

static int check_program(const char *path, struct error *error)
{
    struct program program;
    if (program_read(&program, path, error) != 0)
        return -1;
    printf("%s: a segment description, %zu candidates, %zu segments\n", path,
           program.candidates.count, program.segments.count);
    program_free(&program);
    return 0;
}

static int check_file(const char *path, struct error *error)
{
    bool is_program;
    if (program_recognise(path, &is_program, error) != 0)
        return -1;
    return is_program ? check_program(path, error) : check_machine(path, error);
}

int cmd_check(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = 0;
    for (size_t i = 0; i < options.count && status == 0; i++)
        status = check_file(options.arguments[i], error);
    options_free(&options);
    return status;
}
