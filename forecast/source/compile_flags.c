#include "forecast/source/compile_flags.h"

#include "model/base/allocation.h"
#include "model/code/code_flags.h"
#include "model/records/yaml_in.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- which flags matter ---- */

enum flag_kind {
    FLAG_NONE,
    FLAG_WORD,  /* is a word of its own */
    FLAG_VALUE, /* with its value in the same word, or in the next */
    FLAG_FILE   /* the same with a value that is a file or a folder */
};

/* The first that a word begins with. */
static const struct {
    const char *name;
    enum flag_kind kind;
} kinds[] = {
    {"-isystem",        FLAG_FILE },
    {"-iquote",         FLAG_FILE },
    {"-idirafter",      FLAG_FILE },
    {"-isysroot",       FLAG_FILE },
    {"-include",        FLAG_FILE },
    {"-imacros",        FLAG_FILE },
    {"--sysroot=",      FLAG_FILE },
    {"-I",              FLAG_FILE },
    {"-D",              FLAG_VALUE},
    {"-U",              FLAG_VALUE},
    {"-std=",           FLAG_WORD },
    {"-ansi",           FLAG_WORD },
    {"-m32",            FLAG_WORD },
    {"-m64",            FLAG_WORD },
    {"-pthread",        FLAG_WORD },
    {"-fopenmp",        FLAG_WORD },
    {"-fsigned-char",   FLAG_WORD },
    {"-funsigned-char", FLAG_WORD },
    {"-fshort-enums",   FLAG_WORD },
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static enum flag_kind kind_of(const char *word, const char **name)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        *name = kinds[i].name;
        if (strncmp(word, *name, strlen(*name)) == 0 &&
            (kinds[i].kind != FLAG_WORD || word[strlen(*name)] == '\0' || strchr(*name, '=')))
            return kinds[i].kind;
    }
    return FLAG_NONE;
}

/* To a text of the heap. */
static void add_word(char **text, const char *word)
{
    char *longer = memory_format("%s%s%s", *text, **text ? " " : "", word);
    free(*text);
    *text = longer;
}

char *compile_flags_of_code(const char *const *flags, size_t count)
{
    char *text = memory_copy_text("");
    for (size_t i = 0; i < count; i++) {
        const char *name;
        const enum flag_kind kind = kind_of(flags[i], &name);
        if (kind == FLAG_VALUE || kind == FLAG_FILE) {
            i += flags[i][strlen(name)] == '\0';
            continue;
        }
        add_word(&text, flags[i]);
    }
    return text;
}

/* ---- files ---- */

