#include "estimator/commands/observed.h"

#include "forecast/predict/study.h"
#include "model/base/allocation.h"
#include "model/base/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the text says ---- */

/* "CANDIDATE:P:TIME[:TIME][,NAME=VALUE...]", cut apart. */
struct observed {
    char *text; /* owned; the others point into it */
    const char *candidate;
    double processors, total_us, communicate_us; /* NAN: not told */
    const char *definitions[OPTIONS_ARGUMENTS];
    size_t definition_count;
};

/* "66ms". A number without a unit could be any. */
static bool read_time(const char *text, double *time_us)
{
    static const struct {
        const char *name;
        double us;
    } units[] = {
        {"us", 1  },
        {"ms", 1e3},
        {"s",  1e6}
    };
    char *end;
    const double number = strtod(text, &end);
    for (size_t i = 0; end > text && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0) {
            *time_us = number * units[i].us;
            return isfinite(*time_us) && *time_us >= 0.0;
        }
    return false;
}

/* Cuts at the last colons, as many as there are times and a number: a candidate's name may have
   others. false: it is none. */
static bool cut(struct observed *it)
{
    char *comma = strchr(it->text, ',');
    for (char *next; comma; comma = next) {
        *comma++ = '\0';
        next = strchr(comma, ',');
        if (it->definition_count == OPTIONS_ARGUMENTS)
            return false;
        it->definitions[it->definition_count++] = comma;
    }
    double times_us[2];
    size_t times = 0;
    char *colon;
    while (times < 2 && (colon = strrchr(it->text, ':')) != NULL &&
           read_time(colon + 1, &times_us[times])) {
        *colon = '\0';
        times++;
    }
    if (times == 0 || !(colon = strrchr(it->text, ':')))
        return false;
    *colon = '\0';
    it->total_us = times_us[times - 1];
    it->communicate_us = times == 2 ? times_us[0] : (double)NAN;
    it->candidate = it->text;
    return number_parse(colon + 1, &it->processors) && it->processors >= 1.0 &&
           it->processors == floor(it->processors) && it->total_us > 0.0 &&
           !(it->communicate_us > it->total_us);
}

/* Those of the command line that the text does not say anew; each has one value. */
static int add_others(struct observed *it, const struct options *options, struct error *error)
{
    for (size_t i = 0; i < options->definition_count; i++) {
        const char *definition = options->definitions[i];
        const size_t length = strcspn(definition, "=") + 1;
        bool is_said = false;
        double value;
        for (size_t k = 0; k < it->definition_count; k++)
            is_said |= strncmp(it->definitions[k], definition, length) == 0;
        if (is_said)
            continue;
        if (!number_parse_bytes(definition + length, &value))
            return error_set(error,
                             "--measured: %.60s has several values: say which one was measured: "
                             "--measured=%.60s,%.*s=NUMBER",
                             definition, options->observed, (int)length - 1, definition);
        if (it->definition_count < OPTIONS_ARGUMENTS)
            it->definitions[it->definition_count++] = definition;
    }
    return 0;
}

/* ---- the prediction of the run ---- */

static const char *time_text(double time_us, char text[40])
{
    snprintf(text, 40, "%.3g %s",
             time_us >= 1e6   ? 1e-6 * time_us
             : time_us >= 1e3 ? 1e-3 * time_us
                              : time_us,
             time_us >= 1e6   ? "s"
             : time_us >= 1e3 ? "ms"
                              : "us");
    return text;
}

static void say(const struct observed *it, const struct anchor *anchor,
                const struct segment_prediction *run)
{
    char measured[40], predicted[40];
    char *name = printable(it->candidate);
    fprintf(stderr,
            "estimator: remark: %s at p = %.0f took %s, where the model says %s: computation is "
            "taken %.3g times, communication %.3g times as long\n",
            name, it->processors, time_text(it->total_us, measured),
            time_text(run->total_us, predicted), anchor->compute, anchor->communicate);
    free(name);
}

static int predict_run(struct anchor *anchor, const struct observed *it,
                       const struct program *program, const struct machine *machine,
                       struct error *error)
{
    const struct candidate *candidate = program_choose(program, it->candidate, error);
    struct study study;
    struct prediction prediction;
    if (!candidate || study_make(&study, machine, program, it->processors, it->definitions,
                                 it->definition_count, error) != 0)
        return -1;
    int status = study_predict(&study, candidate, &prediction, error) == 0 ? 0 : -1;
    if (status == 0) {
        status = anchor_make(anchor, &prediction.whole, it->total_us, it->communicate_us, error);
        if (status == 0)
            say(it, anchor, &prediction.whole);
        prediction_free(&prediction);
    }
    study_free(&study);
    return status;
}

int observed_take(struct anchor *anchor, const struct options *options,
                  const struct program *program, struct machine *machine, struct error *error)
{
    if (!options->observed)
        return 0;
    struct observed it = {.text = memory_copy_text(options->observed)};
    int status = cut(&it) ? add_others(&it, options, error)
                          : error_set(error,
                                      "--measured is '%.80s': expected CANDIDATE:P:TIME, such as "
                                      "rows:2:66ms, with us, ms or s",
                                      options->observed);
    if (status == 0)
        status = predict_run(anchor, &it, program, machine, error);
    if (status == 0)
        machine->anchor = anchor;
    free(it.text);
    return status;
}
