#include "model/base/input.h"

#include "model/base/allocation.h"

#include <errno.h>
#include <string.h>

bool input_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *input_name(const char *path)
{
    return input_is_standard(path) ? "<stdin>" : path;
}

FILE *input_begin(const char *path)
{
    FILE *stream = input_is_standard(path) ? stdin : fopen(path, "rb");
    if (!stream && errno == ENOMEM)
        memory_is_out();
    return stream;
}

void input_end(FILE *stream)
{
    if (stream && stream != stdin)
        fclose(stream);
}
