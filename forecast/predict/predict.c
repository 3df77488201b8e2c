#include "forecast/predict/predict.h"

#include "forecast/predict/anchor.h"
#include "forecast/predict/communication.h"
#include "forecast/predict/first_messages.h"
#include "forecast/predict/measured_time.h"
#include "forecast/predict/overlapping.h"
#include "forecast/predict/pipelines.h"
#include "forecast/predict/waiting.h"
#include "model/base/allocation.h"
#include "model/segment/traffic/fill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct record segment_record = {
    .name = "a segment", .size = sizeof(struct segment_prediction), .place_offset = NO_PLACE};

/* What a prediction of one candidate carries along. */
struct predicting {
    const struct machine *machine;
    const struct subject *subject;
    const struct computing *computing;
    const struct schedule *schedule;
    struct prediction *prediction;
    double longest_us;
};

/* ---- computation ---- */

/* The names of the statements of a row. */
static void name_row(struct item *item, const struct work *works, size_t count)
{
    size_t used = 0;
    item->what[0] = '\0';
    for (size_t i = 0; i < count && used < sizeof item->what; i++)
        used += (size_t)snprintf(item->what + used, sizeof item->what - used, "%s%s", i ? ", " : "",
                                 works[i].statement->name ? works[i].statement->name : "statement");
}

/* A name that is misspelt would go unnoticed: all kinds of loops together answer for it. A table
   that knows no kind says nothing of any. */
static void say_unknown_kernel(struct item *item, const struct node *node, const char *kernel)
{
    const size_t used = strlen(item->what);
    if (kernel && node && node->compiled.kernels.count > 0 && !node_kernel(node, kernel))
        snprintf(item->what + used, sizeof item->what - used, " (no kernel %.40s in the table)",
                 kernel);
}

static void place_row(struct item *item, const struct program *program, const struct work *works,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        origins_list(program->origins, works[i].statement->place, item->at, sizeof item->at);
}

/* iterations: of the processor that the phase waits for. */
static struct item *add_row(struct segment_prediction *segment, const struct row *row,
                            const struct node *node, const struct work *works, double iterations,
                            double repeat)
{
    struct item *item = segment_add_item(segment);
    name_row(item, works, row->count);
    say_unknown_kernel(item, node, works->statement->kernel);
    snprintf(item->resource, sizeof item->resource, "%s", row->limit);
    item->computes = true;
    item->flags = row->flags;
    item->pipeline = works->pipeline;
    item->times = iterations * repeat;
    item->each_us = row->each_us;
    item->time_us = item->times * row->each_us;
    uncertain_add_spread(&segment->uncertain, row->spread, item->time_us);
    const bool at_bound = row->spread == 0.0 && item->time_us > 0.0;
    segment->at_bound |= at_bound;
    segment->no_error |= at_bound;
    item->low_us = item->time_us / uncertain_factor_of(row->spread);
    item->high_us = item->time_us * uncertain_factor_of(row->spread);
    item->bytes = item->bytes_least = item->processors = NAN;
    segment->mean_us += works->iterations_mean * repeat * row->each_us;
    return item;
}

/* How often a processor executes a row. Of statements in a row that run in different places each
   has the share that it has in their operations. */
static double row_iterations(const struct row *row, const struct work *works, size_t processor)
{
    double all = 0.0, sum = 0.0;
    if (!works->iterations)
        return works->iterations_most;
    for (size_t i = 0; i < row->count; i++)
        for (int k = 0; k < OPERATION_COUNT; k++)
            all += works[i].statement->operations.of[k];
    if (all == 0.0)
        return works->iterations[processor];
    for (size_t i = 0; i < row->count; i++) {
        double share = 0.0;
        for (int k = 0; k < OPERATION_COUNT; k++)
            share += works[i].statement->operations.of[k] / all;
        sum += share *
               (works[i].iterations ? works[i].iterations[processor] : works[i].iterations_most);
    }
    return sum;
}

/* The rows of a phase, which nobody waits within, and the works that they begin with. */
struct phase_rows {
    const struct row *rows;
    const struct work *works;
    size_t count; /* of rows */
};

