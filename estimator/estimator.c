/* The estimator: finds the command and prints the one error. */
#include "estimator/commands/commands.h"

#include "config.h"
#include "model/base/memory.h"
#include "model/base/record.h"

#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    command_run *run;
    const char *help;
} commands[] = {
#define COMMAND_ROW(name, function, help) {name, function, help},
    COMMANDS(COMMAND_ROW)
#undef COMMAND_ROW
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_help(void)
{
    printf("Usage: estimator COMMAND [ARGUMENT...]\n"
           "Predicts what message-passing programs cost, from machine tables.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %-16s %s\n", commands[i].name, commands[i].help);
    printf("\n'estimator COMMAND --help' says more. Exit status: 0 done, 1 a check failed,\n"
           "2 bad input or usage.\n");
}

static int unknown(const char *word, struct error *error)
{
    const char *names[COMMAND_COUNT + 1] = {0};
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    const char *near = nearest_name(word, names);
    return error_set(error, "unknown command '%.60s'%s%s%s; see estimator --help", word,
                     near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int run(int argc, char **argv, struct error *error)
{
    if (argc < 2)
        return error_set(error, "no command; see estimator --help");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0) {
        print_help();
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("estimator (" PACKAGE_NAME ") " PACKAGE_VERSION);
        return EXIT_DONE;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            char *name = memory_format("estimator %s", argv[1]);
            argv[1] = name;
            const int status = commands[i].run(argc - 1, argv + 1, error);
            free(name);
            return status;
        }
    return unknown(argv[1], error);
}

int main(int argc, char **argv)
{
    struct error error;
    char line[800];
    gsl_set_error_handler_off();
    int status = run(argc, argv, &error);
    if (fflush(stdout) != 0 || ferror(stdout))
        status = error_set(&error, "standard output cannot be written");
    if (status >= 0)
        return status;
    fprintf(stderr, "estimator: %s\n", error_line(&error, line, sizeof line));
    return EXIT_BAD_INPUT;
}
