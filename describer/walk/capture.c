#include "describer/walk/capture.h"

#include "describer/walk/between.h"

#include <string.h>

/* A capture in the making. */
struct capturing {
    struct describer *describer;
    const struct snapshot *before;
    const struct function *function;
    struct capture *capture;
};

static void refuse(struct capturing *it, const char *name, const char *why)
{
    if (!it->capture->refused)
        it->capture->refused = arena_format(it->describer->arena, "%s %s", name, why);
}

static struct captured *find(const struct capturing *it, const char *name)
{
    for (int i = 0; i < it->capture->count; i++)
        if (strcmp(it->capture->items[i].name, name) == 0)
            return &it->capture->items[i];
    return NULL;
}

static struct captured *add(struct capturing *it, const char *name, enum captured_kind kind)
{
    if (it->capture->count == CAPTURED_MOST) {
        refuse(it, name, "is a name too many");
        return NULL;
    }
    struct captured *item = &it->capture->items[it->capture->count++];
    *item = (struct captured){.kind = kind, .name = name};
    return item;
}

/* ---- what a name stands for ---- */

/* What nobody had asked for before the loop is what it is since. */
static struct value value_of(const struct capturing *it, const struct declaration *declaration)
{
    const struct value value = snapshot_binding(it->before, declaration->id)->value;
    return value.kind == VALUE_NONE ? it->describer->bindings[declaration->id].value : value;
}

static void note(struct capturing *it, const struct syntax *syntax);
static bool is_inner(const struct capturing *it, const struct declaration *declaration);

/* What the statements on the way that set it name is captured, too. */
static bool take_between(struct capturing *it, const struct declaration *declaration)
{
    struct capture *capture = it->capture;
    if (!between_take(capture, declaration))
        return false;
    add(it, declaration->name, CAPTURED_OWN);
    for (int i = 0; i < capture->between_count; i++)
        note(it, capture->between[i].statement);
    return true;
}

/* Of several processors one counts whose parts begin where arrays do, as in the description. */
static void add_whole(struct capturing *it, const struct declaration *declaration)
{
    const struct value value = value_of(it, declaration);
    const bool is_whole = value.kind == VALUE_INDEX;
    polynomial whole =
        is_whole ? polynomial_without_rank(&it->describer->algebra, value.index) : NULL;
    if (is_whole && !polynomial_has_index(whole)) {
        struct captured *item = add(it, declaration->name, CAPTURED_WHOLE);
        if (item)
            item->whole = whole;
    } else if (!between_is_used(it->capture, declaration)) {
        add(it, declaration->name, CAPTURED_OWN);
    } else if (!is_whole || !take_between(it, declaration)) {
        refuse(it, declaration->name, "is not told by the parameters alone");
    }
}

/* How far behind its array's begin, as a number of parameters; false: it is none. */
static bool add_from(struct capturing *it, const struct declaration *declaration,
                     const struct value *value, const char **from)
{
    struct algebra *algebra = &it->describer->algebra;
    double offset = 1;
    *from = NULL;
    polynomial behind = value->offset ? polynomial_without_rank(algebra, value->offset) : NULL;
    if (!behind || (polynomial_is_constant(behind, &offset) && offset == 0))
        return true;
    if (polynomial_has_index(behind) || declaration->type->of->kind == TYPE_ARRAY)
        return false;
    *from = arena_format(it->describer->arena, "forecost_from_%s", declaration->name);
    struct captured *item = add(it, *from, CAPTURED_WHOLE);
    if (item)
        item->whole = behind;
    return item != NULL;
}

static void add_array(struct capturing *it, const struct declaration *declaration)
{
    const char *from;
    const struct value value = value_of(it, declaration);
    const bool is_array = value.kind == VALUE_ELEMENT && !value.is_within;
    if (!is_array || value.reference.count > 0 || !add_from(it, declaration, &value, &from)) {
        if (!is_array || !take_between(it, declaration))
            refuse(it, declaration->name, "is not the whole of an array");
        return;
    }
    struct captured *item = add(it, declaration->name, CAPTURED_ARRAY);
    if (!item)
        return;
    item->array = value.reference.array;
    item->from = from;
    for (int i = 0; it->function && i < it->function->parameter_count; i++)
        item->is_argument |= it->function->parameters[i]->id == declaration->id;
}

static const struct type *element_of(const struct type *type)
{
    while (type && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY))
        type = type->of;
    return type;
}

static bool is_number(const struct type *type)
{
    return type && (type->kind == TYPE_INTEGER || type->kind == TYPE_FLOATING);
}

