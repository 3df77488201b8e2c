#include "describer/ranks/run.h"

#include "describer/walk/evaluate.h"
#include "describer/walk/messages.h"

#include <math.h>
#include <string.h>

static const struct syntax *without_casts(const struct syntax *syntax)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    return syntax;
}

/* ---- variables ---- */

static bool is_plain_number(const struct syntax *syntax)
{
    if (syntax->kind == SYNTAX_INTEGER)
        return true;
    if (syntax->kind != SYNTAX_UNARY && syntax->kind != SYNTAX_BINARY)
        return false;
    for (int i = 0; i < syntax->count; i++)
        if (!is_plain_number(syntax->children[i]))
            return false;
    return true;
}

static struct cell with_turn(struct cell cell, bool is_turn)
{
    cell.is_turn = is_turn;
    return cell;
}

/* The number that a variable of that name begins with: the walk makes a parameter of it, too. */
static struct cell named(struct rank *rank, const char *name, double number, struct place place)
{
    const struct value value = named_number(rank->run->describer, name, number, place);
    double constant;
    if (polynomial_is_constant(value.index, &constant))
        return cell_number(constant);
    return cell_formed(rank->run, value.index, polynomial_value(value.index));
}

struct cell input_number(struct rank *rank, const char *name, struct place place)
{
    struct describer *describer = rank->run->describer;
    struct symbol *symbol = symbol_parameter(&describer->symbols, name, place);
    struct ranks *ranks = rank->run->ranks;
    bool is_noted = symbol->has_value;
    for (int i = 0; i < ranks->missing_count; i++)
        is_noted = is_noted || ranks->missing[i] == symbol;
    if (!is_noted && ranks->missing_count < (int)(sizeof ranks->missing / sizeof *ranks->missing))
        ranks->missing[ranks->missing_count++] = symbol;
    return cell_formed(rank->run, polynomial_symbol(&describer->algebra, symbol), symbol->value);
}

static void set_begun(struct rank *rank, struct object *object, double offset,
                      const struct type *type, const char *name, const struct syntax *initial)
{
    struct cell cell = rank_evaluate(rank, initial);
    const bool is_whole = type && type->kind == TYPE_INTEGER;
    if (is_whole && is_plain_number(initial) && cell.kind == CELL_NUMBER && !cell.form)
        cell = named(rank, name, cell.number, initial->place);
    if (is_whole && cell.kind == CELL_UNKNOWN && cell.is_input)
        cell = input_number(rank, name, initial->place);
    if (is_whole && cell.is_floating && cell.kind == CELL_NUMBER)
        cell = with_turn(cell_own(trunc(cell.number)), cell.is_turn);
    if (type && type->kind == TYPE_FLOATING)
        cell.is_floating = true;
    object_write(rank->run, object, offset, cell);
}

/* A list of initialisers: of an array's elements, or of a record's members. */
static void set_list(struct rank *rank, struct object *object, double offset,
                     const struct type *type, const struct syntax *list)
{
    object->is_zero = true;
    if (type && type->kind == TYPE_ARRAY && type->of && type->of->bytes > 0) {
        for (int i = 0; i < list->count; i++) {
            const double at = offset + i * type->of->bytes;
            if (list->children[i]->kind == SYNTAX_LIST)
                set_list(rank, object, at, type->of, list->children[i]);
            else if (list->children[i]->kind == SYNTAX_DESIGNATED)
                object->is_lost = true;
            else
                object_write(rank->run, object, at, rank_evaluate(rank, list->children[i]));
        }
        return;
    }
    int next = 0;
    for (int i = 0; i < list->count; i++, next++) {
        const struct syntax *value = list->children[i];
        if (value->kind == SYNTAX_DESIGNATED) {
            for (next = 0;
                 next < list->field_count && strcmp(list->fields[next].name, value->name) != 0;
                 next++)
                ;
            value = value->children[0];
        }
        const struct field *field = next < list->field_count ? &list->fields[next] : NULL;
        if (!field || (field->kind == TYPE_RECORD && value->kind != SYNTAX_LIST))
            object->is_lost = true;
        else if (value->kind == SYNTAX_LIST)
            set_list(rank, object, offset + field->offset, field->type, value);
        else
            set_begun(rank, object, offset + field->offset, field->type, field->name, value);
    }
}

