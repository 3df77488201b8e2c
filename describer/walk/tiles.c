#include "describer/walk/loop_head.h"

/* How a loop's body uses its index: so often in a sum with the index of a loop around that advances
   by as much as this loop goes through, so often otherwise. */
struct uses {
    struct describer *describer;
    const struct loop_head *head;
    double trips;
    int in_tiles, others;
};

static bool is_index(const struct uses *uses, const struct syntax *syntax)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    return syntax->kind == SYNTAX_NAME &&
           object_binding(uses->describer, syntax) == uses->head->variable;
}

static bool is_sum(const struct syntax *syntax)
{
    return syntax->kind == SYNTAX_BINARY &&
           (syntax->operation == DO_ADD || syntax->operation == DO_SUBTRACT);
}

/* Whether it is made of whole numbers by products alone, so that its value can be asked. */
static bool is_plain(const struct syntax *syntax)
{
    bool plain = syntax->type && syntax->type->kind == TYPE_INTEGER &&
                 (syntax->kind == SYNTAX_NAME || syntax->kind == SYNTAX_INTEGER ||
                  syntax->kind == SYNTAX_MEMBER || syntax->kind == SYNTAX_CAST ||
                  (syntax->kind == SYNTAX_BINARY && syntax->operation == DO_MULTIPLY));
    for (int i = 0; i < syntax->count && plain && syntax->kind != SYNTAX_MEMBER; i++)
        plain = syntax->children[i] && is_plain(syntax->children[i]);
    return plain;
}

static bool begins_tiles(const struct uses *uses, const struct syntax *syntax)
{
    const struct value value =
        is_plain(syntax) ? evaluate_leniently(uses->describer, syntax) : (struct value){0};
    for (int i = 0; value.kind == VALUE_INDEX && i < value.index->count; i++) {
        const struct term *term = &value.index->terms[i];
        if (term->degree == 1 && term->symbols[0]->loop && term->factor == uses->trips)
            return true;
    }
    return false;
}

/* Of a sum: whether the index is one of its terms, and the first element of a tile another. */
static void look_at_terms(const struct uses *uses, const struct syntax *syntax, bool *has_index,
                          bool *has_tiles)
{
    for (int i = 0; i < syntax->count; i++) {
        const struct syntax *term = syntax->children[i];
        const bool is_added = i == 0 || syntax->operation == DO_ADD;
        if (is_sum(term) && is_added)
            look_at_terms(uses, term, has_index, has_tiles);
        else if (is_index(uses, term) && is_added)
            *has_index = true;
        else if (is_added && begins_tiles(uses, term))
            *has_tiles = true;
    }
}

static void look(struct uses *uses, const struct syntax *syntax)
{
    bool has_index = false, has_tiles = false;
    if (is_sum(syntax))
        look_at_terms(uses, syntax, &has_index, &has_tiles);
    if (has_index && has_tiles) {
        uses->in_tiles++;
        return;
    }
    uses->others += is_index(uses, syntax);
    if (syntax->kind == SYNTAX_VARIABLE && syntax->declaration->initial)
        look(uses, syntax->declaration->initial);
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            look(uses, syntax->children[i]);
}

bool loop_is_tile(struct describer *describer, const struct loop_head *head, double trips)
{
    struct uses uses = {describer, head, trips, 0, 0};
    if (!describer->loop || head->step != 1)
        return false;
    look(&uses, head->body);
    return uses.in_tiles > 0 && uses.others == 0;
}
