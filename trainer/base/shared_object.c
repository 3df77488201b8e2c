#include "trainer/base/shared_object.h"

#include "model/base/allocation.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *shared_object_load(const char *path, struct error *error)
{
    const struct place place = place_at(path, 0, 0);
    if (access(path, R_OK) != 0) {
        error_fill(error, place, "cannot be read: %s", strerror(errno));
        return NULL;
    }
    char *whole = strchr(path, '/') ? memory_copy_text(path) : memory_format("./%s", path);
    void *object = dlopen(whole, RTLD_NOW | RTLD_LOCAL);
    free(whole);
    if (!object)
        error_fill(error, place, "cannot be loaded: %s", dlerror());
    return object;
}
