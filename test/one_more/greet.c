/* estimator greet: a machine's name, in a friendly way. */
#include "estimator/commands/commands.h"
#include "estimator/output/options.h"
#include "model/machine/machine.h"

#include <stdio.h>

static const struct options_face face = {
    .arguments = "TABLE",
    .doc = "A machine's name, in a friendly way.",
    .takes = "Y",
    .least = 1,
    .most = 1,
};

int cmd_greet(int argc, char **argv, struct error *error)
{
    struct options options;
    struct machine machine;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    const int status = machine_read(&machine, options.arguments[0], error);
    if (status == 0) {
        printf("%s greets %s\n", options.you ? options.you : "nobody", machine.machine.name);
        machine_free(&machine);
    }
    options_free(&options);
    return status;
}
