#include "describer/source/parse_reader.h"

#include <ctype.h>
#include <string.h>

/* A kind of cursor that is one kind of syntax, with its children in order. */
static const struct {
    enum CXCursorKind cursor;
    enum syntax_kind syntax;
} kinds[] = {
    {CXCursor_ArraySubscriptExpr,  SYNTAX_SUBSCRIPT  },
    {CXCursor_CallExpr,            SYNTAX_CALL       },
    {CXCursor_CompoundStmt,        SYNTAX_BLOCK      },
    {CXCursor_ConditionalOperator, SYNTAX_CONDITIONAL},
    {CXCursor_DeclStmt,            SYNTAX_DECLARE    },
    {CXCursor_DoStmt,              SYNTAX_DO         },
    {CXCursor_IfStmt,              SYNTAX_IF         },
    {CXCursor_NullStmt,            SYNTAX_EMPTY      },
    {CXCursor_TypedefDecl,         SYNTAX_EMPTY      },
    {CXCursor_FunctionDecl,        SYNTAX_EMPTY      },
    {CXCursor_StructDecl,          SYNTAX_EMPTY      },
    {CXCursor_UnionDecl,           SYNTAX_EMPTY      },
    {CXCursor_EnumDecl,            SYNTAX_EMPTY      },
    {CXCursor_StaticAssert,        SYNTAX_EMPTY      },
    {CXCursor_ReturnStmt,          SYNTAX_RETURN     },
    {CXCursor_WhileStmt,           SYNTAX_WHILE      },
    {CXCursor_BreakStmt,           SYNTAX_JUMP       },
    {CXCursor_ContinueStmt,        SYNTAX_JUMP       },
    {CXCursor_GotoStmt,            SYNTAX_JUMP       },
    {CXCursor_IndirectGotoStmt,    SYNTAX_JUMP       },
    {CXCursor_SwitchStmt,          SYNTAX_JUMP       },
    {CXCursor_InitListExpr,        SYNTAX_LIST       },
    {CXCursor_CompoundLiteralExpr, SYNTAX_CAST       },
};

static const enum operation binary_operations[] = {
    [CXBinaryOperator_Mul] = DO_MULTIPLY,
    [CXBinaryOperator_Div] = DO_DIVIDE,
    [CXBinaryOperator_Rem] = DO_REMAINDER,
    [CXBinaryOperator_Add] = DO_ADD,
    [CXBinaryOperator_Sub] = DO_SUBTRACT,
    [CXBinaryOperator_Shl] = DO_SHIFT_LEFT,
    [CXBinaryOperator_Shr] = DO_SHIFT_RIGHT,
    [CXBinaryOperator_LT] = DO_LESS,
    [CXBinaryOperator_GT] = DO_GREATER,
    [CXBinaryOperator_LE] = DO_LESS_EQUAL,
    [CXBinaryOperator_GE] = DO_GREATER_EQUAL,
    [CXBinaryOperator_EQ] = DO_EQUAL,
    [CXBinaryOperator_NE] = DO_UNEQUAL,
    [CXBinaryOperator_And] = DO_BITS_AND,
    [CXBinaryOperator_Xor] = DO_BITS_XOR,
    [CXBinaryOperator_Or] = DO_BITS_OR,
    [CXBinaryOperator_LAnd] = DO_AND,
    [CXBinaryOperator_LOr] = DO_OR,
    [CXBinaryOperator_Assign] = DO_NOTHING,
    [CXBinaryOperator_MulAssign] = DO_MULTIPLY,
    [CXBinaryOperator_DivAssign] = DO_DIVIDE,
    [CXBinaryOperator_RemAssign] = DO_REMAINDER,
    [CXBinaryOperator_AddAssign] = DO_ADD,
    [CXBinaryOperator_SubAssign] = DO_SUBTRACT,
    [CXBinaryOperator_ShlAssign] = DO_SHIFT_LEFT,
    [CXBinaryOperator_ShrAssign] = DO_SHIFT_RIGHT,
    [CXBinaryOperator_AndAssign] = DO_BITS_AND,
    [CXBinaryOperator_XorAssign] = DO_BITS_XOR,
    [CXBinaryOperator_OrAssign] = DO_BITS_OR,
    [CXBinaryOperator_Comma] = DO_COMMA,
};

