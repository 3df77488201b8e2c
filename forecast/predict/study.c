#include "forecast/predict/study.h"

#include <ctype.h>

/* ---- whether the segments name grid sizes ---- */

/* p0, p1, ... */
static bool is_of_grid(const void *nothing, const char *name)
{
    (void)nothing;
    return name[0] == 'p' && isdigit((unsigned char)name[1]) && name[2] == '\0';
}

static bool names_grid(const struct formula *formula)
{
    return formula_any_name(formula, is_of_grid, NULL);
}

static bool any_names_grid(const struct list *formulas)
{
    const struct formula *items = formulas->items;
    for (size_t i = 0; i < formulas->count; i++)
        if (names_grid(&items[i]))
            return true;
    return false;
}

static bool statement_names_grid(const struct statement *it)
{
    return names_grid(&it->writes) || names_grid(&it->home) || names_grid(&it->strip) ||
           names_grid(&it->recurrence.cycles) || any_names_grid(&it->reads);
}

static bool body_names_grid(const struct list *body);

static bool branches_name_grid(const struct list *branches)
{
    const struct branch *items = branches->items;
    for (size_t i = 0; i < branches->count; i++)
        if (names_grid(&items[i].probability) || body_names_grid(&items[i].body))
            return true;
    return false;
}

static bool body_names_grid(const struct list *body)
{
    const struct step *steps = body->items;
    for (size_t i = 0; i < body->count; i++) {
        const struct loop *loop = steps[i].loop;
        const struct call *call = steps[i].call;
        if (loop &&
            (names_grid(&loop->first) || names_grid(&loop->last) || body_names_grid(&loop->body)))
            return true;
        if (call && (names_grid(&call->bytes) || names_grid(&call->processors) ||
                     any_names_grid(&call->grid) || any_names_grid(&call->faces)))
            return true;
        if (steps[i].statement && statement_names_grid(steps[i].statement))
            return true;
        if (branches_name_grid(&steps[i].branches))
            return true;
    }
    return false;
}

static bool program_names_grid(const struct program *program)
{
    const struct segment *segments = program->segments.items;
    const struct array *arrays = program->arrays.items;
    if (names_grid(&program->repeat))
        return true;
    for (size_t i = 0; i < program->segments.count; i++)
        if (names_grid(&segments[i].repeat) || body_names_grid(&segments[i].body))
            return true;
    for (size_t i = 0; i < program->arrays.count; i++)
        if (any_names_grid(&arrays[i].extent))
            return true;
    return false;
}

/* ---- deriving ---- */

int study_make(struct study *study, const struct machine *machine, const struct program *program,
               double processors, const char *const *definitions, size_t definition_count,
               struct error *error)
{
    *study = (struct study){.machine = machine,
                            .program = program,
                            .processors = processors,
                            .uses_grid = program_names_grid(program)};
    study->scope = program_scope(program, definitions, definition_count, processors, error);
    if (!study->scope)
        return -1;
    study->names = scope_count(study->scope);
    return 0;
}

static void forget(struct study *study)
{
    if (!study->is_derived)
        return;
    computing_free(&study->computing);
    subject_free(&study->subject);
    study->is_derived = false;
}

void study_free(struct study *study)
{
    forget(study);
    scope_free(study->scope);
}

int study_derive(struct study *study, const struct layout *layouts, struct error *error)
{
    if (study->is_derived && !study->uses_grid &&
        !computing_depends_on_layout(study->machine, study->program))
        return 0;
    forget(study);
    if (subject_make(&study->subject, study->program, study->scope, error) != 0)
        return -1;
    if (computing_make(&study->computing, study->machine, &study->subject, layouts, error) != 0) {
        subject_free(&study->subject);
        return -1;
    }
    study->is_derived = true;
    return 0;
}

/* Of a description, not of a candidate, unless it names the sizes of one's grid. */
static int check_repeat(const struct study *study, struct error *error)
{
    double repeat;
    return names_grid(&study->program->repeat)
               ? 0
               : program_repeat(study->program, study->scope, &repeat, error);
}

int study_predict(struct study *study, const struct candidate *candidate,
                  struct prediction *prediction, struct error *error)
{
    struct schedule schedule;
    scope_cut(study->scope, study->names);
    if (check_repeat(study, error) != 0)
        return -1;
    if (schedule_make(&schedule, study->program, candidate, study->scope, error) != 0)
        return error->is_particular ? 1 : -1;
    int status = study_derive(study, schedule.layouts, error);
    if (status == 0)
        status = prediction_make(prediction, study->machine, &study->subject, &study->computing,
                                 &schedule, error);
    schedule_free(&schedule);
    return status;
}
