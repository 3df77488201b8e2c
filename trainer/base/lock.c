#include "trainer/base/lock.h"

#include "model/base/allocation.h"
#include "model/base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What the file says: "process 17 on a-host since 2026-11-24T12:00:00Z". Another text is not
   ours. */
static const char *const begins = "process ";

static void say_who(int descriptor)
{
    char host[256] = "", since[32], text[400];
    const time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", &parts);
    gethostname(host, sizeof host - 1);
    const int length =
        snprintf(text, sizeof text, "%s%ld on %s since %s\n", begins, (long)getpid(), host, since);
    /* Who has no room for it is told so of the points, and is held off by the lock all the same. */
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text, (size_t)length, 0) != length)
        return;
}

static void read_who(int descriptor, char *text, size_t size)
{
    const ssize_t length = pread(descriptor, text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

/* Whether the file is still the one of that name: its holder removes it at the end. */
static bool is_named(int descriptor, const char *path)
{
    struct stat mine, named;
    return fstat(descriptor, &mine) == 0 && stat(path, &named) == 0 &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

/* 0, or -1 with *error set; *again: the file went meanwhile. */
static int lock_file(int descriptor, const char *path, const char *table, bool *again,
                     struct error *error)
{
    char who[400];
    const bool is_held = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    read_who(descriptor, who, sizeof who);
    if (is_held)
        return error_at(error, place_at(table, 0, 0),
                        "is being written by %.300s: expected to wait for it, or another -o",
                        *who ? who : "another run");
    if (*who && strncmp(who, begins, strlen(begins)) != 0)
        return error_at(error, place_at(path, 0, 0),
                        "would be the table's lock, and is another file: expected another -o");
    *again = !is_named(descriptor, path);
    return 0;
}

int lock_take(struct lock *lock, const char *table, struct error *error)
{
    char *path = path_beside(table, ".lock");
    bool again = true;
    int status = 0, descriptor = -1;
    while (status == 0 && again) {
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor < 0)
            status =
                error_at(error, place_at(path, 0, 0), "cannot be written: %s", strerror(errno));
        else
            status = lock_file(descriptor, path, table, &again, error);
        if (descriptor >= 0 && (status != 0 || again))
            close(descriptor);
    }
    *lock = (struct lock){0};
    if (status == 0) {
        say_who(descriptor);
        *lock = (struct lock){path, descriptor};
    } else {
        free(path);
    }
    return status;
}

void lock_release(struct lock *lock)
{
    if (!lock->path)
        return;
    unlink(lock->path);
    close(lock->descriptor);
    free(lock->path);
    *lock = (struct lock){0};
}