/* The first of the processors that have most to do in the phase. */
static size_t busiest_of(const struct phase_rows *phase, size_t processors)
{
    size_t busiest = 0;
    double most_us = -1.0;
    for (size_t q = 0; q < processors; q++) {
        const struct work *works = phase->works;
        double sum_us = 0.0;
        for (size_t i = 0; i < phase->count; works += phase->rows[i++].count)
            sum_us += phase->rows[i].each_us * row_iterations(&phase->rows[i], works, q);
        if (sum_us > most_us * (1.0 + 1e-12)) {
            most_us = sum_us;
            busiest = q;
        }
    }
    return busiest;
}

static int add_work(struct segment_prediction *segment, const struct program *program,
                    const struct computing *computing, const struct segment *described,
                    const struct analysis *analysis, size_t processors, struct error *error)
{
    const struct work *works = analysis->work.items;
    const size_t count = analysis->work.count;
    struct row *rows = memory_new(count, sizeof *rows);
    int status = 0;
    for (size_t from = 0, end; from < count && status == 0; from = end) {
        struct phase_rows phase = {rows, works + from, 0};
        for (end = from; end < count && works[end].phase == works[from].phase && status == 0;
             end += rows[phase.count++].count)
            status = computing_row(&rows[phase.count], computing, described, analysis, end, error);
        if (status != 0)
            break;
        const size_t busiest = works[from].iterations ? busiest_of(&phase, processors) : 0;
        segment->waits_together |= works[from].iterations != NULL || works[from].is_in_turns;
        for (size_t i = 0, at = from; i < phase.count; at += rows[i++].count) {
            struct item *item =
                add_row(segment, &rows[i], computing->machine->node, &works[at],
                        row_iterations(&rows[i], &works[at], busiest), analysis->repeat);
            place_row(item, program, &works[at], rows[i].count);
        }
    }
    free(rows);
    return status;
}

/* ---- sums ---- */

/* No overlap: total = compute + communicate. */
static void set_interval(struct segment_prediction *segment)
{
    const double factor = uncertain_factor(&segment->uncertain, segment->total_us);
    segment->low_us = segment->total_us / factor;
    segment->high_us = segment->total_us * factor;
}

static void sum_up(struct segment_prediction *segment)
{
    const struct item *items = segment->items.items;
    double longest_us = -1.0;
    for (size_t i = 0; i < segment->items.count; i++) {
        *(items[i].computes ? &segment->compute_us : &segment->communicate_us) += items[i].time_us;
        segment->flags |= items[i].flags;
        if (items[i].time_us > longest_us) {
            longest_us = items[i].time_us;
            memcpy(segment->limit, items[i].resource, sizeof segment->limit);
        }
    }
    segment->total_us = segment->compute_us + segment->communicate_us;
    set_interval(segment);
    segment->imbalance = segment->mean_us > 0.0 ? segment->compute_us / segment->mean_us : 1.0;
}

static void add_to_whole(struct predicting *it, const struct segment_prediction *segment)
{
    struct segment_prediction *whole = &it->prediction->whole;
    whole->compute_us += segment->compute_us;
    whole->communicate_us += segment->communicate_us;
    whole->total_us += segment->total_us;
    uncertain_add_all(&whole->uncertain, &segment->uncertain);
    whole->flags |= segment->flags;
    whole->no_error |= segment->no_error;
    whole->at_bound |= segment->at_bound;
    if (segment->total_us > it->longest_us) {
        it->longest_us = segment->total_us;
        memcpy(whole->limit, segment->limit, sizeof whole->limit);
    }
}

/* Numbers whose product is beyond what a double holds would be printed as nothing at all. */
static int check_finite(const struct segment_prediction *segment, struct place place,
                        struct error *error)
{
    return isfinite(segment->total_us)
               ? 0
               : error_particular_at(error, place,
                                     "it has no finite time: repeated too often, or of too much");
}

static int finish(struct segment_prediction *segment, struct error *error)
{
    sum_up(segment);
    return check_finite(segment, segment->place, error);
}

/* ---- the whole ---- */

static struct segment_prediction *add_segment(struct predicting *it, const char *name)
{
    struct segment_prediction *segment = list_add(&segment_record, &it->prediction->segments);
    snprintf(segment->name, sizeof segment->name, "%s", name);
    return segment;
}

