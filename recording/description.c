#include "recording/description.h"

#include "model/base/allocation.h"
#include "recording/laws.h"
#include "recording/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* constant: how far a law may be off what was recorded, or was held out: 5 %
   a threshold (must-show of the design): beyond it a class is a table of what was recorded. */
static const double within_most = 0.05;

/* constant: share of the computing time from which a class has a time of its own: 2 %
   a threshold: less is what the clock's own reading and interrupts make of it, and follows no law.
 */
static const double own_time_least = 0.02;

/* constant: calls that were not recorded, of all: 5 %
   a threshold of the design: with more of them the recording is refused. */
static const double counted_most = 0.05;

struct describing {
    const struct recording *recordings;
    const struct description_options *options;
    size_t count;
    struct places places;
    struct rows *rows; /* by recording */
    struct settings settings;
    struct laws *laws;
    size_t largest; /* the recording with the most processes */
    FILE *out, *said;
    size_t segments, tables, unknown, ties;
    double all_messages, table_messages;
    double *other_us; /* by recording: computation without a segment of its own */
};

/* ---- settings ---- */

static int check_parameters(const struct recording *recordings, size_t count, struct error *error)
{
    for (size_t s = 1; s < count; s++) {
        bool same = recordings[s].parameter_count == recordings[0].parameter_count;
        for (size_t i = 0; i < recordings[0].parameter_count && same; i++)
            same = strcmp(recordings[s].parameters[i].name, recordings[0].parameters[i].name) == 0;
        if (!same)
            return error_at(error, place_at(recordings[s].path, 4, 0),
                            "expected the same parameters (-D of forecost-record), in the same "
                            "order, as in %.100s",
                            recordings[0].path);
    }
    return 0;
}

static const struct row_class *class_in(const struct describing *it, size_t s, size_t class)
{
    for (size_t c = 0; c < it->rows[s].count; c++)
        if (it->rows[s].classes[c].class == class)
            return &it->rows[s].classes[c];
    return NULL;
}

/* The first grid that calls of every recording of several processes go along. NULL: there is none.
 */
static const struct row *grid_in(const struct describing *it, size_t s)
{
    for (size_t c = 0; c < it->rows[s].count; c++)
        for (size_t k = 0; k < it->rows[s].classes[c].count; k++) {
            const struct row *row = &it->rows[s].classes[c].rows[k];
            if ((row->shape == ROW_GRID || row->shape == ROW_PIPELINE) && row->dimensions > 1)
                return row;
        }
    return NULL;
}

static void find_settings(struct describing *it)
{
    static const char *const sides[] = {"p0", "p1", "p2", "p3"};
    struct settings *settings = &it->settings;
    const struct recording *first = &it->recordings[0];
    size_t dimensions = 0;
    for (size_t s = 0; s < it->count; s++) {
        const struct row *grid = grid_in(it, s);
        const size_t here = grid ? (size_t)grid->dimensions : 0;
        if (it->recordings[s].processes > 1)
            dimensions = here == 0 || here > 4 || (dimensions && dimensions != here) ? 99 : here;
        if (dimensions == 99)
            break;
    }
    settings->side_count = dimensions == 99 ? 0 : dimensions;
    settings->names[settings->name_count++] = "p";
    for (size_t d = 0; d < settings->side_count; d++)
        settings->names[settings->name_count++] = sides[d];
    for (size_t i = 0; i < first->parameter_count && settings->name_count < LAW_NAMES; i++)
        settings->names[settings->name_count++] = first->parameters[i].name;
    settings->count = it->count;
    for (size_t s = 0; s < it->count; s++) {
        double *values = settings->values[s];
        const struct row *grid = grid_in(it, s);
        *values++ = it->recordings[s].processes;
        for (size_t d = 0; d < settings->side_count; d++)
            *values++ = grid ? grid->values[VALUE_SIDE + d] : 1.0;
        for (size_t i = 0; i < first->parameter_count; i++)
            if (1 + settings->side_count + i < LAW_NAMES)
                *values++ = it->recordings[s].parameters[i].value;
        if (it->recordings[s].processes > it->recordings[it->largest].processes)
            it->largest = s;
    }
}

/* ---- one class ---- */

/* What the recordings say of one class; row k of each is the same kind of call. */
struct series {
    size_t class;
    const struct row_class *in[SETTINGS_MOST];
    char at[130];
    size_t row_count;
    const char *reason;              /* why it follows no law; NULL: it does */
    bool is_left_out[SETTINGS_MOST]; /* too few processes for what more of them do */
};

