/* Objects that are loaded while the trainer runs. */
#ifndef TRAINER_BASE_SHARED_OBJECT_H
#define TRAINER_BASE_SHARED_OBJECT_H

#include "model/base/error.h"

/* Loads the object of that path, whole or of the working folder; what stands in it is run. For
   dlsym and dlclose. NULL with *error set: it cannot be read or loaded. */
void *shared_object_load(const char *path, struct error *error);

#endif