static int fill_segment(struct segment_prediction *segment, const struct machine *machine,
                        const struct computing *computing, const struct subject *subject,
                        size_t number, const struct layout *layout, struct error *error)
{
    const struct segment *described =
        (const struct segment *)subject->program->segments.items + number;
    struct analysis analysis;
    if (analysis_make(&analysis, subject, number, layout, error) != 0)
        return -1;
    segment->flags |= (analysis.is_not_known ? (unsigned)COST_NOT_PRICED : 0) |
                      (analysis.is_beyond ? (unsigned)COST_LAW_BEYOND : 0);
    segment->no_error |= analysis.is_not_known || analysis.is_beyond;
    measured_time_add(segment, machine, described, &analysis);
    int status = add_work(segment, subject->program, computing, described, &analysis,
                          (size_t)layout->processors, error);
    const double touched_bytes = status == 0 ? computing_touched_bytes(computing, described) : 0.0;
    segment->place = program_place(subject->program, described->place);
    segment->rounds = waiting_rounds(machine, &analysis, touched_bytes);
    if (status == 0)
        status = communication_add(segment, machine, &analysis, touched_bytes, error);
    if (status == 0)
        status = pipelines_add(segment, machine, &analysis, error);
    if (status == 0 && described->overlap)
        overlap_communication(segment, machine);
    analysis_free(&analysis);
    if (status != 0 && (described->known.count > 0 || described->only.text)) {
        /* Of a recorded program what can be priced is, and the rest is named. */
        segment->flags |= COST_NOT_PRICED;
        segment->no_error = true;
        return 0;
    }
    if (status != 0)
        return error_particular(error); /* another table has what it takes */
    return 0;
}

static int fill_change(struct segment_prediction *segment, const struct machine *machine,
                       const struct program *program, const struct layout *from,
                       const struct layout *to, struct place place, double times,
                       struct error *error)
{
    struct analysis analysis;
    if (analysis_change(&analysis, program, from, to, place, times, error) != 0)
        return -1;
    segment->place = place;
    segment->rounds = waiting_rounds(machine, &analysis, 0.0);
    const int status = communication_add(segment, machine, &analysis, 0.0, error);
    analysis_free(&analysis);
    return status == 0 ? 0 : error_particular(error);
}

static int fill_filling(struct segment_prediction *segment, const struct machine *machine,
                        const struct program *program, const struct layout *layout,
                        const bool *wanted, struct place place, struct error *error)
{
    struct analysis analysis;
    analysis_fill(&analysis, program, layout, wanted, place);
    segment->place = place;
    segment->rounds = waiting_rounds(machine, &analysis, 0.0);
    const int status = communication_add(segment, machine, &analysis, 0.0, error);
    analysis_free(&analysis);
    return status == 0 ? 0 : error_particular(error);
}

static int predict_filling(struct predicting *it, struct error *error)
{
    const struct program *program = it->subject->program;
    if (!it->schedule->fill)
        return 0;
    bool *given = memory_new(program->arrays.count, sizeof *given);
    struct segment_prediction *segment = add_segment(it, "fill replicated arrays");
    arrays_given(it->subject, given);
    const int status = fill_filling(segment, it->machine, program, schedule_initial(it->schedule),
                                    given, program_place(program, it->schedule->place), error);
    free(given);
    return status;
}

static int predict_segment(struct predicting *it, size_t number, struct error *error)
{
    const struct segment *segments = it->subject->program->segments.items;
    struct segment_prediction *segment = add_segment(it, segments[number].name);
    if (fill_segment(segment, it->machine, it->computing, it->subject, number,
                     &it->schedule->layouts[number], error) != 0)
        return -1;
    return 0;
}

static int predict_changes(struct predicting *it, size_t before, struct error *error)
{
    for (size_t i = 0; i < it->schedule->change_count; i++) {
        const struct change *change = &it->schedule->changes[i];
        if (change->before != before)
            continue;
        struct segment_prediction *segment = add_segment(it, change->name);
        if (fill_change(segment, it->machine, it->subject->program, &change->from, &change->to,
                        change->place, change->times, error) != 0)
            return -1;
    }
    return 0;
}

