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
        if (other.kind != VALUE_INDEX || !polynomial_is_affine(other.index))
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
