/* Machine tables: what is taken can be used and written, and reads back as what was written. */
#include "model/machine/machine.h"
#include "model/machine/machine_lint.h"
#include "test/fuzz/target.h"

#include <string.h>

static void ignore(void *state, const struct error *remark)
{
    (void)state;
    require_message(remark);
}

static void ask(const struct machine *machine)
{
    static const double sizes[] = {0.0, 1.0, 4096.0, 1e9}, processors[] = {1.0, 2.0, 64.0};
    const struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++)
        for (size_t k = 0; k < 12; k++) {
            struct cost_answer answer;
            struct error error;
            if (cost_answer(&costs[i], sizes[k % 4], processors[k / 4], &answer, &error) != 0)
                require_message(&error);
            else
                REQUIRE(answer.time_us >= 0.0 && answer.low_us <= answer.high_us);
        }
    machine_lint(machine, ignore, NULL);
}

static char *written(const struct machine *machine, size_t *size)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    REQUIRE(stream && machine_write(machine, stream));
    fclose(stream);
    return text;
}

static void require_round_trip(const struct machine *machine)
{
    struct machine again;
    struct error error;
    size_t size, size_again;
    char *text = written(machine, &size);
    const struct input input = input_open(text, size);
    if (machine_read(&again, input.path, &error) != 0) {
        fprintf(stderr, "%u:%u: %s\n%s\n", error.line, error.column, error.text, text);
        REQUIRE(!"what was written is read");
    }
    char *text_again = written(&again, &size_again);
    REQUIRE(size == size_again && memcmp(text, text_again, size) == 0);
    machine_free(&again);
    input_close(&input);
    free(text);
    free(text_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct input input = input_open(bytes, size);
    struct machine machine;
    struct error error;
    if (machine_read(&machine, input.path, &error) == 0) {
        ask(&machine);
        require_round_trip(&machine);
        machine_free(&machine);
    } else {
        require_message(&error);
    }
    input_close(&input);
    return 0;
}