static void copy_record(struct rank *rank, struct cell to, struct cell from, double bytes)
{
    if (from.kind != CELL_POINTER || !from.object || isnan(from.offset) || isnan(to.offset) ||
        from.object->is_lost) {
        object_lose(to.object, NULL);
        return;
    }
    for (int i = 0; i < from.object->room; i++) {
        const struct slot slot = from.object->slots[i];
        if (slot.is_taken && slot.offset >= from.offset && slot.offset < from.offset + bytes)
            object_write(rank->run, to.object, to.offset + slot.offset - from.offset, slot.cell);
    }
}

static void initialise(struct rank *rank, struct object *object,
                       const struct declaration *declaration)
{
    const struct syntax *initial = declaration->initial;
    const struct type *type = declaration->type;
    if (!initial)
        return;
    if (initial->kind == SYNTAX_LIST)
        set_list(rank, object, 0, type, initial);
    else if (type->kind == TYPE_ARRAY) {
        const struct cell cell = rank_evaluate(rank, initial);
        object->text = text_at(&cell);
    } else if (type->kind == TYPE_RECORD) {
        const struct cell cell = rank_evaluate(rank, initial);
        copy_record(rank, cell_pointer(object, 0), cell, type->bytes);
    } else
        set_begun(rank, object, 0, type, declaration->name, initial);
}

struct object *rank_variable(struct rank *rank, const struct declaration *declaration)
{
    const bool is_global = declaration->is_global || declaration->is_external;
    struct object **at =
        is_global ? &rank->globals[declaration->id] : &rank->locals[declaration->id];
    if (*at)
        return *at;
    *at = object_new(rank->run);
    (*at)->is_zero = is_global;
    if (is_global)
        initialise(rank, *at, declaration);
    return *at;
}

/* A declaration is come to: the variable begins anew. */
void rank_declare(struct rank *rank, const struct declaration *declaration)
{
    if (declaration->is_global || declaration->is_external) {
        rank_variable(rank, declaration);
        return;
    }
    struct object *object = object_new(rank->run);
    rank->locals[declaration->id] = object;
    initialise(rank, object, declaration);
}

/* ---- places ---- */

struct cell rank_place(struct rank *rank, const struct syntax *syntax)
{
    struct cell base;
    switch (syntax->kind) {
    case SYNTAX_NAME:
        return syntax->declaration ? cell_pointer(rank_variable(rank, syntax->declaration), 0)
                                   : cell_unknown("a name that is not followed");
    case SYNTAX_SUBSCRIPT: {
        base = rank_evaluate(rank, syntax->children[0]);
        const struct cell index = rank_evaluate(rank, syntax->children[1]);
        if (base.kind != CELL_POINTER)
            return cell_unknown(base.why);
        const double bytes = syntax->type ? syntax->type->bytes : 0;
        base.offset = index.kind == CELL_NUMBER && bytes > 0 ? base.offset + index.number * bytes
                                                             : (double)NAN;
        return base;
    }
    case SYNTAX_MEMBER: {
        if (syntax->count < 1)
            return cell_unknown("a member that is not followed");
        const struct syntax *of = syntax->children[0];
        base = of->type && of->type->kind == TYPE_POINTER ? rank_evaluate(rank, of)
                                                          : rank_place(rank, of);
        if (base.kind != CELL_POINTER)
            return base;
        if (!strcmp(syntax->name, "MPI_SOURCE"))
            base.offset += 0.25;
        else if (!strcmp(syntax->name, "MPI_TAG"))
            base.offset += 0.5;
        else
            base.offset += syntax->number;
        return base;
    }
    case SYNTAX_UNARY:
        if (syntax->operation == DO_FOLLOW)
            return rank_evaluate(rank, syntax->children[0]);
        return cell_unknown("an expression that is not followed");
    case SYNTAX_CAST:
        if (syntax->count == 1)
            return rank_place(rank, syntax->children[0]);
        return cell_unknown("an expression that is not followed");
    default:
        return cell_unknown("an expression that is not followed");
    }
}