static void add_variable(struct capturing *it, const struct declaration *declaration)
{
    const struct type *type = declaration->type;
    if (!is_number(element_of(type)))
        refuse(it, declaration->name, "is not made of numbers");
    else if (type->kind == TYPE_INTEGER)
        add_whole(it, declaration);
    else if (type->kind == TYPE_FLOATING)
        add(it, declaration->name, CAPTURED_SCALAR);
    else
        add_array(it, declaration);
    struct captured *item = find(it, declaration->name);
    if (item)
        item->declaration = declaration;
}

static void note_name(struct capturing *it, const struct syntax *name)
{
    const struct declaration *declaration = name->declaration;
    struct captured *item = declaration ? find(it, declaration->name) : NULL;
    if (!declaration)
        return;
    if (item && item->declaration && item->declaration->id != declaration->id)
        refuse(it, declaration->name, "is the name of two variables");
    if (!item && !declaration->is_enumerator)
        add_variable(it, declaration);
}

/* The variable of which the expression is a member, and the path of members to it; NULL: it is a
   member of something else. */
static const struct declaration *record_of(struct capturing *it, const struct syntax *member,
                                           const char **path)
{
    *path = "";
    while (member->kind == SYNTAX_MEMBER && member->count == 1) {
        *path = arena_format(it->describer->arena, ".%s%s", member->name, *path);
        const struct syntax *of = member->children[0];
        while (of->kind == SYNTAX_CAST && of->count == 1)
            of = of->children[0];
        const struct type *type = of->declaration ? of->declaration->type : NULL;
        if (of->kind == SYNTAX_NAME && type)
            return type->kind == TYPE_RECORD ||
                           (type->kind == TYPE_POINTER && type->of && type->of->kind == TYPE_RECORD)
                       ? of->declaration
                       : NULL;
        if (of->kind != SYNTAX_MEMBER || !of->type || of->type->kind != TYPE_RECORD)
            return NULL;
        member = of;
    }
    return NULL;
}

/* A number, or an array, that is a member of a variable; false: it is another member. */
static bool add_member(struct capturing *it, const struct syntax *syntax)
{
    const char *path;
    const struct declaration *record = record_of(it, syntax, &path);
    const struct type *type = syntax->type;
    if (!record || !type || is_inner(it, record))
        return false;
    const struct type *whole = record->type->kind == TYPE_POINTER ? record->type->of : record->type;
    if (strstr(whole->name, "unnamed") || strstr(whole->name, "anonymous"))
        return false;
    const char *name = arena_format(it->describer->arena, "%s%s", record->name, path);
    struct captured *room = find(it, record->name), *item = find(it, name);
    if (room && (room->kind != CAPTURED_RECORD || room->declaration->id != record->id))
        return false;
    if (item)
        return true;
    const struct value value = evaluate_leniently(it->describer, syntax);
    const bool is_array = type->kind == TYPE_POINTER && is_number(type->of) &&
                          value.kind == VALUE_ELEMENT && !value.is_within &&
                          value.reference.count == 0 && value.offset && value.offset->count == 0;
    const bool is_whole = type->kind == TYPE_INTEGER && value.kind == VALUE_INDEX &&
                          !polynomial_has_index(value.index);
    if (!is_array && !is_whole && type->kind != TYPE_FLOATING)
        return false;
    if (!room && (room = add(it, record->name, CAPTURED_RECORD)))
        room->declaration = record;
    item = add(it, name, is_array ? CAPTURED_ARRAY : is_whole ? CAPTURED_WHOLE : CAPTURED_SCALAR);
    if (!item)
        return true;
    item->declaration = record;
    item->path = path;
    item->type = type;
    item->array = is_array ? value.reference.array : NULL;
    if (is_whole)
        item->whole = polynomial_without_rank(&it->describer->algebra, value.index);
    return true;
}

/* A constant under the name of a parameter is one: sizes are to be chosen. */
static void note_number(struct capturing *it, const struct syntax *number)
{
    struct symbol *symbol =
        number->name ? symbol_find(&it->describer->symbols, number->name) : NULL;
    if (!symbol || symbol->kind != SYMBOL_PARAMETER || find(it, number->name))
        return;
    struct captured *item = add(it, number->name, CAPTURED_WHOLE);
    if (item)
        item->whole = polynomial_symbol(&it->describer->algebra, symbol);
}

/* ---- the text ---- */

