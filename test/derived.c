#include "test/derived.h"
#include "test/check.h"

static int read_and_derive(struct derived *it, const char *path, double processors,
                           struct error *error)
{
    if (program_read(&it->program, path, error) != 0)
        return -1;
    it->scope = program_scope(&it->program, NULL, 0, processors, error);
    if (!it->scope ||
        layout_make(&it->layout, &it->program, it->program.candidates.items, it->scope, error) !=
            0 ||
        subject_make(&it->subject, &it->program, it->scope, error) != 0)
        return -1;
    return analysis_make(&it->analysis, &it->subject, 0, &it->layout, error);
}

void derived_make(struct derived *derived, const char *path, double processors)
{
    struct error error;
    char line[800];
    if (read_and_derive(derived, path, processors, &error) != 0)
        ck_abort_msg("%s", error_line(&error, line, sizeof line));
}

void derived_free(struct derived *derived)
{
    analysis_free(&derived->analysis);
    subject_free(&derived->subject);
    layout_free(&derived->layout);
    scope_free(derived->scope);
    program_free(&derived->program);
}
