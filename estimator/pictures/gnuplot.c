#include "estimator/pictures/gnuplot.h"

#include "model/base/allocation.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
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

/* All that gnuplot writes, until it closes its output. false: no more can be read. */
static bool gather(int from, char **text, size_t *bytes)
{
    size_t room = 0;
    for (;;) {
        if (*bytes == room)
            *text = memory_grow(*text, room = room ? 2 * room : 1 << 16, 1);
        const ssize_t got = read(from, *text + *bytes, room - *bytes);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return got == 0;
        *bytes += got > 0 ? (size_t)got : 0;
    }
}

static int failed(struct error *error)
{
    return error_set(error, "gnuplot failed: is it installed (package gnuplot-nox)?");
}

/* Whether a picture ends as one of its kind does: gnuplot says nothing of what it could not write.
 */
static bool is_to_its_end(const char *text, size_t bytes)
{
    static const char *const ends[] = {"</svg>", "IEND", "%%EOF"};
    enum { BEHIND_MOST = 16 }; /* an IEND's sum, a line end */
    const size_t last = bytes < BEHIND_MOST ? bytes : BEHIND_MOST;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (memmem(text + bytes - last, last, ends[i], strlen(ends[i])))
            return true;
    return false;
}

/* The script is a file without a name, which no size of it fills as it does a pipe. */
static int run(const char *script, FILE *in, char **text, size_t *bytes, struct error *error)
{
    pid_t process;
    int status, out[2];
    if (fputs(script, in) < 0 || fflush(in) != 0)
        return error_set(error, "gnuplot's script cannot be written: %s", strerror(errno));
    rewind(in);
    if (pipe2(out, O_CLOEXEC) != 0)
        return cannot(error, errno);
    const int started = start(fileno(in), out[1], &process, error);
    close(out[1]);
    const bool is_whole = started == 0 && gather(out[0], text, bytes);
    close(out[0]);
    if (started != 0)
        return -1;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return failed(error);
    return is_whole && WIFEXITED(status) && WEXITSTATUS(status) == 0 && *bytes > 0 &&
                   is_to_its_end(*text, *bytes)
               ? 0
               : failed(error);
}

int gnuplot_run(const char *script, char **text, size_t *bytes, struct error *error)
{
    FILE *in = tmpfile();
    *text = NULL;
    *bytes = 0;
    const int status = in ? run(script, in, text, bytes, error) : cannot(error, errno);
    if (in)
        fclose(in);
    if (status != 0) {
        free(*text);
        *text = NULL;
    }
    return status;
}