/* To be freed. */
static char *joined(const char *folder, const char *file)
{
    return file[0] == '/' ? memory_copy_text(file) : memory_format("%s/%s", folder, file);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Most have other names. */
static bool is_same_file(const char *folder, const char *file, const char *wanted)
{
    if (strcmp(base_of(file), base_of(wanted)) != 0)
        return false;
    char *path = joined(folder, file);
    char *real = realpath(path, NULL), *real_wanted = realpath(wanted, NULL);
    const bool same = real && real_wanted && strcmp(real, real_wanted) == 0;
    free(path);
    free(real);
    free(real_wanted);
    return same;
}

/* ---- response files ---- */

enum { RESPONSE_DEPTH_MOST = 8, RESPONSE_BYTES_MOST = 1 << 20 };

/* The words with "@FILE" replaced by the words of that file, which is relative to the folder; what
   it names by "@" is replaced too, as compilers do. */
static int expand(struct words *words, const struct words *given, const char *folder, int depth,
                  struct place place, struct error *error)
{
    for (size_t i = 0; i < given->count; i++) {
        const char *word = given->items[i];
        if (word[0] != '@' || !word[1]) {
            words_add(words, memory_copy_text(word));
            continue;
        }
        char *path = joined(folder, word + 1);
        FILE *stream = depth < RESPONSE_DEPTH_MOST ? fopen(path, "r") : NULL;
        char *text = memory_new(RESPONSE_BYTES_MOST + 1, 1);
        const size_t bytes = stream ? fread(text, 1, RESPONSE_BYTES_MOST + 1, stream) : 0;
        int status = 0;
        if (!stream || ferror(stream))
            status = error_at(error, place, "the response file %s cannot be read: %s", path,
                              depth < RESPONSE_DEPTH_MOST ? strerror(errno)
                                                          : "it names itself, or too many others");
        else if (bytes > RESPONSE_BYTES_MOST)
            status = error_at(error, place, "the response file %s has more than %d bytes", path,
                              RESPONSE_BYTES_MOST);
        if (stream)
            fclose(stream);
        if (status == 0) {
            text[bytes] = '\0';
            struct words within = words_cut(text);
            status = expand(words, &within, folder, depth + 1, place, error);
            words_free(&within);
        }
        free(text);
        free(path);
        if (status != 0)
            return -1;
    }
    return 0;
}

/* ---- one command ---- */

/* Headers that are included by name alone may be anywhere. */
static char *value_for(const char *value, enum flag_kind kind, const char *folder)
{
    char *path = joined(folder, value);
    if (kind == FLAG_FILE && access(path, F_OK) == 0)
        return path;
    free(path);
    return memory_copy_text(value);
}

static void add_once(struct words *flags, char *flag)
{
    if (words_have(flags, flag))
        free(flag);
    else
        words_add(flags, flag);
}

static void add_flags(struct words *flags, const struct words *command, const char *folder)
{
    for (size_t i = 1; i < command->count; i++) {
        const char *name, *word = command->items[i];
        const enum flag_kind kind = kind_of(word, &name);
        if (kind == FLAG_WORD)
            add_once(flags, memory_copy_text(word));
        if (kind != FLAG_VALUE && kind != FLAG_FILE)
            continue;
        const char *value = word + strlen(name);
        if (*value == '\0' && i + 1 < command->count)
            value = command->items[++i];
        char *whole = value_for(value, kind, folder);
        add_once(flags, memory_format("%s%s", name, whole));
        free(whole);
    }
}

/* Files that are compiled in different ways have no flags in common. */
static void take_code(struct compile_flags *flags, const struct words *command)
{
    char *code = memory_copy_text("");
    for (size_t i = 1; i < command->count; i++)
        if (code_flags_tell(command->items[i]))
            add_word(&code, command->items[i]);
    if (!flags->code) {
        flags->code = code;
        return;
    }
    if (strcmp(flags->code, code) != 0)
        flags->code[0] = '\0';
    free(code);
}

/* ---- the list ---- */

struct entry {
    const char *directory, *file; /* NULL: absent */
    struct words command;         /* owned */
};

static struct words words_of(struct yaml_node list)
{
    struct words words = {0};
    for (size_t i = 0; i < yaml_count(list); i++)
        if (yaml_kind(yaml_item(list, i)) == YAML_SCALAR)
            words_add(&words, memory_copy_text(yaml_text(yaml_item(list, i))));
    return words;
}

/* "arguments" goes before "command", where an entry has both. */
static void read_member(struct entry *entry, const char *key, struct yaml_node value)
{
    const bool is_text = yaml_kind(value) == YAML_SCALAR;
    if (is_text && strcmp(key, "directory") == 0)
        entry->directory = yaml_text(value);
    else if (is_text && strcmp(key, "file") == 0)
        entry->file = yaml_text(value);
    else if (is_text && strcmp(key, "command") == 0 && entry->command.count == 0)
        entry->command = words_cut(yaml_text(value));
    if (yaml_kind(value) == YAML_LIST && strcmp(key, "arguments") == 0) {
        words_free(&entry->command);
        entry->command = words_of(value);
    }
}

static bool is_wanted(const struct entry *entry, const char *const *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_same_file(entry->directory, entry->file, files[i]))
            return true;
    return false;
}

static int read_entry(struct compile_flags *flags, struct yaml_node node, const char *const *files,
                      size_t count, struct error *error)
{
    struct entry entry = {0};
    if (yaml_expect(node, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(node); i++)
        read_member(&entry, yaml_text(yaml_key(node, i)), yaml_value(node, i));
    const bool whole = entry.directory && entry.file;
    int status = 0;
    if (whole && is_wanted(&entry, files, count)) {
        struct words command = {0};
        status = expand(&command, &entry.command, entry.directory, 0, yaml_place(node), error);
        if (status == 0) {
            add_flags(&flags->meaning, &command, entry.directory);
            take_code(flags, &command);
        }
        words_free(&command);
    }
    words_free(&entry.command);
    return whole ? status
                 : error_at(error, yaml_place(node),
                            "no command of a compilation: expected directory and file");
}

static int read_list(struct compile_flags *flags, const char *path, const char *const *files,
                     size_t count, struct error *error)
{
    struct yaml_file *list;
    if (yaml_open(&list, path, error) != 0)
        return -1;
    const struct yaml_node root = yaml_root(list);
    int status = yaml_expect(root, YAML_LIST, error);
    for (size_t i = 0; status == 0 && i < yaml_count(root); i++)
        status = read_entry(flags, yaml_item(root, i), files, count, error);
    yaml_close(list);
    return status;
}

/* ---- where the list is ---- */

/* In the folder or its folder build; to be freed, NULL: not there. */
static char *list_in(const char *folder)
{
    static const char *const places[] = {"", "/build"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = memory_format("%s%s/compile_commands.json", folder, places[i]);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

/* From the file's own folder upwards. */
static char *list_for(const char *file)
{
    char *folder = realpath(file, NULL), *path = NULL;
    for (char *slash; !path && folder && (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        path = list_in(folder);
    }
    free(folder);
    return path;
}

int compile_flags_read(struct compile_flags *flags, const char *const *files, size_t count,
                       struct error *error)
{
    *flags = (struct compile_flags){0};
    char *path = list_for(files[0]);
    const int status = path ? read_list(flags, path, files, count, error) : 0;
    free(path);
    return status;
}

void compile_flags_free(struct compile_flags *flags)
{
    words_free(&flags->meaning);
    free(flags->code);
    *flags = (struct compile_flags){0};
}
