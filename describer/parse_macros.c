#include "describer/parse_reader.h"

#include <string.h>

/* The file of a place, also where it is none: the command line and what the compiler predefines
   have names in angle brackets. */
static const char *file_at(struct reader *reader, CXSourceLocation at, unsigned *offset)
{
    CXFile file;
    unsigned line;
    clang_getSpellingLocation(at, &file, &line, NULL, offset);
    if (file)
        return reader_text(reader, clang_getFileName(file));
    CXString name;
    clang_getPresumedLocation(at, &name, NULL, NULL);
    return reader_text(reader, name);
}

void reader_note_macro(struct reader *reader, CXCursor definition)
{
    if (clang_Cursor_isMacroFunctionLike(definition) || clang_Cursor_isMacroBuiltin(definition))
        return;
    struct macro macro = {.name = reader_text(reader, clang_getCursorSpelling(definition))};
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(definition)) &&
        strncmp(macro.name, "MPI_", 4) != 0) /* datatypes are told by their names */
        return;
    CXSourceRange range = clang_getCursorExtent(definition);
    macro.file = file_at(reader, clang_getRangeStart(range), &macro.begin);
    file_at(reader, clang_getRangeEnd(range), &macro.end);
    if (!strcmp(macro.file, "<built-in>"))
        return;
    if (reader->macro_count == reader->macro_room) {
        reader->macro_room = reader->macro_room ? 2 * reader->macro_room : 16;
        struct macro *macros =
            arena_take(reader->arena, (size_t)reader->macro_room, sizeof *macros);
        if (reader->macro_count)
            memcpy(macros, reader->macros, (size_t)reader->macro_count * sizeof *macros);
        reader->macros = macros;
    }
    reader->macros[reader->macro_count++] = macro;
}

const char *reader_macro_of(struct reader *reader, CXCursor literal)
{
    unsigned spelled, expanded;
    CXSourceLocation at = clang_getCursorLocation(literal);
    clang_getExpansionLocation(at, NULL, NULL, NULL, &expanded);
    if (reader->macro_count == 0)
        return NULL;
    const char *file = file_at(reader, at, &spelled);
    for (int i = reader->macro_count - 1; i >= 0; i--) {
        const struct macro *macro = &reader->macros[i];
        if (spelled >= macro->begin && spelled <= macro->end && !strcmp(macro->file, file))
            return macro->name;
    }
    return NULL;
}
