#include "trainer/base/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static const int asking[] = {SIGINT, SIGTERM, SIGHUP};

/* How often somebody looks whether a launch has ended, where no signal says so. */
static const double look_s = 0.05;

/* ---- signals ---- */

static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

struct launcher launcher_begin(double patience_s)
{
    struct launcher it = {.patience_s = patience_s};
    sigemptyset(&it.awaited);
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        if (asking[i] != SIGHUP || !is_ignored(SIGHUP))
            sigaddset(&it.awaited, asking[i]);
    signal(SIGCHLD, SIG_DFL); /* ignored, there would be nothing to wait for */
    sigprocmask(SIG_BLOCK, &it.awaited, &it.before);
#ifdef __linux__
    /* Whose parent ends becomes a child of this process, which then can end it as well. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    return it;
}

void launcher_end(struct launcher *launcher)
{
    sigprocmask(SIG_SETMASK, &launcher->before, NULL);
}

/* The next signal within that time; 0: none came. */
static int next_signal(struct launcher *launcher, double wait_s)
{
    const struct timespec time = {.tv_nsec = lround(1e9 * wait_s)};
    const int number = sigtimedwait(&launcher->awaited, NULL, &time);
    if (number > 0 && !launcher->signal)
        launcher->signal = number;
    return number > 0 ? number : 0;
}

int launcher_signal(struct launcher *launcher)
{
    if (!launcher->signal)
        next_signal(launcher, 0.0);
    return launcher->signal;
}

/* A launcher that knows no SIGHUP would end at once, and its ranks with it. */
static int passed_on(int number)
{
    return number == SIGHUP ? SIGTERM : number;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- what a launch leaves ---- */

/* To all children: of a launch whose launcher has ended. */
static void signal_children(int number)
{
#ifdef __linux__
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *stream = fopen(path, "r");
    if (!stream)
        return;
    while (fscanf(stream, "%d", &child) == 1)
        kill(child, number);
    fclose(stream);
#else
    (void)number;
#endif
}

static bool has_children(void)
{
    pid_t ended;
    do
        ended = waitpid(-1, NULL, WNOHANG);
    while (ended > 0);
    return ended == 0 || errno != ECHILD;
}

/* Those that are killed leave their own children, to be killed next. */
static void end_the_rest(struct launcher *launcher)
{
    const double end_s = now_s() + launcher->patience_s;
    if (!has_children())
        return;
    signal_children(SIGTERM);
    while (has_children()) {
        if (now_s() > end_s)
            signal_children(SIGKILL);
        next_signal(launcher, look_s);
    }
}

/* ---- a launch ---- */

static void become(const struct launcher *launcher, char **command, bool shown, pid_t parent)
{
    const int nothing = open("/dev/null", O_RDWR);
    setpgid(0, 0);
    /* A group in the background must not read from the terminal, or it is stopped. */
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        (!shown && dup2(nothing, STDOUT_FILENO) < 0))
        _exit(127);
    signal(SIGTTOU, SIG_IGN);
    sigprocmask(SIG_SETMASK, &launcher->before, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) /* gone in between */
        _exit(127);
#else
    (void)parent;
#endif
    execvp(command[0], command);
    fprintf(stderr, "trainer: %s: %s\n", command[0], strerror(errno));
    _exit(127);
}

/* What waitpid says of the child. */
static int await(struct launcher *launcher, pid_t child, int *status)
{
    double end_s = INFINITY;
    for (;;) {
        const pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR))
            return ended == child ? 0 : -1;
        const int number = next_signal(launcher, look_s);
        if (number) {
            kill(-child, passed_on(number));
            kill(-child, SIGCONT);
            end_s = fmin(end_s, now_s() + launcher->patience_s);
        }
        if (now_s() > end_s)
            kill(-child, SIGKILL);
    }
}

int launcher_run(struct launcher *launcher, char **command, bool shown, struct error *error)
{
    int status = 0;
    const pid_t parent = getpid(), child = fork();
    if (child < 0)
        return error_set(error, "no launch: %s", strerror(errno));
    if (child == 0)
        become(launcher, command, shown, parent);
    setpgid(child, child); /* whoever is first */
    if (await(launcher, child, &status) != 0)
        return error_set(error, "a launch was lost: %s", strerror(errno));
    const int says = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (launcher->signal || says > 1)
        end_the_rest(launcher);
    return says;
}