static double value_in(const struct series *series, const struct describing *it, size_t s, size_t k,
                       int value)
{
    const struct row_class *class = series->in[s];
    (void)it;
    return !class || k >= class->count ? 0.0 : class->rows[k].values[value];
}

static const struct row *row_of(const struct series *series, const struct describing *it, size_t k)
{
    const struct row_class *class = series->in[it->largest];
    for (size_t s = it->count; s-- > 0 && !(class && k < class->count);)
        class = series->in[s];
    return &class->rows[k];
}

/* Whether a row may be the same kind of call as that of another recording: a shift of two processes
   is an exchange, or one message. */
static bool is_like(const struct row *a, const struct row *b)
{
    if (a->shape == b->shape)
        return a->pattern == b->pattern && a->dimensions == b->dimensions;
    if (b->shape == ROW_SHIFT)
        return a->shape == ROW_PAIRS ||
               (a->shape == ROW_PIPELINE && a->values[VALUE_STAGES] == 1.0 &&
                a->values[VALUE_PROCESSORS] > 0.0);
    return a->shape == ROW_SHIFT && b->shape == ROW_PAIRS;
}

/* Why two recordings' rows of a class are not the same kinds of calls; NULL: they are. */
static const char *difference(const struct row_class *class, const struct row_class *known)
{
    for (size_t k = 0; k < class->count; k++)
        if (class->rows[k].shape == ROW_UNKNOWN)
            return class->rows[k].reason;
    if (class->count != known->count)
        return "its calls are of more kinds in one recording than in another";
    for (size_t k = 0; k < class->count; k++)
        if (!is_like(&class->rows[k], &known->rows[k]))
            return "it goes on between other processes in one recording than in another";
    return NULL;
}

/* The recording of most processes says what the class is. Where those of the fewest differ, as two
   rows of one process are no grid, the law is that of the others, if these are three at least. */
static void compare_recordings(struct series *series, const struct describing *it)
{
    const struct row_class *known = NULL;
    int least_alike = 0, alike = 0;
    for (size_t s = 0; s < it->count; s++)
        if (series->in[s] && series->in[s]->count > 0 &&
            (!known || it->recordings[s].processes > least_alike)) {
            known = series->in[s];
            least_alike = it->recordings[s].processes;
        }
    series->row_count = known ? known->count : 0;
    for (size_t s = 0; s < it->count && known; s++)
        if (series->in[s] && series->in[s]->count > 0 && !difference(series->in[s], known)) {
            alike++;
            least_alike = it->recordings[s].processes < least_alike ? it->recordings[s].processes
                                                                    : least_alike;
        }
    for (size_t s = 0; s < it->count && known && !series->reason; s++) {
        const struct row_class *class = series->in[s];
        const char *why = class && class->count > 0 ? difference(class, known) : NULL;
        if (why && it->recordings[s].processes < least_alike && alike >= 3)
            series->is_left_out[s] = true;
        else
            series->reason = why;
    }
}

/* ---- laws of a row ---- */

struct row_laws {
    struct law of[VALUES];
    bool is_used[VALUES];
};

/* Whether the row goes along the grid that candidates have. */
static bool is_on_grid(const struct series *series, const struct describing *it, size_t k)
{
    const size_t sides = it->settings.side_count;
    bool is = sides > 0 && (size_t)row_of(series, it, k)->dimensions == sides;
    for (size_t s = 0; s < it->count && is; s++)
        for (size_t d = 0;
             d < sides && !series->is_left_out[s] && value_in(series, it, s, k, VALUE_COUNT) > 0.0;
             d++)
            is &= value_in(series, it, s, k, VALUE_SIDE + (int)d) == it->settings.values[s][1 + d];
    return is;
}

static bool is_needed(enum row_shape shape, int value, int dimensions)
{
    switch (value) {
    case VALUE_COUNT:
        return true;
    case VALUE_BYTES:
        return shape != ROW_GRID && shape != ROW_PIPELINE;
    case VALUE_PROCESSORS:
    case VALUE_APART:
        return shape == ROW_COLLECTIVE || shape == ROW_SHIFT ||
               (shape == ROW_PAIRS && value == VALUE_APART);
    case VALUE_STAGES:
        return shape == ROW_PAIRS || shape == ROW_PIPELINE;
    default:
        return (shape == ROW_GRID || shape == ROW_PIPELINE) &&
               (value - VALUE_SIDE) % RECORDING_GRID < dimensions;
    }
}

