#include "describer/walk/turns.h"

struct value turn_value(struct describer *describer, polynomial dividend, polynomial width,
                        polynomial period)
{
    struct turn *turn = arena_take(describer->arena, 1, sizeof *turn);
    *turn = (struct turn){dividend, width, period};
    struct value value = value_unknown(period ? "a remainder of the index of a loop"
                                              : "the index of a loop is divided");
    value.turn = turn;
    return value;
}

/* The only index whose iterations turns are counted in: the innermost one, which advances by 1. */
static const struct loop *loop_of(struct describer *describer, polynomial dividend)
{
    const struct symbol *found = NULL;
    double by;
    for (int i = 0; i < dividend->count; i++)
        for (int j = 0; j < dividend->terms[i].degree; j++) {
            const struct symbol *symbol = dividend->terms[i].symbols[j];
            if (symbol->kind == SYMBOL_INDEX && symbol->loop &&
                (!found || symbol->loop->depth > found->loop->depth))
                found = symbol;
        }
    const bool is_even =
        found &&
        polynomial_is_constant(polynomial_coefficient(&describer->algebra, dividend, found), &by) &&
        (by == 1 || by == -1);
    return is_even ? found->loop : NULL;
}

static bool is_around(const struct describer *describer, const struct loop *loop)
{
    for (const struct loop *at = describer->loop; at; at = at->up)
        if (at == loop)
            return true;
    return false;
}

struct value turn_settled(struct describer *describer, struct value value)
{
    const struct turn *turn = value.kind == VALUE_UNKNOWN ? value.turn : NULL;
    if (!turn)
        return value;
    value.turn = NULL;
    const struct loop *loop = loop_of(describer, turn->dividend);
    if (loop && !is_around(describer, loop))
        return value;
    struct value settled = value_of_index(turn->dividend);
    if (turn->width)
        settled = value_split(describer, settled.index, turn->width, false);
    if (turn->period && settled.kind == VALUE_INDEX)
        settled = value_split(describer, settled.index, turn->period, true);
    return settled;
}

void turn_note(struct asked *asked, const struct turn *turn, bool is_equality)
{
    asked->rank = true;
    asked->meets_where_holds = is_equality;
    if (asked->turn_count < ASKED_TURNS_MOST)
        asked->turns[asked->turn_count++] = turn;
}

/* (k - rank) % p, which is 0 where k % p is the process's own number. */
static const struct turn *turn_of_rank(struct describer *describer, polynomial a)
{
    struct algebra *algebra = &describer->algebra;
    double times;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < a->terms[i].degree; j++) {
            const struct symbol *symbol = a->terms[i].symbols[j];
            if (symbol->kind != SYMBOL_RANK || !symbol->divisor || symbol->is_quotient ||
                !polynomial_has_index(symbol->dividend) || a->terms[i].degree != 1)
                continue;
            polynomial rest = polynomial_rest(algebra, symbol->dividend, describer->rank);
            if (polynomial_has_rank(rest) || !polynomial_has_index(rest) ||
                !polynomial_is_constant(
                    polynomial_coefficient(algebra, symbol->dividend, describer->rank), &times) ||
                (times != 1 && times != -1))
                return NULL;
            return turn_value(describer, rest, NULL, symbol->divisor).turn;
        }
    return NULL;
}

/* Whether it is one number of the process, and a constant. */
static bool is_own_number(struct describer *describer, polynomial a)
{
    int numbers = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < a->terms[i].degree; j++)
            if (a->terms[i].symbols[j]->kind == SYMBOL_RANK) {
                const double times = a->terms[i].factor;
                if (a->terms[i].degree != 1 || (times != 1 && times != -1))
                    return false;
                numbers++;
            }
    (void)describer;
    return numbers == 1 && !polynomial_has_index(a);
}

