#include "trainer/base/options.h"

#include "config.h"
#include "model/base/arguments.h"
#include "model/base/input.h"
#include "model/base/number.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum key {
    KEY_ACCURACY = 256,
    KEY_ADD,
    KEY_BUDGET,
    KEY_CANDIDATE,
    KEY_CFLAGS,
    KEY_CONFIDENCE,
    KEY_DESCRIBE,
    KEY_DRY_RUN,
    KEY_LAUNCHES,
    KEY_LIST,
    KEY_LOOPS,
    KEY_MAX_BYTES,
    KEY_MIN_BYTES,
    KEY_NAME,
    KEY_NO_PROGRESS,
    KEY_OVERLAP_BASE,
    KEY_OVERLAP_ITERATIONS,
    KEY_OVERLAP_STOP,
    KEY_OVERSUBSCRIBE,
    KEY_PATIENCE,
    KEY_PROCESSORS,
    KEY_QUICK,
    KEY_RANKS,
    KEY_REHEARSE,
    KEY_REPLACE,
    KEY_RESUME,
    KEY_SEED,
    KEY_STATISTIC,
    KEY_SUITE,
    KEY_SWAP_CACHE,
    KEY_SWAP_DOMINANT,
    KEY_SWAP_MESSAGES,
    KEY_SWAP_ONLY,
    KEY_THOROUGH,
    KEY_TOLERANCE,
    KEY_VALIDATE
};

/* An option, and where it is kept as it is, or as a number within bounds. */
struct row {
    struct argp_option option;
    size_t text, flag, number; /* offsets in struct options; all 0: take_other() reads it */
    double least, most;        /* of the number */
};

#define ROW(name, key, argument, doc, ...)                                                         \
    {                                                                                              \
        .option = {name, key, argument, 0, doc, 0}, __VA_ARGS__                                    \
    }
#define TEXT(name, key, argument, member, doc)                                                     \
    ROW(name, key, argument, doc, .text = offsetof(struct options, member))
#define FLAG(name, key, member, doc)                                                               \
    ROW(name, key, NULL, doc, .flag = offsetof(struct options, member))
#define NUMBER(name, key, argument, from, upto, member, doc)                                       \
    ROW(name, key, argument, doc, .number = offsetof(struct options, member), .least = from,       \
        .most = upto)
#define READ(name, key, argument, doc) ROW(name, key, argument, doc, .text = 0)

