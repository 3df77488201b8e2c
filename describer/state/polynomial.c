#include "describer/state/polynomial.h"

#include "model/base/number.h"

#include <math.h>
#include <string.h>

/* A polynomial that is being made. */
struct draft {
    int count;
    struct term terms[TERMS_MOST];
};

bool term_same_symbols(const struct term *a, const struct term *b)
{
    if (a->degree != b->degree)
        return false;
    for (int i = 0; i < a->degree; i++)
        if (a->symbols[i] != b->symbols[i])
            return false;
    return true;
}

static void draft_add(struct algebra *algebra, struct draft *draft, struct term term)
{
    if (term.factor == 0)
        return;
    for (int i = 0; i < draft->count; i++)
        if (term_same_symbols(&draft->terms[i], &term)) {
            draft->terms[i].factor += term.factor;
            if (fabs(draft->terms[i].factor) < 1e-12) {
                memmove(&draft->terms[i], &draft->terms[i + 1],
                        (size_t)(draft->count - i - 1) * sizeof term);
                draft->count--;
            }
            return;
        }
    if (draft->count == TERMS_MOST)
        algebra->is_exceeded = true;
    else
        draft->terms[draft->count++] = term;
}

static polynomial finish(struct algebra *algebra, const struct draft *draft)
{
    const size_t bytes = (size_t)draft->count * sizeof(struct term);
    struct polynomial *made = arena_take(algebra->arena, 1, sizeof *made + bytes);
    made->count = draft->count;
    if (bytes)
        memcpy(made->terms, draft->terms, bytes);
    return made;
}

polynomial polynomial_term(struct algebra *algebra, struct term term)
{
    struct draft draft;
    draft.count = 0;
    draft_add(algebra, &draft, term);
    return finish(algebra, &draft);
}

polynomial polynomial_constant(struct algebra *algebra, double value)
{
    return polynomial_term(algebra, (struct term){.factor = value});
}

polynomial polynomial_symbol(struct algebra *algebra, struct symbol *symbol)
{
    return polynomial_term(algebra, (struct term){1, 1, {symbol}});
}

polynomial polynomial_sum(struct algebra *algebra, polynomial a, polynomial b, double factor)
{
    struct draft draft;
    draft.count = a->count;
    if (a->count)
        memcpy(draft.terms, a->terms, (size_t)a->count * sizeof *a->terms);
    for (int i = 0; i < b->count; i++) {
        struct term term = b->terms[i];
        term.factor *= factor;
        draft_add(algebra, &draft, term);
    }
    return finish(algebra, &draft);
}

polynomial polynomial_plus(struct algebra *algebra, polynomial a, double constant)
{
    return polynomial_sum(algebra, a, polynomial_constant(algebra, constant), 1);
}

polynomial polynomial_scaled(struct algebra *algebra, polynomial a, double factor)
{
    return polynomial_sum(algebra, polynomial_constant(algebra, 0), a, factor);
}

static void term_multiply(struct algebra *algebra, struct term *term, const struct term *by)
{
    term->factor *= by->factor;
    for (int i = 0; i < by->degree; i++) {
        if (term->degree == DEGREE_MOST) {
            algebra->is_exceeded = true;
            return;
        }
        int at = term->degree++;
        for (; at > 0 && term->symbols[at - 1]->number > by->symbols[i]->number; at--)
            term->symbols[at] = term->symbols[at - 1];
        term->symbols[at] = by->symbols[i];
    }
}

polynomial polynomial_product(struct algebra *algebra, polynomial a, polynomial b)
{
    struct draft draft;
    draft.count = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            struct term term = a->terms[i];
            term_multiply(algebra, &term, &b->terms[j]);
            draft_add(algebra, &draft, term);
        }
    return finish(algebra, &draft);
}

static int term_index(const struct term *term, const struct symbol *symbol)
{
    for (int i = 0; i < term->degree; i++)
        if (term->symbols[i] == symbol)
            return i;
    return -1;
}

static void term_remove(struct term *term, int at)
{
    memmove(&term->symbols[at], &term->symbols[at + 1],
            (size_t)(term->degree - at - 1) * sizeof *term->symbols);
    term->degree--;
}

polynomial polynomial_coefficient(struct algebra *algebra, polynomial a,
                                  const struct symbol *symbol)
{
    struct draft draft;
    draft.count = 0;
    for (int i = 0; i < a->count; i++) {
        struct term term = a->terms[i];
        const int at = term_index(&term, symbol);
        if (at < 0)
            continue;
        term_remove(&term, at);
        draft_add(algebra, &draft, term);
    }
    return finish(algebra, &draft);
}

polynomial polynomial_rest(struct algebra *algebra, polynomial a, const struct symbol *symbol)
{
    struct draft draft;
    draft.count = 0;
    for (int i = 0; i < a->count; i++)
        if (term_index(&a->terms[i], symbol) < 0)
            draft_add(algebra, &draft, a->terms[i]);
    return finish(algebra, &draft);
}

static bool term_has_rank(const struct term *term)
{
    for (int i = 0; i < term->degree; i++)
        if (term->symbols[i]->kind == SYMBOL_RANK)
            return true;
    return false;
}

bool polynomial_has_rank(polynomial a)
{
    for (int i = 0; i < a->count; i++)
        if (term_has_rank(&a->terms[i]))
            return true;
    return false;
}

polynomial polynomial_without_rank(struct algebra *algebra, polynomial a)
{
    struct draft draft;
    draft.count = 0;
    if (!polynomial_has_rank(a))
        return a;
    for (int i = 0; i < a->count; i++)
        if (!term_has_rank(&a->terms[i]))
            draft_add(algebra, &draft, a->terms[i]);
    return finish(algebra, &draft);
}