static struct cell load(struct rank *rank, const struct syntax *syntax)
{
    struct cell place = rank_place(rank, syntax);
    if (place.kind != CELL_POINTER || !place.object)
        return cell_unknown(place.why ? place.why : "a null pointer is followed");
    if (place.object->is_handed && syntax->kind == SYNTAX_NAME)
        return object_read(place.object, 0);
    if (syntax->type && (syntax->type->kind == TYPE_ARRAY || syntax->type->kind == TYPE_RECORD))
        return place;
    struct cell cell = object_read(place.object, place.offset);
    cell.is_turn = cell.is_turn || place.object->is_turning;
    /* what an earlier iteration has set is another value in each */
    const long written = rank->shortened_count ? object_written(place.object, place.offset) : -1;
    for (int i = 0; i < rank->shortened_count; i++)
        cell.is_turn = cell.is_turn || (written > rank->shortened[i].begin &&
                                        written < rank->shortened[i].iteration);
    cell.is_ranging = cell.is_ranging || place.object->is_ranging;
    if (cell.kind == CELL_UNKNOWN && syntax->name &&
        (syntax->kind == SYNTAX_NAME || syntax->kind == SYNTAX_MEMBER)) {
        /* a directive or -D gives it a value */
        struct describer *describer = rank->run->describer;
        const struct symbol *symbol =
            symbol_find(&describer->symbols, symbol_allowed(describer->arena, syntax->name));
        if (symbol && symbol->kind == SYMBOL_PARAMETER && symbol->has_value && syntax->type &&
            syntax->type->kind == TYPE_INTEGER && (symbol->is_told || symbol->is_defined))
            return input_number(rank, syntax->name, syntax->place);
    }
    return cell;
}

void rank_assign(struct rank *rank, const struct syntax *to, struct cell cell)
{
    to = without_casts(to);
    const struct cell place = rank_place(rank, to);
    const struct type *type = to->type;
    if (place.kind != CELL_POINTER)
        return;
    if (type && type->kind == TYPE_RECORD) {
        copy_record(rank, place, cell, type->bytes);
        return;
    }
    if (type && type->kind == TYPE_INTEGER && cell.kind == CELL_UNKNOWN && cell.is_input &&
        (to->kind == SYNTAX_NAME || to->kind == SYNTAX_MEMBER))
        cell = input_number(rank, to->name, to->place);
    if (type && type->kind == TYPE_INTEGER && cell.kind == CELL_NUMBER && cell.is_floating)
        cell = cell_own(trunc(cell.number));
    if (type && type->kind == TYPE_FLOATING && cell.kind == CELL_NUMBER) {
        cell.is_floating = true;
        cell.form = NULL;
    }
    object_write(rank->run, place.object, place.offset, cell);
}

/* ---- arithmetic ---- */

static polynomial divided_form(struct run *run, polynomial a, polynomial b, bool is_rest)
{
    if (b->count == 0)
        return NULL;
    const struct value value = value_divided(run->describer, a, b, is_rest);
    return value.kind == VALUE_INDEX ? value.index : NULL;
}

static polynomial form_of(struct run *run, enum operation operation, polynomial a, polynomial b)
{
    struct algebra *algebra = &run->describer->algebra;
    double places;
    switch (operation) {
    case DO_ADD:
        return polynomial_sum(algebra, a, b, 1);
    case DO_SUBTRACT:
        return polynomial_sum(algebra, a, b, -1);
    case DO_MULTIPLY:
        return polynomial_product(algebra, a, b);
    case DO_DIVIDE:
    case DO_REMAINDER:
        return divided_form(run, a, b, operation == DO_REMAINDER);
    case DO_SHIFT_LEFT:
    case DO_SHIFT_RIGHT:
        if (!polynomial_is_constant(b, &places) || places < 0 || places > 52)
            return NULL;
        if (operation == DO_SHIFT_LEFT)
            return polynomial_scaled(algebra, a, exp2(places));
        return divided_form(run, a, polynomial_constant(algebra, exp2(places)), false);
    default:
        return NULL;
    }
}

