#include "estimator/output/output.h"

#include "model/base/file_out.h"
#include "model/base/path.h"
#include "model/base/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *path, struct error *error)
{
    return error_at(error, place_at(path, 0, 0), "cannot be written: %s", strerror(errno));
}

/* How long the reader of a FIFO may take until it reads. */
enum { FIFO_MS_MOST = 10000 };

/* A name of the system for what a process has open, as /dev/stdout, /dev/fd/3 and /proc/self/fd/3:
   links that nobody else can make. */
static bool is_open_here(const char *path)
{
    return fnmatch("/dev/*", path, FNM_PATHNAME) == 0 ||
           fnmatch("/dev/fd/*", path, FNM_PATHNAME) == 0 ||
           fnmatch("/proc/*/fd/*", path, FNM_PATHNAME) == 0;
}

/* What is there is written to, and not replaced: a device, a FIFO, or what this process has open.
   Other links are not followed. */
static bool is_stream(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && !S_ISDIR(about.st_mode) && !S_ISREG(about.st_mode) &&
           (!S_ISLNK(about.st_mode) || is_open_here(path));
}

static FILE *open_stream(const char *path)
{
    const int flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC | (is_open_here(path) ? 0 : O_NOFOLLOW);
    int file = open(path, flags);
    for (int i = 0; file < 0 && errno == ENXIO && i < FIFO_MS_MOST / 10; i++) {
        usleep(10000);
        file = open(path, flags);
    }
    if (file >= 0)
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file >= 0 ? fdopen(file, "w") : NULL;
}

int output_save_bytes(const char *text, size_t bytes, const char *path, struct error *error)
{
    struct file_out out;
    if (path && !is_stream(path)) {
        if (file_out_begin(&out, path, error) != 0)
            return -1;
        fwrite(text, 1, bytes, out.stream);
        return file_out_keep(&out, error);
    }
    FILE *stream = path ? open_stream(path) : stdout;
    if (!stream)
        return fail(path, error);
    bool failed = fwrite(text, 1, bytes, stream) != bytes || fflush(stream) != 0;
    if (path)
        failed = fclose(stream) != 0 || failed;
    return failed ? fail(path, error) : 0;
}

int output_save(const char *text, const char *path, struct error *error)
{
    return output_save_bytes(text, strlen(text), path, error);
}

int output_check(const char *path, struct error *error)
{
    if (is_stream(path))
        return access(path, W_OK) == 0 ? 0 : fail(path, error);
    return path_check(path, error);
}

void output_named(const char *text)
{
    char *shown = printable(text);
    fputs(shown, stdout);
    free(shown);
}
