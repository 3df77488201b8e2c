#include "model/base/printable.h"

#include "model/base/allocation.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t utf8_decode(const char *from, uint32_t *character)
{
    const unsigned char *text = (const unsigned char *)from;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = text[0] < 0x80   ? 1
                          : text[0] < 0xc0 ? 0
                          : text[0] < 0xe0 ? 2
                          : text[0] < 0xf0 ? 3
                          : text[0] < 0xf8 ? 4
                                           : 0;
    uint32_t value = length > 1 ? text[0] & (0x7fu >> length) : text[0];
    *character = text[0];
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (text[i] & 0x3fu);
    }
    const bool is_surrogate = value >= 0xd800 && value < 0xe000;
    if (length == 0 || value < least[length] || value >= 0x110000 || is_surrogate)
        return 0;
    *character = value;
    return length;
}

/* Control characters (C0, DEL, C1), line and paragraph separators, and marks, embeddings, overrides
   and isolates of the direction of writing. */
static bool is_obeyed(uint32_t it)
{
    return it < 0x20 || (it >= 0x7f && it < 0xa0) || it == 0x061c || it == 0x200e || it == 0x200f ||
           (it >= 0x2028 && it <= 0x202e) || (it >= 0x2066 && it <= 0x2069);
}

/* The next piece of the copy into piece; returns how much of the text it stands for. */
static size_t next_piece(const char *text, char piece[20])
{
    uint32_t character;
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t length = utf8_decode(text, &character);
    if (length > 0 && !is_obeyed(character)) {
        memcpy(piece, text, length);
        piece[length] = '\0';
        return length;
    }
    const size_t shown = length > 0 ? length : 1;
    for (size_t i = 0; i < shown; i++)
        snprintf(piece + 4 * i, 5, "\\x%02x", bytes[i]);
    return shown;
}

char *printable_copy(char *copy, size_t size, const char *text)
{
    char piece[20];
    size_t used = 0;
    while (*text) {
        text += next_piece(text, piece);
        const size_t length = strlen(piece);
        if (used + length >= size)
            break;
        memcpy(copy + used, piece, length);
        used += length;
    }
    copy[used] = '\0';
    return copy;
}

char *printable(const char *text)
{
    if (!text)
        return NULL;
    const size_t size = 4 * strlen(text) + 1;
    return printable_copy(memory_new(size, 1), size, text);
}
