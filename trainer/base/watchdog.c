#include "trainer/base/watchdog.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* All that a handler may touch. */
static unsigned patience;
static char last_words[400];
static int last_status;

static void give_up(int number)
{
    const ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));
    (void)written; /* the status says it too */
    _exit(128 + number);
}

void watchdog_begin(unsigned patience_s, const char *says)
{
    struct sigaction action = {.sa_handler = give_up};
    patience = patience_s;
    snprintf(last_words, sizeof last_words, "%s", says);
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
}

void watchdog_wait(void)
{
    alarm(patience);
}

void watchdog_rest(void)
{
    alarm(0);
}

static void leave(int number)
{
    (void)number;
    _exit(last_status);
}

void watchdog_leave(unsigned patience_s, int status)
{
    struct sigaction action = {.sa_handler = leave};
    last_status = status;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    alarm(patience_s);
}
