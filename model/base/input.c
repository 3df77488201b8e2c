#include "model/base/input.h"

#include "model/base/allocation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool input_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *input_name(const char *path)
{
    return input_is_standard(path) ? "<stdin>" : path;
}

/* How long the writer of a FIFO may take until it writes. */
enum { FIFO_MS_MOST = 10000 };

/* To open a FIFO waits until somebody else opens it, which may be never. */
FILE *input_begin(const char *path)
{
    if (input_is_standard(path))
        return stdin;
    struct stat about;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct pollfd end = {.fd = file, .events = POLLIN};
    if (file >= 0 && fstat(file, &about) == 0 && S_ISFIFO(about.st_mode) &&
        poll(&end, 1, FIFO_MS_MOST) == 0) {
        close(file);
        errno = ETIMEDOUT;
        return NULL;
    }
    if (file >= 0)
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    FILE *stream = file >= 0 ? fdopen(file, "rb") : NULL;
    if (!stream && errno == ENOMEM)
        memory_is_out();
    return stream;
}

void input_end(FILE *stream)
{
    if (stream && stream != stdin)
        fclose(stream);
}
