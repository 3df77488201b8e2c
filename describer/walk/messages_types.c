#include "describer/walk/messages.h"

#include <string.h>

static const struct {
    const char *name;
    double bytes;
} datatypes[] = {
    {"MPI_DOUBLE",             8 },
    {"MPI_FLOAT",              4 },
    {"MPI_INT",                4 },
    {"MPI_LONG",               8 },
    {"MPI_CHAR",               1 },
    {"MPI_BYTE",               1 },
    {"MPI_SHORT",              2 },
    {"MPI_UNSIGNED",           4 },
    {"MPI_UNSIGNED_LONG",      8 },
    {"MPI_LONG_LONG",          8 },
    {"MPI_INT64_T",            8 },
    {"MPI_UINT64_T",           8 },
    {"MPI_INT32_T",            4 },
    {"MPI_UINT32_T",           4 },
    {"MPI_INT8_T",             1 },
    {"MPI_UINT8_T",            1 },
    {"MPI_SIGNED_CHAR",        1 },
    {"MPI_UNSIGNED_CHAR",      1 },
    {"MPI_UNSIGNED_SHORT",     2 },
    {"MPI_LONG_LONG_INT",      8 },
    {"MPI_UNSIGNED_LONG_LONG", 8 },
    {"MPI_LONG_DOUBLE",        16},
    {"MPI_DOUBLE_INT",         12},
    {"MPI_FLOAT_INT",          8 },
    {"MPI_2INT",               8 },
    {"MPI_PACKED",             1 },
    {"MPI_C_BOOL",             1 },
    {"MPI_DOUBLE_COMPLEX",     16},
    {"MPI_C_DOUBLE_COMPLEX",   16},
    {"MPI_C_FLOAT_COMPLEX",    8 },
    {"MPI_C_COMPLEX",          8 },
    {"MPI_COMPLEX",            8 },
    {"MPI_LONG_INT",           12},
    {"MPI_SHORT_INT",          6 },
    {"MPI_LONG_DOUBLE_INT",    20},
    {"MPI_INT16_T",            2 },
    {"MPI_UINT16_T",           2 },
    {"MPI_WCHAR",              4 },
    {"MPI_AINT",               8 },
    {"MPI_OFFSET",             8 },
    {"MPI_COUNT",              8 },
    {"MPI_CXX_BOOL",           1 },
    {"MPI_REAL",               4 },
    {"MPI_REAL4",              4 },
    {"MPI_REAL8",              8 },
    {"MPI_DOUBLE_PRECISION",   8 },
    {"MPI_INTEGER",            4 },
    {"MPI_INTEGER1",           1 },
    {"MPI_INTEGER2",           2 },
    {"MPI_INTEGER4",           4 },
    {"MPI_INTEGER8",           8 },
    {"MPI_LOGICAL",            4 },
    {"MPI_CHARACTER",          1 },
    {"MPI_2REAL",              8 },
    {"MPI_2INTEGER",           8 },
    {"MPI_2DOUBLE_PRECISION",  16},
};

/* The name with which a datatype is written: a literal's macro, or a variable beneath it. */
static const char *datatype_name(const struct syntax *syntax)
{
    if (syntax->name && !strncmp(syntax->name, "MPI_", 4))
        return syntax->name;
    if (syntax->name && !strncmp(syntax->name, "ompi_mpi_", 9))
        return syntax->name;
    for (int i = 0; i < syntax->count; i++) {
        const char *name = syntax->children[i] ? datatype_name(syntax->children[i]) : NULL;
        if (name)
            return name;
    }
    return NULL;
}

bool is_in_place(const struct syntax *argument)
{
    if (argument->name && !strcmp(argument->name, "MPI_IN_PLACE"))
        return true;
    for (int i = 0; i < argument->count; i++)
        if (argument->children[i] && is_in_place(argument->children[i]))
            return true;
    return false;
}

static bool is_written_alike(const struct syntax *a, const struct syntax *b)
{
    if (a->kind != b->kind || a->operation != b->operation || a->number != b->number ||
        a->count != b->count || a->declaration != b->declaration)
        return false;
    if (a->name != b->name && (!a->name || !b->name || strcmp(a->name, b->name) != 0))
        return false;
    for (int i = 0; i < a->count; i++)
        if (!a->children[i] != !b->children[i] ||
            (a->children[i] && !is_written_alike(a->children[i], b->children[i])))
            return false;
    return true;
}

bool are_alike(struct describer *describer, const struct syntax *a, const struct syntax *b)
{
    if (is_written_alike(a, b))
        return true;
    const struct value x = evaluate_leniently(describer, a), y = evaluate_leniently(describer, b);
    return x.kind == VALUE_INDEX && y.kind == VALUE_INDEX &&
           polynomial_equal(&describer->algebra, x.index, y.index);
}

static bool is_same_name(const char *name, const char *known)
{
    if (strncmp(name, "ompi_mpi_", 9) != 0)
        return !strcmp(name, known);
    return !strcasecmp(name + 9, known + 4);
}

polynomial datatype_named(struct describer *describer, const char *name)
{
    for (size_t i = 0; name && i < sizeof datatypes / sizeof *datatypes; i++)
        if (is_same_name(name, datatypes[i].name))
            return polynomial_constant(&describer->algebra, datatypes[i].bytes);
    return NULL;
}

