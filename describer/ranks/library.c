#include "describer/ranks/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double larger(double a, double b)
{
    return fmax(a, b);
}

static double smaller(double a, double b)
{
    return fmin(a, b);
}

static const struct {
    const char *name;
    double (*of_one)(double);
    double (*of_two)(double, double);
} functions[] = {
    {"sqrt",  sqrt,  NULL   },
    {"floor", floor, NULL   },
    {"ceil",  ceil,  NULL   },
    {"fabs",  fabs,  NULL   },
    {"abs",   fabs,  NULL   },
    {"log",   log,   NULL   },
    {"log2",  log2,  NULL   },
    {"log10", log10, NULL   },
    {"exp",   exp,   NULL   },
    {"exp2",  exp2,  NULL   },
    {"round", round, NULL   },
    {"trunc", trunc, NULL   },
    {"sin",   sin,   NULL   },
    {"cos",   cos,   NULL   },
    {"pow",   NULL,  pow    },
    {"fmax",  NULL,  larger },
    {"fmin",  NULL,  smaller},
    {"fmod",  NULL,  fmod   },
};

/* Functions of which nothing depends that messages could depend on. */
static const char *const idle[] = {"printf",  "puts",    "putchar",       "fputs",    "fputc",
                                   "fflush",  "perror",  "free",          "assert",   "setbuf",
                                   "setvbuf", "srand",   "__assert_fail", "fclose",   "usleep",
                                   "sleep",   "srand48", "fprintf",       "nanosleep"};

static const char *const inputs[] = {"atoi",   "atol",  "atof",    "strtol", "strtoul",
                                     "strtod", "atoll", "strtoll", "getenv"};

const char *text_at(const struct cell *cell)
{
    if (cell->kind != CELL_POINTER || !cell->object || !cell->object->text || isnan(cell->offset) ||
        cell->offset < 0 || cell->offset > (double)strlen(cell->object->text))
        return NULL;
    return cell->object->text + (size_t)cell->offset;
}

/* What printf would write, where every argument is known and of a kind that is; NULL: otherwise. */
static const char *formatted(struct rank *rank, const struct syntax *call, int first)
{
    struct arena *arena = rank->run->describer->arena;
    const struct cell format = rank_evaluate(rank, call->children[first]);
    const char *text = text_at(&format), *made = "";
    if (!text)
        return NULL;
    for (int next = first + 1; *text; text++) {
        if (*text != '%' || text[1] == '%') {
            text += *text == '%';
            made = arena_format(arena, "%s%c", made, *text);
            continue;
        }
        const size_t length = 1 + strspn(text + 1, "l");
        const char kind = text[length];
        if (next >= call->count)
            return NULL;
        const struct cell cell = rank_evaluate(rank, call->children[next++]);
        const char *within = text_at(&cell);
        if (kind && strchr("dui", kind) && cell.kind == CELL_NUMBER)
            made = arena_format(arena, "%s%.0f", made, cell.number);
        else if (kind == 's' && within)
            made = arena_format(arena, "%s%s", made, within);
        else
            return NULL;
        text += length;
    }
    return made;
}

static void set_text(struct rank *rank, const struct syntax *to, const char *text)
{
    const struct cell place = rank_evaluate(rank, to);
    if (place.kind != CELL_POINTER || !place.object)
        return;
    object_lose(place.object, NULL);
    if (place.offset == 0)
        place.object->text = text;
}

/* scanf: what its arguments point to comes from the program's user. */
static void scan(struct rank *rank, const struct syntax *call, int first)
{
    for (int i = first; i < call->count; i++) {
        const struct syntax *argument = call->children[i];
        while (argument->kind == SYNTAX_CAST && argument->count == 1)
            argument = argument->children[0];
        const struct syntax *target =
            argument->kind == SYNTAX_UNARY && argument->operation == DO_ADDRESS
                ? argument->children[0]
                : NULL;
        struct cell cell = cell_unknown("what its user types in");
        cell.is_input = true;
        if (target) {
            rank_assign(rank, target, cell);
            continue;
        }
        const struct cell place = rank_evaluate(rank, argument);
        if (place.kind != CELL_POINTER)
            continue;
        /* int *n of a function: the variable of the same name */
        const bool is_whole = argument->kind == SYNTAX_NAME && argument->type &&
                              argument->type->of && argument->type->of->kind == TYPE_INTEGER &&
                              argument->type->of->bytes > 1 && argument->declaration &&
                              argument->declaration->type->kind == TYPE_POINTER;
        if (is_whole) {
            const char *name = argument->name;
            const size_t length = strlen(name);
            if (length > 2 && !strcmp(name + length - 2, "_p"))
                name = arena_copy(rank->run->describer->arena, name, length - 2);
            object_write(rank->run, place.object, place.offset,
                         input_number(rank, name, argument->place));
        } else
            object_lose(place.object, NULL);
    }
}

