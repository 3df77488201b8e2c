#include "estimator/explore/explorer.h"

#include "model/base/allocation.h"
#include "model/base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the ranking ---- */

static void forget(struct explorer *it)
{
    if (it->ranked)
        ranking_free(&it->ranking);
    it->ranked = false;
    free(it->remarks);
    it->remarks = NULL;
}

/* The changed parameters as definitions, each to be freed; returns how many. */
static size_t define(const struct explorer *it, char *definitions[])
{
    char number[NUMBER_TEXT];
    size_t count = 0;
    for (size_t i = SETTING_FIRST_PARAMETER; i < it->setting_count; i++)
        if (it->settings[i].changed)
            definitions[count++] = memory_format("%s=%s", it->settings[i].name,
                                                 number_print(it->settings[i].value, number));
    return count;
}

/* What the description says of the parameters that nobody changed, which may depend on others. */
static void read_values(struct explorer *it, const struct scope *scope)
{
    for (size_t i = SETTING_FIRST_PARAMETER; i < it->setting_count; i++)
        scope_get(scope, it->settings[i].name, &it->settings[i].value);
}

/* The ranking, and in the remarks what was left out. */
static int rank_study(struct explorer *it, struct study *study, struct error *error)
{
    size_t size;
    FILE *remarks = memory_stream(&it->remarks, &size);
    const int status = ranking_make(&it->ranking, study, &it->program->candidates, remarks, error);
    if (remarks)
        memory_stream_end(remarks);
    return status;
}

static int rank(struct explorer *it, struct error *error)
{
    char *definitions[SETTINGS_MOST] = {0};
    struct study study;
    const size_t count = define(it, definitions);
    int status = study_make(&study, &it->machines[it->machine], it->program,
                            it->settings[SETTING_PROCESSORS].value,
                            (const char *const *)definitions, count, error);
    if (status == 0) {
        read_values(it, study.scope);
        status = rank_study(it, &study, error);
        study_free(&study);
    }
    for (size_t i = 0; i < count; i++)
        free(definitions[i]);
    return status;
}

static void rank_again(struct explorer *it)
{
    struct error error;
    char line[800];
    forget(it);
    it->message[0] = '\0';
    if (rank(it, &error) == 0) {
        it->ranked = true;
        return;
    }
    snprintf(it->message, sizeof it->message, "%s", error_line(&error, line, sizeof line));
}

/* ---- making ---- */

static int add_settings(struct explorer *it, double processors, struct error *error)
{
    const struct parameter *parameters = it->program->parameters.items;
    const size_t count = it->program->parameters.count;
    if (count + SETTING_FIRST_PARAMETER > SETTINGS_MOST)
        return error_set(error, "%s has %zu parameters: at most %d can be explored",
                         it->program->path, count, SETTINGS_MOST - SETTING_FIRST_PARAMETER);
    it->settings[SETTING_MACHINE] = (struct setting){.name = "machine"};
    it->settings[SETTING_PROCESSORS] = (struct setting){.name = "p", .value = processors};
    it->setting_count = SETTING_FIRST_PARAMETER;
    for (size_t i = 0; i < count; i++)
        it->settings[it->setting_count++] = (struct setting){.name = parameters[i].name};
    return 0;
}

static int apply(struct explorer *it, const char *const *definitions, size_t count,
                 struct error *error)
{
    struct scope *scope = program_scope(it->program, definitions, count,
                                        it->settings[SETTING_PROCESSORS].value, error);
    if (!scope)
        return -1;
    read_values(it, scope);
    scope_free(scope);
    for (size_t i = SETTING_FIRST_PARAMETER; i < it->setting_count; i++)
        for (size_t k = 0; k < count; k++) {
            const size_t length = strcspn(definitions[k], "=");
            it->settings[i].changed |= strlen(it->settings[i].name) == length &&
                                       strncmp(it->settings[i].name, definitions[k], length) == 0;
        }
    return 0;
}

int explorer_make(struct explorer *explorer, const struct machine *machines, size_t machine_count,
                  const struct program *program, double processors, const char *const *definitions,
                  size_t definition_count, struct error *error)
{
    *explorer = (struct explorer){.machines = machines,
                                  .machine_count = machine_count,
                                  .program = program,
                                  .number = 1,
                                  .of = 1,
                                  .focus = SETTING_PROCESSORS};
    if (add_settings(explorer, processors, error) != 0 ||
        apply(explorer, definitions, definition_count, error) != 0)
        return -1;
    rank_again(explorer);
    return 0;
}

void explorer_free(struct explorer *explorer)
{
    forget(explorer);
}

/* ---- acting ---- */

static void set(struct explorer *it, double value)
{
    struct setting *setting = &it->settings[it->focus];
    if (it->focus == SETTING_PROCESSORS)
        value = fmax(1.0, floor(value));
    if (!isfinite(value) || fabs(value) > 1e15)
        return;
    setting->value = value;
    setting->changed = true;
    rank_again(it);
}

static void set_machine(struct explorer *it, size_t step)
{
    it->machine = (it->machine + step) % it->machine_count;
    rank_again(it);
}

/* A whole number stays one. */
static double half(double value)
{
    return value == floor(value) ? trunc(value / 2.0) : value / 2.0;
}

static void change(struct explorer *it, enum explorer_action action)
{
    const double value = it->settings[it->focus].value;
    const bool back = action == EXPLORER_LESS || action == EXPLORER_ONE_LESS;
    it->typed[0] = '\0';
    if (it->focus == SETTING_MACHINE)
        set_machine(it, back ? it->machine_count - 1 : 1);
    else if (action == EXPLORER_LESS || action == EXPLORER_MORE)
        set(it, back ? half(value) : 2.0 * value);
    else
        set(it, back ? value - 1.0 : value + 1.0);
}

static void move(struct explorer *it, size_t step)
{
    it->typed[0] = '\0';
    it->focus = (it->focus + step) % it->setting_count;
}

static void accept(struct explorer *it)
{
    double value;
    if (it->typed[0] && number_parse(it->typed, &value) && it->focus != SETTING_MACHINE)
        set(it, value);
    it->typed[0] = '\0';
}

void explorer_act(struct explorer *explorer, enum explorer_action action)
{
    const size_t candidates = explorer->program->candidates.count;
    const size_t length = strlen(explorer->typed);
    switch (action) {
    case EXPLORER_NONE:
        break;
    case EXPLORER_UP:
        move(explorer, explorer->setting_count - 1);
        break;
    case EXPLORER_DOWN:
        move(explorer, 1);
        break;
    case EXPLORER_LESS:
    case EXPLORER_MORE:
    case EXPLORER_ONE_LESS:
    case EXPLORER_ONE_MORE:
        change(explorer, action);
        break;
    case EXPLORER_NEXT_CANDIDATE:
        explorer->candidate = (explorer->candidate + 1) % candidates;
        break;
    case EXPLORER_PREVIOUS_CANDIDATE:
        explorer->candidate = (explorer->candidate + candidates - 1) % candidates;
        break;
    case EXPLORER_ACCEPT:
        accept(explorer);
        break;
    case EXPLORER_ERASE:
        if (length > 0)
            explorer->typed[length - 1] = '\0';
        break;
    case EXPLORER_CANCEL:
        explorer->typed[0] = '\0';
        break;
    }
}

void explorer_type(struct explorer *explorer, char character)
{
    const size_t length = strlen(explorer->typed);
    if (explorer->focus == SETTING_MACHINE || length + 1 >= TYPED_MOST)
        return;
    explorer->typed[length] = character;
    explorer->typed[length + 1] = '\0';
}
