#include "describer/walk/colours.h"

#include "model/base/number.h"

#include <math.h>

enum { MODULUS_MOST = 64 };

static const struct syntax *bare(const struct syntax *syntax)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    return syntax;
}

/* E % k, E & 1 as E mod 2: E, as a polynomial of indices. */
static bool read_remainder(struct describer *describer, const struct syntax *syntax,
                           polynomial *dividend, double *modulus)
{
    syntax = bare(syntax);
    if (syntax->kind != SYNTAX_BINARY)
        return false;
    const struct syntax *by = bare(syntax->children[1]);
    const bool is_rest = syntax->operation == DO_REMAINDER;
    if ((!is_rest && syntax->operation != DO_BITS_AND) || by->kind != SYNTAX_INTEGER)
        return false;
    *modulus = is_rest ? by->number : by->number + 1;
    if (*modulus < 2 || *modulus > MODULUS_MOST ||
        (!is_rest && log2(*modulus) != floor(log2(*modulus))))
        return false;
    const struct value value = evaluate_leniently(describer, syntax->children[0]);
    if (value.kind != VALUE_INDEX || !polynomial_is_affine(value.index) ||
        polynomial_has_rank(value.index))
        return false;
    *dividend = value.index;
    return polynomial_has_index(value.index);
}

/* Terms that are whole multiples of the modulus change nothing. */
static polynomial reduced(struct describer *describer, polynomial value, double modulus)
{
    struct algebra *algebra = &describer->algebra;
    polynomial sum = polynomial_constant(algebra, 0);
    for (int i = 0; i < value->count; i++) {
        struct term term = value->terms[i];
        term.factor = fmod(term.factor, modulus);
        if (term.factor != 0)
            sum = polynomial_sum(algebra, sum, polynomial_term(algebra, term), 1);
    }
    return sum;
}

/* How far apart two colours of one modulus are, from 0 to less than that; false: they are colours
   of something else. */
static bool apart_of(struct describer *describer, const struct colour *a, const struct colour *b,
                     double *apart)
{
    polynomial gap = polynomial_sum(&describer->algebra, a->value, b->value, -1);
    if (a->modulus != b->modulus || !polynomial_is_constant(gap, apart))
        return false;
    *apart -= a->modulus * floor(*apart / a->modulus);
    return true;
}

enum truth colour_read(struct describer *describer, const struct syntax *condition,
                       struct colour *colour, bool *is_other)
{
    bool is_unequal = true;
    polynomial dividend, residue = polynomial_constant(&describer->algebra, 0);
    double modulus, rest;
    condition = bare(condition);
    while (condition->kind == SYNTAX_UNARY && condition->operation == DO_NOT) {
        is_unequal = !is_unequal;
        condition = bare(condition->children[0]);
    }
    if (condition->kind == SYNTAX_BINARY &&
        (condition->operation == DO_EQUAL || condition->operation == DO_UNEQUAL)) {
        if (condition->operation == DO_EQUAL)
            is_unequal = !is_unequal;
        int side = 0;
        while (side < 2 &&
               !read_remainder(describer, condition->children[side], &dividend, &modulus))
            side++;
        if (side == 2)
            return IS_UNDECIDED;
        const struct value other = evaluate_leniently(describer, condition->children[1 - side]);
        if (other.kind != VALUE_INDEX || !polynomial_is_affine(other.index) ||
            polynomial_has_rank(other.index))
            return IS_UNDECIDED;
        residue = other.index;
        /* A remainder never is as much as what is divided by. */
        if (polynomial_is_constant(residue, &rest) && (rest < 0 || rest >= modulus))
            return is_unequal ? IS_TRUE : IS_FALSE;
    } else if (!read_remainder(describer, condition, &dividend, &modulus))
        return IS_UNDECIDED;
    colour->modulus = modulus;
    colour->value =
        reduced(describer, polynomial_sum(&describer->algebra, dividend, residue, -1), modulus);
    *is_other = is_unequal;
    double apart;
    if (describer->colour && apart_of(describer, colour, describer->colour, &apart))
        return (apart == 0) != is_unequal ? IS_TRUE : IS_FALSE;
    if (!polynomial_has_index(colour->value)) {
        const bool is_equal = fmod(polynomial_value(colour->value), modulus) == 0;
        return is_equal != is_unequal ? IS_TRUE : IS_FALSE;
    }
    return IS_DATA;
}

