#include "model/base/path.h"

#include "model/base/allocation.h"

#include <errno.h>
#include <stdio.h>
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
    if (S_ISLNK(mode))
        return error_at(error, place_at(path, 0, 0),
                        "is a link: name the file that it points to, or remove it");
    const char *kind = S_ISDIR(mode)    ? "a folder"
                       : S_ISFIFO(mode) ? "a FIFO"
                       : S_ISSOCK(mode) ? "a socket"
                                        : "a device";
    return error_at(error, place_at(path, 0, 0), "is %s: expected a file, or none yet", kind);
}

int path_check(const char *path, struct error *error)
{
    struct stat about;
    if (lstat(path, &about) == 0) {
        if (check_kind(path, about.st_mode, error) != 0)
            return -1;
        if (access(path, W_OK) != 0)
            return refuse(path, error);
    } else if (errno != ENOENT) {
        return refuse(path, error);
    }
    return check_folder(path, error);
}

bool path_begins_with(const char *path, const char *begins)
{
    FILE *stream = fopen(path, "r");
    bool is_same = stream != NULL;
    for (int c; is_same && *begins && (c = getc(stream)) != EOF; begins++)
        is_same = c == (unsigned char)*begins;
    is_same = is_same && !ferror(stream);
    if (stream)
        fclose(stream);
    return is_same;
}

int path_check_beside(const char *path, const char *begins, struct error *error)
{
    if (path_check(path, error) != 0)
        return -1;
    if (access(path, F_OK) != 0 || path_begins_with(path, begins))
        return 0;
    return error_at(error, place_at(path, 0, 0),
                    "would be replaced, and is another file: expected another -o");
}
