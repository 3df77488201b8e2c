#include "describer/ranks/run.h"

#include "describer/walk/evaluate.h"

#include "model/base/allocation.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A process evaluates expressions by recursion, in functions of the program that call one another;
   a build that watches addresses needs several times as much. */
enum { STACK_BYTES = 1 << 20 };

void run_fail(struct run *run, enum ending ending, struct place place, const char *format, ...)
{
    char text[500];
    va_list arguments;
    if (run->is_over)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    run->is_over = true;
    run->ending = ending;
    run->place = place;
    run->why = arena_copy(run->describer->arena, text, strlen(text));
}

/* Calls that neither send nor receive nor wait, by how their names begin. */
static bool is_idle_call(const char *name)
{
    static const char *const idle[] = {
        "MPI_Wtime",       "MPI_Wtick",  "MPI_Abort",    "MPI_Get_",      "MPI_Error_",
        "MPI_Type_",       "MPI_Init",   "MPI_Finalize", "MPI_Comm_rank", "MPI_Comm_size",
        "MPI_Pack",        "MPI_Unpack", "MPI_Op_",      "MPI_Address",   "MPI_Status_",
        "MPI_Errhandler_", "MPI_Info_",  "MPI_Buffer_",  "MPI_Query_",    "MPI_Comm_set_",
        "MPI_Comm_get_",   "MPI_Group_"};
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (!strncmp(name, idle[i], strlen(idle[i])))
            return true;
    return false;
}

static bool communicates_within(struct ranks *ranks, const struct syntax *syntax, int deep)
{
    if (syntax->kind == SYNTAX_CALL) {
        if (!strncmp(syntax->name, "MPI_", 4) && !is_idle_call(syntax->name))
            return true;
        const struct function *function;
        for (int i = 0;
             deep < 8 && (function = function_maybe_called(ranks->describer->source, syntax, i));
             i++)
            if (communicates_within(ranks, function->body, deep + 1))
                return true;
    }
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && communicates_within(ranks, syntax->children[i], deep))
            return true;
    return false;
}

bool communicates(struct ranks *ranks, const struct syntax *syntax)
{
    size_t at = ((uintptr_t)syntax >> 4) % KNOWN_MOST;
    for (int i = 0; i < KNOWN_MOST; i++, at = (at + 1) % KNOWN_MOST) {
        if (ranks->known[at].syntax == syntax)
            return ranks->known[at].communicates;
        if (ranks->known[at].syntax)
            continue;
        ranks->known[at].syntax = syntax;
        ranks->known[at].communicates = communicates_within(ranks, syntax, 0);
        return ranks->known[at].communicates;
    }
    return communicates_within(ranks, syntax, 0);
}

void rank_yields(struct rank *rank)
{
    swapcontext(&rank->context, &rank->run->scheduler);
}

void rank_leaves(struct rank *rank)
{
    for (int at = rank->instance; at >= 0; at = rank->instances[at].up)
        rank->instances[at].end = (struct moment){rank->event_count, rank->clock++};
    rank->has_ended = true;
    swapcontext(&rank->context, &rank->run->scheduler);
}

static void begin(unsigned low, unsigned high)
{
    struct rank *rank = (void *)((uintptr_t)low | ((uintptr_t)high << 16 << 16));
    const struct function *root = rank->run->root;
    struct run *run = rank->run;
    const bool is_main = !strcmp(root->name, "main");
    for (int i = 0; i < root->parameter_count; i++) {
        const struct declaration *parameter = root->parameters[i];
        struct object *object = object_new(run);
        struct cell cell = cell_unknown(parameter->name);
        if (is_main) {
            cell = cell_unknown("how many arguments the program is given");
            cell.is_input = true;
        } else if (!strcmp(parameter->type->name, "MPI_Comm"))
            cell = cell_number(0);
        else if (!strncmp(parameter->type->name, "MPI_", 4))
            ;
        else if (parameter->type->kind == TYPE_INTEGER)
            cell = input_number(rank, parameter->name, parameter->place);
        else if (parameter->type->kind == TYPE_POINTER || parameter->type->kind == TYPE_ARRAY)
            cell = cell_pointer(object_new(run), 0);
        object->is_handed = parameter->type->kind == TYPE_ARRAY;
        object_write(run, object, 0, cell);
        rank->locals[parameter->id] = object;
    }
    rank_execute(rank, root->body);
    rank_leaves(rank);
}

