#include "describer/ranks/run.h"

#include "describer/walk/evaluate.h"

#include <math.h>
#include <string.h>

/* Iterations that a loop without messages may take until what it sets is given up as unknown, and
   as many again for each process: counts and displacements are set within, fields of data are not.
 */
enum { QUIET_MOST = 64, QUIET_MOST_A_PROCESS = 8 };
/* Iterations from which on a loop with messages is shortened as one with a parameter's number: of
   a number in the source, and of one that grows with the processes. */
enum { CONSTANT_MOST = 16, ITERATIONS_MOST = 64 };
enum { CALLS_MOST = 60 };

static bool is_call_of(const struct syntax *syntax, const char *name)
{
    return syntax->kind == SYNTAX_CALL && !strcmp(syntax->name, name);
}

int syntax_gives_up(const struct syntax *syntax)
{
    if (is_call_of(syntax, "exit") || is_call_of(syntax, "abort") ||
        is_call_of(syntax, "MPI_Abort"))
        return 2;
    int most = syntax->kind == SYNTAX_RETURN;
    for (int i = 0; i < syntax->count; i++) {
        const int its = syntax->children[i] ? syntax_gives_up(syntax->children[i]) : 0;
        most = its > most ? its : most;
    }
    return most;
}

static bool uses_input(const struct syntax *syntax)
{
    static const char *const readers[] = {"atoi",  "atol",   "atof",   "strtol", "strtoul",
                                          "scanf", "fscanf", "sscanf", "strtod"};
    for (size_t i = 0; syntax->kind == SYNTAX_CALL && i < sizeof readers / sizeof *readers; i++)
        if (!strcmp(syntax->name, readers[i]))
            return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && uses_input(syntax->children[i]))
            return true;
    return false;
}

static bool has_effects(const struct syntax *syntax)
{
    if (syntax->kind == SYNTAX_CALL || syntax->kind == SYNTAX_ASSIGN ||
        (syntax->kind == SYNTAX_UNARY &&
         (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT)))
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && has_effects(syntax->children[i]))
            return true;
    return false;
}

/* Whether control may leave a loop around it. */
static bool leaves_loop(const struct syntax *syntax, bool is_within)
{
    const bool is_inner = syntax->kind == SYNTAX_FOR || syntax->kind == SYNTAX_WHILE ||
                          syntax->kind == SYNTAX_DO ||
                          (syntax->kind == SYNTAX_JUMP && !strcmp(syntax->name, "switch"));
    if (syntax->kind == SYNTAX_RETURN ||
        (syntax->kind == SYNTAX_JUMP && !is_within &&
         (!strcmp(syntax->name, "break") || !strcmp(syntax->name, "continue"))))
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && leaves_loop(syntax->children[i], is_within || is_inner))
            return true;
    return false;
}

void iterations_differ(struct rank *rank, struct place place, bool is_firm)
{
    struct run *run = rank->run;
    struct ranks *ranks = run->ranks;
    const struct syntax *loop = NULL;
    polynomial trips = NULL;
    if (rank->shortened_count) {
        loop = rank->shortened[rank->shortened_count - 1].loop;
        trips = rank->shortened[rank->shortened_count - 1].trips;
    }
    for (int i = rank->instance_count - 1; i >= 0 && !loop; i--)
        if (rank->instances[i].is_shortened) {
            loop = rank->instances[i].syntax;
            trips = rank->instances[i].trips;
        }
    const struct symbol *missing = NULL;
    for (int i = 0; trips && i < trips->count; i++)
        for (int k = 0; k < trips->terms[i].degree; k++) {
            const struct symbol *symbol = trips->terms[i].symbols[k];
            if (symbol->kind == SYMBOL_PARAMETER && !symbol->has_value)
                missing = symbol;
        }
    if (!run->is_over)
        run->is_firm = is_firm;
    if (!trips || missing || ranks->unlike_count == UNLIKE_MOST) {
        const char *give = missing ? arena_format(run->describer->arena,
                                                  "give its number: -D %s=1000, or ", missing->name)
                                   : "";
        run_fail(run, FAILED, place,
                 "what is sent here differs between iterations of the loop in a way that is not "
                 "followed where a parameter says how many there are: %ssplit the loop, or "
                 "`ignore` the statement, and say what is sent: #pragma forecost call "
                 "point-to-point bytes(E)",
                 give);
        return;
    }
    ranks->unlike[ranks->unlike_count++] = (struct unlike){loop, is_firm};
    run_fail(run, FAILED, place, "iterations of a loop differ");
    for (int i = 0; i < trips->count; i++)
        for (int k = 0; k < trips->terms[i].degree; k++)
            if (trips->terms[i].symbols[k]->kind == SYMBOL_PARAMETER) {
                const struct symbol *symbol = trips->terms[i].symbols[k];
                describer_remark(run->describer, loop->place,
                                 "the iterations of this loop are not alike: what is sent is "
                                 "described for %s = %.10g only",
                                 symbol->name, symbol->value);
            }
}

