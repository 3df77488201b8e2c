#include "model/code/private_folder.h"

#include "model/base/allocation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is in it: files, and folders of files at most. No link is followed. */
static void empty(int folder, int depth)
{
    DIR *list = fdopendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            unlinkat(folder, entry->d_name, 0) == 0 || depth == 0)
            continue;
        const int within =
            openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (within >= 0)
            empty(within, depth - 1);
        unlinkat(folder, entry->d_name, AT_REMOVEDIR);
    }
    if (list)
        closedir(list);
    else
        close(folder);
}

/* In the child: waits until the other end of the pipe is closed, be it because its owner is gone.
   Compilers that are still at work are its group's. */
static _Noreturn void keep(const char *path, int end)
{
    sigset_t all;
    char nothing;
    setpgid(0, 0);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    prctl(PR_SET_NAME, "forecost-keeper");
    for (int other = 0; other < 1024; other++)
        if (other != end)
            close(other);
    while (read(end, &nothing, 1) < 0 && errno == EINTR)
        continue;
    kill(0, SIGTERM);
    usleep(1000);
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0)
        empty(folder, 4);
    rmdir(path);
    kill(0, SIGKILL);
    _exit(EXIT_SUCCESS);
}

int private_folder_make(struct private_folder *folder, struct error *error)
{
    int ends[2];
    const char *base = getenv("TMPDIR");
    char *path = memory_format("%s/forecost-XXXXXX", base && *base ? base : "/tmp");
    *folder = (struct private_folder){0};
    int reason = 0;
    const bool has_pipe = pipe2(ends, O_CLOEXEC) == 0;
    if (!has_pipe || !mkdtemp(path)) {
        reason = errno;
    } else if ((folder->keeper = fork()) == 0) {
        keep(path, ends[0]);
    } else if (folder->keeper < 0) {
        reason = errno;
        rmdir(path);
    }
    if (has_pipe)
        close(ends[0]);
    if (reason == 0) {
        setpgid(folder->keeper, folder->keeper);
        folder->path = path;
        folder->end = ends[1];
        return 0;
    }
    if (has_pipe)
        close(ends[1]);
    *folder = (struct private_folder){0};
    const int status = error_set(error, "no folder %.200s: %s", path, strerror(reason));
    free(path);
    return status;
}

void private_folder_remove(struct private_folder *folder)
{
    if (folder->path) {
        close(folder->end);
        while (waitpid(folder->keeper, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    free(folder->path);
    *folder = (struct private_folder){0};
}
