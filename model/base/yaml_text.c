#include "model/base/yaml_text.h"

#include "model/base/memory.h"
#include "model/base/yaml_in.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int yaml_read_text(const char *path, char **text, size_t *bytes, struct error *error)
{
    const struct place whole = {path, 0, 0};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return error_at(error, whole, "cannot be read: %s", strerror(errno));
    size_t room = 1 << 14, got = 0;
    char *buffer = memory_new(room, 1);
    for (size_t more; (more = fread(buffer + got, 1, room - got, stream)) > 0;) {
        got += more;
        if (got == room)
            buffer = memory_grow(buffer, room *= 2, 1);
        if (got > YAML_BYTES_MOST)
            break;
    }
    const int failed = ferror(stream) ? errno : 0;
    fclose(stream);
    if (failed || got > YAML_BYTES_MOST) {
        free(buffer);
        return failed ? error_at(error, whole, "cannot be read: %s", strerror(failed))
                      : error_at(error, whole, "is larger than %d bytes", YAML_BYTES_MOST);
    }
    *text = buffer;
    *bytes = got;
    return 0;
}

/* Where the line after the one at `at` begins. */
static size_t next_line(const char *text, size_t bytes, size_t at)
{
    const char *end = memchr(text + at, '\n', bytes - at);
    return end ? (size_t)(end - text) + 1 : bytes;
}

static bool is_one_of(const char *set, char byte)
{
    return byte != '\0' && strchr(set, byte);
}

/* Whether the line from at to end is "key:" and nothing more. */
static bool is_key_line(const char *text, size_t at, size_t end, const char *key)
{
    const size_t length = strlen(key);
    if (end - at <= length || memcmp(text + at, key, length) != 0 || text[at + length] != ':')
        return false;
    for (at += length + 1; at < end; at++)
        if (!is_one_of(" \r\n", text[at]))
            return false;
    return true;
}

/* Whether the line stands below a key of the outermost map: indented, an item of its list, a remark
   or empty. */
static bool is_below(const char *text, size_t bytes, size_t at)
{
    return is_one_of(" #\r\n", text[at]) ||
           (text[at] == '-' && at + 1 < bytes && is_one_of(" \r\n", text[at + 1]));
}

size_t yaml_empty_key(char *text, size_t bytes, const char *key)
{
    size_t at = 0;
    while (at < bytes && !is_key_line(text, at, next_line(text, bytes, at), key))
        at = next_line(text, bytes, at);
    size_t kept = at;
    for (bool first = true; at < bytes && (first || is_below(text, bytes, at)); first = false) {
        at = next_line(text, bytes, at);
        if (text[at - 1] == '\n')
            text[kept++] = '\n';
    }
    memmove(text + kept, text + at, bytes - at);
    return kept + bytes - at;
}