static double number_of(enum operation operation, double a, double b, bool is_floating)
{
    const long long x = (long long)a, y = (long long)b;
    switch (operation) {
    case DO_ADD:
        return a + b;
    case DO_SUBTRACT:
        return a - b;
    case DO_MULTIPLY:
        return a * b;
    case DO_DIVIDE:
        return is_floating ? a / b : trunc(a / b);
    case DO_REMAINDER:
        return fmod(a, b);
    case DO_SHIFT_LEFT:
        return y >= 0 && y < 52 ? a * exp2(b) : NAN;
    case DO_SHIFT_RIGHT:
        return y >= 0 && y < 63 ? floor(a / exp2(b)) : NAN;
    case DO_BITS_AND:
        return (double)(x & y);
    case DO_BITS_OR:
        return (double)(x | y);
    case DO_BITS_XOR:
        return (double)(x ^ y);
    case DO_LESS:
        return a < b;
    case DO_GREATER:
        return a > b;
    case DO_LESS_EQUAL:
        return a <= b;
    case DO_GREATER_EQUAL:
        return a >= b;
    case DO_EQUAL:
        return a == b;
    case DO_UNEQUAL:
        return a != b;
    default:
        return NAN;
    }
}

static struct cell pointer_arithmetic(enum operation operation, struct cell a, struct cell b,
                                      double bytes)
{
    if (operation == DO_EQUAL || operation == DO_UNEQUAL) {
        const bool is_same = a.object == b.object && (a.offset == b.offset || !a.object);
        return cell_number(is_same == (operation == DO_EQUAL));
    }
    if (operation == DO_SUBTRACT && b.kind == CELL_POINTER)
        return a.object == b.object && bytes > 0 ? cell_own((a.offset - b.offset) / bytes)
                                                 : cell_unknown("a difference of pointers");
    if (a.kind != CELL_POINTER) {
        const struct cell turned = a;
        a = b;
        b = turned;
    }
    if (b.kind == CELL_POINTER || (operation != DO_ADD && operation != DO_SUBTRACT))
        return cell_unknown("arithmetic with pointers");
    if (b.kind != CELL_NUMBER || bytes <= 0)
        a.offset = (double)NAN;
    else
        a.offset += (operation == DO_ADD ? 1 : -1) * b.number * bytes;
    return a;
}

static double pointed_bytes(const struct type *type)
{
    return type && type->of ? type->of->bytes : 0;
}

struct cell rank_arithmetic(struct rank *rank, enum operation operation, struct cell a,
                            struct cell b, const struct syntax *at)
{
    const bool compares = operation >= DO_LESS && operation <= DO_UNEQUAL;
    if (a.kind == CELL_NUMBER && b.kind == CELL_POINTER && compares && a.number == 0)
        a = cell_pointer(NULL, 0);
    if (b.kind == CELL_NUMBER && a.kind == CELL_POINTER && compares && b.number == 0)
        b = cell_pointer(NULL, 0);
    if ((a.kind == CELL_POINTER || b.kind == CELL_POINTER) && a.kind != CELL_UNKNOWN) {
        double bytes = pointed_bytes(at->type);
        for (int i = 0; i < at->count && bytes <= 0; i++)
            bytes = pointed_bytes(at->children[i]->type);
        if (bytes <= 0 && a.kind == CELL_POINTER && b.kind == CELL_POINTER)
            bytes = 1; /* addresses as whole numbers (MPI_Get_address) */
        return pointer_arithmetic(operation, a, b, bytes);
    }
    if (a.kind != CELL_NUMBER)
        return a;
    if (b.kind != CELL_NUMBER)
        return b;
    const bool is_floating = a.is_floating || b.is_floating;
    const bool divides = operation == DO_DIVIDE || operation == DO_REMAINDER;
    if (divides && !is_floating && b.number == 0)
        return cell_unknown("a division by 0");
    struct cell cell = cell_number(number_of(operation, a.number, b.number, is_floating));
    if (isnan(cell.number))
        return cell_unknown("an operator that is not followed");
    /* which process is meant by an iteration is another one in each */
    cell.is_ranging = a.is_ranging || b.is_ranging;
    cell.is_turn =
        (a.is_turn || b.is_turn) && !(compares && (a.is_own || b.is_own || cell.is_ranging));
    if (operation == DO_REMAINDER && (b.number == 2 || b.number == 4) && !b.is_own)
        cell.is_turn = false; /* shortened loops have as many iterations of each kind */
    if (compares)
        return cell;
    cell.is_floating = is_floating;
    cell.is_own = a.is_own || b.is_own;
    if (!cell.is_own && !is_floating && (a.form || b.form)) {
        cell.form =
            form_of(rank->run, operation, cell_form(rank->run, &a), cell_form(rank->run, &b));
        cell.is_own = cell.form == NULL;
    }
    if (is_floating)
        cell.is_own = true;
    return cell;
}