static enum operation binary_operation(CXCursor cursor)
{
    const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    if (kind < CXBinaryOperator_Mul || kind > CXBinaryOperator_Comma ||
        kind == CXBinaryOperator_Cmp)
        return DO_OTHER;
    return binary_operations[kind];
}

static enum operation unary_operation(CXCursor cursor, bool *is_postfix)
{
    const enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
    *is_postfix = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
    switch (kind) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PreInc:
        return DO_INCREMENT;
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreDec:
        return DO_DECREMENT;
    case CXUnaryOperator_AddrOf:
        return DO_ADDRESS;
    case CXUnaryOperator_Deref:
        return DO_FOLLOW;
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return DO_PLUS;
    case CXUnaryOperator_Minus:
        return DO_MINUS;
    case CXUnaryOperator_LNot:
        return DO_NOT;
    case CXUnaryOperator_Not:
        return DO_INVERT;
    default:
        return DO_OTHER;
    }
}

static struct syntax **read_children(struct reader *reader, struct cursors cursors)
{
    struct syntax **children =
        arena_take(reader->arena, (size_t)cursors.count, sizeof(struct syntax *));
    for (int i = 0; i < cursors.count; i++)
        children[i] = reader_syntax(reader, cursors.items[i]);
    return children;
}

/* Extents as written, the outermost first: the library has the innermost first. */
static void read_extents(struct reader *reader, CXCursor cursor, struct declaration *declaration)
{
    CXCursor initial = clang_Cursor_getVarDeclInitializer(cursor);
    struct cursors children = reader_children(reader, cursor);
    declaration->extents =
        arena_take(reader->arena, (size_t)children.count, sizeof(struct syntax *));
    for (int i = children.count - 1; i >= 0; i--)
        if (clang_isExpression(clang_getCursorKind(children.items[i])) &&
            !clang_equalCursors(children.items[i], initial))
            declaration->extents[declaration->extent_count++] =
                reader_syntax(reader, children.items[i]);
}

static void read_declaration(struct reader *reader, CXCursor cursor,
                             struct declaration *declaration)
{
    declaration->name = reader_text(reader, clang_getCursorSpelling(cursor));
    declaration->place = reader_place(reader, cursor, NULL, NULL);
    declaration->type = reader_type(reader, clang_getCursorType(cursor));
    declaration->is_external = clang_getCursorLinkage(cursor) == CXLinkage_External;
    const enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(cursor));
    declaration->is_global =
        parent == CXCursor_TranslationUnit || clang_Cursor_getStorageClass(cursor) == CX_SC_Static;
    if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl) {
        declaration->is_enumerator = true;
        declaration->value = (double)clang_getEnumConstantDeclValue(cursor);
        return;
    }
    read_extents(reader, cursor, declaration);
    CXCursor initial = clang_Cursor_getVarDeclInitializer(cursor);
    if (!clang_Cursor_isNull(initial))
        declaration->initial = reader_syntax(reader, initial);
}

struct declaration *reader_declaration(struct reader *reader, CXCursor cursor)
{
    struct known_declaration **at = &reader->known[clang_hashCursor(cursor) % KNOWN_BUCKETS];
    for (struct known_declaration *known = *at; known; known = known->next)
        if (clang_equalCursors(known->cursor, cursor))
            return known->declaration;
    struct known_declaration *known = arena_take(reader->arena, 1, sizeof *known);
    known->declaration = arena_take(reader->arena, 1, sizeof *known->declaration);
    known->declaration->id = reader->source->declaration_count++;
    known->cursor = cursor;
    known->next = *at;
    *at = known;
    read_declaration(reader, cursor, known->declaration);
    return known->declaration;
}

