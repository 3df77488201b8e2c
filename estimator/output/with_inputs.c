#include "estimator/output/with_inputs.h"

#include "model/base/input.h"
#include "model/base/yaml_text.h"

#include <stdlib.h>

/* The table's text is kept: what a pipe held cannot be read a second time. */
struct table {
    const char *name;
    char *text;
    size_t bytes;
};

static int run(with_inputs_body *body, const struct options *options, struct program *program,
               const struct table *table, enum utilities_read utilities, struct error *error)
{
    struct machine machine;
    const bool overlaps = options->overlap || program_overlaps(program);
    if (machine_read_text_for_costs(&machine, table->name, table->text, table->bytes, overlaps,
                                    utilities, error) != 0)
        return -1;
    const int status = body(options, &machine, program, error);
    machine_free(&machine);
    return status;
}

static int run_or_explain(with_inputs_body *body, const struct options *options,
                          struct program *program, struct error *error)
{
    struct table table = {.name = input_name(options->arguments[0])};
    if (yaml_read_text(options->arguments[0], &table.text, &table.bytes, error) != 0)
        return -1;
    int status = run(body, options, program, &table, UTILITIES_ASKED, error);
    /* What is wrong with a table, and what else it has, all of it tells. */
    if (status < 0)
        status = run(body, options, program, &table, UTILITIES_ALL, error);
    free(table.text);
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
        status = run_or_explain(body, &options, &program, error);
        program_free(&program);
    }
    options_free(&options);
    return status;
}
