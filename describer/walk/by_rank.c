#include "describer/walk/by_rank.h"

#include "describer/walk/jumps.h"
#include "describer/walk/messages.h"
#include "describer/walk/relays.h"

#include "model/base/number.h"

#include <math.h>
#include <string.h>

/* What a loop computes, in single assignments: more than stands beside it. */
enum { LOOP_WORK = 100 };

/* Numbers of two processes that differ by no more than this share need no remark: predictions are
   meant to be within it. */
static const double little = 0.1;

/* Whether what stands there in a block is never executed: the ways of an `if` with `continue` have
   all that follows it. */
static bool is_behind_jump(const struct syntax *block, int at)
{
    const struct syntax *before =
        block->kind == SYNTAX_BLOCK && at > 0 ? block->children[at - 1] : NULL;
    return before &&
           (before->kind == SYNTAX_RETURN || (before->kind == SYNTAX_JUMP && jump_within(before)));
}

/* How much a statement computes, roughly: assignments of data, those in loops within one another
   the more. */
static double work_within(struct describer *describer, const struct syntax *syntax, int depth)
{
    enum { DEPTH_MOST = 8 };
    double work = 0;
    if (syntax->kind == SYNTAX_ASSIGN && syntax->count > 0) {
        const struct type *type = syntax->children[0]->type;
        work +=
            syntax->children[0]->kind == SYNTAX_SUBSCRIPT || (type && type->kind == TYPE_FLOATING);
    }
    if (syntax->kind == SYNTAX_CALL && depth < DEPTH_MOST) {
        const struct function *function = function_called(describer->source, syntax);
        work += function ? work_within(describer, function->body, depth + 1) : 0;
    }
    for (int i = 0; i < syntax->count && !is_behind_jump(syntax, i); i++)
        if (syntax->children[i])
            work += work_within(describer, syntax->children[i], depth);
    const bool is_loop =
        syntax->kind == SYNTAX_FOR || syntax->kind == SYNTAX_WHILE || syntax->kind == SYNTAX_DO;
    return is_loop ? LOOP_WORK * work : work;
}

bool by_rank_computes(struct describer *describer, const struct syntax *way)
{
    return work_within(describer, way, 0) >= LOOP_WORK;
}

bool by_rank_is_long(struct describer *describer, const struct syntax *branch)
{
    for (int way = 1; way < branch->count; way++)
        if (by_rank_computes(describer, branch->children[way]))
            return true;
    return false;
}

/* What of a body is there from that child on: operations and statements, as often as loops run. */
static double work_from(const struct graph *graph, const struct outline *outline, int from)
{
    double work = 0, trips = 1;
    if (outline->kind == OUTLINE_AGAIN)
        return work_from(graph, outline->again, 0);
    if (outline->kind == OUTLINE_PART) {
        work = outline->part->statement_count;
        for (int i = outline->part->begin; i < graph->count; i++)
            work += graph->nodes[i].part == outline->part && node_is_operation(&graph->nodes[i]);
        return work;
    }
    if (outline->kind == OUTLINE_LOOP && from == 0)
        trips = fmax(0, polynomial_value(outline->loop->last) -
                            polynomial_value(outline->loop->first) + 1);
    for (int i = from; i < outline->count; i++)
        work += work_from(graph, outline->children[i], 0);
    return trips * work;
}

static const struct syntax *way_of(const struct syntax *syntax, int way)
{
    return way < syntax->count ? syntax->children[way] : NULL;
}

static bool has_messages(struct describer *describer, const struct syntax *way)
{
    return way && messages_reached(describer, way, 0);
}

/* Whether what follows the branch does not run behind it. */
static bool leaves(const struct syntax *syntax, int way)
{
    return way < syntax->count &&
           (branch_gives_up(syntax, way) > 0 || jump_within(syntax->children[way]));
}

/* A way that is gone only to see what it does. Nothing has happened when it has ended. */
struct trial {
    struct error kept, *error;
    struct snapshot *before;
    struct position position;
    int remarks;
};

static void begin_trial(struct describer *describer, struct trial *trial)
{
    trial->error = describer->error;
    trial->before = snapshot_take(describer);
    trial->position = describer_position(describer);
    trial->remarks = describer->remark_count;
    describer->error = &trial->kept;
    describer->is_noting = describer->is_weighing = true;
}

