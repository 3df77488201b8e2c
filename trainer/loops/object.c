#include "trainer/loops/object.h"

#include "model/base/allocation.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct loops_object *object_load(const char *path, struct error *error)
{
    const struct place place = place_at(path, 0, 0);
    if (access(path, R_OK) != 0) {
        error_fill(error, place, "cannot be read: %s", strerror(errno));
        return NULL;
    }
    char *whole = strchr(path, '/') ? memory_copy_text(path) : memory_format("./%s", path);
    void *library = dlopen(whole, RTLD_NOW | RTLD_LOCAL);
    free(whole);
    if (!library) {
        error_fill(error, place, "cannot be loaded: %s", dlerror());
        return NULL;
    }
    const struct loops_object *object = dlsym(library, "forecost_loops");
    if (object && object->version == OBJECT_VERSION)
        return object;
    error_fill(error, place,
               object ? "loops of another version: make them anew with estimator loops"
                      : "no object of loops: expected what estimator loops has written");
    dlclose(library);
    return NULL;
}
