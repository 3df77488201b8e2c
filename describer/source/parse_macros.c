#include "describer/source/parse_reader.h"

#include <string.h>

static const char command_line[] = "<command line>";

/* The file of a place. What is in none is taken to be from the command line: macros that the
   compiler predefines are not noted. */
static const char *file_at(struct reader *reader, CXSourceLocation at, unsigned *offset)
{
    CXFile file;
    clang_getSpellingLocation(at, &file, NULL, NULL, offset);
    return file ? reader_text(reader, clang_getFileName(file)) : command_line;
}

static bool is_predefined(struct reader *reader, CXCursor definition)
{
    CXString name;
    clang_getPresumedLocation(clang_getCursorLocation(definition), &name, NULL, NULL);
    return !strcmp(reader_text(reader, name), "<built-in>");
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
    if (is_predefined(reader, definition))
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
    unsigned spelled;
    CXSourceLocation at = clang_getCursorLocation(literal);
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
