#include "estimator/output/options.h"

#include "config.h"
#include "model/base/allocation.h"
#include "model/base/arguments.h"
#include "model/base/input.h"
#include "model/machine/logp_cost.h"
#include "model/machine/other_node.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct argp_option all[] = {
    {"bytes",              'n', "LIST",       0, "message bytes: 1,2,4 or 1:1M:x2 or 0:64:+8",             0},
    {"processors",         'p', "LIST",       0, "processors",                                             0},
    {"formula-p",          'P', NULL,         0, "-p is as the utility's own formula counts it",           0},
    {"section",            's', "NAME",       0, "only this section or utility",                           0},
    {"candidate",          'c', "NAME",       0, "only this candidate partitioning",                       0},
    {"define",             'D', "NAME=VALUE", 0,
     "set a parameter of the segment (LIST where the command "
     "takes several)",                                                                                     0},
    {"convention",         'C', "NAME",       0,
     "text: the formulas as written (default); table: as "
     "table 5.2 of Abandah 1995 was made",                                                                 0},
    {"strict",             'S', 0,            0,
     "reductions keep their order, which forbids partial "
     "sums",                                                                                               0},
    {"unit-table",         'u', 0,            0, "show the cycles of every unit",                          0},
    {"measured-us",        'm', "NAME=US",    0,
     "what a segment took, all repetitions together; shows "
     "the share of the bound that it reached",                                                             0},
    {"terms",              't', "LIST",       0, "functions of p that may be used: 1,p,log2(p)",           0},
    {"bands",              'B', NULL,         0, "bands of the winner",                                    0},
    {"search",             'x', NULL,         0, "every distribution over every grid, too",                0},
    {"side",               'a', "FILE",       0,
     "directives for C files that nobody may touch (default: "
     "PROGRAM.forecost beside PROGRAM.c)",                                                                 0},
    {"places",             'L', NULL,         0, "say of each statement where it stands",                  0},
    {"time-limit",         'w', "SECONDS",    0, "when a search has to answer: 10; 0: when done",          0},
    {"overlap",            'O', NULL,         0,
     "all segments hide what the table leaves for work, as "
     "if they said overlap: true",                                                                         0},
    {"node",               'N', "TABLE",      0, "computation is that of another table's node and memory", 0},
    {"communication-only", 'M', NULL,         0, "computation is left out; no node is needed",             0},
    {"explain",            'e', NULL,         0, "the formulas, as the sources write them",                0},
    {"breakdown",          'i', NULL,         0,
     "in CSV and JSON what each prediction is made of, in "
     "place of its sums",                                                                                  0},
    {"output",             'o', "FILE",       0, "where the result goes",                                  0},
    {"list",               'l', NULL,         0, "what there is to choose from",                           0},
    {"to",                 'T', "FORMAT",     0, "what to export to; see above",                           0},
    {"base",               'b', "FILE",       0, "what the export changes: the rules that MPICH has",      0},
    {"bt-depth",           'd', "ceil|floor", 0,
     "levels of the binary tree where it was not measured: ceil(log2 p), as printed, or "
     "floor(log2 p), which it has",                                                                        0},
    {"format",             'f', "FORMAT",     0, "text (default), csv or json",                            0},
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

