#include "estimator/output/options.h"

#include "config.h"
#include "estimator/output/fold.h"
#include "estimator/output/shown.h"
#include "model/base/allocation.h"
#include "model/base/arguments.h"
#include "model/base/input.h"
#include "model/loops/curves.h"
#include "model/machine/logp_cost.h"
#include "model/tables/in_state.h"
#include "model/tables/other_node.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* An option, and where it is kept as it is. */
struct row {
    struct argp_option option;
    size_t text, flag; /* offsets in struct options; 0: take() reads it */
};

#define ROW(name, key, argument, doc, ...)                                                         \
    {                                                                                              \
        .option = {name, key, argument, 0, doc, 0}, __VA_ARGS__                                    \
    }
#define TEXT(name, key, argument, member, doc)                                                     \
    ROW(name, key, argument, doc, .text = offsetof(struct options, member))
#define FLAG(name, key, member, doc)                                                               \
    ROW(name, key, NULL, doc, .flag = offsetof(struct options, member))
#define READ(name, key, argument, doc) ROW(name, key, argument, doc, .text = 0)

static const struct row all[] = {
    READ("bytes", 'n', "LIST", "message bytes: 1,2,4 or 1:1M:x2 or 0:64:+8"),
    READ("processors", 'p', "LIST", "processors"),
    FLAG("formula-p", 'P', formula_p, "-p is as the utility's own formula counts it"),
    TEXT("section", 's', "NAME", section, "only this section or utility"),
    TEXT("candidate", 'c', "NAME", candidate, "only this candidate partitioning"),
    READ("define", 'D', "NAME=VALUE",
         "set a parameter of the segment (LIST where the command takes several)"),
    TEXT("convention", 'C', "NAME", convention,
         "text: the formulas as written (default); table: as table 5.2 of Abandah 1995 was made"),
    FLAG("strict", 'S', strict, "reductions keep their order, which forbids partial sums"),
    FLAG("unit-table", 'u', unit_table, "show the cycles of every unit"),
    READ("measured-us", 'm', "NAME=US",
         "what a segment took, all repetitions together; shows the share of the bound that it "
         "reached"),
    TEXT("terms", 't', "LIST", terms, "functions of p that may be used: 1,p,log2(p)"),
    FLAG("bands", 'B', bands, "bands of the winner"),
    FLAG("fastest", 'q', fastest, "one row for each setting: its winner and the speed-up"),
    FLAG("search", 'x', search, "every distribution over every grid, too"),
    TEXT("side", 'a', "FILE", side,
         "read directives from FILE instead of the source (default: PROGRAM.forecost beside "
         "PROGRAM.c)"),
    TEXT("messages", 'g', "P", messages,
         "what each of P processes of an MPI program sends instead, as CSV"),
    FLAG("places", 'L', places, "say of each statement where it stands"),
    READ("time-limit", 'w', "SECONDS", "when a search has to answer: 10; 0: when done"),
    FLAG("overlap", 'O', overlap,
         "all segments hide what the table leaves for work, as if they said overlap: true"),
    TEXT("node", 'N', "TABLE", node, "computation is that of another table's node and memory"),
    READ("state", 'k', "NUMBER", "use the communication times of machine state NUMBER"),
    TEXT("loops", 'y', "FILE", loops,
         "measured loops of the program (trainer --loops): where their text and flags are its own, "
         "they are its computation"),
    FLAG("measure", 'E', measure,
         "measure the loops of the C files on this machine first, with the trainer, started by "
         "$MPIEXEC (mpiexec); the file of -y is written then"),
    TEXT("measured", 'A', "RUN", observed,
         "a run that you timed on this machine, CANDIDATE:P:TIME, such as rows:2:66ms or, with its "
         "communication, rows:2:66ms:9ms, and behind commas parameters, N=1024: all other "
         "predictions are as much longer or shorter"),
    FLAG("communication-only", 'M', communication_only,
         "computation is left out; no node is needed"),
    FLAG("from-start", 'F', from_start,
         "the description is of all of a program: its first messages take longer"),
    FLAG("explain", 'e', explain, "the formulas, as the sources write them"),
    FLAG("breakdown", 'i', breakdown,
         "in CSV and JSON what each prediction is made of, in place of its sums"),
    TEXT("output", 'o', "FILE", output, "where the result goes"),
    FLAG("list", 'l', list, "what there is to choose from"),
    TEXT("to", 'T', "FORMAT", to, "what to export to; see above"),
    TEXT("base", 'b', "FILE", base, "what the export changes: the rules that MPICH has"),
    TEXT("bt-depth", 'd', "ceil|floor", bt_depth,
         "levels of the binary tree where it was not measured: ceil(log2 p), as printed, or "
         "floor(log2 p), which it has"),
    READ("format", 'f', "FORMAT", "text (default), csv or json"),
    FLAG("wide", 'W', wide, "text of all columns, in lines as long as they are"),
};