bool turn_compared(struct describer *describer, enum operation operation, const struct value *a,
                   const struct value *b, enum truth *truth)
{
    const bool is_equality = operation == DO_EQUAL;
    if (!is_equality && operation != DO_UNEQUAL)
        return false;
    const struct turn *turn = NULL;
    if (a->kind == VALUE_INDEX && b->kind == VALUE_INDEX)
        turn = turn_of_rank(describer, polynomial_sum(&describer->algebra, a->index, b->index, -1));
    else {
        const struct value *other = a->kind == VALUE_UNKNOWN ? b : a;
        const struct value *unknown = a->kind == VALUE_UNKNOWN ? a : b;
        if (unknown->kind == VALUE_UNKNOWN && unknown->turn && other->kind == VALUE_INDEX &&
            is_own_number(describer, other->index))
            turn = unknown->turn;
    }
    if (!turn)
        return false;
    describer->asked.comparisons++;
    describer->asked.is_periodic = true;
    turn_note(&describer->asked, turn, is_equality);
    *truth = is_equality ? IS_FALSE : IS_TRUE;
    return true;
}

/* ---- shares ---- */

/* The turn of one process: at most `width` of every `round` iterations; width NULL: 1; round NULL:
   it has one turn alone. */
struct pace {
    const char *width, *round;
};

/* As a factor. */
static const char *text_of(struct describer *describer, polynomial a)
{
    const bool is_plain =
        a->count == 1 && a->terms[0].factor >= 0 &&
        (a->terms[0].degree == 0 || (a->terms[0].degree == 1 && a->terms[0].factor == 1));
    polynomial_use(a);
    return arena_format(describer->arena, is_plain ? "%s" : "(%s)",
                        polynomial_text(&describer->algebra, a, " "));
}

static const char *named(struct describer *describer, const char *name, const char *definition)
{
    struct symbol *symbol = symbol_derived(&describer->symbols, name, definition, 1);
    symbol->is_used = true;
    return symbol->name;
}

/* How many of so many iterations are the turn of the process that has most. */
static const char *most_of(struct describer *describer, const struct pace *pace, const char *trips)
{
    struct arena *arena = describer->arena;
    const char *width = pace->width, *round = pace->round;
    if (!round)
        return arena_format(arena, "min(%s, %s)", width ? width : "1", trips);
    if (!width)
        return arena_format(arena, "ceil(%s / %s)", trips, round);
    return arena_format(arena, "floor(%s / %s) * %s + min(%s, mod(%s, %s))", trips, round, width,
                        width, trips, round);
}

/* The sum of that over 1, 2 and so on up to so many iterations. */
static const char *sum_of_most(struct describer *describer, const struct pace *pace,
                               const char *trips)
{
    struct arena *arena = describer->arena;
    const char *width = pace->width, *round = pace->round;
    const char *rounds = arena_format(arena, "floor(%s / %s)", trips, round ? round : "1");
    if (!round && !width)
        return trips;
    if (!round) {
        const char *own = arena_format(arena, "min(%s, %s)", width, trips);
        return arena_format(arena, "%s * (%s + 1) / 2 + (%s - %s) * %s", own, own, trips, own,
                            width);
    }
    const char *rest = arena_format(arena, "mod(%s, %s)", trips, round);
    if (!width)
        return arena_format(arena, "%s * %s * (%s + 1) / 2 + %s * (%s + 1)", round, rounds, rounds,
                            rest, rounds);
    const char *own = arena_format(arena, "min(%s, %s)", width, rest);
    return arena_format(arena,
                        "%s * %s * %s * (%s - 1) / 2 + %s * (%s * (%s + 1) / 2 + (%s - %s) * %s) + "
                        "%s * %s * %s + %s * (%s + 1) / 2 + (%s - %s) * %s",
                        width, round, rounds, rounds, rounds, width, width, round, width, width,
                        rounds, width, rest, own, own, rest, own, width);
}

/* The number of iterations where that depends on one loop around, which goes through it by 1; least
   is one less than the smallest, NULL: none. */