bool polynomial_is_constant(polynomial a, double *value)
{
    if (a->count > 1 || (a->count == 1 && a->terms[0].degree > 0))
        return false;
    *value = a->count ? a->terms[0].factor : 0;
    return true;
}

bool polynomial_equal(struct algebra *algebra, polynomial a, polynomial b)
{
    return a == b || (a->count == b->count && polynomial_sum(algebra, a, b, -1)->count == 0);
}

bool polynomial_has(polynomial a, const struct symbol *symbol)
{
    for (int i = 0; i < a->count; i++)
        if (term_index(&a->terms[i], symbol) >= 0)
            return true;
    return false;
}

static int term_indices(const struct term *term)
{
    int count = 0;
    for (int i = 0; i < term->degree; i++)
        count += term->symbols[i]->kind == SYMBOL_INDEX;
    return count;
}

bool polynomial_has_index(polynomial a)
{
    for (int i = 0; i < a->count; i++)
        if (term_indices(&a->terms[i]) > 0)
            return true;
    return false;
}

bool polynomial_is_affine(polynomial a)
{
    for (int i = 0; i < a->count; i++)
        if (term_indices(&a->terms[i]) > 1)
            return false;
    return true;
}

bool term_divided(const struct term *term, const struct term *divisor, struct term *rest)
{
    *rest = *term;
    for (int i = 0; i < divisor->degree; i++) {
        const int at = term_index(rest, divisor->symbols[i]);
        if (at < 0)
            return false;
        term_remove(rest, at);
    }
    return true;
}

/* The term of the highest degree; among those the first by its symbols. */
static int highest_term(polynomial a)
{
    int best = -1;
    for (int i = 0; i < a->count; i++) {
        const struct term *term = &a->terms[i], *most = best < 0 ? NULL : &a->terms[best];
        bool is_more = !most || term->degree > most->degree;
        for (int k = 0; most && !is_more && term->degree == most->degree && k < term->degree; k++)
            if (term->symbols[k] != most->symbols[k]) {
                is_more = term->symbols[k]->number < most->symbols[k]->number;
                break;
            }
        best = is_more ? i : best;
    }
    return best;
}

void polynomial_divide(struct algebra *algebra, polynomial a, polynomial divisor,
                       polynomial *quotient, polynomial *rest)
{
    polynomial left = a, times = polynomial_constant(algebra, 0);
    polynomial undivided = polynomial_constant(algebra, 0);
    const int at = highest_term(divisor);
    while (left->count > 0 && at >= 0) {
        struct term term = left->terms[highest_term(left)], part;
        const struct term *lead = &divisor->terms[at];
        polynomial one = polynomial_term(algebra, term);
        const bool divides = term_divided(&term, lead, &part);
        part.factor = term.factor / lead->factor;
        if (divides && term.degree == 0)
            part.factor = round(part.factor);
        if (divides && part.factor == floor(part.factor) && part.factor != 0) {
            polynomial of_quotient = polynomial_term(algebra, part);
            times = polynomial_sum(algebra, times, of_quotient, 1);
            left = polynomial_sum(algebra, left, polynomial_product(algebra, of_quotient, divisor),
                                  -1);
            if (term.degree > 0)
                continue;
            one = left;
        }
        undivided = polynomial_sum(algebra, undivided, one, 1);
        left = polynomial_sum(algebra, left, one, -1);
    }
    *quotient = times;
    *rest = at < 0 ? a : undivided;
}

double polynomial_value(polynomial a)
{
    double sum = 0;
    for (int i = 0; i < a->count; i++) {
        double value = a->terms[i].factor;
        for (int j = 0; j < a->terms[i].degree; j++)
            value *= a->terms[i].symbols[j]->value;
        sum += value;
    }
    return sum;
}

void polynomial_use(polynomial a)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < a->terms[i].degree; j++)
            a->terms[i].symbols[j]->is_used = true;
}

static const char *term_text(struct arena *arena, const struct term *term)
{
    char number[NUMBER_TEXT];
    const double factor = fabs(term->factor);
    const char *text = "";
    if (term->degree == 0 || factor != 1)
        text = number_print(factor, number);
    for (int i = 0; i < term->degree; i++)
        text = arena_format(arena, "%s%s%s", text, *text ? "*" : "", term->symbols[i]->name);
    return arena_format(arena, "%s", text);
}

/* Terms with indices first, then parameters, then constants: as people write them. */
static int term_rank(const struct term *term)
{
    return 100 * term_indices(term) + term->degree;
}

static const struct term *next_term(polynomial a, bool *is_written, bool is_positive)
{
    int best = -1;
    for (int i = 0; i < a->count; i++) {
        if (is_written[i] || (is_positive && a->terms[i].factor < 0))
            continue;
        const int rank = term_rank(&a->terms[i]), most = best < 0 ? -1 : term_rank(&a->terms[best]);
        const bool is_first = best >= 0 && rank == most && a->terms[best].factor < 0;
        if (rank > most || (is_first && a->terms[i].factor > 0))
            best = i;
    }
    is_written[best] = true;
    return &a->terms[best];
}

const char *polynomial_text(struct algebra *algebra, polynomial a, const char *space)
{
    bool is_written[TERMS_MOST] = {false};
    const char *text = "";
    int first = 0;
    while (first < a->count && a->terms[first].factor < 0)
        first++;
    for (int i = 0; i < a->count; i++) {
        const struct term *term = next_term(a, is_written, i == 0 && first < a->count);
        const char *sign = i == 0 ? (term->factor < 0 ? "-" : "") : (term->factor < 0 ? "-" : "+");
        const char *gap = i == 0 ? "" : space;
        text = arena_format(algebra->arena, "%s%s%s%s%s", text, gap, sign, gap,
                            term_text(algebra->arena, term));
    }
    return a->count ? text : "0";
}
