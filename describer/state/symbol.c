#include "describer/state/symbol.h"

#include "describer/state/outline.h"

#include <ctype.h>
#include <string.h>

/* Names that the expressions of a description have already. */
static const char *const taken[] = {"floor", "ceil",  "min", "max",   "mod",   "log2", "sqrt",
                                    "cdiv",  "ilog2", "if",  "BLOCK", "all",   "sin",  "cos",
                                    "exp",   "abs",   "log", "ln",    "sign",  "sum",  "avg",
                                    "rint",  "tan",   "_e",  "_pi",   "CYCLIC"};

static bool is_processors(const char *name)
{
    return name[0] == 'p' && (!name[1] || (name[1] >= '0' && name[1] <= '7' && !name[2]));
}

const char *symbol_allowed(struct arena *arena, const char *wanted)
{
    char *name = arena_format(arena, "%s", wanted);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_')
            *at = '_';
    bool is_taken = is_processors(name);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        is_taken = is_taken || !strcmp(taken[i], name);
    return is_taken ? arena_format(arena, "%s_", name) : name;
}

struct symbol *symbol_find(const struct symbols *symbols, const char *name)
{
    for (int i = 0; i < symbols->count; i++)
        if (symbols->items[i]->kind != SYMBOL_INDEX && !strcmp(symbols->items[i]->name, name))
            return symbols->items[i];
    return NULL;
}

static struct symbol *symbol_add(struct symbols *symbols, const char *name, enum symbol_kind kind)
{
    if (symbols->count == symbols->room) {
        symbols->room = symbols->room ? 2 * symbols->room : 32;
        struct symbol **items =
            arena_take(symbols->arena, (size_t)symbols->room, sizeof(struct symbol *));
        if (symbols->count)
            memcpy(items, symbols->items, (size_t)symbols->count * sizeof *items);
        symbols->items = items;
    }
    struct symbol *symbol = arena_take(symbols->arena, 1, sizeof *symbol);
    *symbol = (struct symbol){.name = name, .kind = kind, .number = symbols->count};
    symbols->items[symbols->count++] = symbol;
    return symbol;
}

/* What stands for a parameter without a value until it is known whether it is needed. */
enum { PLACEHOLDER = 1000 };

struct symbol *symbol_parameter(struct symbols *symbols, const char *wanted, struct place place)
{
    const char *name = symbol_allowed(symbols->arena, wanted);
    struct symbol *symbol = symbol_find(symbols, name);
    if (!symbol) {
        symbol = symbol_add(symbols, name, SYMBOL_PARAMETER);
        symbol->value = PLACEHOLDER;
        symbol->place = place;
    }
    symbol->is_met = symbol->is_met || place.file;
    return symbol;
}

/* Whether the number of processes, p, is in the expression. */
static bool is_of_processors(const struct symbols *symbols, const char *definition)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (const char *at = definition; *at;) {
        const size_t length = strspn(at, letters);
        const struct symbol *named =
            length ? symbol_find(symbols, arena_copy(symbols->arena, at, length)) : NULL;
        if (named && (named->kind == SYMBOL_GIVEN || named->is_of_processors))
            return true;
        at += length ? length : 1;
    }
    return false;
}

struct symbol *symbol_derived(struct symbols *symbols, const char *wanted, const char *definition,
                              double value)
{
    for (int i = 0; i < symbols->count; i++)
        if (symbols->items[i]->kind == SYMBOL_DERIVED &&
            !strcmp(symbols->items[i]->definition, definition))
            return symbols->items[i];
    const char *base = symbol_allowed(symbols->arena, wanted ? wanted : "whole"), *name = base;
    for (int i = 2; symbol_find(symbols, name); i++)
        name = arena_format(symbols->arena, "%s%d", base, i);
    struct symbol *symbol = symbol_add(symbols, name, SYMBOL_DERIVED);
    symbol->definition = definition;
    symbol->is_of_processors = is_of_processors(symbols, definition);
    symbol->value = value;
    symbol->has_value = true;
    return symbol;
}

struct symbol *symbol_shift(struct symbols *symbols, const char *dimension)
{
    const char *name = arena_format(symbols->arena, "shift along %s", dimension);
    struct symbol *symbol = symbol_find(symbols, name);
    if (symbol)
        return symbol;
    symbol = symbol_add(symbols, name, SYMBOL_RANK);
    symbol->value = 1;
    symbol->has_value = symbol->is_shift = true;
    return symbol;
}

void symbol_rename(const struct symbols *symbols, struct symbol *symbol, const char *wanted)
{
    const char *name = symbol_allowed(symbols->arena, wanted);
    if (!symbol_find(symbols, name))
        symbol->name = name;
}

static bool is_index_around(const struct loop *loop, const char *name)
{
    for (; loop; loop = loop->up)
        if (!strcmp(loop->index->name, name))
            return true;
    return false;
}

struct symbol *symbol_index(struct symbols *symbols, const char *wanted, const struct loop *around)
{
    const char *base = symbol_allowed(symbols->arena, wanted), *name = base;
    for (int i = 2; symbol_find(symbols, name) || is_index_around(around, name); i++)
        name = arena_format(symbols->arena, "%s_%d", base, i);
    return symbol_add(symbols, name, SYMBOL_INDEX);
}
