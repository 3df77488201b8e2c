#include "describer/options.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* The value of an option: behind it, or the next argument. */
static const char *value_of(int count, char **arguments, int *i, size_t name_length)
{
    if (arguments[*i][name_length])
        return arguments[*i] + name_length + (arguments[*i][name_length] == '=');
    return *i + 1 < count ? arguments[++*i] : NULL;
}

static int read_option(int count, char **arguments, int *i, struct options *options,
                       struct error *error)
{
    const char *argument = arguments[*i], *value = "";
    if (!strncmp(argument, "-D", 2)) {
        value = value_of(count, arguments, i, 2);
        if (value && strchr(value, '='))
            options->definitions[options->definition_count++] = value;
        else
            return error_set(error, "-D needs NAME=VALUE");
    } else if (!strncmp(argument, "--side", 6) && (!argument[6] || argument[6] == '=')) {
        value = options->side = value_of(count, arguments, i, 6);
        if (!value)
            return error_set(error, "--side needs a file");
    } else if (!strncmp(argument, "--compiled", 10) && (!argument[10] || argument[10] == '=')) {
        options->compiled_flags = value_of(count, arguments, i, 10);
        if (!options->compiled_flags)
            return error_set(error, "--compiled needs flags");
    } else if (!strncmp(argument, "--messages", 10)) {
        value = value_of(count, arguments, i, 10);
        options->messages_p = value ? atoi(value) : 0;
        if (options->messages_p < 1 || options->messages_p > MESSAGES_P_MOST)
            return error_set(error, "--messages needs a number of processes up to %d",
                             MESSAGES_P_MOST);
    } else if (!strncmp(argument, "--processes", 11)) {
        value = value_of(count, arguments, i, 11);
        options->processes = value ? atoi(value) : 0;
    } else if (!strcmp(argument, "--places"))
        options->has_places = true;
    else if (!strcmp(argument, "--loops"))
        options->has_places = options->has_loops = true;
    else if (!strcmp(argument, "--strict"))
        options->is_strict = true;
    else if (!strcmp(argument, "--help"))
        options->is_help = true;
    else
        return error_set(error, "unknown option '%s': see describer --help", argument);
    return 0;
}

int options_read(int count, char **arguments, struct options *options, struct error *error)
{
    *options = (struct options){0};
    options->files = memory_new((size_t)count + 1, sizeof *options->files);
    options->definitions = memory_new((size_t)count + 1, sizeof *options->definitions);
    for (int i = 1; i < count; i++) {
        if (!strcmp(arguments[i], "--")) {
            options->flags = (const char *const *)&arguments[i + 1];
            options->flag_count = count - i - 1;
            break;
        }
        if (arguments[i][0] != '-')
            options->files[options->file_count++] = arguments[i];
        else if (read_option(count, arguments, &i, options, error))
            return -1;
    }
    if (options->file_count == 0 && !options->is_help)
        return error_set(error, "no C file is given: describer FILE.c [FILE.c]... [-- FLAGS]");
    return 0;
}

void options_free(struct options *options)
{
    free(options->files);
    free(options->definitions);
}
