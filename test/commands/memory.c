/* Preloaded into a command: of the process whose path ends with FAIL_IN the FAIL_AT-th allocation
   fails, and unless FAIL_ONCE is 1 all behind it. FAIL_AT 0: none does. At the end the file
   FAIL_COUNT says how many there were. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes), *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes), *__libc_memalign(size_t alignment, size_t bytes);

static long at = -1, calls; /* at < 0: not asked yet */
static int is_once, is_meant;

static void ask(void)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    const char *told = getenv("FAIL_AT"), *once = getenv("FAIL_ONCE"), *in = getenv("FAIL_IN");
    const size_t ending = in ? strlen(in) : 0;
    path[length > 0 ? length : 0] = '\0';
    is_meant = in && strlen(path) >= ending && strcmp(path + strlen(path) - ending, in) == 0;
    is_once = once && *once == '1';
    at = is_meant && told ? atol(told) : 0;
}

static int is_out(void)
{
    if (at < 0)
        ask();
    calls++;
    if (at == 0 || calls < at || (is_once && calls > at))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return is_out() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return is_out() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return is_out() ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return is_out() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **to, size_t alignment, size_t bytes)
{
    void *got = is_out() ? NULL : __libc_memalign(alignment, bytes);
    if (got)
        *to = got;
    return got ? 0 : ENOMEM;
}

__attribute__((destructor)) static void say(void)
{
    const char *path = is_meant ? getenv("FAIL_COUNT") : NULL;
    char text[32];
    const int length = snprintf(text, sizeof text, "%ld\n", calls);
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file < 0)
        return;
    if (write(file, text, (size_t)length) != length)
        _exit(1);
    close(file);
}