static void read_literal(struct reader *reader, CXCursor cursor, struct syntax *syntax)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (result)
        syntax->number = syntax->kind == SYNTAX_FLOATING
                             ? clang_EvalResult_getAsDouble(result)
                             : (double)clang_EvalResult_getAsLongLong(result);
    clang_EvalResult_dispose(result);
    syntax->name = reader_macro_of(reader, cursor);
}

static void read_name(struct reader *reader, CXCursor cursor, struct syntax *syntax)
{
    CXCursor referenced = clang_getCursorReferenced(cursor);
    const enum CXCursorKind kind = clang_getCursorKind(referenced);
    syntax->name = reader_text(reader, clang_getCursorSpelling(cursor));
    if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl || kind == CXCursor_EnumConstantDecl)
        syntax->declaration = reader_declaration(reader, clang_getCanonicalCursor(referenced));
    else
        syntax->kind = kind == CXCursor_FunctionDecl ? SYNTAX_FUNCTION : SYNTAX_OTHER;
    if (syntax->kind == SYNTAX_FUNCTION) {
        struct source *source = reader->source;
        source->pointed = arena_more(reader->arena, source->pointed, (size_t)source->pointed_count,
                                     sizeof *source->pointed);
        source->pointed[source->pointed_count++] = syntax->name;
    }
}

/* A member, and how far behind the beginning of its record it lies. */
static void read_member(struct reader *reader, CXCursor cursor, struct syntax *syntax)
{
    const long long bits = clang_Cursor_getOffsetOfField(clang_getCursorReferenced(cursor));
    syntax->name = reader_text(reader, clang_getCursorSpelling(cursor));
    syntax->number = bits > 0 ? (double)(bits / 8) : 0;
}

/* Where the parts of a for loop's head end: at its two semicolons and its closing parenthesis. */
static void head_ends(const char *bytes, size_t from, size_t size, size_t ends[3])
{
    int depth = 0, part = 0;
    for (size_t i = from; i < size && part < 3; i++) {
        depth += (bytes[i] == '(') - (bytes[i] == ')');
        if ((bytes[i] == ';' && depth == 1) || (bytes[i] == ')' && depth == 0))
            ends[part++] = i;
    }
}

static void place_loop_parts(struct reader *reader, struct syntax *syntax, struct cursors cursors)
{
    struct syntax **given = read_children(reader, cursors);
    syntax->children = arena_take(reader->arena, 4, sizeof(struct syntax *));
    syntax->count = 4;
    size_t size = 0, ends[3] = {0};
    CXFile file = clang_getFile(reader->unit, syntax->place.file);
    const char *bytes = file ? clang_getFileContents(reader->unit, file, &size) : NULL;
    if (bytes && cursors.count < 4)
        head_ends(bytes, syntax->begin, size, ends);
    for (int i = 0; i < cursors.count; i++) {
        int part = i;
        if (cursors.count < 4 && i + 1 == cursors.count)
            part = 3;
        else if (cursors.count < 4)
            for (part = 0; part < 2 && given[i]->begin > ends[part]; part++)
                ;
        syntax->children[part] = given[i];
    }
}

static bool set_kind(struct reader *reader, CXCursor cursor, struct syntax *syntax)
{
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].cursor == kind) {
            syntax->kind = kinds[i].syntax;
            if (kind == CXCursor_CallExpr)
                syntax->name = reader_text(reader, clang_getCursorSpelling(cursor));
            else if (syntax->kind == SYNTAX_JUMP)
                syntax->name = kind == CXCursor_BreakStmt      ? "break"
                               : kind == CXCursor_ContinueStmt ? "continue"
                               : kind == CXCursor_SwitchStmt   ? "switch"
                                                               : "goto";
            return true;
        }
    return false;
}