static void end_trial(struct describer *describer, const struct trial *trial)
{
    describer->error = trial->error;
    describer->has_failed = describer->is_weighing = false;
    describer->split.loop = NULL;
    describer_go_back(describer, &trial->position);
    snapshot_restore(describer, trial->before);
    describer->remark_count = trial->remarks;
    snapshot_free(trial->before);
}

/* How much a way computes; negative: it is not followed. */
static double work_tried(struct describer *describer, const struct syntax *way)
{
    struct trial trial;
    const int children = describer->body->count, symbols = describer->symbols.count;
    const struct busiest busiest = describer->busiest;
    bool *was_used = arena_take(describer->arena, (size_t)symbols + 1, sizeof *was_used);
    for (int i = 0; i < symbols; i++)
        was_used[i] = describer->symbols.items[i]->is_used;
    begin_trial(describer, &trial);
    describer->part = NULL;
    execute(describer, way);
    const bool has_stopped = describer->has_failed || describer->split.loop;
    const double work =
        has_stopped ? -1 : work_from(&describer->graph, trial.position.body, children);
    end_trial(describer, &trial);
    describer->busiest = busiest;
    for (int i = 0; i < describer->symbols.count; i++)
        describer->symbols.items[i]->is_used = i < symbols && was_used[i];
    return work;
}

/* Of two ways without messages, neither of which leaves: the one that computes more. */
static int longer_way(struct describer *describer, const struct syntax *syntax, int told)
{
    const struct syntax *own = way_of(syntax, told), *others = way_of(syntax, 3 - told);
    const double work = own ? work_within(describer, own, 0) : 0;
    const double other_work = others ? work_within(describer, others, 0) : 0;
    if (other_work < LOOP_WORK)
        return told;
    if (work < LOOP_WORK || describer->is_weighing)
        return other_work > work ? 3 - told : told;
    return work_tried(describer, others) > work_tried(describer, own) ? 3 - told : told;
}

/* Of two ways, one of which sends or receives: the one that computes more, for the messages are
   those of all processors (ranks/settle.c); else the one that a processor in the middle takes,
   unless the other one has more messages. */
static int busier_way(struct describer *describer, const struct syntax *syntax, int told)
{
    const int other = 3 - told;
    const struct syntax *own = way_of(syntax, told), *others = way_of(syntax, other);
    const int here = own ? messages_within(own) : 0, there = others ? messages_within(others) : 0;
    const double work = own ? work_within(describer, own, 0) : 0;
    const double other_work = others ? work_within(describer, others, 0) : 0;
    if (work != other_work && fmax(work, other_work) >= LOOP_WORK)
        return other_work > work ? other : told;
    return there > here ? other : told;
}

/* ---- ways of which one waits for the other ---- */

/* The work of a way before its first send and behind its last receive. */
struct order {
    double before, behind, computed; /* computed: so far */
    bool has_received;
    bool comes_along, goes_on; /* from and to a process that is no constant: a relay (relays.h) */
};

static bool has_constant_partner(const struct syntax *call)
{
    const struct syntax *partner =
        call->count > ARGUMENT_PARTNER ? call->children[ARGUMENT_PARTNER] : NULL;
    while (partner && (partner->kind == SYNTAX_CAST || partner->operation == DO_MINUS) &&
           partner->count == 1)
        partner = partner->children[0];
    return !partner || partner->kind == SYNTAX_INTEGER;
}

static void order_of(struct describer *describer, const struct syntax *syntax, int depth,
                     double trips, struct order *order)
{
    enum { DEPTH_MOST = 8, ROUNDS = 2 }; /* what one iteration receives the next one works with */
    const bool is_loop =
        syntax->kind == SYNTAX_FOR || syntax->kind == SYNTAX_WHILE || syntax->kind == SYNTAX_DO;
    const bool is_message = syntax->kind == SYNTAX_CALL && messages_within(syntax) > 0;
    const struct function *function = syntax->kind == SYNTAX_CALL && depth < DEPTH_MOST
                                          ? function_called(describer->source, syntax)
                                          : NULL;
    if (is_message) {
        if (!receives_within(syntax))
            order->before = fmax(order->before, order->computed);
        if (receives_within(syntax))
            order->comes_along = order->comes_along || !has_constant_partner(syntax);
        else if (sends_within(syntax) && order->has_received)
            order->goes_on = order->goes_on || !has_constant_partner(syntax);
        order->has_received = order->has_received || !sends_within(syntax);
        return;
    }
    if (function)
        order_of(describer, function->body, depth + 1, trips, order);
    if (is_loop)
        trips *= LOOP_WORK;
    for (int round = 0; round < (is_loop ? ROUNDS : 1); round++)
        for (int i = 0; i < syntax->count && !is_behind_jump(syntax, i); i++)
            if (syntax->children[i])
                order_of(describer, syntax->children[i], depth, trips, order);
    if (syntax->kind != SYNTAX_ASSIGN || syntax->count == 0)
        return;
    const struct type *type = syntax->children[0]->type;
    if (syntax->children[0]->kind != SYNTAX_SUBSCRIPT && (!type || type->kind != TYPE_FLOATING))
        return;
    order->computed += trips;
    order->behind += order->has_received ? trips : 0;
}

