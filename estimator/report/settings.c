#include "estimator/report/settings.h"

#include "estimator/output/json.h"
#include "estimator/output/verdict.h"
#include "estimator/report/texts.h"
#include "forecast/rank/ranking.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where nobody says: the processor counts go at least so far, a parameter so many doublings to
   either side. */
enum { PROCESSORS_LEAST_MOST = 16, PROCESSORS_MOST = 1 << 20, DOUBLINGS = 3 };

/* ---- the settings ---- */

static void add_value(struct number_list *list, double value)
{
    list->values = memory_grow(list->values, list->count + 1, sizeof *list->values);
    list->values[list->count++] = value;
}

static void copy_list(struct number_list *to, const struct number_list *from)
{
    for (size_t i = 0; i < from->count; i++)
        add_value(to, from->values[i]);
}

/* Powers of two up to what the largest machine has, and that number itself. */
static void choose_processors(struct settings *grid)
{
    double most = PROCESSORS_LEAST_MOST;
    for (size_t i = 0; i < grid->machine_count; i++)
        if (grid->machines[i].machine.processors > most)
            most = fmin(grid->machines[i].machine.processors, PROCESSORS_MOST);
    double p = 1.0;
    for (; p <= most; p *= 2.0)
        add_value(&grid->processors, p);
    if (p / 2.0 < most)
        add_value(&grid->processors, most);
}

static bool is_extent(const struct program *program, const char *name)
{
    const struct array *arrays = program->arrays.items;
    for (size_t i = 0; i < program->arrays.count; i++) {
        const struct formula *extents = arrays[i].extent.items;
        for (size_t k = 0; k < arrays[i].extent.count; k++)
            if (expression_names(extents[k].value, name))
                return true;
    }
    return false;
}

static bool is_set(const struct axes *axes, const char *name)
{
    for (size_t i = 0; i < axes->count; i++)
        if (strcmp(axes->items[i].name, name) == 0)
            return true;
    return false;
}

/* The value of a parameter that says how large an array is, and that nobody has set; NAN: it is
   none. */
static double size_of(const struct settings *grid, const struct parameter *parameter)
{
    double value;
    return parameter->value.text && number_parse_bytes(parameter->value.text, &value) &&
                   is_extent(grid->program, parameter->name) &&
                   !is_set(&grid->axes, parameter->name)
               ? value
               : (double)NAN;
}

static void step_through(struct settings *grid, const char *name, double value)
{
    struct sweep_axis *axis = &grid->axes.items[grid->axes.count++];
    *axis = (struct sweep_axis){.name = memory_copy_text(name)};
    for (int doubling = -DOUBLINGS; doubling <= DOUBLINGS; doubling++) {
        const double other = value * exp2(doubling);
        if (other >= 1.0 && other == floor(other))
            add_value(&axis->values, other);
    }
}

static void choose_parameter(struct settings *grid)
{
    const struct parameter *parameters = grid->program->parameters.items;
    for (size_t i = 0; i < grid->program->parameters.count; i++)
        if (size_of(grid, &parameters[i]) > 0.0) {
            step_through(grid, parameters[i].name, size_of(grid, &parameters[i]));
            return;
        }
}

static bool is_stepped(const struct axes *axes)
{
    for (size_t i = 0; i < axes->count; i++)
        if (axes->items[i].values.count > 1)
            return true;
    return false;
}

static int check_size(const struct settings *grid, struct error *error)
{
    double points = (double)grid->machine_count * (double)grid->processors.count;
    for (size_t i = 0; i < grid->axes.count; i++)
        points *= (double)grid->axes.items[i].values.count;
    return points <= SETTINGS_MOST
               ? 0
               : error_set(error,
                           "the page would have %.0f settings: expected %d at most; give shorter "
                           "lists with -p and -D",
                           points, SETTINGS_MOST);
}

