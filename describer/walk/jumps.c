#include "describer/walk/jumps.h"

#include <string.h>

struct jumping jumping_enter(struct describer *describer, bool is_loop)
{
    const struct jumping outside = describer->jumping;
    describer->jumping = (struct jumping){.is_within = is_loop};
    return outside;
}

void jumping_leave(struct describer *describer, const struct jumping *outside)
{
    describer->jumping = *outside;
}

bool jumping_behind_body(struct describer *describer)
{
    const bool is_out = describer->jumping.jump == JUMP_BREAK || describer->has_returned;
    describer->jumping.jump = JUMP_NONE;
    return is_out;
}

static bool is_jump(const struct syntax *syntax, const char *name)
{
    return syntax->kind == SYNTAX_JUMP && !strcmp(syntax->name, name);
}

static bool is_loop(const struct syntax *syntax)
{
    return syntax->kind == SYNTAX_FOR || syntax->kind == SYNTAX_WHILE || syntax->kind == SYNTAX_DO;
}

bool jump_execute(struct describer *describer, const struct syntax *syntax)
{
    const bool is_break = is_jump(syntax, "break");
    if (!is_break && !is_jump(syntax, "continue"))
        return false;
    if (is_break && describer->jumping.ways > 0) {
        describer_fail(describer, syntax->place,
                       "break between other statements under a condition on data: where the "
                       "program goes is not followed; let break be the last statement of an if");
        return true;
    }
    describer->jumping.jump = is_break ? JUMP_BREAK : JUMP_CONTINUE;
    return true;
}

bool jump_within(const struct syntax *syntax)
{
    if (is_jump(syntax, "break") || is_jump(syntax, "continue") || syntax->kind == SYNTAX_RETURN)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && !is_loop(syntax->children[i]) &&
            jump_within(syntax->children[i]))
            return true;
    return false;
}

bool jump_continues(const struct syntax *syntax)
{
    if (is_jump(syntax, "continue"))
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && !is_loop(syntax->children[i]) &&
            jump_continues(syntax->children[i]))
            return true;
    return false;
}

/* Whether nothing but the end of the loop follows. */
static bool leaves(const struct describer *describer, const struct syntax *syntax)
{
    if (syntax->kind == SYNTAX_BLOCK)
        return syntax->count > 0 && leaves(describer, syntax->children[syntax->count - 1]);
    if (syntax->kind == SYNTAX_IF)
        return syntax->count > 2 && leaves(describer, syntax->children[1]) &&
               leaves(describer, syntax->children[2]);
    if (syntax->kind == SYNTAX_RETURN)
        return describer->loop != describer->function_loop;
    return is_jump(syntax, "break");
}

int jump_leaving_way(const struct describer *describer, const struct syntax *syntax)
{
    for (int way = 1; way < syntax->count; way++)
        if (leaves(describer, syntax->children[way]))
            return way;
    return 0;
}

/* Appends the statement, or those of a block: names of a block of its own have declarations of
   their own. */
static void append(struct syntax *block, struct syntax *statement)
{
    if (statement->kind != SYNTAX_BLOCK) {
        block->children[block->count++] = statement;
        return;
    }
    for (int i = 0; i < statement->count; i++)
        append(block, statement->children[i]);
}

static int statements_in(const struct syntax *statement)
{
    int count = 1;
    for (int i = 0; statement->kind == SYNTAX_BLOCK && i < statement->count; i++)
        count += statements_in(statement->children[i]);
    return count;
}

static struct syntax *way_with_rest(struct describer *describer, struct syntax *way,
                                    const struct syntax *block, int next)
{
    struct syntax *both = arena_take(describer->arena, 1, sizeof *both);
    int count = way ? statements_in(way) : 0;
    for (int i = next; i < block->count; i++)
        count += statements_in(block->children[i]);
    *both = *block;
    both->children = arena_take(describer->arena, (size_t)count + 1, sizeof(struct syntax *));
    both->count = 0;
    if (way)
        append(both, way);
    for (int i = next; i < block->count; i++)
        append(both, block->children[i]);
    return both;
}

const struct syntax *jump_with_rest(struct describer *describer, const struct syntax *syntax,
                                    const struct syntax *block, int next)
{
    struct syntax *whole = arena_take(describer->arena, 1, sizeof *whole);
    *whole = *syntax;
    whole->count = 3;
    whole->children = arena_take(describer->arena, 3, sizeof(struct syntax *));
    whole->children[0] = syntax->children[0];
    whole->children[1] = way_with_rest(describer, syntax->children[1], block, next);
    whole->children[2] =
        way_with_rest(describer, syntax->count > 2 ? syntax->children[2] : NULL, block, next);
    return whole;
}
