#include "trainer/interruption.h"

#include <mpi.h>
#include <signal.h>
#include <stddef.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* All that a handler may touch. */
static volatile sig_atomic_t came;

static void remember(int number)
{
    came = number;
}

void interruption_begin(void)
{
    struct sigaction action = {.sa_handler = remember,
                               .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

int interruption_signal(void)
{
    return (int)came;
}

bool interruption_or_after(double end_s)
{
    return came != 0 || MPI_Wtime() > end_s;
}
