#include "describer/walk/between.h"

/* ---- before it is used ---- */

enum met { MET_NOT, MET_SET, MET_USED };

static enum met met_in(const struct syntax *syntax, const struct declaration *declaration);

static bool is_name(const struct syntax *syntax, const struct declaration *declaration)
{
    return syntax && syntax->kind == SYNTAX_NAME && syntax->declaration &&
           syntax->declaration->id == declaration->id;
}

static bool sets(const struct syntax *syntax, const struct declaration *declaration)
{
    return syntax->kind == SYNTAX_ASSIGN && syntax->operation == DO_NOTHING && syntax->count == 2 &&
           is_name(syntax->children[0], declaration);
}

static enum met met_in_order(const struct syntax *syntax, const int *order, int count,
                             const struct declaration *declaration)
{
    enum met met = MET_NOT;
    for (int i = 0; i < count && met == MET_NOT; i++)
        met = met_in(syntax->children[order[i]], declaration);
    return met;
}

/* Of a loop the body may never run, and a branch may not be taken: what is set there need not be.
 */
static enum met met_perhaps(const struct syntax *syntax, const struct declaration *declaration)
{
    for (int i = 0; i < syntax->count; i++)
        if (met_in(syntax->children[i], declaration) == MET_USED)
            return MET_USED;
    return MET_NOT;
}

static enum met met_in(const struct syntax *syntax, const struct declaration *declaration)
{
    static const int header[] = {0, 1}, rest[] = {3, 2};
    enum met met = MET_NOT;
    if (!syntax)
        return MET_NOT;
    if (sets(syntax, declaration))
        return met_in(syntax->children[1], declaration) == MET_USED ? MET_USED : MET_SET;
    if (syntax->kind == SYNTAX_FOR) {
        met = met_in_order(syntax, header, 2, declaration);
        const enum met within = met_in_order(syntax, rest, 2, declaration);
        return met != MET_NOT ? met : within == MET_USED ? MET_USED : MET_NOT;
    }
    if (syntax->kind == SYNTAX_IF || syntax->kind == SYNTAX_CONDITIONAL ||
        syntax->kind == SYNTAX_WHILE || syntax->kind == SYNTAX_DO)
        return met_perhaps(syntax, declaration);
    for (int i = 0; i < syntax->count && met == MET_NOT; i++)
        met = met_in(syntax->children[i], declaration);
    return is_name(syntax, declaration) ? MET_USED : met;
}

/* Of the loop itself what its body sets holds: all that uses it stands there. */
static enum met met_in_loop(const struct syntax *loop, const struct declaration *declaration)
{
    static const int order[] = {0, 1, 3, 2};
    return met_in_order(loop, order, 4, declaration);
}

bool between_is_used(const struct capture *capture, const struct declaration *declaration)
{
    static const int order[] = {0, 1, 2};
    for (int i = 0; i + 1 < capture->loop_count; i++)
        if (met_in_order(capture->loops[i], order, 3, declaration) != MET_NOT)
            return true;
    return met_in_loop(capture->loops[capture->loop_count - 1], declaration) == MET_USED;
}

/* ---- on the way ---- */

/* Whether the statement sets it in any way. */
static bool may_set(const struct syntax *syntax, const struct declaration *declaration)
{
    if (!syntax)
        return false;
    const bool is_change = syntax->kind == SYNTAX_ASSIGN || syntax->kind == SYNTAX_UNARY;
    if (is_change && syntax->count > 0 && is_name(syntax->children[0], declaration))
        return true;
    if (syntax->kind == SYNTAX_VARIABLE && syntax->declaration &&
        syntax->declaration->id == declaration->id)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (may_set(syntax->children[i], declaration))
            return true;
    return false;
}

/* Numbers of the program's data are not there where a loop stands alone. */
static bool asks_for_data(const struct syntax *syntax)
{
    if (!syntax)
        return false;
    if (syntax->kind == SYNTAX_SUBSCRIPT || syntax->kind == SYNTAX_MEMBER ||
        syntax->kind == SYNTAX_CALL || syntax->operation == DO_FOLLOW)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (asks_for_data(syntax->children[i]))
            return true;
    return false;
}

/* A declaration of nothing but that, with its value; or an assignment of its value. */
static bool is_plain(const struct syntax *syntax, const struct declaration *declaration)
{
    const bool is_pointer = declaration->type->kind == TYPE_POINTER;
    if (syntax->kind == SYNTAX_DECLARE)
        return syntax->count == 1 && syntax->children[0]->kind == SYNTAX_VARIABLE &&
               declaration->initial && (is_pointer || !asks_for_data(declaration->initial));
    return sets(syntax, declaration) && (is_pointer || !asks_for_data(syntax->children[1]));
}

static bool holds(const struct syntax *outer, const struct syntax *inner)
{
    return outer && outer->file == inner->file && outer->begin <= inner->begin &&
           inner->end <= outer->end;
}

static bool add(struct capture *capture, const struct syntax *statement, int level)
{
    struct between *between = capture->between;
    int at = capture->between_count;
    if (at == BETWEEN_MOST)
        return false;
    for (; at > 0 && between[at - 1].statement->begin > statement->begin; at--)
        between[at] = between[at - 1];
    between[at] = (struct between){statement, level};
    capture->between_count++;
    return true;
}

/* At one level: as far as the next loop, which stands in the body. Returns how many set it; -1: one
   does that cannot be taken. */
static int take_level(struct capture *capture, int level, const struct declaration *declaration)
{
    const struct syntax *body = capture->loops[level]->children[3];
    int found = 0;
    for (int i = 0; body && body->kind == SYNTAX_BLOCK && i < body->count; i++) {
        const struct syntax *statement = body->children[i];
        if (holds(statement, capture->loops[level + 1]))
            break;
        if (!statement || !may_set(statement, declaration))
            continue;
        if (!is_plain(statement, declaration) || !add(capture, statement, level))
            return -1;
        found++;
    }
    return found;
}

bool between_take(struct capture *capture, const struct declaration *declaration)
{
    int all = 0;
    for (int level = 0; level + 1 < capture->loop_count; level++) {
        const int found = take_level(capture, level, declaration);
        if (found < 0)
            return false;
        all += found;
    }
    return all > 0;
}