bool colour_of_first(struct describer *describer, const struct syntax *initial, polynomial *first,
                     struct colour *colour)
{
    struct algebra *algebra = &describer->algebra;
    const struct syntax *value = initial ? bare(initial) : NULL;
    polynomial dividend, base = polynomial_constant(algebra, 0);
    double sign = 1;
    if (!value)
        return false;
    if (!read_remainder(describer, value, &dividend, &colour->modulus)) {
        if (value->kind != SYNTAX_BINARY ||
            (value->operation != DO_ADD && value->operation != DO_SUBTRACT))
            return false;
        sign = value->operation == DO_SUBTRACT ? -1 : 1;
        int side = 1;
        if (!read_remainder(describer, value->children[1], &dividend, &colour->modulus)) {
            side = 0;
            if (sign < 0 ||
                !read_remainder(describer, value->children[0], &dividend, &colour->modulus))
                return false;
        }
        const struct value other = evaluate_leniently(describer, value->children[1 - side]);
        if (other.kind != VALUE_INDEX)
            return false;
        base = other.index;
    }
    /* The index less this is a multiple of the modulus. */
    colour->value = polynomial_sum(algebra, base, dividend, sign);
    *first = sign > 0 ? base : polynomial_plus(algebra, base, 1 - colour->modulus);
    return true;
}

/* ---- how many ---- */

static const struct symbol *index_in(polynomial value, const struct symbol *but)
{
    for (int i = 0; i < value->count; i++)
        for (int j = 0; j < value->terms[i].degree; j++)
            if (value->terms[i].symbols[j]->kind == SYMBOL_INDEX &&
                value->terms[i].symbols[j] != but)
                return value->terms[i].symbols[j];
    return NULL;
}

static const char *text_of(struct describer *describer, polynomial a)
{
    polynomial_use(a);
    return polynomial_text(&describer->algebra, a, " ");
}

void colour_remark(struct describer *describer, const struct colour *colour, struct place place)
{
    if (describer->is_recording)
        describer_remark(describer, place,
                         "one of %g iterations executes this: what it reads is described as if all "
                         "did",
                         colour->modulus);
}

/* Which share of all iterations of the loops around has the colour. */
static const char *share_of_all(struct describer *describer, const struct colour *colour)
{
    struct algebra *algebra = &describer->algebra;
    struct arena *arena = describer->arena;
    const double k = colour->modulus;
    const struct symbol *one = index_in(colour->value, NULL);
    polynomial by_one = polynomial_coefficient(algebra, colour->value, one);
    double slope, slope2;
    char number[NUMBER_TEXT];
    const bool is_even = polynomial_is_constant(by_one, &slope) && fabs(slope) == 1;
    const struct symbol *two = index_in(colour->value, one);
    const struct loop *loop = one->loop;
    polynomial trips =
        polynomial_plus(algebra, polynomial_sum(algebra, loop->last, loop->first, -1), 1);
    if (is_even && !two && !polynomial_has_index(loop->first) &&
        !polynomial_has_index(loop->last)) {
        /* index + rest is a multiple of k, counted from the first to the last. */
        polynomial rest =
            polynomial_scaled(algebra, polynomial_rest(algebra, colour->value, one), slope);
        polynomial to = polynomial_sum(algebra, loop->last, rest, 1);
        polynomial from =
            polynomial_plus(algebra, polynomial_sum(algebra, loop->first, rest, 1), -1);
        return arena_format(arena, "(floor((%s) / %g) - floor((%s) / %g)) / max(%s, 1)",
                            text_of(describer, to), k, text_of(describer, from), k,
                            text_of(describer, trips));
    }
    const bool is_plane =
        is_even && two && k == 2 && !index_in(polynomial_rest(algebra, colour->value, one), two) &&
        polynomial_is_constant(polynomial_coefficient(algebra, colour->value, two), &slope2) &&
        fabs(slope2) == 1 && !polynomial_has_index(loop->first) &&
        !polynomial_has_index(loop->last) && !polynomial_has_index(two->loop->first) &&
        !polynomial_has_index(two->loop->last);
    if (is_plane) {
        /* Half of a rectangle, and one more or less where both sides are odd, by its first corner.
         */
        polynomial trips2 = polynomial_plus(
            algebra, polynomial_sum(algebra, two->loop->last, two->loop->first, -1), 1);
        polynomial corner = polynomial_sum(
            algebra, polynomial_rest(algebra, polynomial_rest(algebra, colour->value, one), two),
            polynomial_sum(algebra, loop->first, two->loop->first, 1), 1);
        double at;
        const char *more =
            polynomial_is_constant(corner, &at)
                ? (fmod(at, 2) == 0 ? "0.5" : "-0.5")
                : arena_format(arena, "(0.5 - abs(mod(%s, 2)))", text_of(describer, corner));
        const char *area = arena_format(arena, "max((%s) * (%s), 1)", text_of(describer, trips),
                                        text_of(describer, trips2));
        return arena_format(arena, "0.5 + %s * abs(mod(%s, 2) * mod(%s, 2)) / %s", more,
                            text_of(describer, trips), text_of(describer, trips2), area);
    }
    return arena_format(arena, "%s", number_print(1 / k, number));
}

