#include "trainer/base/simulator.h"

#include <signal.h>
#include <unistd.h>

static const char gave_up[] =
    "trainer: the simulated MPI library gave up, and says why above. Where it names a \"non power "
    "of two number of processes\", one of its algorithms has no other: --processors 2,4,8,... "
    "measures at these alone, and smpirun --cfg=smpi/alltoall:ring, or the like, takes another "
    "algorithm\n";

static void say(int signal)
{
    (void)signal;
    /* There is nobody to tell that it could not be told. */
    (void)!write(STDERR_FILENO, gave_up, sizeof gave_up - 1);
    _exit(2);
}

void simulator_watch(void)
{
    const struct sigaction action = {.sa_handler = say};
    sigaction(SIGABRT, &action, NULL);
}