/* A recording that has no such calls says that there are 0, and nothing of their size. A side of 1
   has no face. */
static void values_of(const struct series *series, const struct describing *it, size_t k, int value,
                      double *values)
{
    for (size_t s = 0; s < it->count; s++) {
        const double count = value_in(series, it, s, k, VALUE_COUNT);
        values[s] = value_in(series, it, s, k, value);
        if (value == VALUE_STAGES && row_of(series, it, k)->shape == ROW_PAIRS)
            values[s] = exp2(values[s]); /* among so many processes they are: a side, or p */
        if (value != VALUE_COUNT && count == 0.0)
            values[s] = NAN;
        if (value >= VALUE_FACE && values[s] == 0.0)
            values[s] = NAN;
        if (series->is_left_out[s] || (value == VALUE_COUNT && it->recordings[s].processes == 1))
            values[s] = NAN;
    }
}

/* Of how many processor counts a value is known. */
static size_t distinct_p(const struct describing *it, const double *values)
{
    size_t distinct = 0;
    for (size_t s = 0; s < it->count; s++) {
        bool is_first = !isnan(values[s]);
        for (size_t o = 0; o < s && is_first; o++)
            is_first =
                isnan(values[o]) || it->recordings[o].processes != it->recordings[s].processes;
        distinct += is_first ? 1 : 0;
    }
    return distinct;
}

static bool is_of_processes(int value, enum row_shape shape)
{
    return value == VALUE_PROCESSORS || value == VALUE_APART ||
           (value >= VALUE_SIDE && value < VALUE_FACE) ||
           (value == VALUE_STAGES && shape == ROW_PAIRS);
}

static size_t known_settings(const struct series *series, const struct describing *it)
{
    size_t known = 0;
    for (size_t s = 0; s < it->count; s++)
        known += series->is_left_out[s] ? 0 : 1;
    return known;
}

static bool find_laws(struct row_laws *laws, struct series *series, const struct describing *it,
                      size_t k)
{
    const enum row_shape shape = row_of(series, it, k)->shape;
    const struct row *row = row_of(series, it, k);
    static char why[160];
    *laws = (struct row_laws){0};
    for (int value = 0; value < VALUES; value++) {
        double values[SETTINGS_MOST];
        struct law *law = &laws->of[value];
        laws->is_used[value] =
            is_needed(shape, value, row->dimensions) &&
            !(value >= VALUE_SIDE && value < VALUE_FACE && is_on_grid(series, it, k));
        if (!laws->is_used[value])
            continue;
        values_of(series, it, k, value, values);
        if (!laws_find(law, it->laws, values, within_most)) {
            snprintf(why, sizeof why, "no law in p and the parameters is within 5 %%");
            series->reason = why;
            return false;
        }
        if (value == VALUE_STAGES && shape == ROW_PAIRS) {
            char among[LAW_TEXT];
            snprintf(among, sizeof among, "log2(%.200s)", law->text);
            memcpy(law->text, among, sizeof among);
        }
        if (is_of_processes(value, shape)) {
            /* A side of a grid, or all: what else has the same values is a coincidence. */
            law->has_tie &= distinct_p(it, values) < 3;
            if (law->error <= 1e-9)
                law->held_out = NAN;
        }
        if (law->held_out > within_most && known_settings(series, it) < 4) {
            snprintf(why, sizeof why,
                     "%.60s is %.0f %% off the recording that was held out: record more p",
                     law->text, 100.0 * law->held_out);
            series->reason = why;
            return false;
        }
    }
    return true;
}

/* ---- out ---- */

/* series: NULL: of all recordings. */
static void write_known(const struct describing *it, const struct series *series)
{
    const struct settings *settings = &it->settings;
    fputs("    known: {", it->out);
    for (size_t i = 0; i < settings->name_count; i++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t s = 0; s < settings->count; s++) {
            if (series && series->is_left_out[s])
                continue;
            least = fmin(least, settings->values[s][i]);
            most = fmax(most, settings->values[s][i]);
        }
        fprintf(it->out, "%s%s: [%.12g, %.12g]", i ? ", " : "", settings->names[i], least, most);
    }
    fputs("}\n", it->out);
}