/* What a statement sets that only some iterations come to depends on the iteration. */
static void note_turn(struct rank *rank, const struct syntax *syntax, int deep)
{
    const bool steps = syntax->kind == SYNTAX_UNARY &&
                       (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT);
    if ((steps || syntax->kind == SYNTAX_ASSIGN) && syntax->count) {
        const struct syntax *to = syntax->children[0];
        while (to->kind == SYNTAX_CAST && to->count == 1)
            to = to->children[0];
        if (to->kind == SYNTAX_NAME && to->declaration && to->type &&
            to->type->kind == TYPE_INTEGER) {
            struct object *object = rank_variable(rank, to->declaration);
            struct cell cell = object_read(object, 0);
            cell.is_turn = true;
            object_write(rank->run, object, 0, cell);
        } else if (to->kind != SYNTAX_NAME && to->type && to->type->kind == TYPE_INTEGER &&
                   !has_effects(to)) {
            const struct cell place = rank_place(rank, to);
            if (place.kind == CELL_POINTER && place.object)
                place.object->is_turning = true;
        }
    }
    const struct function *function =
        syntax->kind == SYNTAX_CALL ? function_maybe_called(rank->run->describer->source, syntax, 0)
                                    : NULL;
    for (int i = 0; i < syntax->count; i++) {
        const struct syntax *child = syntax->children[i];
        if (!child)
            continue;
        if (function && child->kind == SYNTAX_UNARY && child->operation == DO_ADDRESS &&
            !has_effects(child)) {
            const struct cell place = rank_evaluate(rank, child);
            if (place.kind == CELL_POINTER && place.object)
                place.object->is_turning = true;
        }
        note_turn(rank, child, deep);
    }
    for (int i = 1; function && deep < 4; i++) {
        note_turn(rank, function->body, deep + 1);
        function = function_maybe_called(rank->run->describer->source, syntax, i);
    }
}

static void lose_pointed(struct rank *rank, const struct syntax *syntax, const char *why)
{
    if (has_effects(syntax))
        return;
    const struct cell cell = rank_evaluate(rank, syntax);
    if (cell.kind == CELL_POINTER)
        object_lose(cell.object, why);
}

static void forget_target(struct rank *rank, const struct syntax *to, const char *why)
{
    while (to->kind == SYNTAX_CAST && to->count == 1)
        to = to->children[0];
    if (to->kind == SYNTAX_NAME && to->declaration)
        object_write(rank->run, rank_variable(rank, to->declaration), 0, cell_unknown(why));
    else if (to->kind == SYNTAX_SUBSCRIPT || (to->kind == SYNTAX_UNARY && to->count))
        lose_pointed(rank, to->children[0], why);
    else if (to->kind == SYNTAX_MEMBER && to->count && !has_effects(to)) {
        const struct cell place = rank_place(rank, to);
        if (place.kind == CELL_POINTER)
            object_write(rank->run, place.object, place.offset, cell_unknown(why));
    }
}

static void forget_within(struct rank *rank, const struct syntax *syntax, const char *why, int deep)
{
    const bool steps = syntax->kind == SYNTAX_UNARY &&
                       (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT);
    if ((steps || syntax->kind == SYNTAX_ASSIGN) && syntax->count)
        forget_target(rank, syntax->children[0], why);
    for (int i = 0; i < syntax->count; i++) {
        if (!syntax->children[i])
            continue;
        if (syntax->kind == SYNTAX_CALL)
            lose_pointed(rank, syntax->children[i], why);
        forget_within(rank, syntax->children[i], why, deep);
    }
    const struct function *function =
        syntax->kind == SYNTAX_CALL ? function_maybe_called(rank->run->describer->source, syntax, 0)
                                    : NULL;
    for (int i = 1; function && deep < 4; i++) {
        forget_within(rank, function->body, why, deep + 1);
        function = function_maybe_called(rank->run->describer->source, syntax, i);
    }
}