/* Those that the text declares itself are its own. */
static bool is_declared(const struct syntax *syntax, const struct declaration *declaration)
{
    if (!syntax)
        return false;
    if (syntax->kind == SYNTAX_VARIABLE && syntax->declaration &&
        syntax->declaration->id == declaration->id)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (is_declared(syntax->children[i], declaration))
            return true;
    return false;
}

static bool is_inner(const struct capturing *it, const struct declaration *declaration)
{
    const struct capture *capture = it->capture;
    for (int i = 0; i < capture->loop_count; i++)
        if (is_declared(i + 1 == capture->loop_count ? capture->loops[i]
                                                     : capture->loops[i]->children[0],
                        declaration))
            return true;
    for (int i = 0; i < capture->between_count; i++)
        if (is_declared(capture->between[i].statement, declaration))
            return true;
    return false;
}

static void note(struct capturing *it, const struct syntax *syntax)
{
    if (!syntax || it->capture->refused)
        return;
    if (syntax->kind == SYNTAX_MEMBER && add_member(it, syntax))
        return;
    if (syntax->kind == SYNTAX_MEMBER)
        refuse(it, syntax->name, "is a member of a record");
    if (syntax->kind == SYNTAX_NAME && syntax->declaration && !is_inner(it, syntax->declaration))
        note_name(it, syntax);
    if (syntax->kind == SYNTAX_INTEGER)
        note_number(it, syntax);
    for (int i = 0; i < syntax->count; i++)
        note(it, syntax->children[i]);
}

/* i = 0, j = 1 of a header; a sum that begins there as well is none. */
static void note_indices(struct capturing *it, const struct syntax *first)
{
    if (!first)
        return;
    const struct syntax *to = first->kind == SYNTAX_ASSIGN ? first->children[0] : NULL;
    const bool is_index = to && to->kind == SYNTAX_NAME && to->declaration &&
                          to->declaration->type->kind != TYPE_FLOATING;
    if (is_index && !find(it, to->declaration->name)) {
        struct captured *item = add(it, to->declaration->name, CAPTURED_INDEX);
        if (item)
            item->declaration = to->declaration;
    }
    for (int i = 0; i < first->count && first->kind == SYNTAX_BINARY; i++)
        note_indices(it, first->children[i]);
}

static void note_assigned(struct capturing *it, const struct syntax *syntax)
{
    if (!syntax)
        return;
    const bool assigns = syntax->kind == SYNTAX_ASSIGN || syntax->kind == SYNTAX_UNARY;
    const struct syntax *to = assigns && syntax->count > 0 ? syntax->children[0] : NULL;
    struct captured *item =
        to && to->kind == SYNTAX_NAME && to->declaration ? find(it, to->declaration->name) : NULL;
    const char *path;
    const struct declaration *record = to ? record_of(it, to, &path) : NULL;
    if (record)
        item = find(it, arena_format(it->describer->arena, "%s%s", record->name, path));
    if (item)
        item->is_assigned = true;
    for (int i = 0; i < syntax->count; i++)
        note_assigned(it, syntax->children[i]);
}

/* The loops around, as far as they stand in the same function. */
static void take_loops(struct capture *capture, const struct loop *loop)
{
    const struct loop *around[NEST_MOST];
    int count = 0;
    for (const struct loop *at = loop; at && count < NEST_MOST && at->function == loop->function;
         at = at->up)
        around[count++] = at;
    capture->loop_count = count;
    for (int i = 0; i < count; i++)
        capture->loops[i] = around[count - 1 - i]->syntax;
}

const struct capture *capture_loop(struct describer *describer, const struct loop *loop,
                                   const struct snapshot *before)
{
    struct capture *capture = arena_take(describer->arena, 1, sizeof *capture);
    struct capturing it = {describer, before, loop->function, capture};
    take_loops(capture, loop);
    if (loop->syntax->file < 0)
        refuse(&it, "it", "stands in none of the files");
    /* What follows takes the parts of a header from their places in that of a for. */
    for (int i = 0; i < capture->loop_count; i++)
        if (capture->loops[i]->kind != SYNTAX_FOR)
            refuse(&it, "it",
                   i + 1 == capture->loop_count ? "has no header of a for"
                                                : "stands in a loop that is no for");
    if (capture->refused)
        return capture;
    for (int i = 0; i < capture->loop_count; i++)
        note_indices(&it, capture->loops[i]->children[0]);
    for (int i = 0; i + 1 < capture->loop_count; i++)
        for (int k = 0; k < 3; k++)
            note(&it, capture->loops[i]->children[k]);
    note(&it, loop->syntax);
    note_assigned(&it, loop->syntax);
    return capture;
}
