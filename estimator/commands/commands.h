/* The commands of the estimator. One more command is one file beside this and one line here. */
#ifndef ESTIMATOR_COMMANDS_H
#define ESTIMATOR_COMMANDS_H

#include "model/base/error.h"

/* COMMAND(name, function, what it answers): the list that everything else follows. */
#define COMMANDS(COMMAND)                                                                          \
    COMMAND("cost", cmd_cost, "the time of one utility over a grid of n and p")                    \
    COMMAND("describe", cmd_describe, "the segment description of a C program")                    \
    COMMAND("loops", cmd_loops, "the loops of a C program as an object that the trainer measures") \
    COMMAND("predict", cmd_predict, "what the segments of a program cost, and why")                \
    COMMAND("rank", cmd_rank, "candidate partitionings, cheapest first")                           \
    COMMAND("score", cmd_score, "predictions against times that were measured")                    \
    COMMAND("explore", cmd_explore, "a page on the terminal: costs as settings change")            \
    COMMAND("bound", cmd_bound, "how fast a node can execute the segments at best, and why")       \
    COMMAND("best-broadcast", cmd_best_broadcast, "which broadcast algorithm is the fastest")      \
    COMMAND("compare", cmd_compare, "machine tables side by side")                                 \
    COMMAND("plot", cmd_plot, "pictures of machine tables")                                        \
    COMMAND("export", cmd_export, "export a machine table to another program's format")            \
    COMMAND("import", cmd_import, "a machine table of what other programs have measured")          \
    COMMAND("report", cmd_report, "a page for browsers of one machine or several")                 \
    COMMAND("show", cmd_show, "a machine table as a person reads it")                              \
    COMMAND("learn", cmd_learn, "a table with its terms in p learned again")                       \
    COMMAND("check", cmd_check, "whether machine tables and segments are right")

/* Exit statuses of the program. */
enum { EXIT_DONE = 0, EXIT_CHECK_FAILED = 1, EXIT_BAD_INPUT = 2 };

/* A command: its arguments (argv[0] is "estimator NAME"), results on stdout. Returns EXIT_DONE,
   EXIT_CHECK_FAILED, or -1 with *error set. */
typedef int command_run(int argc, char **argv, struct error *error);

#define COMMAND_DECLARE(name, function, help) command_run function;
COMMANDS(COMMAND_DECLARE)
#undef COMMAND_DECLARE

#endif
