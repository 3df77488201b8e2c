#include "model/records/yaml_text.h"

#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/records/yaml_in.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int yaml_read_text(const char *path, char **text, size_t *bytes, struct error *error)
{
    const struct place whole = {input_name(path), 0, 0};
    FILE *stream = input_begin(path);
    if (!stream)
        return error_at(error, whole, "cannot be read: %s", strerror(errno));
    struct stat about;
    const bool known = fstat(fileno(stream), &about) == 0 && about.st_size < YAML_BYTES_MOST;
    size_t room = known && about.st_size > 0 ? (size_t)about.st_size + 1 : 1 << 14, got = 0;
    char *buffer = memory_new(room, 1);
    for (size_t more; (more = fread(buffer + got, 1, room - got, stream)) > 0;) {
        got += more;
        if (got == room)
            buffer = memory_grow(buffer, room *= 2, 1);
        if (got > YAML_BYTES_MOST)
            break;
    }
    const int failed = ferror(stream) ? errno : 0;
    input_end(stream);
    if (failed || got > YAML_BYTES_MOST) {
        free(buffer);
        return failed ? error_at(error, whole, "cannot be read: %s", strerror(failed))
                      : error_at(error, whole, "is larger than %d bytes", YAML_BYTES_MOST);
    }
    *text = buffer;
    *bytes = got;
    return 0;
}