static void start(struct rank *rank)
{
    getcontext(&rank->context);
    rank->context.uc_stack.ss_sp = rank->stack;
    rank->context.uc_stack.ss_size = STACK_BYTES;
    rank->context.uc_link = &rank->run->scheduler;
    const uintptr_t at = (uintptr_t)rank;
    makecontext(&rank->context, (void (*)(void))begin, 2, (unsigned)at, (unsigned)(at >> 16 >> 16));
}

static void nobody_goes_on(struct run *run)
{
    for (int r = 0; r < run->p; r++) {
        const struct rank *rank = &run->processes[r];
        if (rank->has_ended || !rank->waits_at)
            continue;
        const char *name = rank->waits_at->name;
        const bool is_collective = !strstr(name, "ecv") && !strstr(name, "robe") &&
                                   strncmp(name, "MPI_Wait", 8) != 0 &&
                                   strncmp(name, "MPI_Test", 8) != 0 && !strstr(name, "end");
        run_fail(run, REFUSED, rank->waits_at->place,
                 is_collective ? "with %d processes, process %d waits here for ever: not all "
                                 "processes come to this %s"
                               : "with %d processes, process %d waits here for ever: nobody sends "
                                 "what this %s waits for",
                 run->p, r, rank->waits_at->name);
        return;
    }
}

struct run *run_program(struct ranks *ranks, const struct function *root, int p, int cap,
                        long steps_most)
{
    struct describer *describer = ranks->describer;
    struct arena *arena = describer->arena;
    const size_t declarations = (size_t)describer->source->declaration_count;
    struct run *run = arena_take(arena, 1, sizeof *run);
    *run = (struct run){.describer = describer,
                        .ranks = ranks,
                        .p = p,
                        .cap = cap,
                        .root = root,
                        .steps_most = steps_most};
    run->processes = arena_take(arena, (size_t)p, sizeof *run->processes);
    run->groups[0].count = p;
    run->groups[0].members = arena_take(arena, (size_t)p, sizeof(int));
    run->group_count = 2; /* the world; a process alone */
    for (int r = 0; r < p; r++) {
        struct rank *rank = &run->processes[r];
        *rank = (struct rank){.run = run, .number = r, .instance = -1};
        run->groups[0].members[r] = r;
        rank->stack = memory_new(STACK_BYTES, 1);
        rank->locals = arena_take(arena, declarations, sizeof(struct object *));
        rank->globals = arena_take(arena, declarations, sizeof(struct object *));
        rank->collectives = arena_take(arena, GROUPS_MOST, sizeof(int));
        start(rank);
    }
    int left = p;
    while (left > 0 && !run->is_over) {
        const long news = run->news;
        left = 0;
        for (int r = 0; r < p && !run->is_over; r++) {
            if (run->processes[r].has_ended)
                continue;
            swapcontext(&run->scheduler, &run->processes[r].context);
            run->news += run->processes[r].has_ended;
            left += !run->processes[r].has_ended;
        }
        if (left > 0 && run->news == news && !run->is_over)
            nobody_goes_on(run);
        if (left > 0 && run->news == news && !run->is_over)
            run_fail(run, REFUSED, root->place, "the processes wait for one another for ever");
    }
    for (int r = 0; r < p; r++) {
        free(run->processes[r].stack);
        run->processes[r].stack = NULL;
    }
    return run;
}