void rank_forget(struct rank *rank, const struct syntax *syntax, const char *why)
{
    if (syntax)
        forget_within(rank, syntax, why, 0);
}

/* ---- instances ---- */

static struct moment now(struct rank *rank)
{
    return (struct moment){rank->event_count, rank->clock++};
}

static int instance_begin(struct rank *rank, const struct syntax *syntax)
{
    if (rank->instance_count == rank->instance_room) {
        struct instance *before = rank->instances;
        rank->instance_room = rank->instance_room ? 2 * rank->instance_room : 8;
        rank->instances = arena_take(rank->run->describer->arena, (size_t)rank->instance_room,
                                     sizeof *rank->instances);
        if (before)
            memcpy(rank->instances, before, (size_t)rank->instance_count * sizeof *before);
    }
    rank->instances[rank->instance_count] = (struct instance){
        .syntax = syntax, .way = rank->way, .begin = now(rank), .up = rank->instance};
    rank->instance = rank->instance_count++;
    return rank->instance;
}

static void instance_iteration(struct rank *rank, int number)
{
    struct instance *instance = &rank->instances[number];
    if (instance->iteration_count == instance->iteration_room) {
        struct moment *before = instance->iterations;
        instance->iteration_room = instance->iteration_room ? 2 * instance->iteration_room : 8;
        instance->iterations = arena_take(rank->run->describer->arena,
                                          (size_t)instance->iteration_room, sizeof *before);
        if (before)
            memcpy(instance->iterations, before,
                   (size_t)instance->iteration_count * sizeof *before);
    }
    instance->iterations[instance->iteration_count++] = now(rank);
}

static void instance_end(struct rank *rank, int number)
{
    rank->instances[number].end = now(rank);
    rank->instance = rank->instances[number].up;
}

/* ---- loops ---- */

/* What a loop's variable advances by; 0: not by a constant. */
static double step_of(const struct syntax *step)
{
    if (!step || step->count < 1)
        return 0;
    if (step->kind == SYNTAX_UNARY)
        return step->operation == DO_INCREMENT ? 1 : step->operation == DO_DECREMENT ? -1 : 0;
    if (step->kind == SYNTAX_ASSIGN && step->children[1]->kind == SYNTAX_INTEGER &&
        (step->operation == DO_ADD || step->operation == DO_SUBTRACT))
        return (step->operation == DO_ADD ? 1 : -1) * step->children[1]->number;
    return 0;
}

static bool has_parameter(polynomial form)
{
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->terms[i].degree; j++) {
            const struct symbol *symbol = form->terms[i].symbols[j];
            if (symbol->kind == SYMBOL_PARAMETER)
                return true;
            if (symbol->kind != SYMBOL_DERIVED)
                continue;
            for (const char *at = symbol->definition; *at; at++) {
                const size_t length =
                    strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
                if (length > 1 && strncmp(at, "floor", 5) != 0 && strncmp(at, "mod", 3) != 0)
                    return true;
                at += length ? length - 1 : 0;
            }
        }
    return false;
}

/* How often a loop runs. */
struct trips {
    double number;   /* -1: not known before */
    bool is_turn;    /* it differs between iterations of a loop around it that is shortened */
    polynomial form; /* where a parameter says it, or NULL */
};

/* The part of a loop's step, i++ of i++, k++, that advances this variable; NULL: there is none. */
static const struct syntax *step_part(const struct syntax *step, const struct declaration *index)
{
    if (step && step->kind == SYNTAX_BINARY && step->operation == DO_COMMA) {
        const struct syntax *first = step_part(step->children[0], index);
        return first ? first : step_part(step->children[1], index);
    }
    return step_of(step) != 0 && step->children[0]->declaration == index ? step : NULL;
}