static bool is_among(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static bool mathematical(struct rank *rank, const struct syntax *call, struct cell *cell)
{
    const size_t length = strlen(call->name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const size_t known = strlen(functions[i].name);
        const bool is_it =
            !strncmp(call->name, functions[i].name, known) &&
            (length == known ||
             (length == known + 1 && (call->name[known] == 'f' || call->name[known] == 'l')));
        const int wanted = functions[i].of_one ? 1 : 2;
        if (!is_it || call->count != wanted)
            continue;
        const struct cell a = rank_evaluate(rank, call->children[0]);
        const struct cell b = wanted == 2 ? rank_evaluate(rank, call->children[1]) : a;
        if (a.kind != CELL_NUMBER || b.kind != CELL_NUMBER) {
            *cell = a.kind != CELL_NUMBER ? a : b;
            return true;
        }
        *cell = cell_own(wanted == 1 ? functions[i].of_one(a.number)
                                     : functions[i].of_two(a.number, b.number));
        cell->is_floating = strcmp(call->name, "abs") != 0;
        return true;
    }
    return false;
}

bool library_call(struct rank *rank, const struct syntax *call, struct cell *cell)
{
    const char *name = call->name;
    *cell = cell_unknown(arena_format(rank->run->describer->arena, "what %s() gives back", name));
    if (is_among(name, idle, sizeof idle / sizeof *idle))
        return true;
    if (mathematical(rank, call, cell))
        return true;
    if (is_among(name, inputs, sizeof inputs / sizeof *inputs)) {
        const struct cell given = call->count ? rank_evaluate(rank, call->children[0]) : *cell;
        const char *text = text_at(&given);
        *cell = text ? cell_number(strtod(text, NULL)) : cell_unknown("what its user gives it");
        cell->is_input = !text;
        return true;
    }
    if (!strcmp(name, "malloc") || !strcmp(name, "calloc") || !strcmp(name, "realloc")) {
        struct object *object = object_new(rank->run);
        object->is_zero = name[0] == 'c';
        *cell = cell_pointer(object, 0);
        return true;
    }
    if (!strcmp(name, "exit") || !strcmp(name, "abort")) {
        if (name[0] == 'e' && rank->has_finalized)
            rank_leaves(rank);
        else
            run_fail(rank->run, REFUSED, call->place,
                     "with %d processes, process %d ends the program here (%s)", rank->run->p,
                     rank->number, name);
        return true;
    }
    if (!strcmp(name, "strlen") && call->count == 1) {
        const struct cell given = rank_evaluate(rank, call->children[0]);
        const char *text = text_at(&given);
        *cell = text ? cell_number((double)strlen(text)) : cell_unknown("the length of a text");
        return true;
    }
    const bool is_limited = !strcmp(name, "snprintf");
    if ((is_limited || !strcmp(name, "sprintf")) && call->count > 1 + is_limited) {
        const char *text = formatted(rank, call, 1 + is_limited);
        set_text(rank, call->children[0], text);
        *cell = text ? cell_number((double)strlen(text)) : cell_unknown("the length of a text");
        return true;
    }
    if (!strcmp(name, "strcpy") && call->count == 2) {
        const struct cell given = rank_evaluate(rank, call->children[1]);
        set_text(rank, call->children[0], text_at(&given));
        return true;
    }
    if (!strcmp(name, "scanf")) {
        scan(rank, call, 1);
        cell->is_input = true;
        return true;
    }
    if (!strcmp(name, "fscanf") || !strcmp(name, "sscanf")) {
        scan(rank, call, 2);
        cell->is_input = true;
        return true;
    }
    return false;
}