static void write_machine(const struct describing *it)
{
    if (it->options->machine)
        fprintf(it->out, ", machine: \"%s\"", it->options->machine);
    if (!isnan(it->options->memory_mb_per_s))
        fprintf(it->out, ", memory_mb_per_s: %.6g", it->options->memory_mb_per_s);
    if (!isnan(it->options->mflops))
        fprintf(it->out, ", mflops: %.6g", it->options->mflops);
}

/* A computing time of all repetitions, by recording, as a law; repeat: how often, a law, or NULL.
 */
static void write_time(struct describing *it, const double *us, const char *repeat)
{
    struct law law;
    laws_of_times(&law, it->laws, us);
    if (repeat)
        fprintf(it->out, "    time: {us: \"%s / max(1, %s)\"", law.text, repeat);
    else
        fprintf(it->out, "    time: {us: \"%s\"", law.text);
    write_machine(it);
    fprintf(it->out, "}   # %.0f %% off on average\n", 100.0 * law.error);
}

/* One value as what was recorded: a chain of conditions. */
static void write_table(const struct describing *it, const struct series *series, size_t k,
                        int value, const char *otherwise)
{
    for (size_t s = 0; s < it->count; s++) {
        fprintf(it->out, "p == %d", it->recordings[s].processes);
        for (size_t i = 1 + it->settings.side_count; i < it->settings.name_count; i++)
            fprintf(it->out, " && %s == %.12g", it->settings.names[i], it->settings.values[s][i]);
        fprintf(it->out, " ? %.12g : ", value_in(series, it, s, k, value));
    }
    fputs(otherwise, it->out);
}

static void write_value(const struct describing *it, const struct series *series, size_t k,
                        int value, const struct row_laws *laws, const char *otherwise)
{
    if (laws)
        fputs(laws->of[value].text, it->out);
    else
        write_table(it, series, k, value, otherwise);
}

static void write_list(const struct describing *it, const struct series *series, size_t k, int from,
                       int count, const struct row_laws *laws)
{
    fputc('[', it->out);
    for (int d = 0; d < count; d++) {
        fprintf(it->out, "%s\"", d ? ", " : "");
        if (from == VALUE_SIDE && laws && !laws->is_used[VALUE_SIDE])
            fprintf(it->out, "p%d", d);
        else
            write_value(it, series, k, from + d, laws, from == VALUE_SIDE ? "1" : "0");
        fputc('"', it->out);
    }
    fputc(']', it->out);
}

static bool is_all(const struct describing *it, const struct series *series, size_t k)
{
    for (size_t s = 0; s < it->count; s++)
        if (value_in(series, it, s, k, VALUE_COUNT) > 0.0 &&
            value_in(series, it, s, k, VALUE_PROCESSORS) != it->recordings[s].processes)
            return false;
    return true;
}

/* The end of a call, with its line in the source, where that is known. */
static void write_at(const struct describing *it, const struct series *series)
{
    if (strchr(series->at, ':'))
        fprintf(it->out, ", at: \"%s\"", series->at);
    fputs("}\n", it->out);
}

/* Whether a shift's ends send to nobody, or receive from nobody: of two processes one message. */
static bool is_open_row(const struct series *series, const struct describing *it, size_t k)
{
    bool is = false;
    for (size_t s = 0; s < it->count; s++)
        is |= series->in[s] && k < series->in[s]->count &&
              series->in[s]->rows[k].shape == ROW_PIPELINE;
    return is;
}

static void write_open_shift(const struct describing *it, const struct series *series, size_t k,
                             const struct row_laws *laws)
{
    static const char *const tests[] = {"> 2", "== 2"};
    for (int way = 0; way < 2; way++) {
        fputs("      - loop: {once: [1, \"(", it->out);
        write_value(it, series, k, VALUE_PROCESSORS, laws, "1");
        fprintf(it->out, ") %s\"]}\n        body:\n          - call: {utility: %s, bytes: \"",
                tests[way], way ? pattern_point_to_point.name : pattern_shift.name);
        write_value(it, series, k, VALUE_BYTES, laws, "0");
        fputs("\", processors: \"", it->out);
        write_value(it, series, k, VALUE_PROCESSORS, laws, "p");
        fputs("\", apart: \"", it->out);
        write_value(it, series, k, VALUE_APART, laws, "1");
        fputc('"', it->out);
        write_at(it, series);
    }
}