static struct trips trips_of(struct rank *rank, const struct syntax *loop)
{
    struct trips trips = {.number = -1};
    struct algebra *algebra = &rank->run->describer->algebra;
    const bool is_for = loop->kind == SYNTAX_FOR;
    const struct syntax *condition = is_for ? loop->children[1] : NULL;
    if (!condition || condition->kind != SYNTAX_BINARY || has_effects(condition) ||
        condition->operation < DO_LESS || condition->operation > DO_UNEQUAL)
        return trips;
    const struct syntax *index = condition->children[0];
    const struct syntax *part =
        index->kind == SYNTAX_NAME ? step_part(loop->children[2], index->declaration) : NULL;
    const double step = part ? step_of(part) : 0;
    if (step == 0)
        return trips;
    const struct cell a = rank_evaluate(rank, condition->children[0]);
    const struct cell b = rank_evaluate(rank, condition->children[1]);
    if (a.kind != CELL_NUMBER || b.kind != CELL_NUMBER)
        return trips;
    trips.is_turn = (a.is_turn || b.is_turn) && !a.is_own && !b.is_own;
    const bool is_closed =
        condition->operation == DO_LESS_EQUAL || condition->operation == DO_GREATER_EQUAL;
    const double sign = step > 0 ? 1 : -1;
    trips.number = fmax(0, ceil((sign * (b.number - a.number) + is_closed) / fabs(step)));
    polynomial from = cell_form(rank->run, &a), to = cell_form(rank->run, &b);
    if (!from || !to)
        return trips;
    polynomial gap = polynomial_sum(algebra, polynomial_scaled(algebra, to, sign),
                                    polynomial_scaled(algebra, from, sign), -1);
    gap = polynomial_plus(algebra, gap, is_closed);
    double constant;
    const bool is_constant = polynomial_is_constant(gap, &constant);
    if (fabs(step) == 1 && (has_parameter(gap) || (is_constant && constant > CONSTANT_MOST) ||
                            trips.number > ITERATIONS_MOST))
        trips.form = gap;
    return trips;
}

static const struct syntax *condition_of(const struct syntax *loop)
{
    if (loop->kind == SYNTAX_FOR)
        return loop->children[1];
    return loop->count ? loop->children[loop->kind == SYNTAX_DO ? loop->count - 1 : 0] : NULL;
}

static const struct syntax *body_of(const struct syntax *loop)
{
    if (loop->kind == SYNTAX_FOR)
        return loop->children[3];
    return loop->count > 1 ? loop->children[loop->kind == SYNTAX_DO ? 0 : 1] : NULL;
}

/* Whether the loop goes on: 1, 0, or -1 where that is not known. */
static int goes_on(struct rank *rank, const struct syntax *loop, struct cell *why)
{
    const struct syntax *condition = condition_of(loop);
    if (!condition)
        return 1;
    const struct cell cell = rank_evaluate(rank, condition);
    *why = cell;
    if (cell.kind == CELL_NUMBER)
        return cell.number != 0;
    return cell.kind == CELL_POINTER ? cell.object != NULL : -1;
}

/* A loop that sends or receives. Where a parameter says how often it runs, or nothing does, it runs
   as often as the run allows, whatever its condition says. */
