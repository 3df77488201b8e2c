/* C source: it is described or refused with one line, and what is described can be read as a
   segment description. The same source gives the innermost loops, and what each of some processes
   sends. */
#include "describer/describe.h"
#include "describer/source/limits.h"
#include "model/base/allocation.h"
#include "model/segment/program/program.h"
#include "test/fuzz/target.h"
#include "test/fuzz/tokens.h"

#include <string.h>
#include <unistd.h>

/* What a source may be written with; a directive is worth most where it belongs to something. */
static const char begins[] = "#pragma forecost parameters(n = 100, N = 100, steps = 5)\n";

static struct input input_of(const uint8_t *bytes, size_t size)
{
    char *text = memory_new(sizeof begins + size, 1);
    memcpy(text, begins, sizeof begins - 1);
    if (size > 0)
        memcpy(text + sizeof begins - 1, bytes, size);
    const struct input input = input_open(text, sizeof begins - 1 + size);
    free(text);
    return input;
}

static void describe(const char *path, struct options options)
{
    static const char *const flags[] = {"-xc"};
    char *text = NULL, *remarks = NULL;
    size_t size = 0, remarks_size = 0;
    struct error error;
    struct arena *arena = arena_new();
    FILE *out = memory_stream(&text, &size), *said = memory_stream(&remarks, &remarks_size);
    options.files = &path;
    options.file_count = options.flag_count = 1;
    options.flags = flags;
    const int status = describe_files(arena, &options, out, said, &error);
    memory_stream_end(out);
    memory_stream_end(said);
    if (status != 0) {
        require_message(&error);
        REQUIRE(size == 0);
    } else if (!options.has_loops && options.messages_p == 0) {
        const struct input description = input_open(text, size);
        struct program program;
        if (program_read(&program, description.path, &error) == 0)
            program_free(&program);
        else
            require_message(&error);
        input_close(&description);
    }
    arena_free(arena);
    free(text);
    free(remarks);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct input input = input_of(bytes, size);
    describe(input.path, (struct options){.has_places = size % 2});
    if (size % 4 == 1)
        describe(input.path, (struct options){.messages_p = 4});
    if (size % 4 == 3)
        describe(input.path, (struct options){.has_places = true, .has_loops = true});
    input_close(&input);
    return 0;
}

/* Bytes that are changed at random are no C any more: changes are those of tokens, most times. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    return tokens_change(bytes, size, room, seed);
}
