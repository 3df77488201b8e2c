/* Segment descriptions: read, laid out on a few processors and analysed as far as they can be. */
#include "model/segment/program/schedule.h"
#include "model/segment/traffic/analysis.h"
#include "test/fuzz/target.h"

#include <math.h>
#include <string.h>

/* Less effort than the estimator's, so that what is not bounded by it stands out as a time-out. */
enum { CANDIDATES_HERE = 4, EFFORT_HERE = 100000 };

static void require_sense(const struct analysis *analysis)
{
    const struct work *work = analysis->work.items;
    const struct demand *demands = analysis->demands.items;
    for (size_t i = 0; i < analysis->work.count; i++)
        REQUIRE(work[i].iterations_most >= 0.0);
    for (size_t i = 0; i < analysis->demands.count; i++) {
        const struct use *uses = demands[i].uses.items;
        for (size_t k = 0; k < demands[i].uses.count; k++)
            REQUIRE(uses[k].times >= 0.0 && uses[k].bytes >= 0.0 &&
                    use_in_run(&uses[k], uses[k].further).bytes >= 0.0);
    }
}

static void analyse(const struct subject *subject, const struct schedule *schedule)
{
    struct error error;
    for (size_t i = 0; i < schedule->segment_count; i++) {
        struct analysis analysis;
        if (analysis_make(&analysis, subject, i, &schedule->layouts[i], &error) != 0) {
            require_message(&error);
            continue;
        }
        require_sense(&analysis);
        analysis_free(&analysis);
    }
    for (size_t i = 0; i < schedule->change_count; i++) {
        struct analysis analysis;
        const struct change *change = &schedule->changes[i];
        if (analysis_change(&analysis, subject->program, &change->from, &change->to, change->place,
                            change->times, &error) != 0) {
            require_message(&error);
            continue;
        }
        require_sense(&analysis);
        analysis_free(&analysis);
    }
}

static void lay_out(const struct program *program, const struct candidate *candidate,
                    struct scope *scope)
{
    struct schedule schedule;
    struct subject subject;
    struct error error;
    if (schedule_make(&schedule, program, candidate, scope, &error) != 0) {
        require_message(&error);
        return;
    }
    if (subject_make(&subject, program, scope, &error) == 0) {
        analyse(&subject, &schedule);
        subject_free(&subject);
    } else {
        require_message(&error);
    }
    schedule_free(&schedule);
}

static void use(const struct program *program, double processors)
{
    const struct candidate *candidates = program->candidates.items;
    struct error error;
    struct scope *scope = program_scope(program, NULL, 0, processors, &error);
    if (!scope) {
        require_message(&error);
        return;
    }
    const size_t names = scope_count(scope);
    for (size_t i = 0; i < program->candidates.count && i < CANDIDATES_HERE; i++) {
        lay_out(program, &candidates[i], scope);
        scope_cut(scope, names);
    }
    scope_free(scope);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct input input = input_open(bytes, size);
    struct program program;
    struct error error;
    if (program_read(&program, input.path, &error) == 0) {
        program.effort->most = EFFORT_HERE;
        use(&program, 1.0);
        use(&program, 4.0);
        program_free(&program);
    } else {
        require_message(&error);
    }
    input_close(&input);
    return 0;
}