static const struct row rows[] = {
    READ("output", 'o', "TABLE.yaml",
         "write the machine table there (default machine.yaml), the points beside it; or a "
         "rehearsal's times; or a validation's points"),
    TEXT("suite", KEY_SUITE, "NAME,...", suites, "measure only these suites or utilities"),
    READ("quick", KEY_QUICK, NULL, "fewer sizes, each more briefly"),
    READ("thorough", KEY_THOROUGH, NULL, "more sizes"),
    NUMBER("budget", KEY_BUDGET, "SECONDS", 0.1, 1e6, budget_s,
           "end in order after that time (default 60 for a calibration, else 90)"),
    FLAG("dry-run", KEY_DRY_RUN, dry_run,
         "measure a few points alone, say how long the calibration would take, suite by suite, and "
         "end"),
    NUMBER("accuracy", KEY_ACCURACY, "SHARE", 1e-4, 1, accuracy,
           "half width of a point's confidence interval (default 0.05)"),
    NUMBER("confidence", KEY_CONFIDENCE, "SHARE", 0.5, 0.999, confidence,
           "of that interval (default 0.9, as of all intervals)"),
    NUMBER("min-bytes", KEY_MIN_BYTES, "N", 0, 1 << 30, bytes_least,
           "smallest message (default 0)"),
    NUMBER("max-bytes", KEY_MAX_BYTES, "N", 0, 1 << 30, bytes_most, "largest message (default 4M)"),
    READ("cflags", KEY_CFLAGS, "FLAGS",
         "compile the loops of the node with these flags too ($CC or cc), for programs that are; "
         "may be given several times"),
    READ("processors", KEY_PROCESSORS, "LIST",
         "processor counts to measure at (default: 2, 3, 4, 6, 8, 11, ... and all)"),
    TEXT("name", KEY_NAME, "NAME", name, "the machine's name (default: the table's)"),
    READ("seed", KEY_SEED, "N", "of the choice and order of sizes (default 1)"),
    TEXT("validate", KEY_VALIDATE, "TABLE.yaml", validate,
         "compare that table with this machine at fresh points; exit status 1 when it is not "
         "within the tolerance"),
    NUMBER("tolerance", KEY_TOLERANCE, "SHARE", 0, 1e6, tolerance,
           "of --validate: the largest 95th percentile of relative errors (default 0.2)"),
    TEXT("rehearse", KEY_REHEARSE, "SEGMENT.yaml", rehearse,
         "run that segment without its program, all candidates or one, and write what it takes as "
         "CSV (to standard output, or -o)"),
    TEXT("loops", KEY_LOOPS, "PROGRAM.so", loops,
         "measure the loops in what `estimator loops` made, and write their curves (to standard "
         "output, or -o); with --validate LOOPS.yaml compare that file with them"),
    TEXT("candidate", KEY_CANDIDATE, "NAME", candidate,
         "of --rehearse: only this candidate partitioning"),
    READ("define", 'D', "NAME=VALUE",
         "of --rehearse and of --loops with --validate: set a parameter of the program"),
    NUMBER("launches", KEY_LAUNCHES, "N", 1, 100, launches,
           "started without mpiexec: launch N times, and merge the tables; with --validate, the "
           "lower quartiles are compared"),
    NUMBER("ranks", KEY_RANKS, "P", 2, 1e6, ranks, "of each launch (default 2)"),
    NUMBER("patience", KEY_PATIENCE, "SECONDS", 0, 1e6, patience_s,
           "end when a rank has not answered for so long (default 60; 0: never)"),
    FLAG("resume", KEY_RESUME, resume,
         "go on with a calibration that was cut off: the same options, and this one"),
    FLAG("add", KEY_ADD, add,
         "put what is measured into the table that is there, and keep all else of it"),
    FLAG("replace", KEY_REPLACE, replace,
         "replace the table that is there, whatever it has that is not measured now"),
    NUMBER("swap-cache", KEY_SWAP_CACHE, "BYTES", 0, 1 << 30, swap_cache_bytes,
           "what cold swaps read to empty the caches (default: a quarter more than the last one "
           "holds)"),
    READ("swap-messages", KEY_SWAP_MESSAGES, "N1,N2",
         "the numbers of messages that a swap's latency is taken between (default 512,1024)"),
    TEXT("swap-only", KEY_SWAP_ONLY, "NAME,...", swap_only,
         "measure only these protocols, sets, ways, volumes or pairs of suite swap: "
         "0.3,basic,warm,8192,0-1"),
    READ("swap-dominant", KEY_SWAP_DOMINANT, "FROM,UPTO",
         "the numbers of messages that the error of a swap's model is taken over (default: all)"),
    READ("describe", KEY_DESCRIBE, "WHAT=TEXT",
         "say in the table what the machine is: interconnect=Myrinet"),
    NUMBER("overlap-base", KEY_OVERLAP_BASE, "TIMES", 1, 100, overlap_base,
           "the overlap test's loop time counts to the transfer time up to so many times the "
           "average (default: by how loop times scatter, 1.02 to 1.25)"),
    NUMBER("overlap-stop", KEY_OVERLAP_STOP, "TIMES", 1, 100, overlap_stop,
           "the overlap test's work grows until a loop takes so many times the transfer (default "
           "1.5)"),
    NUMBER("overlap-iterations", KEY_OVERLAP_ITERATIONS, "N", 1, 1e6, overlap_iterations,
           "of a loop of the overlap test (default: as many as last 200 us)"),
    FLAG("oversubscribe", KEY_OVERSUBSCRIBE, oversubscribe,
         "measure although ranks share cores; the table says so"),
    READ("no-progress", KEY_NO_PROGRESS, NULL,
         "no progress bar, nor a line every ten seconds where there is no terminal"),
    FLAG("list", KEY_LIST, list, "list suites and utilities, and end"),
    READ("statistic", KEY_STATISTIC, "NAME",
         "of the repetitions, what models are fitted to: minimum, mean or median (default median)"),
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

static int number(const struct options *options, const char *name, const char *text, double least,
                  double most, double *value)
{
    if (!number_parse_bytes(text, value))
        return error_set(options->error, "--%s is '%.60s': %s", name, text, number_wrong(text));
    if (*value >= least && *value <= most)
        return 0;
    return error_set(options->error, "--%s is '%.60s': expected a number from %g to %g", name, text,
                     least, most);
}

/* Two numbers of messages, as swaps have them. */
static int messages(const struct options *options, const char *name, const char *text,
                    double pair[2])
{
    struct number_list list = {0};
    int exponent;
    bool right = !number_list_parse(text, &list) && list.count == 2 &&
                 list.values[0] < list.values[1] && list.values[0] >= 1.0 &&
                 list.values[1] <= 1024.0;
    for (size_t i = 0; right && i < 2; i++) {
        right = frexp(list.values[i], &exponent) == 0.5;
        pair[i] = list.values[i];
    }
    number_list_free(&list);
    return right
               ? 0
               : error_set(options->error,
                           "--%s is '%.60s': expected two powers of two from 1 to 1024, ascending",
                           name, text);
}

static int take_seed(struct options *options, const char *text)
{
    double seed;
    if (number(options, "seed", text, 0, 4294967295.0, &seed) != 0)
        return -1;
    options->seed = (unsigned long)seed;
    return 0;
}

static int take_processors(struct options *options, const char *text)
{
    number_list_free(&options->processors);
    const char *wrong = number_list_parse(text, &options->processors);
    return wrong ? error_set(options->error, "--processors is '%.60s': %s", text, wrong) : 0;
}

/* form: what the pair is made of, with a = between. */
static int take_pair(const struct options *options, const char *option, const char *form,
                     const char *pair, const char **pairs, size_t *count)
{
    const char *end = strchr(pair, '=');
    if (!end || end == pair || !end[1])
        return error_set(options->error, "%s %.60s: expected %s", option, pair, form);
    if (*count == DEFINITIONS_MOST)
        return error_set(options->error, "more than %d times %s", DEFINITIONS_MOST, option);
    pairs[(*count)++] = pair;
    return 0;
}

/* Without any, compilers do not optimise, and nobody asks for that so. */
static int take_cflags(struct options *options, const char *text)
{
    if (text[strspn(text, " ")] != '-')
        return error_set(options->error, "--cflags '%.60s': expected flags such as -O3", text);
    if (options->cflags_count == DEFINITIONS_MOST)
        return error_set(options->error, "more than %d times --cflags", DEFINITIONS_MOST);
    options->cflags[options->cflags_count++] = text;
    return 0;
}

static int take_statistic(struct options *options, const char *text)
{
    for (int i = STATISTIC_MINIMUM; i <= STATISTIC_MEDIAN; i++)
        if (strcmp(text, cost_statistic_name(i)) == 0) {
            options->statistic = (enum statistic)i;
            return 0;
        }
    return error_set(options->error, "--statistic is '%.60s': expected minimum, mean or median",
                     text);
}

static void take_quick(struct options *options)
{
    options->quick = true;
    options->points = 20;
}

static void take_thorough(struct options *options)
{
    options->quick = false;
    options->points = 96;
}

/* Options that are more than a number or a text: 0, or -1 with the error set. */
static int take_other(int key, const char *text, struct options *options)
{
    switch (key) {
    case 'o':
        options->output = options->output_given = text;
        return 0;
    case 'D':
        return take_pair(options, "-D", "NAME=VALUE", text, options->definitions,
                         &options->definition_count);
    case KEY_DESCRIBE:
        return take_pair(options, "--describe", "WHAT=TEXT", text, options->described,
                         &options->described_count);
    case KEY_CFLAGS:
        return take_cflags(options, text);
    case KEY_PROCESSORS:
        return take_processors(options, text);
    case KEY_SEED:
        return take_seed(options, text);
    case KEY_SWAP_MESSAGES:
        return messages(options, "swap-messages", text, options->swap_messages);
    case KEY_SWAP_DOMINANT:
        return messages(options, "swap-dominant", text, options->swap_dominant);
    case KEY_STATISTIC:
        return take_statistic(options, text);
    case KEY_QUICK:
        take_quick(options);
        return 0;
    case KEY_THOROUGH:
        take_thorough(options);
        return 0;
    case KEY_NO_PROGRESS:
        options->progress = false;
        return 0;
    default:
        return error_set(options->error, "unexpected argument '%.60s'", text);
    }
}

static int take(int key, const char *text, void *state)
{
    struct options *options = state;
    char *base = state;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const struct row *row = &rows[i];
        if (row->option.key != key)
            continue;
        if (row->number)
            return number(options, row->option.name, text, row->least, row->most,
                          (double *)(void *)(base + row->number));
        if (row->text)
            *(const char **)(void *)(base + row->text) = text;
        if (row->flag)
            *(bool *)(void *)(base + row->flag) = true;
        if (row->text || row->flag)
            return 0;
    }
    return take_other(key, text, options);
}