int settings_make(struct settings *grid, const struct options *options,
                  const struct machine *machines, size_t machine_count,
                  const struct program *program, struct error *error)
{
    *grid =
        (struct settings){.machines = machines, .machine_count = machine_count, .program = program};
    if (axes_read(&grid->axes, options, program, error) != 0)
        return -1;
    if (options->processors.count > 0)
        copy_list(&grid->processors, &options->processors);
    else if (grid->axes.processors.count > 0)
        copy_list(&grid->processors, &grid->axes.processors);
    else
        choose_processors(grid);
    if (!is_stepped(&grid->axes) && grid->axes.count < PARAMETERS_MOST)
        choose_parameter(grid);
    return check_size(grid, error);
}

void settings_free(struct settings *grid)
{
    number_list_free(&grid->processors);
    axes_free(&grid->axes);
}

/* ---- a cell ---- */

struct writer {
    FILE *json;
    struct texts texts;
    struct error *error;
};

static void write_item(struct writer *writer, const struct item *item)
{
    fprintf(writer->json, "[%zu,", texts_number(&writer->texts, item->what));
    json_number(writer->json, item->time_us);
    fprintf(writer->json, ",%zu,%d]", texts_number(&writer->texts, item->resource), item->computes);
}

static void write_segment(struct writer *writer, const struct segment_prediction *segment)
{
    const struct item *items = segment->items.items;
    fprintf(writer->json, "[%zu,", texts_number(&writer->texts, segment->name));
    json_number(writer->json, segment->compute_us);
    putc(',', writer->json);
    json_number(writer->json, segment->communicate_us);
    fputs(",[", writer->json);
    for (size_t i = 0; i < segment->items.count; i++) {
        fputs(i > 0 ? "," : "", writer->json);
        write_item(writer, &items[i]);
    }
    fputs("]]", writer->json);
}

static void write_row(struct writer *writer, const struct ranking *ranking,
                      const struct ranked *ranked, const struct program *program)
{
    const struct segment_prediction *whole = &ranked->prediction.whole;
    const struct segment_prediction *segments = ranked->prediction.segments.items;
    const double numbers[] = {
        whole->total_us,       whole->low_us,
        whole->high_us,        whole->compute_us,
        whole->communicate_us, ranking->no_odds ? (double)NAN : ranked->odds.best};
    char flags[COST_FLAGS_TEXT];
    fprintf(writer->json, "{\"candidate\":%td,\"rank\":%zu,\"numbers\":[",
            ranked->candidate - (const struct candidate *)program->candidates.items, ranked->rank);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fputs(i > 0 ? "," : "", writer->json);
        json_number(writer->json, numbers[i]);
    }
    fprintf(writer->json, "],\"flags\":%zu,\"segments\":[",
            texts_number(&writer->texts, cost_flags_print(segment_flags(whole), flags)));
    for (size_t i = 0; i < ranked->prediction.segments.count; i++) {
        fputs(i > 0 ? "," : "", writer->json);
        write_segment(writer, &segments[i]);
    }
    fputs("]}", writer->json);
}

/* The number among the texts of what a function prints on the stream that this gives it. */
struct printed {
    char *text;
    size_t size;
    FILE *stream;
};

static void printed_begin(struct printed *printed)
{
    printed->stream = memory_stream(&printed->text, &printed->size);
}

static size_t printed_number(struct printed *printed, struct writer *writer)
{
    memory_stream_end(printed->stream);
    const size_t number = texts_number(&writer->texts, printed->text);
    free(printed->text);
    return number;
}

static void write_ranking(struct writer *writer, const struct ranking *ranking,
                          const struct program *program, struct printed *left_out)
{
    struct printed verdict;
    printed_begin(&verdict);
    verdict_print(ranking, verdict.stream);
    fprintf(writer->json, "{\"verdict\":%zu,", printed_number(&verdict, writer));
    fprintf(writer->json, "\"left_out\":%zu,\"rows\":[", printed_number(left_out, writer));
    for (size_t i = 0; i < ranking->count; i++) {
        fputs(i > 0 ? "," : "", writer->json);
        write_row(writer, ranking, &ranking->items[i], program);
    }
    fputs("]}", writer->json);
}