const char *colour_share(struct describer *describer, const struct colour *colour)
{
    double apart;
    bool is_among = false;
    for (const struct without *at = describer->without; at; at = at->up) {
        if (!apart_of(describer, colour, at->colour, &apart))
            continue;
        if (apart == 0)
            return "0";
        is_among = true;
    }
    const char *share = share_of_all(describer, colour);
    for (const struct without *at = describer->without; at && is_among; at = at->up)
        if (apart_of(describer, colour, at->colour, &apart))
            return arena_format(describer->arena, "min(1, (%s) / max(%s, 1e-9))", share, at->left);
    return share;
}

struct without colour_without(struct describer *describer, const struct colour *colour)
{
    struct without without = {.colour = colour, .up = describer->without};
    const char *left = "1";
    double apart;
    for (const struct without *at = describer->without; at; at = at->up)
        if (apart_of(describer, colour, at->colour, &apart)) {
            left = at->left;
            break;
        }
    without.left =
        arena_format(describer->arena, "(%s - (%s))", left, share_of_all(describer, colour));
    return without;
}

/* ---- what is read ---- */

bool colour_differs(struct describer *describer, const struct statement *statement,
                    const struct reference *read)
{
    struct algebra *algebra = &describer->algebra;
    const struct reference *to = &statement->to;
    const struct colour *colour = statement->colour;
    double apart = 0; /* how far the colours of the two iterations are */
    bool is_same = true;
    int outermost = 1000;
    if (!colour || to->array != read->array || to->count != read->count)
        return false;
    polynomial left = colour->value;
    for (int d = 0; d < to->count; d++) {
        polynomial shift = polynomial_sum(algebra, read->subscripts[d], to->subscripts[d], -1);
        const struct symbol *index = index_in(to->subscripts[d], NULL);
        double by, distance, slope;
        if (!polynomial_is_constant(shift, &distance))
            return false;
        is_same = is_same && distance == 0;
        if (!index) {
            if (distance != 0)
                return true; /* another element, whatever the iteration */
            continue;
        }
        if (index_in(to->subscripts[d], index) ||
            !polynomial_is_constant(polynomial_coefficient(algebra, to->subscripts[d], index),
                                    &by) ||
            fabs(by) != 1 ||
            !polynomial_is_constant(polynomial_coefficient(algebra, left, index), &slope))
            return false;
        outermost = index->loop->depth < outermost ? index->loop->depth : outermost;
        apart += slope * distance / by;
        left = polynomial_rest(algebra, left, index);
    }
    if (is_same)
        return true;
    /* Loops around those that the subscripts name have one value for both iterations. */
    for (const struct symbol *index = index_in(left, NULL); index;
         left = polynomial_rest(algebra, left, index), index = index_in(left, NULL))
        if (index->loop->depth >= outermost)
            return false;
    return fmod(apart, colour->modulus) != 0;
}

/* ---- turns of processes ---- */

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
static const char *factor_of(struct describer *describer, polynomial a)
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

/* The largest number of iterations that one process takes as its turns. */
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
        polynomial_is_constant(before, &first) && first <= 0 ? NULL : factor_of(describer, before);
    *most = factor_of(describer, by > 0 ? to : from);
    return true;
}

static const char *share_of(struct describer *describer, const struct turn *turn,
                            const struct loop *loop, const char **alone)
{
    struct algebra *algebra = &describer->algebra;
    struct arena *arena = describer->arena;
    polynomial trips =
        polynomial_plus(algebra, polynomial_sum(algebra, loop->last, loop->first, -1), 1);
    struct pace pace = {.width = turn->width ? factor_of(describer, turn->width) : NULL};
    if (turn->period)
        pace.round = pace.width ? arena_format(arena, "(%s * %s)", pace.width,
                                               factor_of(describer, turn->period))
                                : factor_of(describer, turn->period);
    const char *least, *most, *processes = describer->processors->name;
    *alone = "1";
    if (polynomial_has_rank(trips))
        return NULL;
    if (!polynomial_has_index(trips)) {
        const char *number = factor_of(describer, trips);
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
        return turn->period ? arena_format(arena, "1 / %s", factor_of(describer, turn->period))
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
