/* Writes the segment description of C source. */
#include "describer/describe.h"
#include "describer/source/limits.h"

#include <stdio.h>

static const char help[] =
    "describer [--side FILE.forecost] [-D NAME=VALUE]... FILE.c [FILE.c]... [-- COMPILER-FLAGS]\n"
    "Writes the segment description of what the C source computes, as YAML.\n\n"
    "  --side FILE    read directives from FILE instead of the source\n"
    "  -D NAME=VALUE  the value of a parameter\n"
    "  --processes P  with how many processes it is to hold, where conditions ask for that\n"
    "  --places       say with each statement where it stands\n"
    "  --strict       reductions keep their order: write the chains of their operations\n"
    "  --compiled=FLAGS  compiled_flags of the description\n"
    "  --messages P   write what each of P processes sends instead, as CSV\n"
    "  --loops        write the innermost loops as C functions instead, with the description\n"
    "  -- FLAGS       flags of the compiler, such as -I FOLDER and -D NAME=VALUE for macros\n";

int main(int count, char **arguments)
{
    struct options options;
    struct error error;
    limits_set();
    struct arena *arena = arena_new();
    int status = options_read(count, arguments, &options, &error);
    if (status == 0 && options.is_help)
        fputs(help, stdout);
    else if (status == 0)
        status = describe_files(arena, &options, stdout, stderr, &error);
    if (status) {
        char line[800];
        fprintf(stderr, "%s\n", error_line(&error, line, sizeof line));
    }
    options_free(&options);
    arena_free(arena);
    if (status == 0 && fflush(stdout) != 0)
        status = -1;
    return status ? 2 : 0;
}