/* Whether those who go one way receive, before they compute, what the others send only behind what
   they compute: then both ways take their time, one after the other. */
static bool waits_for_other(struct describer *describer, const struct syntax *syntax)
{
    struct order orders[3] = {0};
    if (syntax->count < 3)
        return false;
    for (int way = 1; way < 3; way++)
        order_of(describer, syntax->children[way], 0, 1, &orders[way]);
    for (int way = 1; way < 3; way++)
        if (orders[way].before >= LOOP_WORK && orders[3 - way].behind >= LOOP_WORK &&
            !(orders[3 - way].comes_along && orders[3 - way].goes_on))
            return true;
    return false;
}

/* Of two ways without messages, one of which leaves: the other one, which goes on. */
static int staying_way(struct describer *describer, const struct syntax *syntax, int told)
{
    const int leaving = leaves(syntax, told) ? told : 3 - told;
    if (work_within(describer, syntax->children[leaving], 0) >= LOOP_WORK && !describer->is_noting)
        describer_remark(describer, syntax->children[leaving]->place,
                         "what the processes compute here that leave is not counted");
    return 3 - leaving;
}

static void execute_way(struct describer *describer, const struct syntax *syntax,
                        const struct asked *asked, int taken, int told)
{
    const struct way before = describer->way;
    const int other = 3 - taken;
    struct way *now = &describer->way;
    const struct processes *processes = taken == 1 ? &asked->holds : &asked->fails;
    now->is_few = before.is_few || asked->alternates || (taken != told && !asked->order);
    now->is_partial = before.is_partial || asked->part || taken != told;
    now->is_answered =
        before.is_answered || (other < syntax->count && receives_within(syntax->children[other]));
    if (processes->first)
        now->processes.first = processes->first;
    if (processes->last)
        now->processes.last = processes->last;
    const struct syntax *way = way_of(syntax, taken);
    if (way && processes->first && processes->first == processes->last &&
        work_within(describer, way, 0) >= LOOP_WORK && !has_messages(describer, way))
        by_rank_count(describer, processes->first, way->place);
    if (way)
        execute(describer, way);
    describer->way = before;
}

/* Whether a variable is sent to all processes: then all have the same. */
static bool is_broadcast(const struct syntax *syntax, const struct declaration *variable)
{
    if (syntax->kind == SYNTAX_CALL && !strcmp(syntax->name, "MPI_Bcast") && syntax->count > 0) {
        const struct syntax *what = syntax->children[0];
        while ((what->kind == SYNTAX_CAST || what->operation == DO_ADDRESS) && what->count == 1)
            what = what->children[0];
        return variable && what->kind == SYNTAX_NAME && what->declaration == variable;
    }
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && is_broadcast(syntax->children[i], variable))
            return true;
    return false;
}

/* A number that depends on the process: the one at a place, or a variable. */
struct chosen {
    const struct declaration *variable; /* NULL: none yet */
    struct place place;
};

static bool mentions(const struct syntax *syntax, const struct chosen *chosen)
{
    if (!syntax)
        return false;
    if (chosen->variable
            ? syntax->kind == SYNTAX_NAME && syntax->declaration == chosen->variable
            : syntax->kind == SYNTAX_CONDITIONAL && syntax->place.line == chosen->place.line &&
                  syntax->place.column == chosen->place.column)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (mentions(syntax->children[i], chosen))
            return true;
    return false;
}

