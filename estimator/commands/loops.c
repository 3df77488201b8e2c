/* estimator loops: the innermost loops of a C program as a loadable object, which the trainer
   measures. */
#include "estimator/commands/commands.h"
#include "estimator/commands/own_loops.h"
#include "model/base/allocation.h"
#include "model/base/file_out.h"
#include "model/code/compiler.h"
#include "model/code/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "FILE.c",
    .example = "loops samples/jacobi/jacobi-serial.c -o jacobi.so",
    .doc = "Makes a loadable object (-o; default: FILE.loops.so) of the innermost loops of a C "
           "program as they stand in it, with the compiler ($CC or cc) and the flags behind --, to "
           "be measured: mpiexec -n 2 trainer --loops FILE.loops.so -o FILE.loops.yaml",
    .takes = "Dao",
    .least = 1,
    .most = 1,
    .has_sources = true,
};

/* ---- what stands in the text ---- */

static const char head_of_function[] = "#ifndef FORECOST_WITHOUT_";

/* A function of the text; its end: "N /\* loop AT *\/". */
struct found {
    int number;
    char at[200];
};

/* The next one from *text on, which then stands behind it. */
static bool next_function(const char **text, struct found *found)
{
    while ((*text = strstr(*text, head_of_function)) != NULL) {
        *text += sizeof head_of_function - 1;
        if (sscanf(*text, "%d /* loop %199s */", &found->number, found->at) == 2)
            return true;
    }
    return false;
}

/* Those that the describer left out: remarks at the begin. */
static void say_left_out(const char *text)
{
    while (strncmp(text, "/* loop ", 8) == 0) {
        const char *end = strstr(text, " */\n");
        fprintf(stderr, "estimator: remark: %.*s: left out\n", (int)(end - text - 3), text + 3);
        text = end + 4;
    }
}

/* ---- one that does not compile ---- */

static void add_without(struct words *words, int number)
{
    words_add(words, memory_format("-DFORECOST_WITHOUT_%d", number));
}

/* Each alone; those that do not compile are in *without. Returns how many do. */
static size_t try_each(const struct compiler *compiler, const char *text, struct words *without)
{
    size_t right = 0;
    struct found one, other;
    for (const char *at = text; next_function(&at, &one);) {
        struct words others = {0};
        char *line;
        for (const char *rest = text; next_function(&rest, &other);)
            if (other.number != one.number)
                add_without(&others, other.number);
        if (compiler_run(compiler, &others, &line)) {
            right++;
        } else {
            fprintf(stderr, "estimator: remark: loop %s: left out: %s\n", one.at, line);
            add_without(without, one.number);
        }
        free(line);
        words_free(&others);
    }
    return right;
}

/* The program includes mpi.h, and nobody has said which compiler knows where that lies. */
static bool run_all(struct compiler *compiler, char **line)
{
    if (compiler_run(compiler, NULL, line))
        return true;
    if (!strstr(*line, "mpi.h") || !compiler_take_mpi(compiler))
        return false;
    free(*line);
    return compiler_run(compiler, NULL, line);
}

static int build(struct compiler *compiler, const char *text, struct error *error)
{
    struct words without = {0};
    char *line, *again = NULL;
    if (run_all(compiler, &line))
        return 0;
    if (strstr(text, "FORECOST_FIRST_ALONE")) {
        words_add(&without, memory_copy_text("-DFORECOST_FIRST_ALONE"));
        if (compiler_run(compiler, &without, &again)) {
            fprintf(
                stderr,
                "estimator: remark: the files do not compile as one, and the loops of the first "
                "one alone are made: %s\n",
                line);
            free(line);
            free(again);
            words_free(&without);
            return 0;
        }
        free(again);
        again = NULL;
        words_free(&without);
    }
    const size_t right = try_each(compiler, text, &without);
    const bool is_built = right > 0 && compiler_run(compiler, &without, &again);
    if (!is_built)
        error_fill(error, place_at(NULL, 0, 0), "no loop can be compiled: %s",
                   again ? again : line);
    free(line);
    free(again);
    words_free(&without);
    return is_built ? 0 : -1;
}

/* ---- the whole ---- */

static int copy(const char *from, const char *to, struct error *error)
{
    struct file_out out;
    char buffer[65536];
    FILE *stream = fopen(from, "rb");
    if (!stream)
        return error_set(error, "the compiler has written no object");
    int status = file_out_begin(&out, to, error);
    for (size_t got = 1; status == 0 && got > 0;) {
        got = fread(buffer, 1, sizeof buffer, stream);
        fwrite(buffer, 1, got, out.stream);
    }
    const bool is_read = !ferror(stream);
    fclose(stream);
    if (status == 0 && !is_read) {
        file_out_drop(&out);
        status = error_set(error, "the compiler's object cannot be read");
    }
    return status == 0 ? file_out_keep(&out, error) : status;
}

static int begin(struct compiler *compiler, const struct source *source, const char *text,
                 struct error *error)
{
    struct words flags;
    char *code_flags;
    if (source_flags(source, &flags, &code_flags, error) != 0)
        return -1;
    bool has_level = false;
    for (size_t i = 0; i < flags.count; i++)
        has_level = has_level || strncmp(flags.items[i], "-O", 2) == 0;
    if (!has_level) {
        char *with = memory_format("-O2%s%s", *code_flags ? " " : "", code_flags);
        free(code_flags);
        code_flags = with;
        words_add(&flags, memory_copy_text("-O2"));
        fprintf(stderr, "estimator: remark: compiled with -O2, as no flag says otherwise: flags of "
                        "the compiler follow everything else behind --\n");
    }
    const int status = compiler_begin(compiler, text, &flags, code_flags, error);
    words_free(&flags);
    free(code_flags);
    return status;
}

static int compile(const struct source *source, const char *text, const char *output,
                   struct error *error)
{
    struct compiler compiler;
    if (begin(&compiler, source, text, error) != 0)
        return -1;
    int status = build(&compiler, text, error);
    if (status == 0)
        status = copy(compiler.object, output, error);
    compiler_end(&compiler);
    return status;
}

int loops_make_object(const struct options *options, size_t number, const char *output,
                      struct error *error)
{
    struct source source = options_source(options, number);
    const char *file = options->arguments[number];
    struct found found;
    char *text;
    size_t bytes;
    source.has_loops = true;
    if (!source_is(file))
        return error_at(error, place_at(file, 0, 0), "expected C files: names that end in .c");
    if (source_describe(&source, &text, &bytes, stderr, error) != 0)
        return -1;
    char *whole = memory_format("%.*s", (int)bytes, text);
    const char *at = whole;
    say_left_out(whole);
    const int status = next_function(&at, &found)
                           ? compile(&source, whole, output, error)
                           : error_at(error, place_at(file, 0, 0),
                                      "no innermost loop can stand alone: nothing to measure");
    free(text);
    free(whole);
    return status;
}

int cmd_loops(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    const char *file = options.arguments[0];
    char *output = options.output ? memory_copy_text(options.output)
                                  : memory_format("%.*s.loops.so", (int)strlen(file) - 2, file);
    const int status = loops_make_object(&options, 0, output, error);
    free(output);
    options_free(&options);
    return status;
}