static enum flow communicating_loop(struct rank *rank, const struct syntax *loop)
{
    struct run *run = rank->run;
    const struct trips trips = trips_of(rank, loop);
    const bool is_long = trips.form || trips.number > ITERATIONS_MOST;
    const bool is_whole =
        run->ranks->is_whole || (run->cap > MORE && trips.number >= 0 && trips.number <= run->cap);
    bool is_capped = run->cap > 0 && is_long && !is_whole;
    for (int i = 0; i < run->ranks->unlike_count; i++)
        is_capped = is_capped && run->ranks->unlike[i].loop != loop;
    if (trips.is_turn)
        iterations_differ(rank, loop->place, false);
    const bool is_noted = is_capped && rank->shortened_count < SHORTENED_MOST;
    if (is_noted)
        rank->shortened[rank->shortened_count++] =
            (struct shortened){.loop = loop, .trips = trips.form, .begin = ++run->steps};
    const int number = instance_begin(rank, loop);
    enum flow flow = FLOW_NEXT;
    const struct syntax *name =
        loop->kind == SYNTAX_FOR && trips.number >= 0 ? loop->children[1]->children[0] : NULL;
    struct object *index = name ? rank_variable(rank, name->declaration) : NULL;
    const bool was_turning = index && index->is_turning;
    const bool was_ranging = index && index->is_ranging;
    rank->instances[number].trips = trips.form;
    if (index) {
        index->is_turning = is_capped;
        index->is_ranging = !is_capped;
    }
    for (int i = 0; !run->is_over; i++) {
        struct cell why = {0};
        const int goes = loop->kind == SYNTAX_DO && i == 0 ? 1
                         : is_capped                       ? i < run->cap
                                                           : goes_on(rank, loop, &why);
        if (goes < 0 && run->cap == 0) {
            run_fail(run, FAILED, loop->place,
                     "how often this loop runs, and how much it sends therefore, depends on %s, "
                     "which nobody knows before the program runs: %s`ignore` the loop, and say "
                     "what is sent: #pragma forecost call point-to-point bytes(E)",
                     why.why ? why.why : "data",
                     condition_of(loop) ? way_out(rank, condition_of(loop)) : "");
            break;
        }
        const bool leaves = goes < 0 && i >= run->cap;
        if (goes == 0 || leaves) {
            rank->instances[number].is_shortened = is_capped || leaves;
            run->is_shortened = run->is_shortened || is_capped || leaves;
            break;
        }
        instance_iteration(rank, number);
        if (is_noted)
            rank->shortened[rank->shortened_count - 1].iteration = ++run->steps;
        flow = body_of(loop) ? rank_execute(rank, body_of(loop)) : FLOW_NEXT;
        if (flow == FLOW_BREAK || flow == FLOW_RETURN || flow == FLOW_LEFT) {
            rank->instances[number].is_left = true;
            break;
        }
        if (loop->kind == SYNTAX_FOR && loop->children[2])
            rank_evaluate(rank, loop->children[2]);
    }
    rank->shortened_count -= is_noted;
    if (index) {
        index->is_turning = was_turning;
        index->is_ranging = was_ranging;
    }
    instance_end(rank, number);
    return flow == FLOW_RETURN || flow == FLOW_LEFT ? flow : FLOW_NEXT;
}

/* Whether nothing that messages could depend on is set: no whole number, no text, no pointer, and
   nothing is called that could. */
static bool sets_data_only(const struct syntax *syntax, bool is_head)
{
    const bool steps = syntax->kind == SYNTAX_UNARY &&
                       (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT);
    if (syntax->kind == SYNTAX_CALL || syntax->kind == SYNTAX_JUMP || syntax->kind == SYNTAX_RETURN)
        return false;
    if ((steps || syntax->kind == SYNTAX_ASSIGN) && syntax->count && !is_head) {
        const struct type *type = syntax->children[0]->type;
        if (!type || type->kind != TYPE_FLOATING)
            return false;
    }
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] &&
            !sets_data_only(syntax->children[i],
                            is_head || (syntax->kind == SYNTAX_FOR && (i == 0 || i == 2))))
            return false;
    return true;
}

/* What a loop of so many iterations that does not send adds to a variable as a whole, where it does
   nothing else with it: by the step of its head, or by statements of its body that always run.
   Returns how many assignments there are of it that are not of this kind. */
static int added_within(const struct syntax *syntax, const struct declaration *of, bool is_always,
                        double *added)
{
    int others = 0;
    if (syntax->kind == SYNTAX_ASSIGN || syntax->kind == SYNTAX_UNARY) {
        const struct syntax *to = syntax->count ? syntax->children[0] : NULL;
        while (to && to->kind == SYNTAX_CAST && to->count == 1)
            to = to->children[0];
        const double step = step_of(syntax);
        const bool is_it = to && to->kind == SYNTAX_NAME && to->declaration == of;
        const bool sets =
            syntax->kind == SYNTAX_ASSIGN || step != 0 || syntax->operation == DO_ADDRESS;
        if (is_it && sets) {
            *added += step;
            return step == 0 || !is_always;
        }
    }
    const bool is_plain = syntax->kind == SYNTAX_BLOCK ||
                          (syntax->kind == SYNTAX_BINARY && syntax->operation == DO_COMMA);
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            others += added_within(syntax->children[i], of, is_always && is_plain, added);
    return others;
}

static int set_within(const struct syntax *loop, const struct declaration *of, double *added)
{
    int others = 0;
    *added = 0;
    for (int part = 1; part < 4; part++)
        if (loop->children[part])
            others += added_within(loop->children[part], of, true, added);
    return others;
}

static bool is_set_within(const struct syntax *loop, const struct syntax *syntax)
{
    double added;
    if (syntax->kind == SYNTAX_NAME && syntax->declaration &&
        (set_within(loop, syntax->declaration, &added) > 0 || added != 0))
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && is_set_within(loop, syntax->children[i]))
            return true;
    return false;
}