/* Whether a loop runs the longer the larger such a number is: where it ends, not where it begins.
 */
static bool prolongs(const struct syntax *condition, const struct chosen *chosen)
{
    if (!condition || condition->count != 2)
        return false;
    switch (condition->operation) {
    case DO_AND:
        return prolongs(condition->children[0], chosen) || prolongs(condition->children[1], chosen);
    case DO_GREATER:
    case DO_GREATER_EQUAL:
        return mentions(condition->children[0], chosen);
    default:
        return mentions(condition->children[1], chosen);
    }
}

/* Whether such a number prolongs a loop, here or in functions that it is passed to. */
static bool prolongs_loop(struct describer *describer, const struct syntax *syntax,
                          const struct chosen *chosen, int depth)
{
    enum { DEPTH_MOST = 4 };
    const bool is_second = syntax->kind == SYNTAX_FOR || syntax->kind == SYNTAX_DO;
    const int condition = is_second; /* child of a loop */
    if ((is_second || syntax->kind == SYNTAX_WHILE) && syntax->count > condition &&
        prolongs(syntax->children[condition], chosen))
        return true;
    const struct syntax *value = NULL;
    const struct declaration *to = NULL;
    if (syntax->kind == SYNTAX_VARIABLE && syntax->declaration) {
        to = syntax->declaration;
        value = to->initial;
    } else if (syntax->kind == SYNTAX_ASSIGN && syntax->count > 1) {
        to = syntax->children[0]->declaration;
        value = syntax->children[1];
    }
    if (to && to != chosen->variable && depth < DEPTH_MOST && mentions(value, chosen) &&
        prolongs_loop(describer, describer->function->body, &(struct chosen){.variable = to},
                      depth + 1))
        return true;
    const struct function *function = syntax->kind == SYNTAX_CALL && depth < DEPTH_MOST
                                          ? function_called(describer->source, syntax)
                                          : NULL;
    for (int i = 0; function && i < function->parameter_count && i < syntax->count; i++)
        if (mentions(syntax->children[i], chosen) &&
            prolongs_loop(describer, function->body,
                          &(struct chosen){.variable = function->parameters[i]}, depth + 1))
            return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && prolongs_loop(describer, syntax->children[i], chosen, depth))
            return true;
    return false;
}

struct value by_rank_larger(struct describer *describer, struct value other,
                            const struct processes *others, struct value told,
                            const struct declaration *to, struct place place)
{
    struct algebra *algebra = &describer->algebra;
    char text[NUMBER_TEXT];
    if (other.kind != VALUE_INDEX || told.kind != VALUE_INDEX ||
        polynomial_has_index(other.index) || polynomial_has_index(told.index))
        return told;
    const struct way before = describer->way;
    describer->way.processes = *others;
    polynomial most = extreme_of_rank(describer, other.index, false);
    polynomial more =
        extreme_of_rank(describer, polynomial_sum(algebra, other.index, told.index, -1), false);
    describer->way = before;
    if (polynomial_value(more) <= little * fabs(polynomial_value(most)))
        return told;
    /* Differences of numbers of processes are no more than that. */
    const bool may_name_processes = polynomial_value(more) <= 2 * describer->processors->value;
    if (may_name_processes &&
        !prolongs_loop(describer, describer->function->body, &(struct chosen){to, place}, 0))
        return told;
    if (!describer->is_noting && !is_broadcast(describer->function->body, to))
        describer_remark(describer, place,
                         "which number this is depends on the process: it is taken to be the "
                         "larger one, %s, for all",
                         number_print(polynomial_value(most), text));
    return value_of_index(polynomial_sum(algebra, told.index, more, 1));
}

void by_rank_count(struct describer *describer, polynomial process, struct place place)
{
    struct algebra *algebra = &describer->algebra;
    struct busiest *busiest = &describer->busiest;
    if (!describer->is_recording || describer->is_noting)
        return;
    if (!busiest->process)
        *busiest = (struct busiest){process, place};
    else if (!polynomial_equal(algebra, busiest->process, process))
        describer_remark(describer, place,
                         "this takes longest on process %s, and what is at line %u on process %s: "
                         "they are counted as if one process did both",
                         polynomial_text(algebra, process, " "), busiest->place.line,
                         polynomial_text(algebra, busiest->process, " "));
}

/* Goes a way that sets no more than numbers; of those that the other way sets otherwise, the larger
   ones count. */
