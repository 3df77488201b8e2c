/* A file of a name of its own, in a folder of its own. */
#ifndef TEST_SCRATCH_H
#define TEST_SCRATCH_H

#include "model/base/allocation.h"
#include "test/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path in a folder of its own that exists only for the test; to be freed. */
static inline char *scratch_path(const char *name)
{
    const char *base = getenv("TMPDIR");
    char *folder = memory_format("%s/forecost-XXXXXX", base ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char *path = memory_format("%s/%s", folder, name);
    free(folder);
    return path;
}

static inline void remove_scratch(char *path)
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    ck_assert_int_eq(rmdir(path), 0); /* nothing else was left there */
    free(path);
}

#endif
