#include "libforecost/call.h"

#include "config.h"
#include "model/base/allocation.h"
#include "model/machine/machine.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *forecost_version(void)
{
    return PACKAGE_VERSION;
}

/* ---- without ending the process ---- */

static enum forecost_status status_of(int ended, const struct error *error)
{
    if (ended == 0)
        return FORECOST_DONE;
    return ended > 0 || error->is_particular ? FORECOST_NO_ANSWER : FORECOST_BAD_INPUT;
}

/* Nothing that changes between setjmp and longjmp is looked at behind it. */
static enum forecost_status guarded(call_body *body, void *state, struct error *error)
{
    jmp_buf out;
    jmp_buf *before = memory_go_to(NULL);
    if (setjmp(out) != 0) {
        memory_go_to(before);
        error_fill(error, place_at(NULL, 0, 0), "out of memory");
        return FORECOST_NO_MEMORY;
    }
    memory_go_to(&out);
    const int ended = body(state, error);
    memory_go_to(before);
    return status_of(ended, error);
}

static void say(const struct error *error, enum forecost_status status, struct forecost_error *said)
{
    said->status = status;
    said->line = error->line;
    said->column = error->column;
    snprintf(said->file, sizeof said->file, "%s", error->file);
    snprintf(said->text, sizeof said->text, "%s", error->text);
    error_line(error, said->message, sizeof said->message);
}

enum forecost_status call_body_of(call_body *body, void *state, struct forecost_error *said)
{
    struct error error = {0};
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(plain);
    const enum forecost_status status = guarded(body, state, &error);
    if (said && status != FORECOST_DONE)
        say(&error, status, said);
    uselocale(before);
    freelocale(plain);
    return status;
}

/* ---- arguments ---- */

size_t call_count(const char *const *list)
{
    size_t count = 0;
    while (list && list[count])
        count++;
    return count;
}

int call_check_definitions(const char *const *definitions, struct error *error)
{
    for (size_t i = 0; i < call_count(definitions); i++)
        if (!strchr(definitions[i], '='))
            return error_set(error, "definition '%.60s': expected NAME=VALUE", definitions[i]);
    return 0;
}

int call_processors(const struct machine *machine, double asked, double *processors,
                    struct error *error)
{
    *processors = asked == 0.0 ? machine_all_processors(machine) : asked;
    if (!(*processors >= 1.0) || *processors != floor(*processors) || isinf(*processors))
        return error_set(error, "%g processors: expected a whole number from 1, or 0: all of them",
                         *processors);
    return 0;
}
