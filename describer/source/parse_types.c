#include "describer/source/parse_reader.h"

#include <math.h>

static enum type_kind kind_of(CXType type)
{
    if ((type.kind >= CXType_Bool && type.kind <= CXType_Int128) || type.kind == CXType_Enum)
        return TYPE_INTEGER;
    switch (type.kind) {
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float128:
    case CXType_Half:
    case CXType_Float16:
        return TYPE_FLOATING;
    case CXType_Complex:
        return TYPE_COMPLEX;
    case CXType_Pointer:
        return TYPE_POINTER;
    case CXType_ConstantArray:
    case CXType_VariableArray:
    case CXType_IncompleteArray:
        return TYPE_ARRAY;
    case CXType_Record:
        return TYPE_RECORD;
    case CXType_Void:
        return TYPE_VOID;
    default:
        return TYPE_OTHER;
    }
}

/* The members of a record, down to its numbers: whether all are as long. */
struct atoms {
    double bytes;
    bool differ;
};

static void note_atoms(CXType type, struct atoms *atoms);

static enum CXVisitorResult note_field(CXCursor field, CXClientData data)
{
    note_atoms(clang_getCursorType(field), data);
    return CXVisit_Continue;
}

static void note_atoms(CXType type, struct atoms *atoms)
{
    type = clang_getCanonicalType(type);
    while (type.kind == CXType_ConstantArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    if (type.kind == CXType_Record) {
        clang_Type_visitFields(type, note_field, atoms);
        return;
    }
    const double bytes = (double)clang_Type_getSizeOf(type);
    atoms->differ = atoms->differ || (atoms->bytes != 0 && bytes != atoms->bytes) || bytes <= 0;
    atoms->bytes = bytes;
}

static double atom_bytes(CXType record)
{
    struct atoms atoms = {0};
    note_atoms(record, &atoms);
    return atoms.differ ? 0 : atoms.bytes;
}

struct noted_fields {
    struct reader *reader;
    struct field *items;
    int count, depth;
};

enum { FIELDS_MOST = 128, FIELD_DEPTH_MOST = 6 };

static int fields_within(struct reader *reader, CXType record, int depth,
                         const struct field **fields);

static enum CXVisitorResult add_field(CXCursor field, CXClientData data)
{
    struct noted_fields *noted = data;
    const CXType type = clang_getCanonicalType(clang_getCursorType(field));
    if (noted->count == FIELDS_MOST)
        return CXVisit_Break;
    struct field *made = &noted->items[noted->count++];
    made->name = reader_text(noted->reader, clang_getCursorSpelling(field));
    made->kind = kind_of(type);
    made->offset = fmax(0, (double)clang_Cursor_getOffsetOfField(field)) / 8;
    made->type = reader_type(noted->reader, type);
    if (type.kind == CXType_Record)
        made->field_count = fields_within(noted->reader, type, noted->depth + 1, &made->fields);
    return CXVisit_Continue;
}

static int fields_within(struct reader *reader, CXType record, int depth,
                         const struct field **fields)
{
    struct noted_fields noted = {.reader = reader, .depth = depth};
    if (depth > FIELD_DEPTH_MOST)
        return 0;
    noted.items = arena_take(reader->arena, FIELDS_MOST, sizeof *noted.items);
    clang_Type_visitFields(record, add_field, &noted);
    *fields = noted.items;
    return noted.count;
}

int reader_fields(struct reader *reader, CXType record, const struct field **fields)
{
    record = clang_getCanonicalType(record);
    return record.kind == CXType_Record ? fields_within(reader, record, 0, fields) : 0;
}

static CXType element_of(CXType type, enum type_kind kind)
{
    return kind == TYPE_POINTER ? clang_getPointeeType(type) : clang_getArrayElementType(type);
}

static const struct type *type_within(struct reader *reader, CXType given, int depth)
{
    struct type *type = arena_take(reader->arena, 1, sizeof *type);
    CXType canonical = clang_getCanonicalType(given);
    type->kind = kind_of(canonical);
    const long long bytes = clang_Type_getSizeOf(canonical);
    type->bytes = bytes > 0 ? (double)bytes : 0;
    type->is_constant = clang_isConstQualifiedType(canonical);
    type->name = reader_text(reader, clang_getTypeSpelling(given));
    if (type->kind == TYPE_RECORD)
        type->atom_bytes = atom_bytes(canonical);
    if (canonical.kind == CXType_ConstantArray)
        type->count = (double)clang_getArraySize(canonical);
    if ((type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY) && depth < 12)
        type->of = type_within(reader, element_of(canonical, type->kind), depth + 1);
    return type;
}

const struct type *reader_type(struct reader *reader, CXType type)
{
    return type_within(reader, type, 0);
}