enum { ALL_COUNT = sizeof all / sizeof *all };

static int read_list(struct options *options, const char *name, const char *text,
                     struct number_list *list)
{
    number_list_free(list);
    const char *wrong = number_list_parse(text, list);
    return wrong ? error_set(options->error, "--%s is '%.60s': %s", name, text, wrong) : 0;
}

static int read_processors(struct options *options, const char *text)
{
    if (read_list(options, "processors", text, &options->processors) != 0)
        return -1;
    for (size_t i = 0; i < options->processors.count; i++) {
        const double p = options->processors.values[i];
        if (p < 1.0 || p != floor(p))
            return error_set(options->error, "--processors %g: expected whole numbers from 1", p);
    }
    return 0;
}

static int read_seconds(struct options *options, const char *text)
{
    if (number_parse(text, &options->time_limit_s) && options->time_limit_s >= 0.0)
        return 0;
    return error_set(options->error, "--time-limit is '%.60s': expected seconds, from 0", text);
}

static int read_state(struct options *options, const char *text)
{
    double state;
    if (!number_parse(text, &state) || !(state >= 1.0 && state <= STATES_MOST) ||
        state != floor(state))
        return error_set(options->error, "--state is '%.60s': expected a whole number from 1 to %d",
                         text, STATES_MOST);
    options->state = (int)state;
    return 0;
}

/* NAN: none so far, or a list. */
static double the_processors(const struct options *options)
{
    return options->processors.count == 1 ? options->processors.values[0] : (double)NAN;
}

static int take_word(struct options *options, const char *word)
{
    if (options->word_count == OPTIONS_ARGUMENTS)
        return error_set(options->error, "more than %d arguments", OPTIONS_ARGUMENTS);
    options->word_processors[options->word_count] = the_processors(options);
    options->words[options->word_count++] = word;
    return 0;
}

/* C files in a row are one argument. */
static void gather_words(struct options *options, bool has_sources)
{
    for (size_t i = 0; i < options->word_count; i++) {
        const char *word = options->words[i];
        if (has_sources && i > 0 && source_is(word) && source_is(options->words[i - 1]))
            continue;
        options->first_words[options->count] = i;
        options->arguments[options->count++] = word;
    }
    options->first_words[options->count] = options->word_count;
}

/* Behind C files what follows "--" is for their compiler. Returns how many words are the command's
   own. */
static int split_flags(struct options *options, int argc, char **argv)
{
    bool has_source = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0 && has_source) {
            options->flags = (const char *const *)argv + i + 1;
            options->flag_count = (size_t)(argc - i - 1);
            return i;
        }
        has_source |= source_is(argv[i]);
    }
    return argc;
}

static int take_pair(struct options *options, char option, const char *pair, const char **pairs,
                     size_t *count)
{
    const char *end = strchr(pair, '=');
    if (!end)
        return error_set(options->error, "-%c %.60s: expected NAME=VALUE", option, pair);
    for (size_t i = 0; i < *count; i++)
        if (strncmp(pairs[i], pair, (size_t)(end - pair) + 1) == 0)
            return error_set(options->error, "-%c %.60s: a second time: expected each name once",
                             option, pair);
    if (*count == OPTIONS_ARGUMENTS)
        return error_set(options->error, "more than %d times -%c", OPTIONS_ARGUMENTS, option);
    pairs[(*count)++] = pair;
    return 0;
}

static bool take_as_it_is(struct options *options, int key, const char *text)
{
    char *base = (char *)options;
    for (size_t i = 0; i < ALL_COUNT; i++) {
        if (all[i].option.key != key)
            continue;
        if (all[i].text)
            *(const char **)(void *)(base + all[i].text) = text;
        if (all[i].flag)
            *(bool *)(base + all[i].flag) = true;
        return all[i].text || all[i].flag;
    }
    return false;
}

