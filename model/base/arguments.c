#include "model/base/arguments.h"

#include "model/base/allocation.h"
#include "model/base/names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct argp_option answers[] = {
    {"help",    ANSWER_HELP,    NULL, 0, "print this help, and end",             -1},
    {"usage",   ANSWER_USAGE,   NULL, 0, "print a short usage message, and end", -1},
    {"version", ANSWER_VERSION, NULL, 0, "print the version, and end",           -1},
};

enum { ANSWER_COUNT = sizeof answers / sizeof *answers };

/* One command line on its way through arguments_walk. */
struct walk {
    const struct arguments_face *face;
    struct argp_option *options; /* the face's and the answers; owned */
    size_t count;
    int argc, at; /* at: the next word */
    char **argv;
    arguments_take *take;
    void *state;
    struct error *error;
};

static size_t count_options(const struct arguments_face *face)
{
    size_t count = 0;
    while (face->options[count].name)
        count++;
    return count;
}

/* All options, with a row of zeros at their end. */
static struct argp_option *all_options(const struct arguments_face *face, size_t *count)
{
    const size_t own = count_options(face);
    struct argp_option *options = memory_new(own + ANSWER_COUNT + 1, sizeof *options);
    memcpy(options, face->options, own * sizeof *options);
    memcpy(options + own, answers, sizeof answers);
    *count = own + ANSWER_COUNT;
    return options;
}

void arguments_answer(const struct arguments_face *face, enum arguments_answer answer, FILE *stream)
{
    size_t count;
    struct argp_option *options = all_options(face, &count);
    const struct argp argp = {.options = options, .args_doc = face->words, .doc = face->doc};
    char *name = memory_copy_text(face->name);
    if (answer == ANSWER_VERSION)
        fprintf(stream, "%s\n", face->version);
    else
        argp_help(&argp, stream,
                  answer == ANSWER_USAGE ? ARGP_HELP_USAGE
                                         : ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC,
                  name);
    free(name);
    free(options);
}

/* ---- what is wrong with an option ---- */

static int unknown(const struct walk *walk, const char *dashes, const char *name, size_t length)
{
    const char **names = memory_new(walk->count + 1, sizeof *names);
    char *word = memory_format("%.*s", (int)length, name);
    for (size_t i = 0; i < walk->count; i++)
        names[i] = walk->options[i].name;
    const char *near = length > 1 ? nearest_name(word, names) : NULL;
    const int status = error_set(walk->error, "unknown option '%s%.60s'%s%s%s; see %s --help",
                                 dashes, word, near ? ": did you mean '--" : "", near ? near : "",
                                 near ? "'?" : "", walk->face->name);
    free(word);
    free(names);
    return status;
}

static int ambiguous(const struct walk *walk, const char *name, size_t length)
{
    const char **names = memory_new(walk->count + 1, sizeof *names);
    char all[NAMES_TEXT];
    for (size_t i = 0, found = 0; i < walk->count; i++)
        if (strncmp(walk->options[i].name, name, length) == 0)
            names[found++] = walk->options[i].name;
    names_listed(all, names);
    free(names);
    return error_set(walk->error, "option '--%.*s' may be one of several: %s; see %s --help",
                     (int)(length < 60 ? length : 60), name, all, walk->face->name);
}

/* ---- options ---- */

/* An answer is for the caller to give. */
static int give(const struct walk *walk, const struct argp_option *option, const char *value)
{
    if (option >= walk->options + walk->count - ANSWER_COUNT)
        return option->key;
    return walk->take(option->key, value, walk->state);
}

/* The value that the next word is. */
static int give_next(struct walk *walk, const struct argp_option *option, const char *as_written)
{
    if (walk->at == walk->argc)
        return error_set(walk->error, "option '%s' without its %s; see %s --help", as_written,
                         option->arg, walk->face->name);
    return give(walk, option, walk->argv[walk->at++]);
}

/* NULL: none, or *several. */
static const struct argp_option *find_long(const struct walk *walk, const char *name, size_t length,
                                           bool *several)
{
    const struct argp_option *found = NULL;
    *several = false;
    for (size_t i = 0; i < walk->count; i++) {
        const struct argp_option *option = &walk->options[i];
        if (strncmp(option->name, name, length) != 0)
            continue;
        if (option->name[length] == '\0') {
            *several = false;
            return option;
        }
        *several = found != NULL;
        found = option;
    }
    return *several ? NULL : found;
}

static int take_long(struct walk *walk, const char *name)
{
    const size_t length = strcspn(name, "=");
    bool several;
    const struct argp_option *option = find_long(walk, name, length, &several);
    if (!option)
        return several ? ambiguous(walk, name, length) : unknown(walk, "--", name, length);
    if (name[length] == '=')
        return option->arg ? give(walk, option, name + length + 1)
                           : error_set(walk->error, "option '--%s' takes no value; see %s --help",
                                       option->name, walk->face->name);
    char *as_written = memory_format("--%s", option->name);
    const int status = option->arg ? give_next(walk, option, as_written) : give(walk, option, NULL);
    free(as_written);
    return status;
}

static const struct argp_option *find_short(const struct walk *walk, char letter)
{
    const int key = letter == '?' ? ANSWER_HELP : letter;
    for (size_t i = 0; i < walk->count; i++)
        if (walk->options[i].key == key && letter > ' ')
            return &walk->options[i];
    return NULL;
}

/* -abc: three of them, or one with its value. */
static int take_shorts(struct walk *walk, const char *letters)
{
    int status = 0;
    for (; *letters && status == 0; letters++) {
        const char as_written[] = {'-', *letters, '\0'};
        const struct argp_option *option = find_short(walk, *letters);
        if (!option)
            return unknown(walk, "-", letters, strlen(letters));
        if (option->arg)
            return letters[1] ? give(walk, option, letters + 1)
                              : give_next(walk, option, as_written);
        status = give(walk, option, NULL);
    }
    return status;
}

int arguments_walk(const struct arguments_face *face, int argc, char **argv, arguments_take *take,
                   void *state, struct error *error)
{
    struct walk walk = {.face = face,
                        .argc = argc,
                        .at = 1,
                        .argv = argv,
                        .take = take,
                        .state = state,
                        .error = error};
    walk.options = all_options(face, &walk.count);
    int status = 0;
    for (bool words_only = false; walk.at < argc && status == 0;) {
        const char *word = argv[walk.at++];
        if (words_only || word[0] != '-' || word[1] == '\0')
            status = take(ARGUMENTS_WORD, word, state);
        else if (word[1] != '-')
            status = take_shorts(&walk, word + 1);
        else if (word[2] == '\0')
            words_only = true;
        else
            status = take_long(&walk, word + 2);
    }
    free(walk.options);
    return status;
}
