#include "describer/source/parse_reader.h"

#include <string.h>

static bool is_jump(const struct syntax *syntax, const char *name)
{
    return syntax->kind == SYNTAX_JUMP && !strcmp(syntax->name, name);
}

static bool is_label(const struct syntax *syntax)
{
    return syntax->kind == SYNTAX_OTHER && syntax->name && syntax->count > 0 &&
           (!strcmp(syntax->name, "CaseStmt") || !strcmp(syntax->name, "DefaultStmt"));
}

/* Whether a `break` within belongs to the switch around. */
static bool breaks(const struct syntax *syntax)
{
    if (is_jump(syntax, "break"))
        return true;
    if (syntax->kind == SYNTAX_FOR || syntax->kind == SYNTAX_WHILE || syntax->kind == SYNTAX_DO ||
        is_jump(syntax, "switch"))
        return false;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && breaks(syntax->children[i]))
            return true;
    return false;
}

static bool has_effects(const struct syntax *syntax)
{
    if (syntax->kind == SYNTAX_CALL || syntax->kind == SYNTAX_ASSIGN ||
        syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && has_effects(syntax->children[i]))
            return true;
    return false;
}

static struct syntax *made(struct reader *reader, const struct syntax *at, enum syntax_kind kind,
                           int room)
{
    struct syntax *syntax = arena_take(reader->arena, 1, sizeof *syntax);
    *syntax = *at;
    syntax->kind = kind;
    syntax->operation = DO_NOTHING;
    syntax->name = NULL;
    syntax->count = 0;
    syntax->children = arena_take(reader->arena, (size_t)room + 1, sizeof(struct syntax *));
    return syntax;
}

static struct syntax *compared(struct reader *reader, enum operation operation, struct syntax *a,
                               struct syntax *b)
{
    struct syntax *both = made(reader, b, SYNTAX_BINARY, 2);
    both->operation = operation;
    both->children[0] = a;
    both->children[1] = b;
    both->count = 2;
    return both;
}

/* Appends a statement of a case; false: it does not end as one that can be told apart does. */
static bool append(struct syntax *way, struct syntax *statement, bool *is_ended)
{
    if (is_jump(statement, "break")) {
        *is_ended = true;
        return true;
    }
    if (statement->kind == SYNTAX_BLOCK && statement->count > 0 &&
        is_jump(statement->children[statement->count - 1], "break")) {
        statement->count--;
        *is_ended = true;
    }
    *is_ended = *is_ended || statement->kind == SYNTAX_RETURN || is_jump(statement, "continue");
    way->children[way->count++] = statement;
    return !breaks(statement);
}

/* switch (x) { case 1: A; break; case 2: case 3: B; break; default: C; } is
   if (x == 1) A; else if (x == 2 || x == 3) B; else C; */
void reader_without_switch(struct reader *reader, struct syntax *syntax)
{
    struct syntax *of = syntax->count == 2 ? syntax->children[0] : NULL;
    struct syntax *block = of ? syntax->children[1] : NULL;
    if (!block || block->kind != SYNTAX_BLOCK || block->count == 0 || has_effects(of))
        return;
    struct syntax *first = NULL, **next = &first, *condition = NULL, *way = NULL;
    bool is_ended = true, is_last = false;
    for (int i = 0; i < block->count; i++) {
        struct syntax *statement = block->children[i];
        if (is_label(statement) && (!is_ended || is_last))
            return; /* the case before goes on into this one, or follows the default */
        if (is_label(statement)) {
            condition = NULL;
            for (; is_label(statement); statement = statement->children[statement->count - 1]) {
                is_last = is_last || statement->count == 1;
                if (statement->count == 1)
                    continue;
                struct syntax *is_it = compared(reader, DO_EQUAL, of, statement->children[0]);
                condition = condition ? compared(reader, DO_OR, condition, is_it) : is_it;
            }
            way = made(reader, statement, SYNTAX_BLOCK, block->count);
            way->type = NULL;
            if (is_last)
                *next = way;
            else {
                *next = made(reader, statement, SYNTAX_IF, 3);
                (*next)->type = NULL;
                (*next)->children[0] = condition;
                (*next)->children[1] = way;
                (*next)->count = 2;
                next = &(*next)->children[2];
            }
            is_ended = false;
        } else if (!way || is_ended)
            return;
        if (!append(way, statement, &is_ended))
            return;
    }
    /* the ways that have an `else` */
    for (struct syntax *at = first; at && at->kind == SYNTAX_IF && at->count == 2;
         at = at->children[2])
        at->count += at->children[2] != NULL;
    if (!first || first->kind != SYNTAX_IF)
        return;
    first->place = syntax->place;
    first->begin = syntax->begin;
    first->end = syntax->end;
    first->end_line = syntax->end_line;
    *syntax = *first;
}
