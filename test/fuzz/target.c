#include "test/fuzz/target.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct input input_open(const void *bytes, size_t size)
{
    struct input input = {.descriptor = memfd_create("input", MFD_CLOEXEC)};
    REQUIRE(input.descriptor >= 0);
    REQUIRE(size == 0 || write(input.descriptor, bytes, size) == (ssize_t)size);
    snprintf(input.path, sizeof input.path, "/proc/self/fd/%d", input.descriptor);
    return input;
}

void input_close(const struct input *input)
{
    close(input->descriptor);
}

void require_message(const struct error *error)
{
    char line[800];
    error_line(error, line, sizeof line);
    REQUIRE(error->text[0] != '\0');
    REQUIRE(strlen(line) < sizeof line - 1);
    for (const char *c = line; *c; c++)
        REQUIRE((unsigned char)*c >= ' ' && *c != 0x7f);
}
