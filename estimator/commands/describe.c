/* estimator describe: the segment description that other commands derive from C files, or that
   recordings of a running program show. */
#include "estimator/commands/commands.h"
#include "estimator/output/options.h"
#include "estimator/output/output.h"
#include "model/base/allocation.h"
#include "recording/description.h"
#include "recording/recording.h"

#include <math.h>
#include <stdlib.h>

static const struct options_face face = {
    .arguments = "PROGRAM...",
    .example = "describe samples/jacobi/jacobi-serial.c -o jacobi.yaml",
    .doc = "Writes the segment description of the program that the C files are, as YAML: arrays, "
           "loops, references and operation counts as the source has them, partitionings and "
           "segments as its directives say (#pragma forecost). Of recordings of one program, which "
           "forecost-record makes: its messages and computing times as laws in p and parameters.",
    .takes = "DaLgo",
    .least = 1,
    .most = OPTIONS_ARGUMENTS,
    .has_sources = true,
};

/* What the other commands would refuse is refused here, too. */
static int check(const struct source *source, const char *text, size_t bytes, struct error *error)
{
    struct program program;
    if (program_read_derived(&program, source->files[0], text, bytes, error) != 0)
        return -1;
    struct scope *scope =
        program_scope(&program, source->definitions, source->definition_count, 1.0, error);
    scope_free(scope);
    program_free(&program);
    return scope ? 0 : -1;
}

static int save(const char *text, size_t bytes, const char *path, struct error *error)
{
    char *whole = memory_format("%.*s", (int)bytes, text);
    const int status = output_save(whole, path, error);
    free(whole);
    return status;
}

/* What each process of the recording of so many sent. */
static int write_messages(const struct options *options, struct error *error)
{
    double processes;
    if (!number_parse(options->messages, &processes))
        return error_set(error, "--messages %s: expected a number of processes", options->messages);
    for (size_t i = 0; i < options->word_count; i++) {
        struct recording recording;
        if (recording_read(&recording, options->words[i], error) != 0)
            return -1;
        const bool is_it = recording.processes == processes;
        if (is_it)
            recording_messages(&recording, stdout);
        recording_free(&recording);
        if (is_it)
            return 0;
    }
    return error_set(error, "--messages %s: no recording is of so many processes",
                     options->messages);
}

static int read_recordings(const struct options *options, struct recording *recordings,
                           size_t *count, struct error *error)
{
    for (*count = 0; *count < options->word_count; ++*count) {
        if (recording_read(&recordings[*count], options->words[*count], error) != 0)
            return -1;
        recording_find_lines(&recordings[*count]);
    }
    return 0;
}

/* What the node of --node does says how long computation takes on another. */
static int describe_recordings(const struct options *options, struct error *error)
{
    struct recording recordings[OPTIONS_ARGUMENTS];
    const struct description_options how = {NULL, NAN, NAN};
    char *text;
    size_t count, bytes;
    if (options->messages)
        return write_messages(options, error);
    int status = read_recordings(options, recordings, &count, error);
    if (status == 0)
        status = description_make(recordings, count, &how, &text, &bytes, stderr, error);
    for (size_t i = 0; i < count; i++)
        recording_free(&recordings[i]);
    if (status != 0)
        return -1;
    struct program program;
    status = program_read_text(&program, "the description", text, bytes, error);
    if (status == 0) {
        program_free(&program);
        status = save(text, bytes, options->output, error);
    }
    free(text);
    return status;
}

static int describe(const struct options *options, struct error *error)
{
    if (recording_is(options->words[0]))
        return describe_recordings(options, error);
    struct source source = options_source(options, 0);
    char *text;
    size_t bytes;
    source.has_places = options->places;
    source.messages = options->messages;
    if (!source_is(options->arguments[0]))
        return error_at(error, place_at(options->arguments[0], 0, 0),
                        "expected C files: names that end in .c");
    if (source_describe(&source, &text, &bytes, stderr, error) != 0)
        return -1;
    int status = options->messages ? 0 : check(&source, text, bytes, error);
    if (status == 0)
        status = save(text, bytes, options->output, error);
    free(text);
    return status;
}

int cmd_describe(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    const int status = describe(&options, error);
    options_free(&options);
    return status;
}
