#include "model/base/path.h"

#include "model/base/allocation.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *path_beside(const char *path, const char *suffix)
{
    const char *dot = strrchr(path, '.');
    const int length = dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path);
    return memory_format("%.*s%s", length, path, suffix);
}

static int refuse(const char *path, struct error *error)
{
    return error_at(error, place_at(path, 0, 0), "cannot be written: %s", strerror(errno));
}

/* A new file appears beside the one that it takes the place of. */
static int check_folder(const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? memory_format("%.*s", (int)(slash - path) + 1, path) : NULL;
    const bool is_writable = access(folder ? folder : ".", W_OK | X_OK) == 0;
    const int status = is_writable ? 0 : refuse(path, error);
    free(folder);
    return status;
}

static int check_kind(const char *path, mode_t mode, struct error *error)
{
    if (S_ISREG(mode))
        return 0;
    const char *kind = S_ISDIR(mode)    ? "a folder"
                       : S_ISFIFO(mode) ? "a FIFO"
                       : S_ISSOCK(mode) ? "a socket"
                                        : "a device";
    return error_at(error, place_at(path, 0, 0), "is %s: expected a file, or none yet", kind);
}

/* Of a name that stands for something, links followed. */
static int check_there(const char *path, struct error *error)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return errno == ENOENT ? error_at(error, place_at(path, 0, 0),
                                          "is a symbolic link to nothing: expected a file, or "
                                          "none yet")
                               : refuse(path, error);
    if (check_kind(path, about.st_mode, error) != 0)
        return -1;
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode) && about.st_uid != geteuid() &&
        about.st_uid != 0)
        return error_at(error, place_at(path, 0, 0),
                        "is another user's symbolic link: expected a file, or none yet");
    return access(path, W_OK) == 0 ? 0 : refuse(path, error);
}

int path_check_beside(const char *path, struct error *error)
{
    struct stat about;
    char *target = path_to_write(path, error);
    free(target);
    if (!target)
        return -1;
    return lstat(path, &about) == 0 && S_ISLNK(about.st_mode)
               ? error_at(error, place_at(path, 0, 0),
                          "is a symbolic link: expected a file, or none yet")
               : 0;
}

char *path_to_write(const char *path, struct error *error)
{
    struct stat about;
    char *resolved = NULL;
    if (lstat(path, &about) != 0) {
        if (errno == ENOENT)
            resolved = memory_copy_text(path);
        else
            refuse(path, error);
    } else if (check_there(path, error) == 0) {
        char *real = S_ISLNK(about.st_mode) ? realpath(path, NULL) : memory_copy_text(path);
        if (!real)
            refuse(path, error);
        resolved = real;
    }
    if (resolved && check_folder(resolved, error) != 0) {
        free(resolved);
        resolved = NULL;
    }
    return resolved;
}