/* The call of a row; a loop about it where it has several stages. */
static void write_call(const struct describing *it, const struct series *series, size_t k,
                       const struct row_laws *laws)
{
    const struct row *row = row_of(series, it, k);
    const char *const blanks = "      ";
    const char *utility = row->pattern              ? row->pattern->name
                          : row->shape == ROW_PAIRS ? pattern_exchange.name
                          : row->shape == ROW_SHIFT ? pattern_shift.name
                                                    : pattern_point_to_point.name;
    bool has_stages = false, is_apart = true;
    for (size_t s = 0; s < it->count; s++) {
        has_stages |= value_in(series, it, s, k, VALUE_STAGES) > 1.0;
        is_apart &= value_in(series, it, s, k, VALUE_COUNT) == 0.0 ||
                    value_in(series, it, s, k, VALUE_APART) > 0.0;
    }
    if (row->shape == ROW_GRID || row->shape == ROW_PIPELINE) {
        fprintf(it->out, "%s- call: {", blanks);
        if (row->shape == ROW_PIPELINE) {
            fputs("pipeline: \"", it->out);
            write_value(it, series, k, VALUE_STAGES, laws, "0");
            fputs("\", ", it->out);
        }
        fputs("grid: ", it->out);
        write_list(it, series, k, VALUE_SIDE, row->dimensions, laws);
        fputs(", faces: ", it->out);
        write_list(it, series, k, VALUE_FACE, row->dimensions, laws);
        fputs(row->around ? ", around: true" : "", it->out);
        write_at(it, series);
        return;
    }
    has_stages &= row->shape == ROW_PAIRS;
    if (row->shape == ROW_SHIFT && is_open_row(series, it, k)) {
        write_open_shift(it, series, k, laws);
        return;
    }
    if (has_stages) {
        fprintf(it->out, "%s- loop: {stage: [1, \"", blanks);
        write_value(it, series, k, VALUE_STAGES, laws, "0");
        fprintf(it->out, "\"]}\n%s  body:\n%s    ", blanks, blanks);
    } else {
        fputs(blanks, it->out);
    }
    fprintf(it->out, "- call: {utility: %s, bytes: \"", utility);
    write_value(it, series, k, VALUE_BYTES, laws, "0");
    fputc('"', it->out);
    if (row->shape == ROW_PAIRS || row->shape == ROW_IN_TURN) {
        fputs(", processors: 2", it->out);
    } else if (!is_all(it, series, k)) {
        fputs(", processors: \"", it->out);
        write_value(it, series, k, VALUE_PROCESSORS, laws, "p");
        fputc('"', it->out);
    }
    if (row->shape != ROW_IN_TURN && is_apart &&
        !(row->shape != ROW_PAIRS && is_all(it, series, k))) {
        fputs(", apart: \"", it->out);
        if (has_stages)
            fputs("(", it->out);
        write_value(it, series, k, VALUE_APART, laws, "1");
        fputs(has_stages ? ") * 2 ^ (stage - 1)\"" : "\"", it->out);
    }
    write_at(it, series);
}

static void say_row(struct describing *it, const struct series *series, size_t k,
                    const struct row_laws *laws)
{
    fprintf(it->said, "  %-28s %s times", series->at, laws->of[VALUE_COUNT].text);
    for (int value = 1; value < VALUES; value++) {
        const bool is_face = value >= VALUE_FACE, is_bytes = value == VALUE_BYTES;
        if (laws->is_used[value] && (is_face || is_bytes))
            fprintf(it->said, ", %s bytes", laws->of[value].text);
        if (laws->is_used[value] && value == VALUE_STAGES &&
            strcmp(laws->of[value].text, "log2(2)") != 0)
            fprintf(it->said, ", %s stages", laws->of[value].text);
    }
    for (int value = 0; value < VALUES; value++)
        if (laws->is_used[value] && laws->of[value].has_tie) {
            fprintf(it->said, "; %s", laws->of[value].decides);
            it->ties++;
            break;
        }
    fputc('\n', it->said);
    (void)k;
}

/* Laws that others are as near as hold no further than they were found; and all hold for the one
   value of a parameter that was the same in all recordings. laws: NULL: of times alone. */
