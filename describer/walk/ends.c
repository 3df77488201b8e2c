#include "describer/walk/relays.h"

/* (rank + away) % p: where the processors are around a ring. */
static polynomial around_ring(const struct describer *describer, polynomial at)
{
    if (at->count != 1 || at->terms[0].degree != 1 || at->terms[0].factor != 1)
        return NULL;
    const struct symbol *symbol = at->terms[0].symbols[0];
    const struct polynomial *by = symbol->is_quotient ? NULL : symbol->divisor;
    const bool is_by_all = by && by->count == 1 && by->terms[0].degree == 1 &&
                           by->terms[0].factor == 1 &&
                           by->terms[0].symbols[0] == describer->processors;
    return is_by_all ? symbol->dividend : NULL;
}

/* Whether it is the same for all processors, or how far apart all neighbours in a grid are. */
static bool is_common(polynomial away)
{
    for (int i = 0; i < away->count; i++)
        for (int j = 0; j < away->terms[i].degree; j++)
            if (away->terms[i].symbols[j]->kind == SYMBOL_RANK &&
                !away->terms[i].symbols[j]->is_shift)
                return false;
    return true;
}

/* p - 1 further around the ring is 1 back. */
static polynomial shortest(struct describer *describer, polynomial away)
{
    struct algebra *algebra = &describer->algebra;
    double rounds;
    polynomial of_all = polynomial_coefficient(algebra, away, describer->processors);
    return polynomial_is_constant(of_all, &rounds) && rounds == 1
               ? polynomial_rest(algebra, away, describer->processors)
               : away;
}

static void set_partner(struct describer *describer, struct end *end, const struct syntax *argument)
{
    struct algebra *algebra = &describer->algebra;
    const struct value value = evaluate_leniently(describer, argument);
    end->partner = PARTNER_UNKNOWN;
    if (value.kind != VALUE_INDEX)
        return;
    if (!polynomial_has_rank(value.index)) {
        end->partner = PARTNER_FIXED;
        return;
    }
    polynomial ring = around_ring(describer, value.index), at = ring ? ring : value.index;
    double times;
    polynomial away = polynomial_rest(algebra, at, describer->rank);
    if (!polynomial_is_constant(polynomial_coefficient(algebra, at, describer->rank), &times) ||
        times != 1 || !is_common(away))
        return;
    end->partner = PARTNER_AWAY;
    end->is_cyclic = ring != NULL;
    end->away = ring ? shortest(describer, away) : away;
}

bool end_has_partner(const struct end *end)
{
    return end->kind == END_SEND || end->kind == END_RECEIVE || end->kind == END_RECEIVE_LATER;
}

struct end *end_note(struct describer *describer, const struct syntax *call, enum end_kind kind)
{
    struct end *end = arena_take(describer->arena, 1, sizeof *end);
    *end = (struct end){.kind = kind,
                        .call = call,
                        .is_few = describer->way.is_few,
                        .is_partial = describer->way.is_partial,
                        .is_answered = describer->way.is_answered};
    if (end_has_partner(end) && call->count > ARGUMENT_PARTNER)
        set_partner(describer, end, call->children[ARGUMENT_PARTNER]);
    struct outline *outline = outline_add(describer->arena, describer->body, OUTLINE_END);
    outline->end = end;
    outline->place = call->place;
    return end;
}

bool ends_are_opposite(struct describer *describer, const struct end *a, const struct end *b)
{
    return a->partner == PARTNER_AWAY && b->partner == PARTNER_AWAY &&
           polynomial_sum(&describer->algebra, a->away, b->away, 1)->count == 0;
}

bool end_is_closing(const struct end *end)
{
    if (!end_has_partner(end))
        return end->kind == END_OF_ALL;
    return end->partner == PARTNER_FIXED ||
           (end->is_cyclic && end->kind != END_SEND && (end->is_few || end->is_answered));
}

bool outline_closes(const struct outline *outline)
{
    if (outline->kind == OUTLINE_END)
        return end_is_closing(outline->end);
    for (int i = 0; i < outline->count; i++)
        if (outline_closes(outline->children[i]))
            return true;
    return false;
}
