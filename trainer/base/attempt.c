#include "trainer/base/attempt.h"

#include <setjmp.h>
#include <signal.h>

static const int signals[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* A handler has no other way to where it goes back to. */
static sigjmp_buf before;

static void go_back(int number)
{
    siglongjmp(before, number);
}

int attempt(void (*call)(void *state), void *state)
{
    struct sigaction action = {.sa_handler = go_back},
                     others[SIGNALS]; /* MPI libraries have some */
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &others[i]);
    const int by = sigsetjmp(before, 1);
    if (by == 0)
        call(state);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &others[i], NULL);
    return by;
}