static void write_undecided(const struct describing *it, const struct row_laws *laws)
{
    const struct settings *settings = &it->settings;
    bool by_p = false, by_size = false;
    const char *and = "    only: \"";
    for (int value = 0; value < VALUES && laws; value++)
        if (laws->is_used[value] && laws->of[value].has_tie)
            *(laws->of[value].of_size ? &by_size : &by_p) = true;
    for (size_t i = 0; i < settings->name_count; i++) {
        double least = INFINITY, most = -INFINITY;
        if (i > 0 && i <= settings->side_count)
            continue;
        for (size_t s = 0; s < settings->count; s++) {
            least = fmin(least, settings->values[s][i]);
            most = fmax(most, settings->values[s][i]);
        }
        const bool is_one = i > 0 && least == most;
        if (!is_one && !(i == 0 ? by_p : by_size))
            continue;
        fprintf(it->out, "%s%s %s %.12g", and, settings->names[i], is_one ? "==" : "<=", most);
        and = " && ";
    }
    if (*and == ' ' && and[1] == '&')
        fputs("\"\n", it->out);
}

/* Each row a segment that is repeated as often as it was made. laws: NULL: as recorded. */
static void write_row(struct describing *it, const struct series *series, size_t k,
                      const struct row_laws *laws, bool has_time)
{
    double us[SETTINGS_MOST];
    const char *count = laws ? laws->of[VALUE_COUNT].text : NULL;
    fprintf(it->out, "  - segment: \"%zu %s\"\n", ++it->segments, series->at);
    if (count && strspn(count, "0123456789") == strlen(count)) {
        if (strcmp(count, "1") != 0)
            fprintf(it->out, "    repeat: %s\n", count);
    } else if (count) {
        fprintf(it->out, "    repeat: \"rint(max(0, %s))\"\n", count);
    } else {
        fputs("    repeat: \"", it->out);
        write_table(it, series, k, VALUE_COUNT, "0");
        fputs("\"\n", it->out);
    }
    if (laws) {
        write_known(it, series);
        write_undecided(it, laws);
    } else {
        fputs("    only: \"", it->out);
        for (size_t s = 0; s < it->count; s++) {
            fprintf(it->out, "%sp == %d", s ? " || " : "", it->recordings[s].processes);
            for (size_t i = 1 + it->settings.side_count; i < it->settings.name_count; i++)
                fprintf(it->out, " && %s == %.12g", it->settings.names[i],
                        it->settings.values[s][i]);
        }
        fputs("\"\n", it->out);
    }
    if (has_time && laws) {
        for (size_t s = 0; s < it->count; s++)
            us[s] = series->in[s] ? series->in[s]->us : NAN;
        write_time(it, us, laws->of[VALUE_COUNT].text);
    }
    fputs("    body:\n", it->out);
    write_call(it, series, k, laws);
}

static bool has_unknown(const struct series *series, const struct describing *it)
{
    for (size_t s = 0; s < it->count; s++)
        for (size_t k = 0; series->in[s] && k < series->in[s]->count; k++)
            if (series->in[s]->rows[k].shape == ROW_UNKNOWN)
                return true;
    return false;
}

/* Rows that differ from recording to recording: as many segments as the most, each of the calls of
   the recordings that have such a row. */
static void write_as_recorded(struct describing *it, struct series *series)
{
    size_t most = 0;
    for (size_t s = 0; s < it->count; s++)
        most = series->in[s] && series->in[s]->count > most ? series->in[s]->count : most;
    fprintf(it->said, "  %-28s as recorded, at no other p and size: %s\n", series->at,
            series->reason);
    fprintf(it->out, "  # %s: %s\n", series->at, series->reason);
    it->tables++;
    bool is_alike = true;
    for (size_t k = 0; k < most; k++)
        for (size_t s = 0; s < it->count; s++)
            is_alike &= !series->in[s] || k >= series->in[s]->count ||
                        is_like(&series->in[s]->rows[k], row_of(series, it, k));
    if (is_alike && !has_unknown(series, it)) {
        for (size_t k = 0; k < most; k++)
            write_row(it, series, k, NULL, false);
        return;
    }
    fprintf(it->out, "  - segment: \"%zu %s not understood\"\n    only: \"0\"\n    body: []\n",
            ++it->segments, series->at);
    it->unknown++;
}

