#include "trainer/base/interruption.h"

#include "trainer/base/clock.h"

#include <mpi.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <unistd.h>
#endif

const char *const interruption_because = "a signal ended the calibration";

/* All that a handler may touch. */
static volatile sig_atomic_t came;
static volatile time_t came_at;

/* A launcher may pass one signal on twice; a person who means it sends another later. */
static const time_t patience_s = 2;

static void remember(int number)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    const time_t now = clock.tv_sec;
    if (came && now - came_at >= patience_s) {
        signal(number, SIG_DFL);
        raise(number);
    }
    if (!came)
        came_at = now;
    came = number;
}

void interruption_begin(void)
{
    struct sigaction action = {.sa_handler = remember, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* what is too large is an error of the file that is written */
#ifdef __linux__
    const pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* gone in between */
        raise(SIGKILL);
#endif
}

int interruption_signal(void)
{
    return (int)came;
}

bool interruption_or_after(double end_s)
{
    return came != 0 || clock_s() > end_s;
}