enum { COUNTED_MOST = 8 };

/* Variables that a loop counts on. */
struct counted {
    int count;
    struct object *objects[COUNTED_MOST];
    struct cell cells[COUNTED_MOST];
};

static void count_on(struct rank *rank, const struct syntax *loop, const struct syntax *syntax,
                     double trips, struct counted *counted)
{
    const struct syntax *to = syntax->count ? syntax->children[0] : NULL;
    if (step_of(syntax) != 0 && to->kind == SYNTAX_NAME && to->declaration &&
        to->type->kind == TYPE_INTEGER && counted->count < COUNTED_MOST) {
        double added;
        struct object *object = rank_variable(rank, to->declaration);
        const struct cell before = object_read(object, 0);
        if (set_within(loop, to->declaration, &added) == 0 && before.kind == CELL_NUMBER) {
            counted->objects[counted->count] = object;
            counted->cells[counted->count++] = cell_own(before.number + trips * added);
        }
    }
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            count_on(rank, loop, syntax->children[i], trips, counted);
}

/* A loop whose iterations are known, and nothing but counting in it could matter to messages: the
   variables are where so many iterations bring them. */
static bool leaps_over(struct rank *rank, const struct syntax *loop, double trips)
{
    struct counted counted = {.count = 0};
    double added;
    if (loop->kind != SYNTAX_FOR || trips < 0 || !loop->children[3] ||
        leaves_loop(loop->children[3], false) ||
        set_within(loop, loop->children[1]->children[0]->declaration, &added) > 0 ||
        is_set_within(loop, loop->children[1]->children[1]))
        return false;
    count_on(rank, loop, loop->children[2], trips, &counted);
    count_on(rank, loop, loop->children[3], trips, &counted);
    rank_forget(rank, loop, "what a loop computes");
    for (int i = 0; i < counted.count; i++)
        object_write(rank->run, counted.objects[i], 0, counted.cells[i]);
    return true;
}

/* A loop that does neither: what it sets is given up where it takes long. */
static enum flow quiet_loop(struct rank *rank, const struct syntax *loop)
{
    const bool is_outermost = rank->quiet++ == 0;
    struct cell why = {0};
    enum flow flow = FLOW_NEXT;
    if (is_outermost)
        rank->quiet_steps = QUIET_MOST + QUIET_MOST_A_PROCESS * rank->run->p;
    const double trips = trips_of(rank, loop).number;
    const bool is_long = sets_data_only(loop, false) || trips > rank->quiet_steps;
    if (is_long && leaps_over(rank, loop, trips)) {
        rank->quiet--;
        return FLOW_NEXT;
    }
    for (int i = 0; !rank->run->is_over; i++) {
        const int goes = is_long                             ? -1
                         : loop->kind == SYNTAX_DO && i == 0 ? 1
                                                             : goes_on(rank, loop, &why);
        if (goes == 0)
            break;
        if (goes < 0 || --rank->quiet_steps < 0) {
            flow = FLOW_LEFT;
            break;
        }
        flow = body_of(loop) ? rank_execute(rank, body_of(loop)) : FLOW_NEXT;
        if (flow == FLOW_BREAK || flow == FLOW_RETURN || flow == FLOW_LEFT)
            break;
        if (loop->kind == SYNTAX_FOR && loop->children[2])
            rank_evaluate(rank, loop->children[2]);
    }
    rank->quiet--;
    if (flow == FLOW_LEFT && is_outermost) {
        rank_forget(rank, loop, "what a loop computes");
        return FLOW_NEXT;
    }
    return flow == FLOW_RETURN || flow == FLOW_LEFT ? flow : FLOW_NEXT;
}

static enum flow run_loop(struct rank *rank, const struct syntax *loop)
{
    if (loop->kind == SYNTAX_FOR && loop->children[0])
        rank_execute(rank, loop->children[0]);
    return communicates(rank->run->ranks, loop) ? communicating_loop(rank, loop)
                                                : quiet_loop(rank, loop);
}

/* ---- branches ---- */

static const struct syntax *way_of(const struct syntax *syntax, int way)
{
    return way < syntax->count ? syntax->children[way] : NULL;
}

/* Neither way is taken; what either would set is unknown. Where messages depend on it, the run
   fails. */
