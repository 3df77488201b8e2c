/* The estimator: finds the command and prints the one error. */
#include "estimator/commands/commands.h"

#include "config.h"
#include "model/base/allocation.h"
#include "model/base/arguments.h"
#include "model/base/file_out.h"
#include "model/base/names.h"

#include <gsl/gsl_errno.h>
#include <signal.h>
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
    printf(
        "\n'estimator help COMMAND' or 'estimator COMMAND --help' says more. Exit status: 0 done,\n"
        "1 a check failed, 2 bad input or usage.\n");
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

/* argv[0] is the command. */
static int run_command(int argc, char **argv, struct error *error)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[0], commands[i].name) == 0) {
            char *name = memory_format("estimator %s", argv[0]);
            argv[0] = name;
            const int status = commands[i].run(argc, argv, error);
            free(name);
            return status;
        }
    return unknown(argv[0], error);
}

/* help, or help COMMAND, which is COMMAND --help */
static int help(int argc, char **argv, struct error *error)
{
    char option[] = "--help";
    if (argc > 2)
        return error_set(error, "too many arguments: expected help, or help COMMAND");
    if (argc == 2 && argv[1][0] != '-')
        return run_command(2, (char *[]){argv[1], option, NULL}, error);
    print_help();
    return EXIT_DONE;
}

static int no_word(int key, const char *text, void *state)
{
    (void)key;
    return error_set((struct error *)state, "'%.60s' behind an option: expected a command first",
                     text);
}

/* Options in the place of a command. */
static int answer(int argc, char **argv, struct error *error)
{
    static const struct argp_option none[] = {{0}};
    const struct arguments_face face = {.name = "estimator",
                                        .version = "estimator (" PACKAGE_NAME ") " PACKAGE_VERSION,
                                        .words = "COMMAND [ARGUMENT...]",
                                        .options = none};
    const int status = arguments_walk(&face, argc, argv, no_word, error, error);
    if (status == ANSWER_HELP)
        print_help();
    else if (status > 0)
        arguments_answer(&face, (enum arguments_answer)status, stdout);
    else if (status == 0)
        return error_set(error, "no command; see estimator --help");
    return status < 0 ? -1 : EXIT_DONE;
}

static int run(int argc, char **argv, struct error *error)
{
    if (argc < 2 || (argv[1][0] == '-' && argv[1][1] != '\0'))
        return answer(argc, argv, error);
    if (strcmp(argv[1], "help") == 0)
        return help(argc - 1, argv + 1, error);
    return run_command(argc - 1, argv + 1, error);
}

int main(int argc, char **argv)
{
    struct error error;
    char line[800];
    file_out_keep_streams();
    gsl_set_error_handler_off();
    signal(SIGXFSZ, SIG_IGN); /* what is too large is an error of the file that is written */
    int status = run(argc, argv, &error);
    const bool is_lost = ferror(stdout);
    if (fclose(stdout) != 0 || is_lost)
        status = error_set(&error, "standard output cannot be written");
    if (status >= 0)
        return status;
    if (!error.is_said)
        fprintf(stderr, "estimator: %s\n", error_line(&error, line, sizeof line));
    return EXIT_BAD_INPUT;
}