static int take(int key, const char *text, void *state)
{
    struct options *options = state;
    if (take_as_it_is(options, key, text))
        return 0;
    switch (key) {
    case 'n':
        return read_list(options, "bytes", text, &options->bytes);
    case 'p':
        return read_processors(options, text);
    case 'D':
        return take_pair(options, 'D', text, options->definitions, &options->definition_count);
    case 'm':
        return take_pair(options, 'm', text, options->measured, &options->measured_count);
    case 'w':
        return read_seconds(options, text);
    case 'k':
        return read_state(options, text);
    case 'f':
        return report_format_parse(text, &options->format, options->error);
    default:
        return take_word(options, text);
    }
}

static void show_and_end(const struct arguments_face *face, enum arguments_answer answer,
                         struct options *options)
{
    options_free(options);
    arguments_answer(face, answer, stdout);
    if (fflush(stdout) == 0)
        exit(EXIT_SUCCESS);
}

static int check_words(const struct options_face *face, const struct options *options,
                       struct error *error)
{
    size_t standard = options->base && input_is_standard(options->base) ? 1 : 0;
    for (size_t i = 0; i < options->word_count && face->has_sources; i++)
        if (source_refuse_other(options->words[i], error) != 0)
            return -1;
    if (options->count < face->least || options->count > face->most)
        return error_set(error, "%s arguments: expected %s",
                         options->count < face->least ? "too few" : "too many", face->arguments);
    for (size_t i = 0; i < options->count; i++)
        standard += input_is_standard(options->arguments[i]) ? 1 : 0;
    return standard <= 1 ? 0 : error_set(error, "- a second time: standard input can be read once");
}

static bool is_same_file(const char *path, const char *other)
{
    struct stat about, other_about;
    return path && other && stat(path, &about) == 0 && stat(other, &other_about) == 0 &&
           S_ISREG(about.st_mode) && about.st_dev == other_about.st_dev &&
           about.st_ino == other_about.st_ino;
}

/* What is read is worth more than what is made of it. */
static int check_output(const struct options_face *face, const struct options *options,
                        struct error *error)
{
    const char *const others[] = {options->side, options->node, options->loops, options->base};
    bool is_read = false;
    for (size_t i = 0; i < options->word_count; i++)
        is_read = is_read || is_same_file(options->words[i], options->output);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is_read = is_read || is_same_file(others[i], options->output);
    if (!is_read || face->rewrites)
        return 0;
    return error_at(error, place_at(options->output, 0, 0),
                    "is read, and would be replaced: expected another -o");
}

static const char of_sources[] =
    " C files may stand in place of a description, several in a row as one program; compiler flags "
    "for them follow everything else behind --.";

static int read_loops(struct options *options, struct error *error)
{
    struct loop_curves curves;
    if (!options->loops || options->measure)
        return 0;
    if (loop_curves_read(&curves, options->loops, error) != 0)
        return -1;
    options->curves = memory_new(1, sizeof *options->curves);
    *options->curves = curves;
    return 0;
}

/* What commands print as text fits a terminal, from here on. */
static int set_text(struct options *options, struct error *error)
{
    if (options->format != REPORT_TEXT)
        return options->wide ? error_set(error, "--wide is of text") : 0;
    if (options->wide) {
        options->format = REPORT_WIDE;
        return 0;
    }
    FILE *folded = fold_new(stdout, shown_line());
    if (!folded)
        return error_set(error, "no memory");
    stdout = folded;
    return 0;
}