static enum flow undecided(struct rank *rank, const struct syntax *syntax, const struct cell *why)
{
    struct run *run = rank->run;
    const struct syntax *first = way_of(syntax, 1), *second = way_of(syntax, 2);
    const int here = first ? syntax_gives_up(first) : 0;
    const int there = second ? syntax_gives_up(second) : 0;
    if (here != there) {
        const struct syntax *taken = here > there ? second : first;
        return taken ? rank_execute(rank, taken) : FLOW_NEXT;
    }
    if (why->is_input) {
        const struct syntax *taken = first && uses_input(first) ? second : first;
        return taken ? rank_execute(rank, taken) : FLOW_NEXT;
    }
    if ((first && communicates(run->ranks, first)) ||
        (second && communicates(run->ranks, second))) {
        run_fail(run, FAILED, syntax->place,
                 "whether messages are sent here depends on %s, which nobody knows before the "
                 "program runs: %s`ignore` the statement, and say what is sent: #pragma forecost "
                 "call point-to-point bytes(E)",
                 why->why ? why->why : "data", way_out(rank, syntax->children[0]));
        return FLOW_LEFT;
    }
    rank_forget(rank, first, why->why);
    rank_forget(rank, second, why->why);
    return FLOW_NEXT;
}

/* Notes which way a process takes where it is asked whose turn it is. */
static void note_work(struct rank *rank, const struct syntax *syntax, int way)
{
    const struct ranks *ranks = rank->run->ranks;
    for (int i = 0; i < ranks->turn_count; i++) {
        const struct outline *turn = ranks->turns[i];
        if (turn->turn->file != syntax->file || turn->turn->begin != syntax->begin)
            continue;
        rank->works = arena_more(rank->run->describer->arena, rank->works, (size_t)rank->work_count,
                                 sizeof *rank->works);
        rank->works[rank->work_count++] = (struct work){turn->turn, way, now(rank)};
        return;
    }
}

static enum flow run_branch(struct rank *rank, const struct syntax *syntax)
{
    const struct cell cell = rank_evaluate(rank, syntax->children[0]);
    int truth = cell.kind == CELL_NUMBER    ? cell.number != 0
                : cell.kind == CELL_POINTER ? cell.object != NULL
                                            : -1;
    if (rank->run->is_over)
        return FLOW_LEFT;
    if (truth < 0)
        return undecided(rank, syntax, &cell);
    if (cell.is_turn && (communicates(rank->run->ranks, syntax) || leaves_loop(syntax, false))) {
        iterations_differ(rank, syntax->place, !communicates(rank->run->ranks, syntax));
        return FLOW_LEFT;
    }
    if (cell.is_turn)
        for (int i = 1; i < 3; i++)
            if (way_of(syntax, i))
                note_turn(rank, way_of(syntax, i), 0);
    note_work(rank, syntax, truth ? 1 : 2);
    const struct syntax *way = way_of(syntax, truth ? 1 : 2);
    return way ? rank_execute(rank, way) : FLOW_NEXT;
}

/* The statements from the label of the value on. */
static enum flow run_switch(struct rank *rank, const struct syntax *syntax)
{
    const struct cell cell = rank_evaluate(rank, syntax->children[0]);
    const struct syntax *block = way_of(syntax, 1);
    if (!block || block->kind != SYNTAX_BLOCK)
        return FLOW_NEXT;
    if (cell.kind != CELL_NUMBER) {
        if (communicates(rank->run->ranks, block))
            run_fail(rank->run, FAILED, syntax->place,
                     "which messages are sent here depends on %s, which nobody knows before the "
                     "program runs",
                     cell.why ? cell.why : "data");
        rank_forget(rank, block, cell.why);
        return FLOW_NEXT;
    }
    if (cell.is_turn) {
        if (communicates(rank->run->ranks, block)) {
            iterations_differ(rank, syntax->place, false);
            return FLOW_LEFT;
        }
        note_turn(rank, block, 0);
    }
    bool is_found = false;
    for (int pass = 0; pass < 2 && !is_found; pass++)
        for (int i = 0; i < block->count; i++) {
            const struct syntax *child = block->children[i];
            while (child && child->kind == SYNTAX_OTHER && child->name && child->count) {
                if (!strcmp(child->name, "CaseStmt") && child->count > 1) {
                    const struct cell label = rank_evaluate(rank, child->children[0]);
                    is_found = is_found || (pass == 0 && label.number == cell.number);
                    child = child->children[1];
                } else if (!strcmp(child->name, "DefaultStmt")) {
                    is_found = is_found || pass == 1;
                    child = child->children[0];
                } else
                    break;
            }
            if (!is_found || !child)
                continue;
            const enum flow flow = rank_execute(rank, child);
            if (flow != FLOW_NEXT)
                return flow == FLOW_BREAK ? FLOW_NEXT : flow;
        }
    return FLOW_NEXT;
}

