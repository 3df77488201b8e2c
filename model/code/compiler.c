#include "model/code/compiler.h"

#include "model/base/allocation.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the folder ---- */

static int make_folder(struct compiler *it, struct error *error)
{
    if (private_folder_make(&it->folder, error) != 0)
        return -1;
    it->source = memory_format("%s/loops.c", it->folder.path);
    it->object = memory_format("%s/loops.so", it->folder.path);
    it->said = memory_format("%s/said", it->folder.path);
    return 0;
}

static int write_source(const struct compiler *it, const char *text, struct error *error)
{
    FILE *stream = fopen(it->source, "w");
    if (!stream)
        return error_set(error, "%.200s cannot be written: %s", it->source, strerror(errno));
    const bool is_whole = fputs(text, stream) >= 0;
    return fclose(stream) == 0 && is_whole
               ? 0
               : error_set(error, "%.200s cannot be written", it->source);
}

static void add(struct words *words, const char *word)
{
    words_add(words, memory_copy_text(word));
}

/* Nothing but the table of loops is seen from outside, and what no loop needs is left out: nobody
   has to have it when the object is loaded. What a loop needs has to be there. */
static void add_flags(struct compiler *it, const struct words *flags, const char *code_flags)
{
    static const char *const own[] = {"-w",
                                      "-fPIC",
                                      "-shared",
                                      "-fvisibility=hidden",
                                      "-ffunction-sections",
                                      "-fdata-sections",
                                      "-Wl,--gc-sections",
                                      "-Wl,--as-needed",
                                      "-Wl,-z,defs"};
    const char *told = getenv("CC");
    it->words = words_cut(told && *told ? told : "cc");
    for (size_t i = 0; i < flags->count; i++)
        add(&it->words, flags->items[i]);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        add(&it->words, own[i]);
    words_add(&it->words, memory_format("-DFORECOST_FLAGS=\"%s\"", code_flags));
}

int compiler_begin(struct compiler *compiler, const char *text, const struct words *flags,
                   const char *code_flags, struct error *error)
{
    *compiler = (struct compiler){0};
    if (make_folder(compiler, error) != 0)
        return -1;
    add_flags(compiler, flags, code_flags);
    if (write_source(compiler, text, error) == 0)
        return 0;
    compiler_end(compiler);
    return -1;
}

bool compiler_take_mpi(struct compiler *compiler)
{
    const char *told = getenv("CC");
    if (told && *told)
        return false;
    free(compiler->words.items[0]);
    compiler->words.items[0] = memory_copy_text("mpicc");
    return true;
}

void compiler_end(struct compiler *compiler)
{
    private_folder_remove(&compiler->folder);
    free(compiler->source);
    free(compiler->object);
    free(compiler->said);
    words_free(&compiler->words);
}

/* ---- running ---- */

static void limit(int what, rlim_t most)
{
    const struct rlimit limits = {most, most};
    setrlimit(what, &limits);
}

/* Of each process of a compiler, which makes some thousand lines into one object. */
static const rlim_t bytes_most = (rlim_t)2 << 30, file_bytes_most = (rlim_t)256 << 20;

/* In the child. Its own children are of the group of the folder's keeper, which is ended as a
   whole, and what they write beside the object is in the folder, too. */
static _Noreturn void become(const struct compiler *it, char **arguments)
{
    const int nothing = open("/dev/null", O_RDWR);
    const int said = open(it->said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, it->folder.keeper);
    setenv("TMPDIR", it->folder.path, 1);
    limit(RLIMIT_CPU, COMPILER_SECONDS_MOST);
    limit(RLIMIT_AS, bytes_most);
    limit(RLIMIT_FSIZE, file_bytes_most);
    limit(RLIMIT_CORE, 0);
    if (nothing < 0 || said < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(nothing, STDOUT_FILENO) < 0 || dup2(said, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    execvp(arguments[0], arguments);
    dprintf(STDERR_FILENO, "error: %s cannot be run: %s\n", arguments[0], strerror(errno));
    _exit(EXIT_FAILURE);
}

static bool wait_for(const struct compiler *it, pid_t process)
{
    int status = 0;
    for (int ticks = 0; ticks < COMPILER_SECONDS_MOST * 100; ticks++) {
        if (waitpid(process, &status, WNOHANG) == process)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        usleep(10000);
    }
    kill(-it->folder.keeper, SIGTERM); /* which the keeper itself does not take */
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
    return false;
}

/* The first line that says what is wrong, or else the first; to be freed. */
static char *first_line(const struct compiler *it)
{
    char line[400], *found = NULL;
    FILE *stream = fopen(it->said, "r");
    bool is_error = false;
    while (stream && !is_error && fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\n")] = '\0';
        is_error = strstr(line, "error") || strstr(line, "undefined reference");
        if (is_error || !found) {
            free(found);
            found = memory_copy_text(line);
        }
    }
    if (stream)
        fclose(stream);
    return found ? found : memory_copy_text("the compiler failed, and does not say why");
}

static void add_all(char **arguments, size_t *count, const struct words *words)
{
    for (size_t i = 0; words && i < words->count; i++)
        arguments[(*count)++] = words->items[i];
}

bool compiler_run(const struct compiler *compiler, const struct words *more, char **line)
{
    char to[] = "-o", mathematics[] = "-lm";
    char **arguments =
        memory_new(compiler->words.count + (more ? more->count : 0) + 5, sizeof *arguments);
    size_t count = 0;
    add_all(arguments, &count, &compiler->words);
    add_all(arguments, &count, more);
    arguments[count++] = to;
    arguments[count++] = compiler->object;
    arguments[count++] = compiler->source;
    arguments[count++] = mathematics;
    const pid_t process = fork();
    if (process == 0)
        become(compiler, arguments);
    const bool is_right = process > 0 && wait_for(compiler, process);
    *line = is_right ? NULL : first_line(compiler);
    free(arguments);
    return is_right;
}
