#include "estimator/commands/own_loops.h"

#include "model/base/allocation.h"
#include "model/code/private_folder.h"
#include "model/code/words.h"
#include "model/loops/curves.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the trainer ---- */

/* What was built or installed together goes together: the trainer stands in the folder beside the
   estimator's, or in the same one; else PATH finds it. To be freed. */
static char *find_trainer(void)
{
    static const char *const beside[] = {"../trainer/trainer", "trainer"};
    const char *told = getenv("FORECOST_TRAINER");
    char path[PATH_MAX + 1];
    if (told && *told)
        return memory_copy_text(told);
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    path[length > 0 ? length : 0] = '\0';
    char *const slash = strrchr(path, '/');
    for (size_t i = 0; slash && i < sizeof beside / sizeof *beside; i++) {
        char *found = memory_format("%.*s/%s", (int)(slash - path), path, beside[i]);
        if (access(found, X_OK) == 0)
            return found;
        free(found);
    }
    return memory_copy_text("trainer");
}

/* In the child. Standard output is that of the ranking. */
static _Noreturn void become(char **words, pid_t parent)
{
    const int nothing = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        _exit(127);
    execvp(words[0], words);
    fprintf(stderr, "estimator: remark: %s cannot be run: %s\n", words[0], strerror(errno));
    _exit(127);
}

/* Measures the object into the file. Returns the trainer's exit status; 127: it could not be run.
 */
static int run_trainer(const char *object, const char *file, double processors)
{
    const char *told = getenv("MPIEXEC");
    char *trainer = find_trainer();
    struct words words = words_cut(told && *told ? told : "mpiexec");
    const char *const more[] = {trainer, "--loops", object, "-o", file};
    words_add(&words, memory_copy_text("-n"));
    words_add(&words, memory_format("%.0f", processors));
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        words_add(&words, memory_copy_text(more[i]));
    char **arguments = memory_new(words.count + 1, sizeof *arguments);
    memcpy(arguments, words.items, words.count * sizeof *arguments);
    fflush(NULL);
    const pid_t parent = getpid(), child = fork();
    int ended = 127 << 8;
    if (child == 0)
        become(arguments, parent);
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    free(arguments);
    free(trainer);
    words_free(&words);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
}

/* ---- the curves ---- */

static void take(struct options *options, struct loop_curves curves)
{
    options->curves = memory_new(1, sizeof *options->curves);
    *options->curves = curves;
}

/* A machine whose messages were measured on one processor and its loops on another does not exist.
 */
static int check_processor(const struct loop_curves *curves, const struct machine *machine,
                           struct error *error)
{
    const char *here = curves->measured ? curves->measured->cpu : NULL;
    const char *there = machine->machine.measured->cpu;
    if (!here || !there || strcmp(here, there) == 0)
        return 0;
    return error_at(error, place_at(machine->path, 0, 0),
                    "it is of the processor %.60s, and the loops were measured on %.60s: expected "
                    "a table of this machine, or no --measure",
                    there, here);
}

static int measure(struct options *options, size_t number, const struct machine *machine,
                   const char *folder, struct error *error)
{
    struct loop_curves curves;
    char *object = memory_format("%s/loops.so", folder);
    char *file =
        options->loops ? memory_copy_text(options->loops) : memory_format("%s/loops.yaml", folder);
    int status = loops_make_object(options, number, object, error);
    const int ended = status == 0 ? run_trainer(object, file, machine_all_processors(machine)) : 0;
    if (ended > 1) {
        status = error_set(error,
                           "the trainer did not measure the loops (status %d): set MPIEXEC to what "
                           "starts MPI programs here, or leave out --measure",
                           ended);
    } else if (status == 0 && ended == 1) {
        fprintf(stderr, "estimator: remark: no loop was measured: the model prices them all\n");
        take(options, loop_curves_begin());
    } else if (status == 0) {
        status = loop_curves_read(&curves, file, error);
        if (status == 0 && (status = check_processor(&curves, machine, error)) == 0)
            take(options, curves);
        else if (status != 0 && curves.path)
            loop_curves_free(&curves);
    }
    free(object);
    free(file);
    return status;
}

static int check(const struct options *options, size_t number, struct error *error)
{
    if (number != 1)
        return error_set(error, "--measure with several tables: loops are measured on this "
                                "machine: expected its table alone");
    if (options->node || options->communication_only)
        return error_set(error, "--measure with %s: expected one of them",
                         options->node ? "--node" : "--communication-only");
    if (!source_is(options->arguments[number]))
        return error_at(error, place_at(options->arguments[number], 0, 0),
                        "--measure compiles loops: expected C files, names that end in .c");
    return 0;
}

int own_loops_measure(struct options *options, size_t number, struct error *error)
{
    struct machine machine;
    struct private_folder folder;
    if (!options->measure)
        return 0;
    if (check(options, number, error) != 0 ||
        machine_read(&machine, options->arguments[0], error) != 0)
        return -1;
    int status = 0;
    if (!machine.machine.measured)
        status = error_at(error, place_at(machine.path, 0, 0),
                          "it does not say on which processor it was measured: --measure expects a "
                          "table of this machine, made by the trainer");
    if (status == 0 && (status = private_folder_make(&folder, error)) == 0) {
        status = measure(options, number, &machine, folder.path, error);
        private_folder_remove(&folder);
    }
    machine_free(&machine);
    return status;
}