static void read_operator(CXCursor cursor, struct syntax *syntax)
{
    const bool is_plain = clang_getCursorKind(cursor) == CXCursor_BinaryOperator;
    const bool assigns =
        !is_plain || clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign;
    syntax->kind = assigns ? SYNTAX_ASSIGN : SYNTAX_BINARY;
    syntax->operation = binary_operation(cursor);
}

/* A string: an escape sequence becomes one character, so that its length is right. */
static void read_text(struct reader *reader, CXCursor cursor, struct syntax *syntax)
{
    const char *written = reader_text(reader, clang_getCursorSpelling(cursor));
    size_t length = strlen(written);
    char *text = arena_copy(reader->arena, written, length), *end = text;
    if (length < 2 || *written != '"')
        return;
    for (const char *at = written + 1; at < written + length - 1; at++) {
        at += *at == '\\' && at[1];
        *end++ = *at;
    }
    *end = '\0';
    syntax->text = text;
}

/* What cannot be told by the kind of the cursor alone. */
static void read_special(struct reader *reader, CXCursor cursor, struct syntax *syntax)
{
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr: /* sizeof */
        syntax->kind = SYNTAX_INTEGER;
        read_literal(reader, cursor, syntax);
        break;
    case CXCursor_FloatingLiteral:
        syntax->kind = SYNTAX_FLOATING;
        read_literal(reader, cursor, syntax);
        break;
    case CXCursor_DeclRefExpr:
        syntax->kind = SYNTAX_NAME;
        read_name(reader, cursor, syntax);
        break;
    case CXCursor_MemberRefExpr:
        syntax->kind = SYNTAX_MEMBER;
        read_member(reader, cursor, syntax);
        break;
    case CXCursor_UnaryOperator:
        syntax->kind = SYNTAX_UNARY;
        syntax->operation = unary_operation(cursor, &syntax->is_postfix);
        break;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        read_operator(cursor, syntax);
        break;
    case CXCursor_CStyleCastExpr:
        syntax->kind = SYNTAX_CAST;
        break;
    case CXCursor_StringLiteral:
        syntax->name = "StringLiteral";
        read_text(reader, cursor, syntax);
        break;
    case CXCursor_VarDecl:
        syntax->kind = SYNTAX_VARIABLE;
        syntax->declaration = reader_declaration(reader, clang_getCanonicalCursor(cursor));
        break;
    default:
        syntax->name =
            reader_text(reader, clang_getCursorKindSpelling(clang_getCursorKind(cursor)));
    }
}

static bool is_wrapper(enum CXCursorKind kind)
{
    return kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr ||
           kind == CXCursor_LabelStmt || kind == CXCursor_UnexposedStmt;
}

/* The children that are read: of a cast what it casts, of a call what it is given. */
static void read_operands(struct reader *reader, struct syntax *syntax, struct cursors cursors)
{
    if (syntax->kind == SYNTAX_EMPTY)
        return;
    if (syntax->kind == SYNTAX_VARIABLE) { /* what it begins with is a part of the text, too */
        if (syntax->declaration && syntax->declaration->initial) {
            syntax->children = arena_take(reader->arena, 1, sizeof *syntax->children);
            syntax->children[syntax->count++] = syntax->declaration->initial;
        }
        return;
    }
    if (syntax->kind == SYNTAX_FOR) {
        place_loop_parts(reader, syntax, cursors);
        return;
    }
    const int skipped = syntax->kind == SYNTAX_CALL && cursors.count > 0 ? 1
                        : syntax->kind == SYNTAX_CAST                    ? cursors.count - 1
                                                                         : 0;
    if (syntax->kind == SYNTAX_CALL && cursors.count > 0 &&
        (clang_getCursorKind(cursors.items[0]) == CXCursor_CallExpr ||
         clang_getCursorKind(clang_getCursorReferenced(cursors.items[0])) !=
             CXCursor_FunctionDecl)) {
        struct syntax *callee = reader_syntax(reader, cursors.items[0]);
        while ((callee->kind == SYNTAX_CAST || callee->operation == DO_FOLLOW) &&
               callee->count == 1)
            callee = callee->children[0];
        if (callee->kind == SYNTAX_FUNCTION)
            syntax->name = callee->name;
        else
            syntax->pointer = callee;
    }
    if (skipped > 0) {
        cursors.items += skipped;
        cursors.count -= skipped;
    }
    syntax->children = read_children(reader, cursors);
    syntax->count = cursors.count;
}

