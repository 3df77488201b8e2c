#include "estimator/pictures/gnuplot.h"

#include "model/base/allocation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The limits of a gnuplot, in seconds and in bytes of its picture: 60 times what the largest
   shipped table needs. Tests set a shorter time. */
static const double picture_s_most = 60.0;
static const size_t picture_bytes_most = (size_t)64 << 20;
static const char limit_name[] = "FORECOST_GNUPLOT_SECONDS";

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

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double limit_s(void)
{
    const char *told = getenv(limit_name);
    const double seconds = told ? strtod(told, NULL) : 0.0;
    return seconds > 0.0 && seconds < picture_s_most ? seconds : picture_s_most;
}

enum gathered { GATHERED_ALL, GATHERED_PART, GATHERED_TOO_LATE, GATHERED_TOO_MUCH };

/* All that gnuplot writes, until it closes its output. */
static enum gathered gather(int from, double end_s, char **text, size_t *bytes)
{
    size_t room = 0;
    for (;;) {
        struct pollfd output = {.fd = from, .events = POLLIN};
        const double left_s = end_s - now_s();
        if (*bytes > picture_bytes_most)
            return GATHERED_TOO_MUCH;
        if (left_s <= 0.0)
            return GATHERED_TOO_LATE;
        if (poll(&output, 1, (int)(1e3 * left_s) + 1) <= 0)
            continue; /* the time is up, or a signal came */
        if (*bytes == room)
            *text = memory_grow(*text, room = room ? 2 * room : 1 << 16, 1);
        const ssize_t got = read(from, *text + *bytes, room - *bytes);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return got == 0 ? GATHERED_ALL : GATHERED_PART;
        *bytes += got > 0 ? (size_t)got : 0;
    }
}

/* Waits until that time, then kills it. Whether it ended by itself, and without an error. */
static bool ends_well(pid_t process, double end_s)
{
    static const struct timespec while_waiting = {.tv_nsec = 2000000};
    int status;
    pid_t ended;
    while ((ended = waitpid(process, &status, WNOHANG)) == 0 && now_s() < end_s)
        nanosleep(&while_waiting, NULL);
    if (ended == 0) {
        kill(process, SIGKILL);
        while (waitpid(process, &status, 0) < 0 && errno == EINTR)
            continue;
        return false;
    }
    return ended == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
    const double end_s = now_s() + limit_s();
    pid_t process;
    int out[2];
    if (fputs(script, in) < 0 || fflush(in) != 0)
        return error_set(error, "gnuplot's script cannot be written: %s", strerror(errno));
    rewind(in);
    if (pipe2(out, O_CLOEXEC) != 0)
        return cannot(error, errno);
    const int started = start(fileno(in), out[1], &process, error);
    close(out[1]);
    enum gathered gathered = GATHERED_PART;
    if (started == 0)
        gathered = gather(out[0], end_s, text, bytes);
    close(out[0]);
    if (started != 0)
        return -1;
    const bool is_well = ends_well(process, gathered == GATHERED_ALL ? end_s : 0.0);
    if (gathered == GATHERED_TOO_LATE || (!is_well && now_s() >= end_s))
        return error_set(error, "gnuplot had not ended after %g s, and was killed", limit_s());
    if (gathered == GATHERED_TOO_MUCH)
        return error_set(error, "gnuplot wrote more than %zu MiB, and was killed",
                         picture_bytes_most >> 20);
    return gathered == GATHERED_ALL && is_well && *bytes > 0 && is_to_its_end(*text, *bytes)
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
