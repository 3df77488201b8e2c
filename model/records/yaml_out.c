#include "model/records/yaml_out.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/base/printable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 64 };

enum shape { BLOCK_MAP, BLOCK_LIST, FLOW_MAP, FLOW_LIST };

struct yaml_out {
    FILE *stream;
    enum shape shapes[DEPTH_MOST];
    int counts[DEPTH_MOST]; /* entries so far at each depth */
    int depth;              /* open maps and lists */
    int digits;             /* of numbers that are not whole; 0: all */
    bool after_dash;        /* the line so far is "- ": the next key stands in it */
    bool after_key;         /* the line so far is "key:": a map or list, perhaps empty, follows */
};

struct yaml_out *yaml_out_begin(FILE *stream)
{
    struct yaml_out *out = memory_new(1, sizeof *out);
    out->stream = stream;
    return out;
}

void yaml_out_digits(struct yaml_out *out, int digits)
{
    out->digits = digits;
}

bool yaml_out_end(struct yaml_out *out)
{
    const bool good = fflush(out->stream) == 0 && !ferror(out->stream);
    free(out);
    return good;
}

static bool in_flow(const struct yaml_out *out)
{
    return out->depth > 0 && out->shapes[out->depth - 1] >= FLOW_MAP;
}

/* Two columns for every open block but the outermost, which stands at the margin. */
static void indent(const struct yaml_out *out)
{
    for (int i = 1; i < out->depth; i++)
        fputs("  ", out->stream);
}

/* The first entry of a map or list under a key: it begins a line. */
static void break_line(struct yaml_out *out)
{
    if (out->after_key)
        fputc('\n', out->stream);
    out->after_key = false;
}

void yaml_out_remark(struct yaml_out *out, const char *text)
{
    break_line(out);
    indent(out);
    fprintf(out->stream, "# %s\n", text);
}

/* The length of the character that text begins with, if YAML takes it as it is; else 0. Line ends
   beyond ASCII would be folded, and control characters and what is not UTF-8 refused. */
static size_t is_plain(const char *text, uint32_t *character)
{
    const size_t length = utf8_decode(text, character);
    const uint32_t it = *character;
    return it < 0x20 || (it >= 0x7f && it < 0xa0) || it == 0x2028 || it == 0x2029 || it == 0xfeff ||
                   it == 0xfffe || it == 0xffff
               ? 0
               : length;
}

/* Whether a plain text would be read as something else, or break the line. */
static bool needs_quotes(const char *text)
{
    if (text[0] == '\0' || strchr("-?:,[]{}#&*!|>'\"%@` \t", text[0]) ||
        text[strlen(text) - 1] == ' ' || text[strlen(text) - 1] == ':')
        return true;
    uint32_t character;
    for (const char *c = text; *c; c += is_plain(c, &character))
        if (is_plain(c, &character) == 0)
            return true;
    return strpbrk(text, "\\\"[]{},") || strstr(text, ": ") || strstr(text, " #");
}

static void put_escaped(const struct yaml_out *out, uint32_t character)
{
    if (character == '"' || character == '\\')
        fprintf(out->stream, "\\%c", (int)character);
    else if (character == '\n')
        fputs("\\n", out->stream);
    else if (character < 0x100)
        fprintf(out->stream, "\\x%02x", (unsigned)character);
    else
        fprintf(out->stream, "\\u%04x", (unsigned)character);
}

static void put_text(struct yaml_out *out, const char *text)
{
    if (!needs_quotes(text)) {
        fputs(text, out->stream);
        return;
    }
    fputc('"', out->stream);
    while (*text) {
        uint32_t character;
        const size_t length = is_plain(text, &character);
        if (length > 0 && *text != '"' && *text != '\\')
            fwrite(text, 1, length, out->stream);
        else
            put_escaped(out, character);
        text += utf8_decode(text, &character) > 0 ? utf8_decode(text, &character) : 1;
    }
    fputc('"', out->stream);
}

void yaml_out_key(struct yaml_out *out, const char *key)
{
    if (in_flow(out)) {
        if (out->counts[out->depth - 1]++ > 0)
            fputs(", ", out->stream);
    } else {
        break_line(out);
        if (!out->after_dash)
            indent(out);
        out->after_dash = false;
        out->counts[out->depth - 1]++;
    }
    put_text(out, key);
    fputc(':', out->stream);
    if (in_flow(out))
        fputc(' ', out->stream);
}

/* What stands before a value: nothing more after a key, a dash or a comma in a list. */
static void before_value(struct yaml_out *out, bool opens_block)
{
    if (out->depth == 0)
        return;
    switch (out->shapes[out->depth - 1]) {
    case BLOCK_MAP:
        if (!opens_block)
            fputc(' ', out->stream);
        out->after_key = opens_block;
        break;
    case BLOCK_LIST:
        break_line(out);
        indent(out);
        out->counts[out->depth - 1]++;
        fputs("- ", out->stream);
        out->after_dash = opens_block;
        break;
    case FLOW_LIST:
        if (out->counts[out->depth - 1]++ > 0)
            fputs(", ", out->stream);
        break;
    case FLOW_MAP:
        break;
    }
}

static void after_value(struct yaml_out *out)
{
    if (out->depth > 0 && !in_flow(out))
        fputc('\n', out->stream);
}

void yaml_out_number(struct yaml_out *out, double value)
{
    char text[NUMBER_TEXT];
    before_value(out, false);
    if (out->digits > 0 && value != floor(value)) {
        const int whole = fabs(value) < 1.0 ? 1 : (int)floor(log10(fabs(value))) + 1;
        value = number_rounded(value, whole > out->digits ? whole : out->digits);
    }
    fputs(number_print(value, text), out->stream);
    after_value(out);
}

void yaml_out_text(struct yaml_out *out, const char *text)
{
    before_value(out, false);
    put_text(out, text);
    after_value(out);
}

static void begin(struct yaml_out *out, bool flow, enum shape block_shape, enum shape flow_shape)
{
    const bool inline_now = flow || in_flow(out);
    before_value(out, !inline_now);
    if (inline_now)
        fputc(flow_shape == FLOW_MAP ? '{' : '[', out->stream);
    if (out->depth == DEPTH_MOST)
        abort(); /* our own structs are never that deep */
    out->shapes[out->depth] = inline_now ? flow_shape : block_shape;
    out->counts[out->depth++] = 0;
}

static void end(struct yaml_out *out, const char *brackets)
{
    const bool was_flow = in_flow(out);
    out->depth--;
    if (was_flow) {
        fputc(brackets[1], out->stream);
        after_value(out);
    } else if (out->counts[out->depth] == 0) {
        fprintf(out->stream, "%s%s\n", out->after_key ? " " : "", brackets);
        out->after_key = out->after_dash = false;
    }
}

void yaml_out_map(struct yaml_out *out, bool flow)
{
    begin(out, flow, BLOCK_MAP, FLOW_MAP);
}

void yaml_out_map_end(struct yaml_out *out)
{
    end(out, "{}");
}

void yaml_out_list(struct yaml_out *out, bool flow)
{
    begin(out, flow, BLOCK_LIST, FLOW_LIST);
}

void yaml_out_list_end(struct yaml_out *out)
{
    end(out, "[]");
}
