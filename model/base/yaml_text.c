#include "model/base/yaml_text.h"

#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/base/yaml_in.h"

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

/* Where the line of a key of the outermost map begins; bytes: nowhere. */
static size_t find_key(const char *text, size_t bytes, const char *key)
{
    size_t at = 0;
    while (at < bytes && !is_key_line(text, at, next_line(text, bytes, at), key))
        at = next_line(text, bytes, at);
    return at;
}

size_t yaml_empty_key(char *text, size_t bytes, const char *key)
{
    size_t at = find_key(text, bytes, key), kept = at;
    for (bool first = true; at < bytes && (first || is_below(text, bytes, at)); first = false) {
        at = next_line(text, bytes, at);
        if (text[at - 1] == '\n')
            text[kept++] = '\n';
    }
    memmove(text + kept, text + at, bytes - at);
    return kept + bytes - at;
}

/* ---- items of a list ---- */

/* Blanks at the begin of the line at `at`; SIZE_MAX where nothing else but a remark follows. */
static size_t indentation(const char *text, size_t bytes, size_t at)
{
    size_t blanks = 0;
    while (at + blanks < bytes && text[at + blanks] == ' ')
        blanks++;
    return at + blanks == bytes || is_one_of("#\r\n", text[at + blanks]) ? SIZE_MAX : blanks;
}

/* Whether the line from at to end is `begin` and one word, which is copied. */
static bool takes_word(struct yaml_item_text *item, const char *text, size_t at, size_t end,
                       const char *begin)
{
    const size_t length = strlen(begin);
    while (end > at && is_one_of("\r\n", text[end - 1]))
        end--;
    if (end - at <= length || end - at - length >= sizeof item->word ||
        memcmp(text + at, begin, length) != 0)
        return false;
    memcpy(item->word, text + at + length, end - at - length);
    item->word[end - at - length] = '\0';
    return item->word[strcspn(item->word, " \t\"'#&*!|>{}[],:")] == '\0';
}

size_t yaml_items_as_text(const char *text, size_t bytes, const char *list, const char *begin,
                          struct yaml_item_text **items)
{
    size_t at = next_line(text, bytes, find_key(text, bytes, list)), depth = SIZE_MAX;
    size_t count = 0, room = 16;
    struct yaml_item_text *found = memory_new(room, sizeof *found);
    while (at < bytes && is_below(text, bytes, at)) {
        const size_t end = next_line(text, bytes, at), blanks = indentation(text, bytes, at);
        if (depth == SIZE_MAX)
            depth = blanks;
        if (blanks <= depth && blanks != SIZE_MAX) {
            if (count == room)
                found = memory_grow(found, room *= 2, sizeof *found);
            found[count] = (struct yaml_item_text){.text = text + at};
            if (blanks < depth || !takes_word(&found[count], text, at + blanks, end, begin)) {
                free(found);
                return 0;
            }
            count++;
        }
        if (count > 0)
            found[count - 1].bytes = (size_t)(text + end - found[count - 1].text);
        at = end;
    }
    *items = found;
    if (count == 0)
        free(found);
    return count;
}
