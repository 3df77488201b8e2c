/* Runs a fuzz target over files, without libFuzzer: replay FILE...
   Every file is taken as it is, and then with seeded changes of the kinds that break readers: cut
   off, a line lost or twice, a byte changed, a value replaced by an extreme one. */
#include "test/fuzz/target.h"

#include <string.h>

enum { CHANGES = 24, BYTES_MOST = 1 << 20 };

static const char *const extremes[] = {
    "-1", "0",  "1e308", "-1e308",   "0.5",        "[]", "{}",   "\"\"", "4294967296", "1e-320",
    "*",  "p0", "N",     "((((((((", "\"\\e[2J\"", "~",  "true", "1,1",  "null",       "\xff"};
enum { EXTREMES = sizeof extremes / sizeof *extremes };

struct text {
    char bytes[BYTES_MOST + 64];
    size_t size;
};

/* xorshift64: the same everywhere. */
static size_t draw(uint64_t *state, size_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return below ? (size_t)(*state % below) : 0;
}

/* Bytes from..to give way to others. */
static void replace(struct text *text, size_t from, size_t to, const char *by, size_t length)
{
    if (text->size - (to - from) + length > sizeof text->bytes)
        return;
    memmove(text->bytes + from + length, text->bytes + to, text->size - to);
    memcpy(text->bytes + from, by, length);
    text->size += length - (to - from);
}

/* The value at or after a byte: from a ':', ',' or '[' to where it ends. */
static void replace_value(struct text *text, size_t at, const char *by)
{
    while (at < text->size && !strchr(":,[", text->bytes[at]))
        at++;
    size_t from = at < text->size ? at + 1 : at;
    while (from < text->size && text->bytes[from] == ' ')
        from++;
    size_t to = from;
    while (to < text->size && !strchr(",]}\n", text->bytes[to]))
        to++;
    replace(text, from, to, by, strlen(by));
}

static void change_line(struct text *text, size_t at, int times)
{
    size_t from = at, to = at;
    char line[256];
    while (from > 0 && text->bytes[from - 1] != '\n')
        from--;
    while (to < text->size && text->bytes[to++] != '\n')
        ;
    if (to - from > sizeof line)
        return;
    memcpy(line, text->bytes + from, to - from);
    if (times == 0)
        replace(text, from, to, "", 0);
    else
        replace(text, from, from, line, to - from);
}

static void change(struct text *text, uint64_t *state)
{
    const size_t at = draw(state, text->size);
    switch (draw(state, 6)) {
    case 0:
        text->size = at;
        break;
    case 1:
        change_line(text, at, 0);
        break;
    case 2:
        change_line(text, at, 2);
        break;
    case 3:
        if (text->size > 0)
            text->bytes[at] = (char)draw(state, 256);
        break;
    default:
        replace_value(text, at, extremes[draw(state, EXTREMES)]);
        break;
    }
}

static int run(const char *path, struct text *original, struct text *changed)
{
    uint64_t state = 88172645463325252u;
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        perror(path);
        return EXIT_FAILURE;
    }
    original->size = fread(original->bytes, 1, BYTES_MOST, stream);
    fclose(stream);
    LLVMFuzzerTestOneInput((const uint8_t *)original->bytes, original->size);
    for (int i = 0; i < CHANGES; i++) {
        changed->size = original->size;
        memcpy(changed->bytes, original->bytes, original->size);
        for (size_t k = draw(&state, 3) + 1; k > 0; k--)
            change(changed, &state);
        LLVMFuzzerTestOneInput((const uint8_t *)changed->bytes, changed->size);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct text *original = malloc(sizeof *original), *changed = malloc(sizeof *changed);
    int status = original && changed ? EXIT_SUCCESS : EXIT_FAILURE;
    for (int i = 1; i < argc && status == EXIT_SUCCESS; i++)
        status = run(argv[i], original, changed);
    free(original);
    free(changed);
    return status;
}