/* ---- expressions ---- */

static struct cell evaluate_number(struct rank *rank, const struct syntax *syntax)
{
    struct cell cell = cell_number(syntax->number);
    if (syntax->kind == SYNTAX_FLOATING) {
        cell.is_floating = true;
        return cell;
    }
    if (!syntax->name)
        return cell;
    if (!strcmp(syntax->name, "MPI_COMM_WORLD"))
        return cell_number(0);
    if (!strcmp(syntax->name, "MPI_COMM_SELF"))
        return cell_number(1);
    if (!strcmp(syntax->name, "MPI_COMM_NULL"))
        return cell_number(-1);
    if (!strcmp(syntax->name, "MPI_REQUEST_NULL"))
        return cell_number(0);
    polynomial bytes = datatype_named(rank->run->describer, syntax->name);
    double constant;
    if (bytes && polynomial_is_constant(bytes, &constant))
        return cell_number(constant);
    return strncmp(syntax->name, "MPI_", 4) != 0
               ? named(rank, syntax->name, syntax->number, syntax->place)
               : cell;
}

/* -1 of a macro of MPI, whose value another library may give otherwise. */
static bool process_constant(const struct syntax *syntax, struct cell *cell)
{
    static const struct {
        const char *name;
        double number;
    } known[] = {
        {"MPI_PROC_NULL",  PROCESS_NONE},
        {"MPI_ANY_SOURCE", PROCESS_ANY },
        {"MPI_ANY_TAG",    TAG_ANY     },
    };
    const char *name = syntax->kind == SYNTAX_INTEGER ? syntax->name
                       : syntax->kind == SYNTAX_UNARY && syntax->operation == DO_MINUS &&
                               syntax->children[0]->kind == SYNTAX_INTEGER
                           ? syntax->children[0]->name
                           : NULL;
    for (size_t i = 0; name && i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].name)) {
            *cell = cell_number(known[i].number);
            return true;
        }
    return false;
}

static struct cell evaluate_unary(struct rank *rank, const struct syntax *syntax)
{
    const struct syntax *child = syntax->children[0];
    struct cell cell;
    switch (syntax->operation) {
    case DO_INCREMENT:
    case DO_DECREMENT: {
        const struct cell before = rank_evaluate(rank, child);
        const struct cell after =
            rank_arithmetic(rank, syntax->operation == DO_INCREMENT ? DO_ADD : DO_SUBTRACT, before,
                            cell_number(1), syntax);
        rank_assign(rank, child, after);
        return syntax->is_postfix ? before : after;
    }
    case DO_ADDRESS:
        return child->kind == SYNTAX_FUNCTION ? rank_evaluate(rank, child)
                                              : rank_place(rank, child);
    case DO_FOLLOW:
        return load(rank, syntax);
    case DO_PLUS:
        return rank_evaluate(rank, child);
    case DO_MINUS:
        return rank_arithmetic(rank, DO_SUBTRACT, cell_number(0), rank_evaluate(rank, child),
                               syntax);
    case DO_NOT:
        cell = rank_evaluate(rank, child);
        if (cell.kind == CELL_POINTER)
            return cell_number(cell.object == NULL);
        return cell.kind == CELL_NUMBER ? with_turn(cell_number(cell.number == 0), cell.is_turn)
                                        : cell;
    case DO_INVERT:
        cell = rank_evaluate(rank, child);
        return cell.kind == CELL_NUMBER ? with_turn(cell_own(-cell.number - 1), cell.is_turn)
                                        : cell;
    default:
        return cell_unknown("an operator that is not followed");
    }
}

static int truth_of(const struct cell *cell)
{
    if (cell->kind == CELL_NUMBER)
        return cell->number != 0;
    return cell->kind == CELL_POINTER ? cell->object != NULL : -1;
}