/* ---- statements ---- */

static bool is_marked(const struct rank *rank, const struct syntax *syntax)
{
    const struct ranks *ranks = rank->run->ranks;
    for (int i = 0; i < ranks->marked_count; i++)
        if (ranks->marked[i] == syntax)
            return true;
    return false;
}

static enum flow execute_kind(struct rank *rank, const struct syntax *syntax)
{
    switch (syntax->kind) {
    case SYNTAX_BLOCK:
    case SYNTAX_DECLARE:
        for (int i = 0; i < syntax->count && !rank->run->is_over; i++) {
            const enum flow flow =
                syntax->children[i] ? rank_execute(rank, syntax->children[i]) : FLOW_NEXT;
            if (flow != FLOW_NEXT)
                return flow;
        }
        return FLOW_NEXT;
    case SYNTAX_VARIABLE:
        rank_declare(rank, syntax->declaration);
        return FLOW_NEXT;
    case SYNTAX_FOR:
    case SYNTAX_WHILE:
    case SYNTAX_DO:
        return run_loop(rank, syntax);
    case SYNTAX_IF:
        return run_branch(rank, syntax);
    case SYNTAX_RETURN:
        rank->returned =
            syntax->count ? rank_evaluate(rank, syntax->children[0]) : (struct cell){0};
        return FLOW_RETURN;
    case SYNTAX_EMPTY:
        return FLOW_NEXT;
    case SYNTAX_JUMP:
        if (!strcmp(syntax->name, "break"))
            return FLOW_BREAK;
        if (!strcmp(syntax->name, "continue"))
            return FLOW_CONTINUE;
        if (!strcmp(syntax->name, "switch"))
            return run_switch(rank, syntax);
        run_fail(rank->run, FAILED, syntax->place,
                 "goto: where the program goes is not followed; write it with if and for");
        return FLOW_LEFT;
    default:
        rank_evaluate(rank, syntax);
        return FLOW_NEXT;
    }
}

enum flow rank_execute(struct rank *rank, const struct syntax *syntax)
{
    if (rank->run->is_over)
        return FLOW_LEFT;
    if (rank->run->ranks->marked_count && is_marked(rank, syntax)) {
        const int number = instance_begin(rank, syntax);
        instance_iteration(rank, number);
        const enum flow flow = execute_kind(rank, syntax);
        instance_end(rank, number);
        return rank->run->is_over ? FLOW_LEFT : flow;
    }
    const enum flow flow = execute_kind(rank, syntax);
    return rank->run->is_over ? FLOW_LEFT : flow;
}

struct cell rank_enter(struct rank *rank, const struct function *function, struct cell *given,
                       int count, const struct syntax *call)
{
    struct run *run = rank->run;
    const size_t locals = (size_t)run->describer->source->declaration_count;
    if (++rank->entered > CALLS_MOST) {
        run_fail(run, FAILED, call->place, "%s calls itself too often to be followed",
                 function->name);
        return cell_unknown("a recursion");
    }
    struct object **before = arena_take(run->describer->arena, locals, sizeof(struct object *));
    memcpy(before, rank->locals, locals * sizeof(struct object *));
    for (int i = 0; i < function->parameter_count; i++) {
        struct object *object = object_new(run);
        struct cell cell = i < count ? given[i] : cell_unknown("an argument");
        if (function->parameters[i]->type->kind == TYPE_FLOATING)
            cell.is_floating = true;
        object->is_handed = function->parameters[i]->type->kind == TYPE_ARRAY;
        object_write(run, object, 0, cell);
        rank->locals[function->parameters[i]->id] = object;
    }
    const unsigned way = rank->way;
    rank->way = way_through(rank->way, call);
    rank->returned = cell_unknown("what a function gives back");
    rank_execute(rank, function->body);
    const struct cell returned = rank->returned;
    rank->way = way;
    rank->entered--;
    memcpy(rank->locals, before, locals * sizeof(struct object *));
    return returned;
}
