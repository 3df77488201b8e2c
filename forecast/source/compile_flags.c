#include "forecast/source/compile_flags.h"

#include "model/base/allocation.h"
#include "model/code/allowed_flag.h"
#include "model/code/code_flags.h"
#include "model/records/yaml_in.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* A command has one or two such files; hostile ones name one another a thousand times over. */
enum { RESPONSE_DEPTH_MOST = 8, RESPONSE_FILES_MOST = 64, RESPONSE_BYTES_MOST = 1 << 20 };

/* The words with "@FILE" replaced by the words of that file, which is relative to the folder; what
   it names by "@" is replaced too, as compilers do. opened: how many files were. */
static int expand(struct words *words, const struct words *given, const char *folder, int depth,
                  size_t *opened, struct place place, struct error *error)
{
    for (size_t i = 0; i < given->count; i++) {
        const char *word = given->items[i];
        if (word[0] != '@' || !word[1]) {
            words_add(words, memory_copy_text(word));
            continue;
        }
        char *path = joined(folder, word + 1);
        struct stat about;
        const bool is_one_too_many =
            depth == RESPONSE_DEPTH_MOST || (*opened)++ == RESPONSE_FILES_MOST;
        errno = 0;
        const bool is_file = stat(path, &about) == 0 && S_ISREG(about.st_mode);
        FILE *stream = is_file && !is_one_too_many ? fopen(path, "r") : NULL;
        char *text = memory_new(RESPONSE_BYTES_MOST + 1, 1);
        const size_t bytes = stream ? fread(text, 1, RESPONSE_BYTES_MOST + 1, stream) : 0;
        int status = 0;
        if (!stream || ferror(stream))
            status = error_at(error, place, "the response file %s cannot be read: %s", path,
                              is_one_too_many          ? "it names itself, or too many others"
                              : !is_file && errno == 0 ? "it is no regular file"
                                                       : strerror(errno));
        else if (bytes > RESPONSE_BYTES_MOST)
            status = error_at(error, place, "the response file %s has more than %d bytes", path,
                              RESPONSE_BYTES_MOST);
        if (stream)
            fclose(stream);
        if (status == 0) {
            text[bytes] = '\0';
            struct words within = words_cut(text);
            status = expand(words, &within, folder, depth + 1, opened, place, error);
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

/* A line of the remarks, at a place of the list. */
static void remark(struct compile_flags *flags, struct place at, const char *text)
{
    struct error line;
    char shown[800];
    error_fill(&line, at, "remark: %s", text);
    char *all = memory_format("%s%s\n", flags->remarks ? flags->remarks : "",
                              error_line(&line, shown, sizeof shown));
    free(flags->remarks);
    flags->remarks = all;
}

static void leave_out(struct compile_flags *flags, struct place at, const char *word)
{
    char *text = memory_format("%.200s is left out: it is not among the flags that a list may set; "
                               "give it behind -- where it is yours",
                               word);
    remark(flags, at, text);
    free(text);
}

/* One way to compile a file. Of a flag and its value each stays one word on its way to a compiler.
   Files that are compiled in different ways have no flags of the code in common. */
static int add_flags(struct compile_flags *flags, const struct words *command, const char *folder,
                     struct place at, struct error *error)
{
    struct words code = {0};
    int status = 0;
    for (size_t i = 1; status == 0 && i < command->count; i++) {
        const char *name, *word = command->items[i];
        const enum flag_kind kind = kind_of(word, &name);
        if (kind == FLAG_VALUE || kind == FLAG_FILE) {
            const char *value = word + strlen(name);
            if (*value == '\0' && i + 1 < command->count)
                value = command->items[++i];
            if (*value == '\0' || *value == '-') {
                leave_out(flags, at, word);
                continue;
            }
            char *whole = value_for(value, kind, folder);
            add_once(&flags->meaning, memory_format("%s%s", name, whole));
            free(whole);
        } else if (kind == FLAG_WORD || code_flags_tell(word)) {
            if (strpbrk(word, " \t\n\r\v\f"))
                status =
                    error_at(error, at, "'%.200s' is no flag of a compiler: it has a blank", word);
            else if (kind == FLAG_WORD)
                add_once(&flags->meaning, memory_copy_text(word));
            else if (allowed_flag(word))
                words_add(&code, memory_copy_text(word));
            else
                leave_out(flags, at, word);
        }
    }
    bool is_same = flags->has_code && code.count == flags->code.count;
    for (size_t i = 0; is_same && i < code.count; i++)
        is_same = strcmp(code.items[i], flags->code.items[i]) == 0;
    if (!flags->has_code) {
        flags->code = code;
        flags->has_code = true;
        return status;
    }
    if (!is_same)
        words_free(&flags->code);
    words_free(&code);
    return status;
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
    int status = whole ? 0
                       : error_at(error, yaml_place(node),
                                  "no command of a compilation: expected directory and file");
    if (whole && is_wanted(&entry, files, count)) {
        struct words command = {0};
        size_t opened = 0;
        status =
            expand(&command, &entry.command, entry.directory, 0, &opened, yaml_place(node), error);
        if (status == 0 && !flags->has_code)
            remark(flags, place_at(yaml_place(node).file, 0, 0),
                   "the compiler flags of this list are used");
        if (status == 0)
            status = add_flags(flags, &command, entry.directory, yaml_place(node), error);
        words_free(&command);
    }
    words_free(&entry.command);
    return status;
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

static bool has_any(const char *folder, const char *const *names)
{
    bool found = false;
    for (size_t i = 0; !found && names[i]; i++) {
        char *path = memory_format("%s/%s", folder, names[i]);
        found = access(path, F_OK) == 0;
        free(path);
    }
    return found;
}

/* Whether nobody but the user, root and the owner of the source can have written it. */
static bool is_trusted(const struct stat *about, uid_t owner)
{
    return (about->st_uid == owner || about->st_uid == geteuid() || about->st_uid == 0) &&
           (about->st_mode & S_IWOTH) == 0;
}

/* In the folder or its folder build; to be freed, NULL: not there. */
static char *list_in(const char *folder, uid_t owner)
{
    static const char *const places[] = {"", "/build"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct stat about, around;
        char *within = memory_format("%s%s", folder, places[i]);
        char *path = memory_format("%s/compile_commands.json", within);
        const bool is_there = stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
                              access(path, R_OK) == 0 && stat(within, &around) == 0 &&
                              is_trusted(&about, owner) && is_trusted(&around, owner);
        free(within);
        if (is_there)
            return path;
        free(path);
    }
    return NULL;
}

/* From the file's own folder upwards, as far as the project reaches. */
static char *list_for(const char *file)
{
    static const char *const ends[] = {".git", ".hg", ".svn", ".bzr", ".jj", NULL};
    static const char *const builds[] = {
        "CMakeLists.txt", "Makefile",  "makefile",     "GNUmakefile", "configure",   "configure.ac",
        "meson.build",    "WORKSPACE", "MODULE.bazel", "SConstruct",  "build.ninja", NULL};
    struct stat about;
    char *folder = stat(file, &about) == 0 ? realpath(file, NULL) : NULL, *path = NULL;
    const char *home = getenv("HOME");
    bool has_ended = false;
    char *slash;
    for (int up = 0; !path && !has_ended && folder && (slash = strrchr(folder, '/')); up++) {
        *slash = '\0';
        has_ended = has_any(folder, ends);
        const bool is_nobodys = up > 0 && (*folder == '\0' || (home && strcmp(folder, home) == 0));
        if (!is_nobodys && (up < 2 || has_ended || has_any(folder, builds)))
            path = list_in(folder, about.st_uid);
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
    words_free(&flags->code);
    free(flags->remarks);
    *flags = (struct compile_flags){0};
}
