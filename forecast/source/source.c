#include "forecast/source/source.h"

#include "forecast/source/compile_flags.h"
#include "forecast/source/describer.h"
#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/code/code_flags.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool source_is(const char *word)
{
    const size_t length = strlen(word);
    return length > 2 && strcmp(word + length - 2, ".c") == 0;
}

int source_refuse_other(const char *word, struct error *error)
{
    static const struct {
        const char *end, *what;
    } others[] = {
        {".f",   "Fortran"    },
        {".F",   "Fortran"    },
        {".for", "Fortran"    },
        {".ftn", "Fortran"    },
        {".f77", "Fortran"    },
        {".f90", "Fortran"    },
        {".F90", "Fortran"    },
        {".f95", "Fortran"    },
        {".F95", "Fortran"    },
        {".f03", "Fortran"    },
        {".f08", "Fortran"    },
        {".F08", "Fortran"    },
        {".cpp", "C++"        },
        {".cc",  "C++"        },
        {".cxx", "C++"        },
        {".c++", "C++"        },
        {".C",   "C++"        },
        {".hpp", "C++"        },
        {".cu",  "CUDA"       },
        {".cl",  "OpenCL"     },
        {".h",   "a header"   },
        {".py",  "Python"     },
        {".jl",  "Julia"      },
        {".rs",  "Rust"       },
        {".m",   "Objective-C"},
    };
    const char *end = strrchr(word, '.');
    for (size_t i = 0; end && end > word && i < sizeof others / sizeof *others; i++)
        if (strcmp(end, others[i].end) == 0)
            return error_at(error, place_at(word, 0, 0),
                            "%s is not read: give C files (.c) or a segment description (YAML); "
                            "write the loops that take time as C, or describe them by hand as "
                            "doc/segment-description.md shows",
                            others[i].what);
    return 0;
}

/* ---- the side file ---- */

/* Into *side, to be freed: that of the command line, or the one beside a file; NULL: none. */
static int find_side(const struct source *source, char **side, struct error *error)
{
    *side = memory_copy_text(source->side);
    for (size_t i = 0; i < source->file_count && !source->side; i++) {
        const char *file = source->files[i];
        char *beside = memory_format("%.*s.forecost", (int)strlen(file) - 2, file);
        struct stat about;
        const bool is_there = stat(beside, &about) == 0;
        if (is_there && (*side || !S_ISREG(about.st_mode))) {
            if (!S_ISREG(about.st_mode))
                error_fill(error, place_at(beside, 0, 0),
                           "is no regular file: expected directives");
            else
                error_fill(error, place_at(beside, 0, 0),
                           "a second file of directives beside %.200s: expected one, or --side",
                           *side);
            free(beside);
            free(*side);
            return -1;
        }
        if (is_there)
            *side = beside;
        else
            free(beside);
    }
    return 0;
}

/* ---- the describer's command line ---- */

/* Of a list the first value: what follows is priced with the others, too. */
static char *definition_for(const char *definition)
{
    struct number_list values = {0};
    char number[NUMBER_TEXT];
    const size_t length = strcspn(definition, "=");
    if (number_list_parse(definition + length + (definition[length] == '='), &values) != NULL)
        return memory_copy_text(definition);
    char *first =
        memory_format("%.*s=%s", (int)length, definition, number_print(values.values[0], number));
    number_list_free(&values);
    return first;
}

static void add(struct words *words, const char *word)
{
    words_add(words, memory_copy_text(word));
}

/* To be freed. Of several levels the last one counts: what the command line says goes before. */
static char *code_flags_with(const struct compile_flags *listed, const struct source *source)
{
    char *all = compile_flags_of_code((const char *const *)listed->code.items, listed->code.count);
    char *own = compile_flags_of_code(source->flags, source->flag_count);
    char *both = memory_format("%s%s%s", all, *all && *own ? " " : "", own);
    free(all);
    free(own);
    return both;
}

/* All but what the compiler is told. */
static void add_own(struct words *words, const struct source *source, const char *side,
                    const char *code_flags)
{
    if (source->has_loops)
        add(words, "--loops");
    if (source->has_places)
        add(words, "--places");
    if (source->is_strict)
        add(words, "--strict");
    if (source->processors > 0.0)
        words_add(words, memory_format("--processes=%.0f", source->processors));
    if (source->messages)
        words_add(words, memory_format("--messages=%s", source->messages));
    if (side) {
        add(words, "--side");
        add(words, side);
    }
    for (size_t i = 0; i < source->definition_count; i++) {
        add(words, "-D");
        words_add(words, definition_for(source->definitions[i]));
    }
    if (code_flags_tell(code_flags))
        words_add(words, memory_format("--compiled=%s", code_flags));
    for (size_t i = 0; i < source->file_count; i++)
        words_add(words, source->files[i][0] == '-' ? memory_format("./%s", source->files[i])
                                                    : memory_copy_text(source->files[i]));
}

/* And all that the command line says. */
static void add_meaning(struct words *words, const struct source *source,
                        const struct compile_flags *listed)
{
    for (size_t i = 0; i < listed->meaning.count; i++)
        add(words, listed->meaning.items[i]);
    for (size_t i = 0; i < source->flag_count; i++)
        add(words, source->flags[i]);
}

static void add_all(struct words *words, const struct source *source, const char *side,
                    const struct compile_flags *listed)
{
    char *code_flags = code_flags_with(listed, source);
    add_own(words, source, side, code_flags);
    free(code_flags);
    add(words, "--");
    add_meaning(words, source, listed);
}

static int make_words(struct words *words, const struct source *source, FILE *said,
                      struct error *error)
{
    char *side;
    struct compile_flags listed;
    if (find_side(source, &side, error) != 0)
        return -1;
    const int status = compile_flags_read(&listed, source->files, source->file_count, error);
    if (status == 0)
        add_all(words, source, side, &listed);
    if (status == 0 && listed.remarks)
        fputs(listed.remarks, said);
    compile_flags_free(&listed);
    free(side);
    return status;
}

int source_describe(const struct source *source, char **text, size_t *bytes, FILE *said,
                    struct error *error)
{
    struct words words = {0};
    int status = make_words(&words, source, said, error);
    if (status == 0)
        status = describer_run(&words, source->files[0], text, bytes, said, error);
    words_free(&words);
    return status;
}

int source_read(struct program *program, const struct source *source, FILE *said,
                struct error *error)
{
    char *text;
    size_t bytes;
    if (source_describe(source, &text, &bytes, said, error) != 0)
        return -1;
    const int status = program_read_derived(program, source->files[0], text, bytes, error);
    free(text);
    if (status == 0 && !program->code_flags) /* or the compiler's own, which is known too */
        program->code_flags = memory_copy_text("");
    return status;
}

int source_flags(const struct source *source, struct words *flags, char **code_flags,
                 struct error *error)
{
    struct compile_flags listed;
    const int status = compile_flags_read(&listed, source->files, source->file_count, error);
    if (status == 0) {
        *flags = (struct words){0};
        for (size_t i = 0; i < listed.code.count; i++)
            add(flags, listed.code.items[i]);
        add_meaning(flags, source, &listed);
        *code_flags = code_flags_with(&listed, source);
    }
    compile_flags_free(&listed);
    return status;
}