static void execute_larger(struct describer *describer, const struct syntax *syntax,
                           const struct asked *asked, int told)
{
    struct assigned_list list = {.count = 0};
    for (int way = 1; way < syntax->count; way++)
        assigned_in(describer, syntax->children[way], &list);
    if (list.count == 0 || describer->is_weighing) {
        execute_way(describer, syntax, asked, told, told);
        return;
    }
    struct value *others = arena_take(describer->arena, (size_t)list.count, sizeof(struct value));
    struct trial trial;
    begin_trial(describer, &trial);
    if (3 - told < syntax->count)
        execute_way(describer, syntax, asked, 3 - told, told);
    const bool has_stopped = describer_is_stopped(describer);
    for (int i = 0; i < list.count; i++)
        others[i] = list.items[i].binding->value;
    end_trial(describer, &trial);
    execute_way(describer, syntax, asked, told, told);
    for (int i = 0; i < list.count && !has_stopped && !describer_is_stopped(describer); i++)
        list.items[i].binding->value = by_rank_larger(
            describer, others[i], told == 1 ? &asked->fails : &asked->holds,
            list.items[i].binding->value, list.items[i].to->declaration, list.items[i].to->place);
}

/* Goes a way that others than the process in the middle take; where it is not followed, that one's
   instead, and a remark says so. */
static void execute_longer(struct describer *describer, const struct syntax *syntax,
                           const struct asked *asked, int taken, int told)
{
    struct error kept, *error = describer->error;
    struct snapshot *before = snapshot_take(describer);
    const struct position position = describer_position(describer);
    describer->error = &kept;
    execute_way(describer, syntax, asked, taken, told);
    describer->error = error;
    if (describer->has_failed) {
        describer->has_failed = false;
        describer->split.loop = NULL;
        describer_go_back(describer, &position);
        snapshot_restore(describer, before);
        describer_remark(describer, syntax->children[taken]->place,
                         "what some processes alone compute here is not counted: line %u: %s",
                         kept.line, kept.text);
        execute_way(describer, syntax, asked, told, told);
    }
    snapshot_free(before);
}

/* Counts what those compute who go the other way, without their messages: these are those of all
   processes. */
static void compute_other(struct describer *describer, const struct syntax *syntax,
                          const struct asked *asked, int taken, int told)
{
    struct error kept, *error = describer->error;
    struct snapshot *before = snapshot_take(describer);
    const struct position position = describer_position(describer);
    const bool was_silent = describer->is_silent;
    describer->error = &kept;
    describer->is_silent = true;
    execute_way(describer, syntax, asked, taken, told);
    describer->is_silent = was_silent;
    describer->error = error;
    describer->busiest = (struct busiest){0};
    if (describer->has_failed || describer->split.loop) {
        describer->has_failed = false;
        describer->split.loop = NULL;
        describer_go_back(describer, &position);
        snapshot_restore(describer, before);
        describer_remark(describer, syntax->children[taken]->place,
                         "what some processes compute here while the others wait is not counted: "
                         "line %u: %s",
                         kept.line, kept.text);
    } else
        for (int i = 0; i < describer->source->declaration_count + describer->member_count; i++)
            describer->bindings[i] = *snapshot_binding(before, i);
    describer->has_returned = position.has_returned;
    describer->jumping = position.jumping;
    describer->part = NULL;
    snapshot_free(before);
}

void by_rank_take(struct describer *describer, const struct syntax *syntax,
                  const struct asked *asked, int told)
{
    const struct syntax *own = way_of(syntax, told), *others = way_of(syntax, 3 - told);
    if (has_messages(describer, own) || has_messages(describer, others)) {
        const int taken = busier_way(describer, syntax, told);
        describer->is_by_rank = true;
        if (waits_for_other(describer, syntax))
            compute_other(describer, syntax, asked, 3 - taken, told);
        execute_way(describer, syntax, asked, taken, told);
        return;
    }
    if (leaves(syntax, told) != leaves(syntax, 3 - told)) {
        execute_way(describer, syntax, asked, staying_way(describer, syntax, told), told);
        return;
    }
    const int taken = longer_way(describer, syntax, told);
    if (taken != told)
        execute_longer(describer, syntax, asked, taken, told);
    else
        execute_larger(describer, syntax, asked, told);
}