static bool range_of(struct describer *describer, polynomial trips, const char **least,
                     const char **most)
{
    struct algebra *algebra = &describer->algebra;
    const struct symbol *index = NULL;
    double by;
    for (int i = 0; i < trips->count; i++)
        for (int j = 0; j < trips->terms[i].degree; j++)
            if (trips->terms[i].symbols[j]->kind == SYMBOL_INDEX) {
                if (index && index != trips->terms[i].symbols[j])
                    return false;
                index = trips->terms[i].symbols[j];
            }
    if (!index || !index->loop ||
        !polynomial_is_constant(polynomial_coefficient(algebra, trips, index), &by) ||
        (by != 1 && by != -1))
        return false;
    polynomial rest = polynomial_rest(algebra, trips, index);
    polynomial from = polynomial_sum(algebra, rest, index->loop->first, by);
    polynomial to = polynomial_sum(algebra, rest, index->loop->last, by);
    if (polynomial_has_index(from) || polynomial_has_index(to) || polynomial_has_rank(from) ||
        polynomial_has_rank(to))
        return false;
    double first;
    polynomial before = polynomial_plus(algebra, by > 0 ? from : to, -1);
    *least =
        polynomial_is_constant(before, &first) && first <= 0 ? NULL : text_of(describer, before);
    *most = text_of(describer, by > 0 ? to : from);
    return true;
}

static const char *share_of(struct describer *describer, const struct turn *turn,
                            const struct loop *loop, const char **alone)
{
    struct algebra *algebra = &describer->algebra;
    struct arena *arena = describer->arena;
    polynomial trips =
        polynomial_plus(algebra, polynomial_sum(algebra, loop->last, loop->first, -1), 1);
    struct pace pace = {.width = turn->width ? text_of(describer, turn->width) : NULL};
    if (turn->period)
        pace.round = pace.width ? arena_format(arena, "(%s * %s)", pace.width,
                                               text_of(describer, turn->period))
                                : text_of(describer, turn->period);
    const char *least, *most, *processes = describer->processors->name;
    *alone = "1";
    if (polynomial_has_rank(trips))
        return NULL;
    if (!polynomial_has_index(trips)) {
        const char *number = text_of(describer, trips);
        double left;
        if (!turn->period &&
            !(polynomial_is_constant(
                  polynomial_sum(algebra, trips, polynomial_symbol(algebra, describer->processors),
                                 -1),
                  &left) &&
              left <= 0 && !turn->width))
            *alone = named(describer, "turn",
                           arena_format(arena, "min(1, %s * %s / max(%s, 1))", processes,
                                        pace.width ? pace.width : "1", number));
        if (!turn->period && !turn->width)
            return arena_format(arena, "1 / (%s)", polynomial_text(algebra, trips, " "));
        return named(
            describer, "share",
            arena_format(arena, "(%s) / max(%s, 1)", most_of(describer, &pace, number), number));
    }
    if (!range_of(describer, trips, &least, &most))
        return turn->period ? arena_format(arena, "1 / %s", text_of(describer, turn->period))
                            : NULL;
    most = named(describer, "most", arena_format(arena, "max(0, %s)", most));
    if (!least)
        return named(describer, "share",
                     arena_format(arena, "(%s) / max(%s * (%s + 1) / 2, 1)",
                                  sum_of_most(describer, &pace, most), most, most));
    least = named(describer, "least", arena_format(arena, "max(0, %s)", least));
    return named(describer, "share",
                 arena_format(arena, "(%s - (%s)) / max((%s * (%s + 1) - %s * (%s + 1)) / 2, 1)",
                              sum_of_most(describer, &pace, most),
                              sum_of_most(describer, &pace, least), most, most, least, least));
}

const char *turn_share(struct describer *describer, const struct asked *asked, const char **alone)
{
    const struct loop *loops[ASKED_TURNS_MOST];
    const char *share = NULL;
    *alone = NULL;
    if (asked->turn_count == 0 || asked->turn_count != asked->comparisons)
        return NULL;
    for (int i = 0; i < asked->turn_count; i++) {
        const char *its_alone;
        loops[i] = loop_of(describer, asked->turns[i]->dividend);
        if (!loops[i])
            return NULL;
        for (int k = 0; k < i; k++)
            if (loops[k] == loops[i])
                return NULL;
        const char *its = share_of(describer, asked->turns[i], loops[i], &its_alone);
        if (!its)
            return NULL;
        share = share ? arena_format(describer->arena, "%s * (%s)", share, its) : its;
        *alone =
            *alone ? arena_format(describer->arena, "%s * (%s)", *alone, its_alone) : its_alone;
    }
    return share;
}