static void predict_first_touch(struct predicting *it)
{
    const struct schedule *schedule = it->schedule;
    struct segment_prediction touch = {.name = "first touch"};
    double bytes = 0.0;
    if (!it->machine->from_start || it->machine->first_touch.count == 0)
        return;
    for (size_t s = 0; s < schedule->segment_count; s++)
        bytes = fmax(bytes, layout_bytes(&schedule->layouts[s], it->subject->program));
    first_touch_fill(&touch, bytes, it->machine);
    touch.place = program_place(it->subject->program, (struct place){0});
    *add_segment(it, touch.name) = touch;
}

static void predict_first_messages(struct predicting *it)
{
    if (!it->machine->from_start)
        return;
    struct segment_prediction first = {.name = "first messages"};
    first_messages_fill(&first, it->prediction, it->machine);
    struct segment_prediction *segment = add_segment(it, first.name);
    *segment = first;
    segment->place = program_place(it->subject->program, (struct place){0});
}

static int predict_all(struct predicting *it, struct error *error)
{
    const size_t count = it->subject->program->segments.count;
    if (predict_filling(it, error) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (predict_changes(it, i, error) != 0 || predict_segment(it, i, error) != 0)
            return -1;
    if (predict_changes(it, count, error) != 0)
        return -1;
    waiting_add(&it->prediction->segments, it->machine);
    predict_first_touch(it);
    predict_first_messages(it);
    struct segment_prediction *segments = it->prediction->segments.items;
    for (size_t i = 0; i < it->prediction->segments.count; i++) {
        if (it->machine->anchor)
            anchor_apply(it->machine->anchor, &segments[i]);
        if (finish(&segments[i], error) != 0)
            return -1;
        add_to_whole(it, &segments[i]);
    }
    set_interval(&it->prediction->whole);
    return check_finite(&it->prediction->whole,
                        program_place(it->subject->program, (struct place){0}), error);
}

int prediction_make(struct prediction *prediction, const struct machine *machine,
                    const struct subject *subject, const struct computing *computing,
                    const struct schedule *schedule, struct error *error)
{
    struct predicting it = {machine, subject, computing, schedule, prediction, -1.0};
    *prediction = (struct prediction){.whole = {.name = "all"}, .memory_bytes = NAN};
    for (size_t s = 0; s < schedule->segment_count && schedule->fill; s++)
        prediction->memory_bytes =
            fmax(prediction->memory_bytes, layout_bytes(&schedule->layouts[s], subject->program));
    const int status = predict_all(&it, error);
    if (status != 0)
        prediction_free(prediction);
    return status;
}

void prediction_free(struct prediction *prediction)
{
    struct segment_prediction *segments = prediction->segments.items;
    for (size_t i = 0; i < prediction->segments.count; i++)
        segment_prediction_free(&segments[i]);
    uncertainty_free(&prediction->whole.uncertain);
    list_free(&segment_record, &prediction->segments);
}

/* ---- parts on their own ---- */

int segment_predict(struct segment_prediction *segment, const struct machine *machine,
                    const struct computing *computing, const struct subject *subject, size_t number,
                    const struct layout *layout, struct error *error)
{
    *segment = (struct segment_prediction){0};
    if (fill_segment(segment, machine, computing, subject, number, layout, error) == 0 &&
        finish(segment, error) == 0)
        return 0;
    segment_prediction_free(segment);
    return -1;
}

int change_predict(struct segment_prediction *segment, const struct machine *machine,
                   const struct program *program, const struct layout *from,
                   const struct layout *to, struct place place, struct error *error)
{
    *segment = (struct segment_prediction){0};
    if (fill_change(segment, machine, program, from, to, place, 1.0, error) == 0 &&
        finish(segment, error) == 0)
        return 0;
    segment_prediction_free(segment);
    return -1;
}

int fill_predict(struct segment_prediction *segment, const struct machine *machine,
                 const struct program *program, const struct layout *layout, const bool *wanted,
                 struct place place, struct error *error)
{
    *segment = (struct segment_prediction){0};
    if (fill_filling(segment, machine, program, layout, wanted, place, error) == 0 &&
        finish(segment, error) == 0)
        return 0;
    segment_prediction_free(segment);
    return -1;
}
