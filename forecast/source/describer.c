#include "forecast/source/describer.h"

#include "model/base/allocation.h"
#include "model/records/yaml_in.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Of the program that it is run for. */
static struct place whole(const char *name)
{
    return place_at(name, 0, 0);
}

/* ---- where it is ---- */

/* In a build tree it stands in the folder beside the estimator's: what was built together goes
   together, whatever is installed. To be freed; NULL: not there. */
static char *beside_estimator(void)
{
    char path[PATH_MAX + 1];
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    path[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return NULL;
        *slash = '\0';
    }
    char *found = memory_format("%s/describer/describer", path);
    if (access(found, X_OK) == 0)
        return found;
    free(found);
    return NULL;
}

/* To be freed; NULL with *error set. */
static char *find(const char *name, struct error *error)
{
    static const char installed[] = PKGLIBEXECDIR "/describer";
    const char *told = getenv("FORECOST_DESCRIBER");
    if (told && *told)
        return memory_copy_text(told);
    char *path = beside_estimator();
    if (path)
        return path;
    if (access(installed, X_OK) == 0)
        return memory_copy_text(installed);
    error_fill(error, whole(name),
               "C source needs the describer, which was built without libclang: install the "
               "package libclang-19-dev, then run configure and make anew");
    return NULL;
}

/* ---- running ---- */

struct running {
    pid_t process;
    int out, said; /* its standard output and error, to be read */
};

/* In the child. It has none of its parent's input, and does not outlive it. */
static _Noreturn void become(const char *path, char **arguments, const int ends[2], pid_t parent)
{
    const int nothing = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(ends[0], STDOUT_FILENO) < 0 || dup2(ends[1], STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    execv(path, arguments);
    dprintf(STDERR_FILENO, "estimator: %s cannot be run: %s\n", path, strerror(errno));
    _exit(EXIT_FAILURE);
}

static int start(struct running *it, const char *path, char **arguments, struct error *error)
{
    int out[2], said[2];
    if (pipe2(out, O_CLOEXEC) != 0)
        return error_set(error, "no pipe: %s", strerror(errno));
    if (pipe2(said, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return error_set(error, "no pipe: %s", strerror(errno));
    }
    const pid_t parent = getpid();
    it->process = fork();
    if (it->process == 0)
        become(path, arguments, (int[]){out[1], said[1]}, parent);
    close(out[1]);
    close(said[1]);
    it->out = out[0];
    it->said = said[0];
    return 0;
}

/* ---- what it says ---- */

struct text {
    char *bytes; /* owned */
    size_t count, room;
};

struct gathered {
    struct text out, said; /* of its standard output and error */
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What is there to read; false: that was all. */
static bool take_text(struct text *it, int from)
{
    if (it->count == it->room) {
        it->room = it->room ? 2 * it->room : 1 << 14;
        it->bytes = memory_grow(it->bytes, it->room, 1);
    }
    const ssize_t got = read(from, it->bytes + it->count, it->room - it->count);
    it->count += got > 0 ? (size_t)got : 0;
    return got > 0 || (got < 0 && errno == EINTR);
}

/* Until both ends are closed. Returns 0, or -1 with *error set. */
static int gather(struct gathered *it, const struct running *running, const char *name,
                  struct error *error)
{
    struct pollfd ends[] = {
        {running->out,  POLLIN, 0},
        {running->said, POLLIN, 0}
    };
    const double until = seconds_now() + DESCRIBER_SECONDS_MOST;
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        const double left = until - seconds_now();
        if (left <= 0.0)
            return error_at(error, whole(name), "the describer took more than %d s",
                            DESCRIBER_SECONDS_MOST);
        if (it->out.count > YAML_BYTES_MOST || it->said.count > YAML_BYTES_MOST)
            return error_at(error, whole(name), "its description is larger than %d bytes",
                            YAML_BYTES_MOST);
        if (poll(ends, 2, (int)(1e3 * left) + 1) <= 0)
            continue;
        if (ends[0].revents && !take_text(&it->out, ends[0].fd))
            ends[0].fd = -1;
        if (ends[1].revents && !take_text(&it->said, ends[1].fd))
            ends[1].fd = -1;
    }
    return 0;
}

/* ---- how it ended ---- */

/* It says itself what is wrong with a source. Where a signal ends it, what libraries say of that is
   no message to a user. */
static int judge(int status, const struct text *text, FILE *said, const char *name,
                 struct error *error)
{
    if (!WIFSIGNALED(status))
        fwrite(text->bytes, 1, text->count, said);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    if (WIFSIGNALED(status))
        return error_at(error, whole(name), "the describer was ended by signal %d (%s)%s",
                        WTERMSIG(status), strsignal(WTERMSIG(status)),
                        WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                            ? ": it took too long, or too much memory"
                        : WTERMSIG(status) == SIGSEGV ? ": the source may be nested too deeply"
                        : WTERMSIG(status) == SIGABRT ? ": libclang ends so without memory"
                                                      : "");
    return text->count > 0 ? error_said(error)
                           : error_at(error, whole(name), "the describer failed with status %d",
                                      WEXITSTATUS(status));
}

static int finish(const struct running *it, bool must_end, int *status)
{
    close(it->out);
    close(it->said);
    if (must_end)
        kill(it->process, SIGKILL);
    while (waitpid(it->process, status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return 0;
}

static int run(struct gathered *it, const char *path, char **arguments, const char *name,
               FILE *said, struct error *error)
{
    struct running running;
    int ended = 0;
    if (start(&running, path, arguments, error) != 0)
        return -1;
    if (running.process < 0) {
        close(running.out);
        close(running.said);
        return error_at(error, whole(name), "the describer cannot be started: %s", strerror(errno));
    }
    const int status = gather(it, &running, name, error);
    finish(&running, status != 0, &ended);
    return status == 0 ? judge(ended, &it->said, said, name, error) : -1;
}

int describer_run(const struct words *words, const char *name, char **text, size_t *bytes,
                  FILE *said, struct error *error)
{
    char *path = find(name, error);
    if (!path)
        return -1;
    char **arguments = memory_new(words->count + 2, sizeof *arguments);
    arguments[0] = path;
    memcpy(arguments + 1, words->items, words->count * sizeof *arguments);
    struct gathered gathered = {0};
    const int status = run(&gathered, path, arguments, name, said, error);
    free(arguments);
    free(path);
    free(gathered.said.bytes);
    if (status != 0) {
        free(gathered.out.bytes);
        return -1;
    }
    *text = gathered.out.bytes;
    *bytes = gathered.out.count;
    return 0;
}