static void describe_class(struct describing *it, size_t class)
{
    struct series series = {.class = class};
    double share = 0.0, messages = 0.0;
    snprintf(series.at, sizeof series.at, "%.*s", (int)strcspn(it->places.names[class], " "),
             it->places.names[class]);
    for (size_t s = 0; s < it->count; s++) {
        series.in[s] = class_in(it, s, class);
        if (!series.in[s])
            continue;
        share = fmax(share, series.in[s]->us / fmax(1.0, it->rows[s].computing_us));
        messages += series.in[s]->messages;
    }
    compare_recordings(&series, it);
    struct row_laws *laws = memory_new(series.row_count + 1, sizeof *laws);
    for (size_t k = 0; k < series.row_count && !series.reason; k++)
        find_laws(&laws[k], &series, it, k);
    it->all_messages += messages;
    const bool has_time = share >= own_time_least && !series.reason && series.row_count > 0;
    for (size_t s = 0; s < it->count; s++)
        it->other_us[s] += has_time || !series.in[s] ? 0.0 : series.in[s]->us;
    if (series.reason) {
        it->table_messages += messages;
        write_as_recorded(it, &series);
    }
    for (size_t k = 0; k < series.row_count && !series.reason; k++) {
        write_row(it, &series, k, &laws[k], has_time && k == 0);
        say_row(it, &series, k, &laws[k]);
    }
    free(laws);
}

/* ---- the whole ---- */

/* A side as it was recorded. */
static void write_sides(const struct describing *it, size_t side)
{
    for (size_t s = 0; s < it->count; s++)
        fprintf(it->out, "p == %d ? %g : ", it->recordings[s].processes,
                it->settings.values[s][1 + side]);
    fputc('1', it->out);
}

static void write_candidates(const struct describing *it)
{
    static const char *const grids[][2] = {
        {"p",      "1"     },
        {"1",      "p"     },
        {"2",      "p / 2" },
        {"p / 2",  "2"     },
        {"4",      "p / 4" },
        {"p / 4",  "4"     },
        {"8",      "p / 8" },
        {"p / 8",  "8"     },
        {"16",     "p / 16"},
        {"p / 16", "16"    }
    };
    const size_t sides = it->settings.side_count;
    bool is_made_by_mpi = true; /* MPI_Dims_create */
    if (sides == 0)
        return;
    fputs("candidates:\n  recorded: {grid: [", it->out);
    for (size_t s = 0; s < it->count && sides == 2; s++) {
        const double half = log2(it->settings.values[s][0]) / 2.0;
        is_made_by_mpi &= it->settings.values[s][1] == exp2(ceil(half)) &&
                          it->settings.values[s][2] == exp2(floor(half));
    }
    for (size_t d = 0; d < sides; d++) {
        double values[SETTINGS_MOST];
        struct settings alone = it->settings;
        struct law law;
        alone.side_count = 0;
        alone.name_count = 1;
        for (size_t s = 0; s < it->count; s++)
            values[s] = it->settings.values[s][1 + d];
        struct laws *laws = laws_new(&alone);
        fprintf(it->out, "%s\"", d ? ", " : "");
        if (d + 1 == sides)
            fputs(sides == 1   ? "p"
                  : sides == 2 ? "p / p0"
                  : sides == 3 ? "p / (p0 * p1)"
                               : "p / (p0 * p1 * p2)",
                  it->out);
        else if (is_made_by_mpi && sides == 2)
            fputs("2 ^ ceil(log2(p) / 2)", it->out);
        else if (laws_find(&law, laws, values, 1e-9))
            fputs(law.text, it->out);
        else
            write_sides(it, d);
        fputc('"', it->out);
        laws_free(laws);
    }
    fputs("]}\n", it->out);
    for (size_t i = 0; i < sizeof grids / sizeof *grids && sides == 2; i++)
        fprintf(it->out, "  \"%s x %s\": {grid: [\"%s\", \"%s\"]}\n", grids[i][0], grids[i][1],
                grids[i][0], grids[i][1]);
}

static void write_head(const struct describing *it)
{
    const struct recording *largest = &it->recordings[it->largest];
    const char *program = largest->program + strspn(largest->program, "./");
    char name[60];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(program, " "), program);
    for (char *at = name; *at; at++)
        *at = *at == '"' || *at == '\\' ? '_' : *at;
    const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    fprintf(it->out, "forecost-segment: 1\ntitle: \"%s, recorded at", base);
    for (size_t s = 0; s < it->count; s++)
        fprintf(it->out, "%s%d", s ? ", " : " p = ", it->recordings[s].processes);
    fputs("\"\n", it->out);
    for (size_t i = 0; i < largest->parameter_count; i++)
        fprintf(it->out, "%s%s: %.12g%s", i ? ", " : "parameters: {", largest->parameters[i].name,
                largest->parameters[i].value, i + 1 == largest->parameter_count ? "}\n" : "");
    write_candidates(it);
    fputs("program:\n", it->out);
}

