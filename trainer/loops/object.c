#include "trainer/loops/object.h"

#include "trainer/base/shared_object.h"

#include <dlfcn.h>
#include <stddef.h>

const struct loops_object *object_load(const char *path, struct error *error)
{
    void *library = shared_object_load(path, error);
    if (!library)
        return NULL;
    const struct loops_object *object = dlsym(library, "forecost_loops");
    if (object && object->version == OBJECT_VERSION)
        return object;
    error_fill(error, place_at(path, 0, 0),
               object ? "loops of another version: make them anew with estimator loops"
                      : "no object of loops: expected what estimator loops has written");
    dlclose(library);
    return NULL;
}