static struct cell evaluate_binary(struct rank *rank, const struct syntax *syntax)
{
    const struct cell a = rank_evaluate(rank, syntax->children[0]);
    if (syntax->operation == DO_AND || syntax->operation == DO_OR) {
        const int deciding = syntax->operation == DO_OR, left = truth_of(&a);
        if (left == deciding)
            return with_turn(cell_number(deciding), a.is_turn);
        const struct cell b = rank_evaluate(rank, syntax->children[1]);
        const int right = truth_of(&b);
        if (right == deciding)
            return with_turn(cell_number(deciding), b.is_turn);
        return left < 0    ? a
               : right < 0 ? b
                           : with_turn(cell_number(!deciding), a.is_turn || b.is_turn);
    }
    const struct cell b = rank_evaluate(rank, syntax->children[1]);
    return syntax->operation == DO_COMMA ? b
                                         : rank_arithmetic(rank, syntax->operation, a, b, syntax);
}

static struct cell evaluate_choice(struct rank *rank, const struct syntax *syntax)
{
    const struct cell condition = rank_evaluate(rank, syntax->children[0]);
    const int truth = truth_of(&condition);
    if (truth >= 0) {
        struct cell cell = rank_evaluate(rank, syntax->children[truth ? 1 : 2]);
        cell.is_turn = cell.is_turn || condition.is_turn;
        return cell;
    }
    const struct cell a = rank_evaluate(rank, syntax->children[1]);
    const struct cell b = rank_evaluate(rank, syntax->children[2]);
    /* argc > 1 ? atoi(argv[1]) : 1000: a parameter of that value */
    if (condition.is_input && a.kind == CELL_UNKNOWN && a.is_input && b.kind == CELL_NUMBER)
        return b;
    if (condition.is_input && b.kind == CELL_UNKNOWN && b.is_input && a.kind == CELL_NUMBER)
        return a;
    if (a.kind == CELL_NUMBER && b.kind == CELL_NUMBER && a.number == b.number)
        return a;
    return condition;
}

static struct cell evaluate_assignment(struct rank *rank, const struct syntax *syntax)
{
    struct cell cell = rank_evaluate(rank, syntax->children[1]);
    if (syntax->operation != DO_NOTHING)
        cell = rank_arithmetic(rank, syntax->operation, rank_evaluate(rank, syntax->children[0]),
                               cell, syntax);
    rank_assign(rank, syntax->children[0], cell);
    return cell;
}

static struct cell evaluate_cast(struct rank *rank, const struct syntax *syntax)
{
    if (syntax->count != 1)
        return cell_unknown("an expression that is not followed");
    struct cell cell = rank_evaluate(rank, syntax->children[0]);
    if (cell.kind != CELL_NUMBER || !syntax->type)
        return cell;
    if (syntax->type->kind == TYPE_INTEGER && cell.is_floating)
        return with_turn(cell_own(trunc(cell.number)), cell.is_turn);
    if (syntax->type->kind == TYPE_FLOATING)
        cell.is_floating = true;
    if (syntax->type->kind == TYPE_POINTER && cell.number == 0)
        return cell_pointer(NULL, 0);
    return cell;
}

const char *way_out(struct rank *rank, const struct syntax *syntax)
{
    const bool is_variable = (syntax->kind == SYNTAX_NAME || syntax->kind == SYNTAX_MEMBER) &&
                             syntax->type && syntax->type->kind == TYPE_INTEGER;
    if (is_variable && rank_evaluate(rank, syntax).kind == CELL_UNKNOWN)
        return arena_format(rank->run->describer->arena, "give its value with -D %s=1000, or ",
                            symbol_allowed(rank->run->describer->arena, syntax->name));
    const char *found = "";
    for (int i = 0; i < syntax->count && syntax->kind != SYNTAX_CALL && !*found; i++)
        if (syntax->children[i])
            found = way_out(rank, syntax->children[i]);
    return found;
}