polynomial datatype_bytes(struct describer *describer, const struct syntax *type)
{
    while (type->kind == SYNTAX_CAST && type->count == 1)
        type = type->children[0];
    if (type->kind == SYNTAX_NAME || type->kind == SYNTAX_MEMBER) {
        const struct binding *binding = object_binding(describer, type);
        if (binding && binding->value.kind == VALUE_INDEX)
            return binding->value.index;
    }
    return datatype_named(describer, datatype_name(type));
}

struct binding *addressed(struct describer *describer, const struct syntax *argument)
{
    while (argument->kind == SYNTAX_CAST && argument->count == 1)
        argument = argument->children[0];
    if (argument->kind == SYNTAX_NAME && argument->type && argument->type->kind == TYPE_POINTER) {
        const struct value value = evaluate_leniently(describer, argument);
        return value.kind == VALUE_ADDRESS ? object_binding(describer, value.of) : NULL;
    }
    if (argument->kind != SYNTAX_UNARY || argument->operation != DO_ADDRESS)
        return NULL;
    const struct syntax *variable = argument->children[0];
    return variable->kind == SYNTAX_NAME || variable->kind == SYNTAX_MEMBER
               ? object_binding(describer, variable)
               : NULL;
}

static void set_datatype(struct describer *describer, const struct syntax *call, int factors,
                         int of, int result)
{
    polynomial bytes = of < call->count ? datatype_bytes(describer, call->children[of]) : NULL;
    struct binding *binding =
        result < call->count ? addressed(describer, call->children[result]) : NULL;
    for (int i = 0; i < factors && bytes; i++) {
        const struct value factor = evaluate_leniently(describer, call->children[i]);
        bytes = factor.kind == VALUE_INDEX
                    ? polynomial_product(&describer->algebra, bytes, factor.index)
                    : NULL;
    }
    if (binding && bytes)
        binding->value = value_of_index(bytes);
}

static void set_number(struct describer *describer, const struct syntax *call, int result,
                       polynomial number)
{
    struct binding *binding =
        result < call->count ? addressed(describer, call->children[result]) : NULL;
    if (binding)
        binding->value = value_of_index(number);
}

/* A process alone is the first one. */
static polynomial number_of_process(struct describer *describer)
{
    describer->asks_rank = true;
    return describer->is_of_one && describer->processors->value == 1
               ? polynomial_constant(&describer->algebra, 0)
               : polynomial_symbol(&describer->algebra, describer->rank);
}

/* Neighbours along a dimension of a Cartesian grid, as far apart as nobody says. */
static void set_neighbours(struct describer *describer, const struct syntax *call)
{
    struct algebra *algebra = &describer->algebra;
    enum { DIMENSION = 1, STEPS, BEFORE, NEXT };
    const struct value dimension = evaluate_leniently(describer, call->children[DIMENSION]);
    const struct value steps = evaluate_leniently(describer, call->children[STEPS]);
    if (dimension.kind != VALUE_INDEX || steps.kind != VALUE_INDEX)
        return;
    struct symbol *shift =
        symbol_shift(&describer->symbols, polynomial_text(algebra, dimension.index, ""));
    polynomial away = polynomial_product(algebra, steps.index, polynomial_symbol(algebra, shift));
    for (int i = BEFORE; i <= NEXT; i++) {
        struct binding *binding = addressed(describer, call->children[i]);
        if (binding)
            binding->value = value_of_index(polynomial_sum(
                algebra, polynomial_symbol(algebra, describer->rank), away, i == NEXT ? 1 : -1));
    }
}

/* Addresses, extents and counts, which only the processes' own ways tell (ranks/calls.c). */
static bool sets_what_is_not_followed(struct describer *describer, const struct syntax *call)
{
    static const char *const names[] = {"MPI_Get_address", "MPI_Address",   "MPI_Type_get_extent",
                                        "MPI_Type_extent", "MPI_Type_size", "MPI_Get_count"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(call->name, names[i]) != 0)
            continue;
        for (int k = 1; k < call->count; k++) {
            struct binding *binding = addressed(describer, call->children[k]);
            if (binding)
                binding->value =
                    value_unknown(arena_format(describer->arena, "it is set by %s()", call->name));
        }
        return true;
    }
    return false;
}

bool messages_setting(struct describer *describer, const struct syntax *call)
{
    if (sets_what_is_not_followed(describer, call))
        return true;
    if (!strcmp(call->name, "MPI_Comm_size"))
        set_number(describer, call, 1,
                   polynomial_symbol(&describer->algebra, describer->processors));
    else if (!strcmp(call->name, "MPI_Comm_rank"))
        set_number(describer, call, 1, number_of_process(describer));
    else if (!strcmp(call->name, "MPI_Cart_shift") && call->count == 5)
        set_neighbours(describer, call);
    else if (!strcmp(call->name, "MPI_Type_contiguous"))
        set_datatype(describer, call, 1, 1, 2);
    else if (!strcmp(call->name, "MPI_Type_vector"))
        set_datatype(describer, call, 2, 3, 4);
    else if (!strcmp(call->name, "MPI_Type_hvector") ||
             !strcmp(call->name, "MPI_Type_create_hvector"))
        set_datatype(describer, call, 2, 3, 4);
    else
        return false;
    return true;
}
