#include "estimator/output/output.h"

#include "model/base/file_out.h"
#include "model/base/path.h"
#include "model/base/printable.h"

#include <errno.h>
#include <fcntl.h>
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

/* What is there is written to, and not replaced: a device, a pipe, or what the system names so, as
   /dev/stdout. */
static bool is_stream(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode) &&
           (!S_ISREG(about.st_mode) || strncmp(path, "/dev/", 5) == 0 ||
            strncmp(path, "/proc/", 6) == 0);
}

static FILE *open_stream(const char *path)
{
    int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    for (int i = 0; file < 0 && errno == ENXIO && i < FIFO_MS_MOST / 10; i++) {
        usleep(10000);
        file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
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
    char *target = path_to_write(path, error);
    free(target);
    return target ? 0 : -1;
}

void output_named(const char *text)
{
    char *shown = printable(text);
    fputs(shown, stdout);
    free(shown);
}
