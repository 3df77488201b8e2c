#include "estimator/pictures/gnuplot.h"

#include "model/base/allocation.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int cannot(struct error *error, int number)
{
    return error_set(error, "gnuplot cannot be started: %s (package gnuplot-nox)",
                     strerror(number));
}

/* gnuplot with those as standard input and output. */
static int start(int in, int out, pid_t *process, struct error *error)
{
    char name[] = "gnuplot", *arguments[] = {name, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    const int number = posix_spawnp(process, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return number == 0 ? 0 : cannot(error, number);
}

/* Both are files without a name, which no size of script or picture fills as it does a pipe. */
static int run(const char *script, FILE *in, FILE *out, struct error *error)
{
    pid_t process;
    int status;
    if (fputs(script, in) < 0 || fflush(in) != 0)
        return error_set(error, "gnuplot's script cannot be written: %s", strerror(errno));
    rewind(in);
    if (start(fileno(in), fileno(out), &process, error) != 0)
        return -1;
    if (waitpid(process, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_set(error, "gnuplot failed: is it installed (package gnuplot-nox)?");
    return 0;
}

static int run_into(const char *script, FILE *out, struct error *error)
{
    FILE *in = tmpfile();
    const int status = in && out ? run(script, in, out, error) : cannot(error, errno);
    if (in)
        fclose(in);
    return status;
}

int gnuplot_run(const char *script, struct error *error)
{
    return run_into(script, stderr, error);
}