static void say_recordings(const struct describing *it)
{
    for (size_t s = 0; s < it->count; s++) {
        const struct rows *rows = &it->rows[s];
        fprintf(it->said, "%s: %d processes, %.0f messages of %.4g MB, %.3g s of computation",
                it->recordings[s].path, it->recordings[s].processes, rows->messages,
                rows->bytes / 1e6, rows->computing_us / 1e6);
        if (rows->unmatched > 0.0)
            fprintf(it->said, "; %.0f receives have no message", rows->unmatched);
        for (size_t i = 0; i < it->recordings[s].counted_count; i++)
            fprintf(it->said, "; not recorded: %.0f x %s", it->recordings[s].counted[i].count,
                    it->recordings[s].counted[i].name);
        fputc('\n', it->said);
    }
}

/* Too many calls that nobody has recorded. */
static int check_counted(const struct describing *it, struct error *error)
{
    for (size_t s = 0; s < it->count; s++)
        if (it->rows[s].counted > counted_most * (it->rows[s].calls + it->rows[s].counted))
            return error_at(error, place_at(it->recordings[s].path, 0, 0),
                            "%.0f of %.0f calls were not recorded (%.60s, ...): such a program is "
                            "not described",
                            it->rows[s].counted, it->rows[s].calls + it->rows[s].counted,
                            it->recordings[s].counted[0].name);
    return 0;
}

static int describe(struct describing *it, struct error *error)
{
    struct phases *phases[SETTINGS_MOST] = {NULL};
    int status = 0;
    for (size_t s = 0; s < it->count && status == 0; s++) {
        phases[s] = recorded_phases_find(&it->recordings[s], &it->places, error);
        status = phases[s] ? 0 : -1;
    }
    for (size_t s = 0; s < it->count && status == 0; s++)
        recorded_rows_make(&it->rows[s], phases[s], &it->places);
    for (size_t s = 0; s < it->count; s++)
        if (phases[s])
            recorded_phases_free(phases[s]);
    if (status == 0)
        status = check_counted(it, error);
    if (status != 0)
        return -1;
    find_settings(it);
    it->laws = laws_new(&it->settings);
    say_recordings(it);
    write_head(it);
    for (size_t place = 0; place < it->places.count; place++) {
        bool is_there = false;
        for (size_t s = 0; s < it->count; s++)
            is_there |= class_in(it, s, place) != NULL;
        if (is_there)
            describe_class(it, place);
    }
    for (size_t s = 0; s < it->count; s++)
        it->other_us[s] += it->rows[s].last_us;
    fputs("  - segment: other computation\n", it->out);
    write_known(it, NULL);
    write_undecided(it, NULL);
    write_time(it, it->other_us, NULL);
    fputs("    body: []\n", it->out);
    if (it->table_messages > 0.0)
        fprintf(it->said, "%.3g %% of the messages follow no law\n",
                100.0 * it->table_messages / it->all_messages);
    laws_free(it->laws);
    return 0;
}

int description_make(const struct recording *recordings, size_t count,
                     const struct description_options *options, char **text, size_t *bytes,
                     FILE *said, struct error *error)
{
    if (count > SETTINGS_MOST)
        return error_set(error, "more than %d recordings", SETTINGS_MOST);
    if (check_parameters(recordings, count, error) != 0)
        return -1;
    struct describing it = {.recordings = recordings,
                            .options = options,
                            .count = count,
                            .rows = memory_new(count, sizeof *it.rows),
                            .other_us = memory_new(count, sizeof *it.other_us),
                            .out = memory_stream(text, bytes),
                            .said = said};
    const int status = describe(&it, error);
    memory_stream_end(it.out);
    if (status != 0)
        free(*text);
    for (size_t s = 0; s < count; s++)
        recorded_rows_free(&it.rows[s]);
    recorded_places_free(&it.places);
    free(it.rows);
    free(it.other_us);
    return status;
}
