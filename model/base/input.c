#include "model/base/input.h"

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
    return input_is_standard(path) ? stdin : fopen(path, "rb");
}

void input_end(FILE *stream)
{
    if (stream && stream != stdin)
        fclose(stream);
}
