#include "describer/source/parse.h"

#include "describer/source/limits.h"
#include "describer/source/parse_reader.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

const char *reader_text(struct reader *reader, CXString text)
{
    const char *given = clang_getCString(text);
    const char *copy = arena_copy(reader->arena, given ? given : "", given ? strlen(given) : 0);
    clang_disposeString(text);
    return copy;
}

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct cursors *cursors = data;
    if (cursors->count == cursors->room) {
        const int room = cursors->room ? 2 * cursors->room : 4;
        CXCursor *items = arena_take(cursors->arena, (size_t)room, sizeof *items);
        if (cursors->count)
            memcpy(items, cursors->items, (size_t)cursors->count * sizeof *items);
        cursors->items = items;
        cursors->room = room;
    }
    cursors->items[cursors->count++] = cursor;
    return CXChildVisit_Continue;
}

struct cursors reader_children(struct reader *reader, CXCursor cursor)
{
    struct cursors cursors = {.arena = reader->arena};
    clang_visitChildren(cursor, add_child, &cursors);
    return cursors;
}

/* The index of a file that was given; -1: another one. */
static int file_index(const struct reader *reader, const char *name)
{
    for (int i = 0; i < reader->source->file_count; i++)
        if (!strcmp(reader->source->files[i], name))
            return i;
    return -1;
}

struct place reader_place(struct reader *reader, CXCursor cursor, int *file, size_t *offset)
{
    CXFile in;
    unsigned line, column, at;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), NULL, &line, &column, NULL);
    CXSourceLocation begin = clang_getRangeStart(clang_getCursorExtent(cursor));
    clang_getExpansionLocation(begin, &in, NULL, NULL, &at);
    const char *name = in ? reader_text(reader, clang_getFileName(in)) : NULL;
    const int index = name ? file_index(reader, name) : -1;
    if (file)
        *file = index;
    if (offset)
        *offset = at;
    return place_at(index >= 0 ? reader->source->files[index] : name, line, column);
}

static void add_function(struct reader *reader, CXCursor cursor)
{
    struct source *source = reader->source;
    struct function *function = arena_take(reader->arena, 1, sizeof *function);
    struct cursors children = reader_children(reader, cursor);
    function->name = reader_text(reader, clang_getCursorSpelling(cursor));
    function->place = reader_place(reader, cursor, &function->file, &function->begin);
    function->is_static = clang_getCursorLinkage(cursor) == CXLinkage_Internal;
    function->parameters =
        arena_take(reader->arena, (size_t)children.count, sizeof(struct declaration *));
    for (int i = 0; i < children.count; i++) {
        const enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
        if (kind == CXCursor_ParmDecl)
            function->parameters[function->parameter_count++] =
                reader_declaration(reader, children.items[i]);
        if (kind == CXCursor_CompoundStmt)
            function->body = reader_syntax(reader, children.items[i]);
    }
    if (!function->body)
        return;
    function->end = function->body->end;
    source->functions = arena_more(reader->arena, source->functions, (size_t)source->function_count,
                                   sizeof *source->functions);
    source->functions[source->function_count++] = function;
}

static enum CXChildVisitResult read_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct reader *reader = data;
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_MacroDefinition)
        reader_note_macro(reader, cursor);
    if (kind == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor) &&
        !clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        add_function(reader, cursor);
    return CXChildVisit_Continue;
}

/* The first error of the compiler, as it says it. */
static int check_diagnostics(struct reader *reader, struct error *error)
{
    for (unsigned i = 0; i < clang_getNumDiagnostics(reader->unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(reader->unit, i);
        const bool is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        if (is_error) {
            CXFile file;
            unsigned line, column;
            clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &line,
                                       &column, NULL);
            const char *name = file ? reader_text(reader, clang_getFileName(file))
                                    : reader->source->files[reader->file];
            const char *text = reader_text(reader, clang_getDiagnosticSpelling(diagnostic));
            const bool is_header = strstr(text, "file not found");
            error_fill(error, place_at(name, line, column), "%s%s", text,
                       is_header ? ": say where it lies behind '--': -- -I FOLDER" : "");
        }
        clang_disposeDiagnostic(diagnostic);
        if (is_error)
            return -1;
    }
    return 0;
}

/* OpenMP's header, where the compiler has none of its own: pragmas apart, programs use of it how
   many threads there are, which one this is, the time, and locks. */
