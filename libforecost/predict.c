/* Predictions of one candidate. */
#include "forecast/predict/study.h"
#include "libforecost/call.h"
#include "libforecost/handles.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

struct forecost_prediction {
    size_t count;                    /* of segments */
    struct forecost_times *segments; /* owned */
    struct forecost_times whole;
};

struct forecost_times times_of(const struct segment_prediction *segment)
{
    const unsigned unknown =
        cost_interval_flag(segment->total_us, segment->low_us, segment->high_us);
    return (struct forecost_times){.segment = memory_copy_text(segment->name),
                                   .compute_us = segment->compute_us,
                                   .communicate_us = segment->communicate_us,
                                   .total_us = segment->total_us,
                                   .low_us = unknown ? (double)NAN : segment->low_us,
                                   .high_us = unknown ? (double)NAN : segment->high_us,
                                   .limit = memory_copy_text(segment->limit),
                                   .flags = segment_flags(segment)};
}

void times_free(const struct forecost_times *times)
{
    free((char *)times->segment);
    free((char *)times->limit);
}

/* ---- predicting ---- */

struct predicting {
    const struct forecost_machine *machine;
    const struct forecost_program *program;
    const char *candidate;
    double processors;
    const char *const *definitions;
    struct forecost_prediction *prediction; /* what comes out */
};

static struct forecost_prediction *prediction_of(const struct prediction *made)
{
    const struct segment_prediction *segments = made->segments.items;
    struct forecost_prediction *it = memory_new(1, sizeof *it);
    it->count = made->segments.count;
    it->segments = memory_new(it->count, sizeof *it->segments);
    for (size_t i = 0; i < it->count; i++)
        it->segments[i] = times_of(&segments[i]);
    it->whole = times_of(&made->whole);
    return it;
}

static int predict(void *state, struct error *error)
{
    struct predicting *it = state;
    struct program_view view;
    struct study study;
    struct prediction made;
    double processors;
    program_view_begin(&view, it->program);
    const struct candidate *candidate = program_choose(&view.program, it->candidate, error);
    if (!candidate || call_check_definitions(it->definitions, error) != 0 ||
        call_processors(&it->machine->table, it->processors, &processors, error) != 0 ||
        study_make(&study, &it->machine->table, &view.program, processors, it->definitions,
                   call_count(it->definitions), error) != 0)
        return -1;
    const int status = study_predict(&study, candidate, &made, error);
    if (status == 0) {
        it->prediction = prediction_of(&made);
        prediction_free(&made);
    }
    study_free(&study);
    return status;
}

enum forecost_status forecost_predict(struct forecost_prediction **prediction,
                                      const struct forecost_machine *machine,
                                      const struct forecost_program *program, const char *candidate,
                                      double processors, const char *const *definitions,
                                      struct forecost_error *error)
{
    struct predicting it = {.machine = machine,
                            .program = program,
                            .candidate = candidate,
                            .processors = processors,
                            .definitions = definitions};
    const enum forecost_status status = call_body_of(predict, &it, error);
    *prediction = status == FORECOST_DONE ? it.prediction : NULL;
    return status;
}

void forecost_prediction_free(struct forecost_prediction *prediction)
{
    if (!prediction)
        return;
    for (size_t i = 0; i < prediction->count; i++)
        times_free(&prediction->segments[i]);
    times_free(&prediction->whole);
    free(prediction->segments);
    free(prediction);
}

const struct forecost_times *forecost_prediction_segment(
    const struct forecost_prediction *prediction, size_t number)
{
    return number < prediction->count ? &prediction->segments[number] : NULL;
}

const struct forecost_times *forecost_prediction_whole(const struct forecost_prediction *prediction)
{
    return &prediction->whole;
}