/* What has no answer says why; none of the candidates fits, or the table lacks something. */
static void write_why(struct writer *writer, const char *why)
{
    fprintf(writer->json, "{\"why\":%zu}", texts_number(&writer->texts, why));
}

static int write_study(struct writer *writer, struct study *study)
{
    const struct program *program = study->program;
    struct ranking ranking;
    struct printed left_out;
    char line[800];
    printed_begin(&left_out);
    if (ranking_make(&ranking, study, &program->candidates, left_out.stream, writer->error) != 0) {
        (void)printed_number(&left_out, writer);
        if (!writer->error->is_particular)
            return -1;
        write_why(writer, error_line(writer->error, line, sizeof line));
        return 0;
    }
    if (ranking.count > 0) {
        write_ranking(writer, &ranking, program, &left_out);
    } else {
        const size_t why = printed_number(&left_out, writer);
        fprintf(writer->json, "{\"why\":%zu}", why);
    }
    ranking_free(&ranking);
    return 0;
}

static int write_cell(struct writer *writer, const struct settings *grid, size_t machine,
                      double processors)
{
    char *definitions[PARAMETERS_MOST] = {0};
    struct study study;
    axes_define(&grid->axes, definitions);
    int status = study_make(&study, &grid->machines[machine], grid->program, processors,
                            (const char *const *)definitions, grid->axes.count, writer->error);
    for (size_t i = 0; i < grid->axes.count; i++)
        free(definitions[i]);
    if (status != 0)
        return -1;
    status = write_study(writer, &study);
    study_free(&study);
    return status;
}

/* ---- the whole ---- */

static void write_numbers(const char *name, const struct number_list *list, FILE *json)
{
    char number[NUMBER_TEXT];
    fputs(",{\"name\":", json);
    json_text(json, name);
    fputs(",\"values\":[", json);
    for (size_t i = 0; i < list->count; i++)
        fprintf(json, "%s%s", i > 0 ? "," : "", number_print(list->values[i], number));
    fputs("]}", json);
}

static void write_axes(const struct settings *grid, FILE *json)
{
    fputs("{\"axes\":[{\"name\":\"machine\",\"values\":[", json);
    for (size_t i = 0; i < grid->machine_count; i++) {
        fputs(i > 0 ? "," : "", json);
        json_text(json, grid->machines[i].machine.name);
    }
    fputs("]}", json);
    write_numbers("p", &grid->processors, json);
    for (size_t i = 0; i < grid->axes.count; i++)
        write_numbers(grid->axes.items[i].name, &grid->axes.items[i].values, json);
    fputs("],\n\"candidates\":[", json);
    const struct candidate *candidates = grid->program->candidates.items;
    for (size_t i = 0; i < grid->program->candidates.count; i++) {
        fputs(i > 0 ? "," : "", json);
        json_text(json, candidates[i].name);
    }
    fputs("],\n\"cells\":[\n", json);
}

static int write_cells(struct settings *grid, struct writer *writer)
{
    bool first = true;
    for (size_t i = 0; i < grid->machine_count; i++)
        for (size_t k = 0; k < grid->processors.count; k++)
            do {
                fputs(first ? "" : ",\n", writer->json);
                first = false;
                if (write_cell(writer, grid, i, grid->processors.values[k]) != 0)
                    return -1;
            } while (axes_next(&grid->axes));
    return 0;
}

int settings_write(struct settings *grid, FILE *json, struct error *error)
{
    struct writer writer = {.json = json, .error = error};
    write_axes(grid, json);
    const int status = write_cells(grid, &writer);
    fputs("],\n\"texts\":", json);
    texts_write(&writer.texts, json);
    fputs("}\n", json);
    texts_free(&writer.texts);
    return status;
}