static const char omp_path[] = "/usr/include/omp.h";
static const char omp_header[] =
    "#pragma GCC system_header\n"
    "typedef struct { int x; } omp_lock_t, omp_nest_lock_t;\n"
    "int omp_get_thread_num(void), omp_get_num_threads(void), omp_get_max_threads(void);\n"
    "int omp_get_num_procs(void), omp_in_parallel(void), omp_get_level(void);\n"
    "void omp_set_num_threads(int), omp_set_dynamic(int), omp_set_nested(int);\n"
    "double omp_get_wtime(void), omp_get_wtick(void);\n"
    "void omp_init_lock(omp_lock_t *), omp_destroy_lock(omp_lock_t *);\n"
    "void omp_set_lock(omp_lock_t *), omp_unset_lock(omp_lock_t *);\n";

/* MPICH's header leaves out its prototypes on demand (mpi.h, "in a few weird cases"), and to read
   these takes as long as all the rest: 16 of 28 ms (mpich 4.0.2, clang 19). What is called without
   a prototype gives an int, as all of MPI does but its clock. */
static const char short_mpi[] = "-DMPICH_SUPPRESS_PROTOTYPES";
static const char clock_path[] = "/usr/include/mpi-clock-of-forecost.h";
static const char clock_header[] = "#pragma GCC system_header\n"
                                   "double MPI_Wtime(void), MPI_Wtick(void);\n";

static CXTranslationUnit parsed(const char *file, CXIndex index, const char *const *flags,
                                int count, enum CXErrorCode *code)
{
    struct CXUnsavedFile headers[] = {
        {clock_path, clock_header, sizeof clock_header - 1},
        {omp_path,   omp_header,   sizeof omp_header - 1  },
    };
    CXTranslationUnit unit = NULL;
    /* What libclang says of its own end is no message to a user. */
    const int said = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY);
    if (said >= 0 && nothing >= 0)
        dup2(nothing, STDERR_FILENO);
    limits_open_regular(true);
    *code = clang_parseTranslationUnit2(index, file, flags, count, headers,
                                        access(omp_path, F_OK) != 0 ? 2 : 1,
                                        CXTranslationUnit_DetailedPreprocessingRecord, &unit);
    limits_open_regular(false);
    if (said >= 0)
        dup2(said, STDERR_FILENO);
    close(said);
    close(nothing);
    return unit;
}

/* The last of the flags is short_mpi: what has errors with it is read without. */
static int parse_file(struct reader *reader, CXIndex index, const char *const *flags, int count,
                      struct error *error)
{
    const char *file = reader->source->files[reader->file];
    int status = -1;
    for (int pass = 0; pass < 2 && status != 0; pass++) {
        enum CXErrorCode code;
        reader->unit = parsed(file, index, flags, count - pass, &code);
        if (code == CXError_Crashed)
            return error_at(
                error, place_at(file, 0, 0),
                "libclang failed on it: it is nested too deeply, or needs more than %d MiB",
                LIMITS_MIB_MOST);
        if (code != CXError_Success || !reader->unit)
            return error_at(error, place_at(file, 0, 0), "cannot be read as C: is it there?");
        status = check_diagnostics(reader, error);
        if (status == 0) {
            clang_visitChildren(clang_getTranslationUnitCursor(reader->unit), read_top, reader);
            reader_pragmas(reader);
        }
        clang_disposeTranslationUnit(reader->unit);
    }
    return status;
}

int parse_files(struct arena *arena, const char *const *files, int file_count,
                const char *const *flags, int flag_count, struct source *source,
                struct error *error)
{
    *source = (struct source){.file_count = file_count};
    source->files = arena_take(arena, (size_t)file_count, sizeof *source->files);
    memcpy(source->files, files, (size_t)file_count * sizeof *files);
    const char **all = arena_take(arena, (size_t)flag_count + 9, sizeof *all);
    int all_count = 0;
    all[all_count++] = "-Wno-everything";
    /* What is timed is compiled without asserts, whose macro is no C that could be counted; flags
       that follow may take it back. */
    all[all_count++] = "-DNDEBUG";
    for (int i = 0; i < flag_count; i++)
        all[all_count++] = flags[i];
    all[all_count++] = "-fno-openmp"; /* pragmas of OpenMP stay comments: one thread is described */
    if (*MPI_FOLDER) {                /* behind all others: whoever has another MPI says so */
        all[all_count++] = "-idirafter";
        all[all_count++] = MPI_FOLDER;
    }
    all[all_count++] = "-Wno-implicit-function-declaration";
    all[all_count++] = "-include";
    all[all_count++] = clock_path;
    all[all_count++] = short_mpi;
    CXIndex index = clang_createIndex(0, 0);
    int status = 0;
    for (int i = 0; i < file_count && status == 0; i++) {
        struct reader *reader = arena_take(arena, 1, sizeof *reader);
        *reader = (struct reader){.arena = arena, .source = source, .file = i};
        status = parse_file(reader, index, all, all_count, error);
    }
    clang_disposeIndex(index);
    return status;
}