int options_parse(const struct options_face *face, int argc, char **argv, struct options *options,
                  struct error *error)
{
    struct argp_option taken[ALL_COUNT + 1] = {0};
    size_t count = 0;
    for (size_t i = 0; i < ALL_COUNT; i++)
        if (strchr(face->takes, all[i].option.key == 'W' ? 'f' : all[i].option.key))
            taken[count++] = all[i].option;
    char *doc = memory_format("%s%s\vExample:\n  estimator %s", face->doc,
                              face->has_sources ? of_sources : "", face->example);
    const struct arguments_face words = {.name = argv[0],
                                         .version = "estimator (" PACKAGE_NAME ") " PACKAGE_VERSION,
                                         .words = face->arguments,
                                         .doc = doc,
                                         .options = taken};
    *options = (struct options){.time_limit_s = NAN, .state = 1, .error = error};
    if (face->has_sources)
        argc = split_flags(options, argc, argv);
    int status = arguments_walk(&words, argc, argv, take, options, error);
    gather_words(options, face->has_sources);
    if (status > 0) {
        show_and_end(&words, (enum arguments_answer)status, options);
        status = error_set(error, "standard output cannot be written");
    } else if (status == 0) {
        status = check_words(face, options, error);
    }
    if (status == 0)
        status = check_output(face, options, error);
    if (status == 0)
        status = read_loops(options, error);
    if (status == 0 && strchr(face->takes, 'f'))
        status = set_text(options, error);
    free(doc);
    if (status != 0)
        options_free(options);
    return status;
}

/* A run that was timed on another number of processors than is asked for needs a description for
   both. */
static bool is_of_any_processors(const struct options *options, double processors)
{
    const char *colon = options->observed ? strchr(options->observed, ':') : NULL;
    return options->any_processors || (colon && strtod(colon + 1, NULL) != processors);
}

struct source options_source(const struct options *options, size_t number)
{
    const size_t first = options->first_words[number];
    const double processors = options_word_processors(options, number);
    return (struct source){.files = options->words + first,
                           .file_count = options->first_words[number + 1] - first,
                           .side = options->side,
                           .definitions = options->definitions,
                           .definition_count = options->definition_count,
                           .flags = options->flags,
                           .flag_count = options->flag_count,
                           .processors =
                               is_of_any_processors(options, processors) ? (double)NAN : processors,
                           .is_strict = options->strict,
                           .has_places = true};
}

static void say_other_flags(const struct options *options, const struct program *program)
{
    fprintf(stderr,
            "estimator: remark: %s is of the flags '%s', the program has '%s': no curve of it is "
            "used\n",
            options->loops, options->curves->flags ? options->curves->flags : "",
            program->code_flags);
}

int options_program(const struct options *options, size_t number, struct program *program,
                    struct error *error)
{
    const char *name = options->arguments[number];
    const struct source source = options_source(options, number);
    const int status = source_is(name) ? source_read(program, &source, stderr, error)
                                       : program_read(program, name, error);
    if (status == 0 && options->curves && !loop_curves_for(options->curves, program->code_flags))
        say_other_flags(options, program);
    return status;
}

int options_machine(const struct options *options, size_t number, struct machine *machine,
                    struct error *error)
{
    if (options->node && options->communication_only)
        return error_set(error, "--node with --communication-only: expected one of them");
    if (machine_read(machine, options->arguments[number], error) != 0)
        return -1;
    if ((options->node && machine_take_node_of(machine, options->node, error) != 0) ||
        machine_in_state(machine, options->state, error) != 0) {
        machine_free(machine);
        return -1;
    }
    if (options->communication_only)
        machine_leave_out_computation(machine);
    logp_add_point_to_point(machine);
    machine->loops = options->curves;
    machine->from_start = options->from_start;
    if (options->from_start && machine->start_up.count == 0) {
        error_fill(error, place_at(machine->path, 0, 0),
                   "no start_up: what first messages take is not known: a calibration tells it");
        machine_free(machine);
        return -1;
    }
    return 0;
}

double options_word_processors(const struct options *options, size_t number)
{
    const size_t word = options->first_words[number];
    for (size_t i = word; i < options->word_count; i++)
        if (!isnan(options->word_processors[i]))
            return options->word_processors[i];
    return the_processors(options);
}

int options_check_grid(const struct options *options, struct error *error)
{
    const size_t points = options->bytes.count * options->processors.count;
    if (points <= OPTIONS_GRID)
        return 0;
    return error_set(error, "%zu sizes at %zu processor counts: expected at most %d together",
                     options->bytes.count, options->processors.count, OPTIONS_GRID);
}

void options_free(struct options *options)
{
    if (options->curves)
        loop_curves_free(options->curves);
    free(options->curves);
    options->curves = NULL;
    number_list_free(&options->bytes);
    number_list_free(&options->processors);
}
