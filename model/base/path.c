#include "model/base/path.h"

#include "model/base/memory.h"

#include <string.h>

char *path_beside(const char *path, const char *suffix)
{
    const char *dot = strrchr(path, '.');
    const int length = dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path);
    return memory_format("%.*s%s", length, path, suffix);
}