static int take_word(struct options *options, const char *word)
{
    if (options->word_count == OPTIONS_ARGUMENTS)
        return error_set(options->error, "more than %d arguments", OPTIONS_ARGUMENTS);
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

/* Options that are kept as they are, and those that are there or not. */
struct plain {
    int key;
    size_t member;
};

static const struct plain texts[] = {
    {'s', offsetof(struct options, section)   },
    {'c', offsetof(struct options, candidate) },
    {'C', offsetof(struct options, convention)},
    {'t', offsetof(struct options, terms)     },
    {'o', offsetof(struct options, output)    },
    {'T', offsetof(struct options, to)        },
    {'N', offsetof(struct options, node)      },
    {'b', offsetof(struct options, base)      },
    {'d', offsetof(struct options, bt_depth)  },
    {'a', offsetof(struct options, side)      },
};

static const struct plain flags[] = {
    {'S', offsetof(struct options, strict)            },
    {'u', offsetof(struct options, unit_table)        },
    {'B', offsetof(struct options, bands)             },
    {'O', offsetof(struct options, overlap)           },
    {'e', offsetof(struct options, explain)           },
    {'x', offsetof(struct options, search)            },
    {'i', offsetof(struct options, breakdown)         },
    {'P', offsetof(struct options, formula_p)         },
    {'l', offsetof(struct options, list)              },
    {'L', offsetof(struct options, places)            },
    {'M', offsetof(struct options, communication_only)},
};

static bool take_as_it_is(struct options *options, int key, const char *text)
{
    char *base = (char *)options;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].key == key) {
            *(const char **)(void *)(base + texts[i].member) = text;
            return true;
        }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].key == key) {
            *(bool *)(base + flags[i].member) = true;
            return true;
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
    if (options->count < face->least || options->count > face->most)
        return error_set(error, "%s arguments: expected %s",
                         options->count < face->least ? "too few" : "too many", face->arguments);
    for (size_t i = 0; i < options->count; i++)
        standard += input_is_standard(options->arguments[i]) ? 1 : 0;
    return standard <= 1 ? 0 : error_set(error, "- a second time: standard input can be read once");
}

static const char of_sources[] =
    " C files may stand in place of a description, several in a row as one program; compiler flags "
    "for them follow everything else behind --.";

int options_parse(const struct options_face *face, int argc, char **argv, struct options *options,
                  struct error *error)
{
    struct argp_option taken[ALL_COUNT + 1] = {0};
    size_t count = 0;
    for (size_t i = 0; i < ALL_COUNT; i++)
        if (strchr(face->takes, all[i].key))
            taken[count++] = all[i];
    char *doc = memory_format("%s%s", face->doc, face->has_sources ? of_sources : "");
    const struct arguments_face words = {.name = argv[0],
                                         .version = "estimator (" PACKAGE_NAME ") " PACKAGE_VERSION,
                                         .words = face->arguments,
                                         .doc = doc,
                                         .options = taken};
    *options = (struct options){.time_limit_s = NAN, .error = error};
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
    free(doc);
    if (status != 0)
        options_free(options);
    return status;
}

struct source options_source(const struct options *options, size_t number)
{
    const size_t first = options->first_words[number];
    return (struct source){.files = options->words + first,
                           .file_count = options->first_words[number + 1] - first,
                           .side = options->side,
                           .definitions = options->definitions,
                           .definition_count = options->definition_count,
                           .flags = options->flags,
                           .flag_count = options->flag_count,
                           .has_places = true};
}

int options_program(const struct options *options, size_t number, struct program *program,
                    struct error *error)
{
    const char *name = options->arguments[number];
    const struct source source = options_source(options, number);
    return source_is(name) ? source_read(program, &source, error)
                           : program_read(program, name, error);
}

static int take_node(const struct options *options, struct machine *machine, struct error *error)
{
    struct machine other;
    if (machine_read(&other, options->node, error) != 0)
        return -1;
    const int status = machine_take_node(machine, &other, error);
    machine_free(&other);
    return status;
}

int options_machine(const struct options *options, size_t number, struct machine *machine,
                    struct error *error)
{
    if (options->node && options->communication_only)
        return error_set(error, "--node with --communication-only: expected one of them");
    if (machine_read(machine, options->arguments[number], error) != 0)
        return -1;
    if (options->node && take_node(options, machine, error) != 0) {
        machine_free(machine);
        return -1;
    }
    if (options->communication_only)
        machine_leave_out_computation(machine);
    logp_add_point_to_point(machine);
    return 0;
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
    number_list_free(&options->bytes);
    number_list_free(&options->processors);
}
