/* What other benchmarks print: a table that can be read, or one line. */
#include "estimator/commands/commands.h"
#include "model/machine/machine.h"
#include "test/fuzz/target.h"

#include <string.h>
#include <unistd.h>

static char table[80], points[80];

static void remove_files(void)
{
    unlink(table);
    unlink(points);
}

/* In memory, where there is a folder for it. */
static void name_files(void)
{
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".";
    snprintf(table, sizeof table, "%s/fuzz-import-%d.yaml", folder, (int)getpid());
    snprintf(points, sizeof points, "%s/fuzz-import-%d.points.csv", folder, (int)getpid());
    atexit(remove_files);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static FILE *nothing;
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* libFuzzer's limits would end hwloc's process */
    if (memmem(bytes, size, "<topology", strlen("<topology")))
        return 0;
#endif
    struct input input = input_open(bytes, size);
    char command[] = "import", option[] = "-p", four[] = "4", output[] = "-o";
    char *arguments[] = {command, option, four, input.path, output, table, NULL};
    struct error error;
    FILE *said = stderr;
    if (!nothing) {
        name_files();
        nothing = fopen("/dev/null", "w");
        REQUIRE(nothing);
    }
    stderr = nothing; /* what is left out is remarked there */
    const int status = cmd_import(6, arguments, &error);
    stderr = said;
    if (status == 0) {
        struct machine machine;
        REQUIRE(machine_read(&machine, table, &error) == 0);
        machine_free(&machine);
    } else {
        require_message(&error);
    }
    input_close(&input);
    return 0;
}