static bool has_jump(const struct syntax *syntax)
{
    if (syntax->kind == SYNTAX_JUMP)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && has_jump(syntax->children[i]))
            return true;
    return false;
}

/* do { ... } while (0), as macros have it, is a block. */
static bool runs_once(const struct syntax *syntax)
{
    const struct syntax *condition = syntax->count == 2 ? syntax->children[1] : NULL;
    while (condition && condition->kind == SYNTAX_CAST && condition->count == 1)
        condition = condition->children[0];
    return syntax->kind == SYNTAX_DO && condition && condition->kind == SYNTAX_INTEGER &&
           condition->number == 0 && !has_jump(syntax->children[0]);
}

/* .d.nx = 3 in a list of initialisers: the path of members, then the value. */
static bool is_designated(struct cursors cursors)
{
    return cursors.count > 1 && clang_getCursorKind(cursors.items[0]) == CXCursor_MemberRef;
}

static void read_designated(struct reader *reader, struct syntax *syntax, struct cursors *cursors)
{
    syntax->kind = SYNTAX_DESIGNATED;
    syntax->name = "";
    while (cursors->count > 1) {
        const char *member = reader_text(reader, clang_getCursorSpelling(cursors->items[0]));
        const bool is_member = clang_getCursorKind(cursors->items[0]) == CXCursor_MemberRef;
        syntax->name = arena_format(reader->arena, "%s%s%s", syntax->name, *syntax->name ? "." : "",
                                    is_member ? member : "[]");
        cursors->items++;
        cursors->count--;
    }
}

/* The name in the text at which a label jumps aside is no statement of its own. */
struct syntax *reader_syntax(struct reader *reader, CXCursor cursor)
{
    struct cursors cursors = reader_children(reader, cursor);
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (is_wrapper(kind) && cursors.count == 1)
        return reader_syntax(reader, cursors.items[0]);
    struct syntax *syntax = arena_take(reader->arena, 1, sizeof *syntax);
    syntax->place = reader_place(reader, cursor, &syntax->file, &syntax->begin);
    CXSourceLocation end = clang_getRangeEnd(clang_getCursorExtent(cursor));
    unsigned offset;
    clang_getExpansionLocation(end, NULL, &syntax->end_line, NULL, &offset);
    syntax->end = offset;
    if (clang_isExpression(kind))
        syntax->type = reader_type(reader, clang_getCursorType(cursor));
    if (kind == CXCursor_ForStmt)
        syntax->kind = SYNTAX_FOR;
    else if (kind == CXCursor_UnexposedExpr && is_designated(cursors))
        read_designated(reader, syntax, &cursors);
    else if (!set_kind(reader, cursor, syntax))
        read_special(reader, cursor, syntax);
    if (syntax->kind == SYNTAX_LIST)
        syntax->field_count = reader_fields(reader, clang_getCursorType(cursor), &syntax->fields);
    read_operands(reader, syntax, cursors);
    if (runs_once(syntax)) {
        syntax->kind = SYNTAX_BLOCK;
        syntax->count = 1;
    }
    if (kind == CXCursor_SwitchStmt)
        reader_without_switch(reader, syntax);
    return syntax;
}