/* Options that are right one by one, and not together. */
static int check(const struct options *options, struct error *error)
{
    if (options->bytes_least > options->bytes_most)
        return error_set(error, "--min-bytes is above --max-bytes");
    if (options->launches != floor(options->launches) || options->ranks != floor(options->ranks))
        return error_set(error, "--launches and --ranks: expected whole numbers");
    if (options->overlap_base >= options->overlap_stop)
        return error_set(error, "--overlap-base is not below --overlap-stop");
    if (options->resume && (options->launches > 1 || options->validate))
        return error_set(error, "--resume: expected neither --launches nor --validate");
    if (options->add && (options->replace || options->launches > 1))
        return error_set(error, "--add: expected neither --replace nor --launches");
    if ((options->add || options->replace) && (options->validate || options->rehearse))
        return error_set(error, "--add and --replace: expected neither --validate nor --rehearse");
    if ((options->validate && input_is_standard(options->validate)) ||
        (options->rehearse && input_is_standard(options->rehearse)))
        return error_set(error, "--validate and --rehearse: expected a file, not -: every launch "
                                "and every rank reads it");
    if (options->loops && (options->rehearse || options->resume || options->launches > 1 ||
                           options->add || options->replace || options->suites))
        return error_set(error,
                         "--loops: expected none of --rehearse, --resume, --launches, --add, "
                         "--replace and --suite");
    if (options->dry_run && (options->loops || options->rehearse || options->validate ||
                             options->resume || options->launches > 1))
        return error_set(error, "--dry-run: expected none of --loops, --rehearse, --validate, "
                                "--resume and --launches");
    if (!options->rehearse && options->candidate)
        return error_set(error, "--candidate: expected with --rehearse");
    if (!options->rehearse && !(options->loops && options->validate) &&
        options->definition_count > 0)
        return error_set(error, "-D: expected with --rehearse, or with --loops and --validate");
    if (options->rehearse && (options->validate || options->resume || options->launches > 1))
        return error_set(error, "--rehearse: expected neither --validate, --resume nor --launches");
    return 0;
}

