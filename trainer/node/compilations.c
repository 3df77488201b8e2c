#include "trainer/node/compilations.h"

#include "model/base/allocation.h"
#include "model/code/compiler.h"
#include "trainer/base/attempt.h"
#include "trainer/base/shared_object.h"
#include "trainer/engine/run.h"
#include "trainer/node/compiled.h"

#include <dlfcn.h>
#include <stdlib.h>

/* compiled_loops.h and .c; made when the trainer is built. */
extern const char compiled_text[];

/* To be freed. Loops lie as those of the trainer do, where the flags leave it to the compiler. */
static struct words words_of(const char *flags)
{
    char *all = memory_format("-falign-loops=64 %s", flags);
    const struct words words = words_cut(all);
    free(all);
    return words;
}

/* NULL with *error set: there is none. */
static void *compile(const char *flags, struct error *error)
{
    struct compiler compiler;
    struct words words = words_of(flags);
    char *line = NULL;
    void *object = NULL;
    if (compiler_begin(&compiler, compiled_text, &words, flags, error) == 0) {
        if (compiler_run(&compiler, NULL, &line))
            object = shared_object_load(compiler.object, error);
        else
            error_fill(error, place_at(NULL, 0, 0), "%s", line);
        compiler_end(&compiler);
    }
    free(line);
    words_free(&words);
    return object;
}

static void begin_all(void *code)
{
    for (size_t i = 0; i < compiled_count; i++)
        compiled_begin(code, i);
}

/* NULL with *error set: there is none that this processor runs: flags may be of another one. */
static void *compile_to_run(const char *flags, struct error *error)
{
    void *object = compile(flags, error);
    if (object && attempt(begin_all, dlsym(object, "compiled_code")) != 0) {
        error_fill(error, place_at(NULL, 0, 0), "this processor cannot run what they make");
        dlclose(object);
        object = NULL;
    }
    return object;
}

void compilations_make(struct compilations *it, const struct options *options,
                       struct machine *machine)
{
    *it = (struct compilations){.count = 1, .items[0].code = &compiled_code};
    for (size_t i = 0; i < options->cflags_count; i++) {
        const char *flags = options->cflags[i];
        struct error error;
        void *object = compile_to_run(flags, &error);
        if (object) {
            it->items[it->count].flags = flags;
            it->items[it->count].code = dlsym(object, "compiled_code");
            it->items[it->count++].object = object;
            continue;
        }
        char *what = memory_format("node loops compiled with %s", flags);
        run_not_measured(machine, what, error.text);
        free(what);
    }
}

void compilations_set(const struct compilations *it, struct node *node, const double *cycles)
{
    compiled_set(&node->compiled, node, cycles);
    node->compiled.flags = memory_copy_text(TRAINER_FLAGS);
    for (size_t i = 1; i < it->count; i++) {
        struct compilation *made = list_add(&compilation_record, &node->compilations);
        made->compiler = memory_copy_text(it->items[i].code->compiler);
        made->flags = memory_copy_text(it->items[i].flags);
        compiled_set(made, node, cycles + i * compiled_count);
    }
}

void compilations_free(struct compilations *it)
{
    for (size_t i = 1; i < it->count; i++)
        dlclose(it->items[i].object);
    *it = (struct compilations){0};
}
