#include "trainer/base/attempt.h"

#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

static const int signals[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGALRM};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* How often the clock is looked at while foreign code runs. */
enum { TICK_US = 50000 };

/* A handler has no other way to where it goes back to. */
static sigjmp_buf before;
static double ends_s;

static void go_back(int number)
{
    if (number != SIGALRM || clock_s() > ends_s || interruption_signal() != 0)
        siglongjmp(before, number);
}

int attempt_until(void (*call)(void *state), void *state, double end_s)
{
    const struct itimerval ticks =
                               {
                                   {0, TICK_US},
                                   {0, TICK_US}
    },
                           none = {0};
    struct sigaction action = {.sa_handler = go_back, .sa_flags = SA_RESTART},
                     others[SIGNALS]; /* MPI libraries have some */
    sigemptyset(&action.sa_mask);
    ends_s = end_s;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &others[i]);
    const int by = sigsetjmp(before, 1);
    if (by == 0) {
        if (isfinite(end_s))
            setitimer(ITIMER_REAL, &ticks, NULL);
        call(state);
    }
    setitimer(ITIMER_REAL, &none, NULL);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &others[i], NULL);
    return by;
}

int attempt(void (*call)(void *state), void *state)
{
    return attempt_until(call, state, INFINITY);
}