/* A pointer to a function: there is one object of each. */
static struct cell evaluate_function(struct rank *rank, const struct syntax *syntax)
{
    struct run *run = rank->run;
    for (int i = 0; i < run->function_count; i++)
        if (!strcmp(run->functions[i]->function->name, syntax->name))
            return cell_pointer(run->functions[i], 0);
    struct object *object = object_new(run);
    object->function = syntax;
    run->functions = arena_more(run->describer->arena, run->functions, (size_t)run->function_count,
                                sizeof *run->functions);
    run->functions[run->function_count++] = object;
    return cell_pointer(object, 0);
}

static struct cell evaluate_call(struct rank *rank, const struct syntax *call)
{
    struct cell given[32], cell;
    if (!strncmp(call->name, "MPI_", 4))
        return mpi_call(rank, call);
    if (call->pointer) {
        const struct cell to = rank_evaluate(rank, call->pointer);
        const struct function *any = function_maybe_called(rank->run->describer->source, call, 0);
        struct syntax *direct = arena_take(rank->run->describer->arena, 1, sizeof *direct);
        *direct = *call;
        direct->pointer = NULL;
        if (to.kind == CELL_POINTER && to.object && to.object->function) {
            direct->name = to.object->function->name;
            return evaluate_call(rank, direct);
        }
        if (any && !rank->run->is_over && communicates(rank->run->ranks, call)) {
            run_fail(rank->run, FAILED, call->place,
                     "which function is called here depends on %s, and some of them send "
                     "messages: call it by its name, or `ignore` the statement, and say what is "
                     "sent: #pragma forecost call point-to-point bytes(E)",
                     to.why ? to.why : "what is not followed");
            return cell_unknown("what a function gives back");
        }
        if (any)
            rank_forget(rank, call, "what a function sets that is called through a pointer");
    }
    const struct function *function = function_called(rank->run->describer->source, call);
    if (!function && !call->pointer && library_call(rank, call, &cell))
        return cell;
    int count = 0;
    for (; count < call->count && count < 32; count++)
        given[count] = rank_evaluate(rank, call->children[count]);
    if (function)
        return rank_enter(rank, function, given, count, call);
    struct arena *arena = rank->run->describer->arena;
    const char *name = *call->name ? call->name : "a function";
    for (int i = 0; i < count; i++)
        if (given[i].kind == CELL_POINTER)
            object_lose(
                given[i].object,
                arena_format(arena, "what %s() sets, of which the source is not here", name));
    return cell_unknown(arena_format(arena, "what %s() gives back", name));
}

struct cell rank_evaluate(struct rank *rank, const struct syntax *syntax)
{
    struct cell cell;
    struct run *run = rank->run;
    if (run->is_over)
        return cell_unknown("the run is over");
    if (++run->steps > run->steps_most)
        run_fail(run, FAILED, syntax->place,
                 "to find out who sends what to whom, the program is gone through for every "
                 "process, and this takes too long");
    if (process_constant(syntax, &cell))
        return cell;
    switch (syntax->kind) {
    case SYNTAX_INTEGER:
    case SYNTAX_FLOATING:
        return evaluate_number(rank, syntax);
    case SYNTAX_NAME:
        if (syntax->declaration && syntax->declaration->is_enumerator)
            return named(rank, syntax->declaration->name, syntax->declaration->value,
                         syntax->place);
        return load(rank, syntax);
    case SYNTAX_MEMBER:
    case SYNTAX_SUBSCRIPT:
        return load(rank, syntax);
    case SYNTAX_UNARY:
        return evaluate_unary(rank, syntax);
    case SYNTAX_BINARY:
        return evaluate_binary(rank, syntax);
    case SYNTAX_ASSIGN:
        return evaluate_assignment(rank, syntax);
    case SYNTAX_CONDITIONAL:
        return syntax->count == 3 ? evaluate_choice(rank, syntax)
                                  : cell_unknown("an expression that is not followed");
    case SYNTAX_CALL:
        return evaluate_call(rank, syntax);
    case SYNTAX_FUNCTION:
        return evaluate_function(rank, syntax);
    case SYNTAX_CAST:
        return evaluate_cast(rank, syntax);
    default:
        break;
    }
    if (syntax->text) {
        struct object *object = object_new(run);
        object->text = syntax->text;
        return cell_pointer(object, 0);
    }
    return cell_unknown("an expression that is not followed");
}