static struct options begin(struct error *error)
{
    return (struct options){
        .output = "machine.yaml",
        .budget_s = NAN,
        .patience_s = 60,
        .accuracy = 0.05,
        .confidence = 0.9,
        .statistic = STATISTIC_MEDIAN,
        .tolerance = 0.2,
        .launches = 1,
        .ranks = 2,
        .bytes_most = 4 * 1024 * 1024,
        .points = 48,
        .seed = 1,
        .swap_cache_bytes = NAN,
        .swap_messages = {512, 1024},
        .swap_dominant = {NAN, NAN },
        .overlap_base = NAN,
        .overlap_stop = 1.5,
        .overlap_iterations = NAN,
        .progress = true,
        .error = error
    };
}

int options_parse(struct options *options, int argc, char **argv, bool speaks, struct error *error)
{
    struct argp_option table[ROW_COUNT + 1] = {0};
    for (size_t i = 0; i < ROW_COUNT; i++)
        table[i] = rows[i].option;
    const struct arguments_face face = {
        .name = "trainer",
        .version = "trainer (" PACKAGE_NAME ") " PACKAGE_VERSION,
        .options = table,
        .doc = "Measures this machine with MPI and writes its machine table.\v"
               "Run it as mpiexec -n P trainer. Exit status: 0 done, 1 a check failed, 2 bad input "
               "or usage."};
    *options = begin(error);
    const int status = arguments_walk(&face, argc, argv, take, options, error);
    if (isnan(options->budget_s))
        options->budget_s = options->loops || options->rehearse ? 90 : 60;
    options->is_answered = status > 0;
    if (status > 0 && speaks)
        arguments_answer(&face, (enum arguments_answer)status, stdout);
    return status == 0 ? check(options, error) : status < 0 ? -1 : 0;
}
