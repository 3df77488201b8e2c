#include "describer/source/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* After so long the estimator ends it too. */
static const rlim_t seconds_most = 60;

static void limit(int what, rlim_t most)
{
    struct rlimit limits;
    if (getrlimit(what, &limits) == 0 &&
        (limits.rlim_cur == RLIM_INFINITY || limits.rlim_cur > most)) {
        limits.rlim_cur = most;
        setrlimit(what, &limits);
    }
}

void limits_set(void)
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* which take all addresses */
    limit(RLIMIT_AS, (rlim_t)LIMITS_MIB_MOST << 20);
#endif
    limit(RLIMIT_CPU, seconds_most);
    limit(RLIMIT_CORE, 0);
}

/* ---- regular files only ---- */

/* Threads of libclang open files while the one that set it waits for them. */
static atomic_bool is_regular_only;

void limits_open_regular(bool is_so)
{
    is_regular_only = is_so;
}

/* What libclang opens for an #include is opened here: open() of a program goes before that of the C
   library. */
static int open_regular(int folder, const char *path, int flags, mode_t mode)
{
    struct stat about;
    const bool is_read = is_regular_only && (flags & (O_ACCMODE | O_CREAT | O_PATH)) == O_RDONLY;
    const int file =
        (int)syscall(SYS_openat, folder, path, flags | (is_read ? O_NONBLOCK : 0), mode);
    if (file < 0 || !is_read)
        return file;
    if (fstat(file, &about) == 0 && (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)))
        return file;
    close(file);
    errno = ENOTSUP;
    return -1;
}

#define WITH_MODE(folder)                                                                          \
    va_list arguments;                                                                             \
    va_start(arguments, flags);                                                                    \
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;             \
    va_end(arguments);                                                                             \
    return open_regular(folder, path, flags, mode)

int open(const char *path, int flags, ...)
{
    WITH_MODE(AT_FDCWD);
}

int open64(const char *path, int flags, ...)
{
    WITH_MODE(AT_FDCWD);
}

int openat(int folder, const char *path, int flags, ...)
{
    WITH_MODE(folder);
}

int openat64(int folder, const char *path, int flags, ...)
{
    WITH_MODE(folder);
}
