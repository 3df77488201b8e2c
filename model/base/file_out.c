#include "model/base/file_out.h"

#include "model/base/allocation.h"
#include "model/base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* So many names beside a file are tried: others are of those whose process had the same number, and
   was killed. */
enum { NAMES_MOST = 10000 };

static int fail(struct file_out *out, int reason, struct error *error)
{
    const struct place place = place_at(out->path, 0, 0);
    file_out_drop(out);
    return error_at(error, place, "cannot be written: %s", strerror(reason));
}

/* -1: errno says why not. */
/* Nobody writes the file any more: its process, which had it locked, was killed. */
static void remove_left(const char *left)
{
    struct stat about;
    const int file = open(left, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0)
        unlink(left);
    close(file);
}

/* What runs that were killed have left beside the file goes: names of that form are ours. */
static void remove_all_left(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = slash ? memory_format("%.*s", (int)(slash - path) + 1, path) : NULL;
    DIR *entries = opendir(folder ? folder : ".");
    const size_t length = strlen(name);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        long process;
        int k, end = 0;
        if (strncmp(entry->d_name, name, length) == 0 &&
            sscanf(entry->d_name + length, ".%ld-%d.part%n", &process, &k, &end) == 2 && end > 0 &&
            entry->d_name[length + (size_t)end] == '\0') {
            char *left = memory_format("%s%s", folder ? folder : "", entry->d_name);
            remove_left(left);
            free(left);
        }
    }
    if (entries)
        closedir(entries);
    free(folder);
}

/* -1: errno says why not. Locked as long as it is open, and there still. */
static int open_beside(const char *beside, const char *target)
{
    struct stat about, named;
    const int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return -1;
    flock(file, LOCK_EX); /* where the file system has no locks, nobody removes it either */
    if (fstat(file, &about) != 0 || lstat(beside, &named) != 0 || about.st_ino != named.st_ino) {
        close(file);
        errno = EEXIST; /* somebody took it for one that was left: another name */
        return -1;
    }
    if (lstat(target, &about) == 0 && S_ISREG(about.st_mode) &&
        fchmod(file, about.st_mode & 0777) != 0)
        return file; /* whoever may not say who reads it may still write it */
    return file;
}

int file_out_begin(struct file_out *out, const char *path, struct error *error)
{
    *out = (struct file_out){.path = path};
    if (path_check(path, error) != 0)
        return -1;
    remove_all_left(path);
    /* A name that no other file has: neither of somebody else, nor of another who writes the same.
     */
    char *beside = NULL;
    int file = -1;
    for (int k = 0; file < 0 && (k == 0 || errno == EEXIST) && k < NAMES_MOST; k++) {
        free(beside);
        beside = memory_format("%s.%ld-%d.part", path, (long)getpid(), k);
        file = open_beside(beside, path);
    }
    if (file < 0) {
        const int reason = errno;
        free(beside);
        return fail(out, reason, error);
    }
    out->beside = beside;
    out->stream = fdopen(file, "w");
    if (out->stream)
        return 0;
    const int reason = errno;
    close(file);
    return fail(out, reason, error);
}

int file_out_finish(struct file_out *out, struct error *error)
{
    bool is_whole = fflush(out->stream) == 0 && !ferror(out->stream);
    is_whole = is_whole && fsync(fileno(out->stream)) == 0;
    const int reason = errno;
    out->held =
        fcntl(fileno(out->stream), F_DUPFD_CLOEXEC, 3); /* it stays locked until it has its name */
    out->is_held = out->held >= 0;
    const bool is_closed = fclose(out->stream) == 0;
    out->stream = NULL;
    return is_whole && is_closed ? 0 : fail(out, is_whole ? errno : reason, error);
}

int file_out_verify(struct file_out *out, file_out_reader *reader, struct error *error)
{
    struct error why;
    char line[800];
    if (out->stream && file_out_finish(out, error) != 0)
        return -1;
    if (reader(out->beside, &why) == 0)
        return 0;
    const struct place place = place_at(out->path, 0, 0);
    file_out_drop(out);
    return error_at(error, place, "was not written, as it could not be read: %s",
                    error_line(&why, line, sizeof line));
}

int file_out_keep(struct file_out *out, struct error *error)
{
    if (out->stream && file_out_finish(out, error) != 0)
        return -1;
    if (rename(out->beside, out->path) != 0)
        return fail(out, errno, error);
    free(out->beside);
    out->beside = NULL;
    file_out_drop(out);
    return 0;
}

/* The new file takes the name, and an older one the new one's; where the file system cannot do
   that, the older one goes. */
static int exchange(const struct file_out *out)
{
    if (renameat2(AT_FDCWD, out->beside, AT_FDCWD, out->path, RENAME_EXCHANGE) == 0)
        return 0;
    return rename(out->beside, out->path);
}

int file_out_keep_both(struct file_out *out, struct file_out *other, struct error *error)
{
    int status = out->stream ? file_out_finish(out, error) : 0;
    if (status == 0 && other->stream)
        status = file_out_finish(other, error);
    if (status == 0 && exchange(out) != 0)
        status = fail(out, errno, error);
    const bool is_exchanged = status == 0,
               is_older = is_exchanged && access(out->beside, F_OK) == 0;
    if (status == 0)
        status = file_out_keep(other, error);
    if (status != 0 && is_exchanged && !is_older)
        unlink(out->path);
    if (status != 0 && is_older && exchange(out) != 0) {
        free(out->beside); /* it keeps the older file */
        out->beside = NULL;
    }
    file_out_drop(other);
    file_out_drop(out);
    return status;
}

void file_out_drop(struct file_out *out)
{
    if (out->stream)
        fclose(out->stream);
    if (out->beside)
        unlink(out->beside);
    if (out->is_held)
        close(out->held);
    free(out->beside);
    *out = (struct file_out){0};
}

void file_out_keep_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 &&
            open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
}
