#include "describer/write/loop_code.h"

#include "describer/state/source_text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- declarations ---- */

static bool is_pointing(const struct type *type)
{
    return type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY;
}

/* The type's name without const, which would forbid to set it. */
static const char *plain_name(const struct type *type)
{
    const char *name = type->name;
    while (strncmp(name, "const ", 6) == 0 || strncmp(name, "volatile ", 9) == 0)
        name += strcspn(name, " ") + 1;
    return name;
}

static const struct type *type_of(const struct captured *item)
{
    return item->type ? item->type : item->declaration->type;
}

/* What is set where the item is set: a variable, or a member of the room that its record has. */
static const char *place_name(struct arena *arena, const struct captured *item)
{
    if (!item->path)
        return item->name;
    const bool is_pointer = item->declaration->type->kind == TYPE_POINTER;
    return arena_format(arena, "%s%s%s", is_pointer ? "forecost_of_" : "", item->declaration->name,
                        item->path);
}

/* Room for a record, and the pointer to it, if the loop has one. */
static const char *record_text(struct arena *arena, const struct captured *item)
{
    const struct type *type = item->declaration->type;
    if (type->kind == TYPE_RECORD)
        return arena_format(arena, "    %s %s = {0};\n", plain_name(type), item->name);
    return arena_format(arena, "    %s forecost_of_%s = {0}; %s %s = &forecost_of_%s;\n",
                        plain_name(type->of), item->name, plain_name(type), item->name, item->name);
}

static const char *type_name(const struct captured *item)
{
    return item->declaration ? plain_name(item->declaration->type) : "int";
}

/* Whether something else that the loop names is a part of the same array. */
static bool is_shared(const struct capture *capture, const struct captured *item)
{
    for (int i = 0; i < capture->count; i++)
        if (&capture->items[i] != item && capture->items[i].array == item->array)
            return true;
    return false;
}

/* Arrays of their own lie apart, and compilers know it of them as of `restrict`. */
static const char *restrict_of(const struct capture *capture, const struct captured *item)
{
    const struct type *type = type_of(item);
    const bool is_own = type->kind == TYPE_ARRAY && !item->is_argument && !is_shared(capture, item);
    return is_own || strstr(type->name, "restrict") ? "restrict " : "";
}

/* number: of the array among those of the loop. */
static const char *array_text(struct arena *arena, const struct capture *capture,
                              const struct captured *item, int number)
{
    const struct type *type = item->declaration->type->of;
    const char *extents = "";
    int dimension = 1;
    for (; is_pointing(type); type = type->of, dimension++)
        extents =
            arena_format(arena, "%s[forecost_e[%d]]", extents, number * RANK_MOST + dimension);
    if (item->from)
        return arena_format(arena, "    %s *%s%s = (%s *)forecost_a[%d] + %s;\n", type->name,
                            restrict_of(capture, item), item->name, type->name, number, item->from);
    return arena_format(arena,
                        *extents ? "    %s (*%s%s)%s = forecost_a[%d];\n"
                                 : "    %s *%s%s%s = forecost_a[%d];\n",
                        type->name, restrict_of(capture, item), item->name, extents, number);
}

static const char *whole_text(struct arena *arena, const struct captured *item, int number)
{
    return arena_format(arena, "    %s %s = forecost_p[%d];\n", type_name(item), item->name,
                        number);
}

/* What the loops' headers need, or all. */
static const char *declarations(struct arena *arena, const struct capture *capture, bool all)
{
    const char *text = "";
    int wholes = 0, arrays = 0;
    for (int i = 0; i < capture->count; i++) {
        const struct captured *item = &capture->items[i];
        const char *line = "";
        const char *place = item->path ? place_name(arena, item) : NULL;
        if (item->kind == CAPTURED_RECORD)
            line = record_text(arena, item);
        else if (place && item->kind == CAPTURED_WHOLE)
            line = arena_format(arena, "    %s = forecost_p[%d];\n", place, wholes++);
        else if (place && item->kind == CAPTURED_SCALAR)
            line = arena_format(arena, "    %s = forecost_scalar;\n", place);
        else if (place && item->kind == CAPTURED_ARRAY)
            line = all ? arena_format(arena, "    %s = forecost_a[%d];\n", place, arrays++) : "";
        else if (item->kind == CAPTURED_WHOLE)
            line = whole_text(arena, item, wholes++);
        else if (item->kind == CAPTURED_INDEX || item->kind == CAPTURED_OWN)
            line = arena_format(arena, "    %s %s = 0;\n", type_name(item), item->name);
        else if (item->kind == CAPTURED_SCALAR)
            line =
                arena_format(arena, "    %s %s = forecost_scalar;\n", type_name(item), item->name);
        else if (item->kind == CAPTURED_ARRAY && all)
            line = array_text(arena, capture, item, arrays++);
        text = arena_format(arena, "%s%s", text, line);
    }
    return text;
}

/* ---- the loops ---- */

static bool is_pointer_set(const struct syntax *statement)
{
    const struct syntax *to = statement->children[0];
    return is_pointing(to->declaration->type);
}

/* What is set in the body of a loop before the next one, for which it has a brace; pointers where
   there are arrays alone. */
static const char *between(struct describer *describer, const struct capture *capture, int level,
                           bool all)
{
    struct arena *arena = describer->arena;
    const char *text = "";
    for (int i = 0; i < capture->between_count; i++) {
        const struct syntax *statement = capture->between[i].statement;
        if (capture->between[i].level == level && (all || !is_pointer_set(statement)))
            text = arena_format(
                arena, "%s    %s;\n", text,
                source_text(describer, statement->file, statement->begin, statement->end));
    }
    return text;
}

static bool has_between(const struct capture *capture, int level)
{
    for (int i = 0; i < capture->between_count; i++)
        if (capture->between[i].level == level)
            return true;
    return false;
}

/* Of the outermost of several loops only every so many-th iteration is run where all would take too
   long. */
static const char *headers(struct describer *describer, const struct capture *capture, bool all)
{
    struct arena *arena = describer->arena;
    const char *text = "";
    for (int i = 0; i + 1 < capture->loop_count; i++) {
        const struct syntax *loop = capture->loops[i];
        text =
            arena_format(arena, "%s    %s%s%s\n%s", text,
                         source_text(describer, loop->file, loop->begin, loop->children[3]->begin),
                         i == 0 ? " if (forecost_n++ % forecost_step == 0)" : "",
                         has_between(capture, i) ? " {" : "", between(describer, capture, i, all));
    }
    return text;
}

static const char *ends(struct arena *arena, const struct capture *capture)
{
    const char *text = "";
    for (int i = 0; i + 1 < capture->loop_count; i++)
        text = has_between(capture, i) ? arena_format(arena, "%s }", text) : text;
    return text;
}

/* What a loop hands on is set before it and kept behind it, as around it in its program. */
static const char *handed_on(struct arena *arena, const struct capture *capture, bool behind)
{
    const char *text = "";
    for (int i = 0; i < capture->count; i++) {
        const struct captured *item = &capture->items[i];
        if (item->kind == CAPTURED_SCALAR && item->is_assigned)
            text =
                arena_format(arena, behind ? "%s forecost_sink = %s;" : "%s %s = forecost_scalar;",
                             text, place_name(arena, item));
    }
    return text;
}

static const char *body_text(struct describer *describer, const struct capture *capture)
{
    struct arena *arena = describer->arena;
    const struct syntax *loop = capture->loops[capture->loop_count - 1];
    return arena_format(arena, "%s    long forecost_n = 0;\n%s    {%s\n    %s;\n    %s }%s\n",
                        declarations(arena, capture, true), headers(describer, capture, true),
                        handed_on(arena, capture, false), source_statement(describer, loop),
                        handed_on(arena, capture, true), ends(arena, capture));
}

static const char *count_text(struct describer *describer, const struct capture *capture)
{
    struct arena *arena = describer->arena;
    const struct syntax *loop = capture->loops[capture->loop_count - 1];
    return arena_format(arena,
                        "%s    long forecost_n = 0;\n%s    { long forecost_k = 0;\n    %s "
                        "forecost_k++;\n    forecost_c[0] += 1; forecost_c[1] += forecost_k; }%s\n",
                        declarations(arena, capture, false), headers(describer, capture, false),
                        source_text(describer, loop->file, loop->begin, loop->children[3]->begin),
                        ends(arena, capture));
}

/* ---- adding ---- */

/* Fowler, Noll and Vo's hash 1a of 64 bits; blanks are all alike. */
static void hash_text(const char *text, char hash[20])
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (bool was_blank = true; *text; text++) {
        const bool is_blank = strchr(" \t\n\r", *text) != NULL;
        if (!is_blank || !was_blank)
            sum = (sum ^ (unsigned char)(is_blank ? ' ' : *text)) * UINT64_C(1099511628211);
        was_blank = is_blank;
    }
    snprintf(hash, 20, "%016" PRIx64, sum);
}

const struct loop_code *loop_code_add(struct describer *describer, struct loop_codes *codes,
                                      const struct loop *loop)
{
    const struct capture *capture = loop->capture;
    const char *base = strrchr(loop->place.file ? loop->place.file : "", '/');
    struct loop_code code = {.capture = capture, .why = capture ? capture->refused : "not seen"};
    if (codes->count == LOOP_CODES_MOST)
        return NULL;
    code.at = arena_format(describer->arena, "%s:%u", base ? base + 1 : loop->place.file,
                           loop->place.line);
    if (!code.why)
        code.text = body_text(describer, capture);
    hash_text(code.text ? code.text : code.at, code.hash);
    for (int i = 0; i < codes->count; i++)
        if (strcmp(codes->items[i].hash, code.hash) == 0)
            return &codes->items[i];
    codes->items[codes->count] = code;
    return &codes->items[codes->count++];
}

/* ---- the file ---- */

static void write_quoted(const char *text, FILE *stream)
{
    putc('"', stream);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n\"\n\"", stream);
        else if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else if (*text == '?')
            fputs("\\?", stream);
        else
            putc(*text, stream);
    putc('"', stream);
}

/* A constant of the preprocessor is a variable as long as the loop stands. */
static void write_macros(const struct capture *capture, bool begins, FILE *stream)
{
    for (int i = 0; i < capture->count; i++) {
        const char *name = capture->items[i].name;
        if (capture->items[i].declaration)
            continue;
        fprintf(stream,
                begins ? "#pragma push_macro(\"%s\")\n#undef %s\n" : "#pragma pop_macro(\"%s\")\n",
                name, name);
    }
}

static void write_names(struct describer *describer, const struct capture *capture, int number,
                        FILE *stream)
{
    fprintf(stream, "static const char *const forecost_values_%d[] = {", number);
    for (int i = 0; i < capture->count; i++)
        if (capture->items[i].kind == CAPTURED_WHOLE)
            fprintf(stream, "\"%s\", ",
                    polynomial_text(&describer->algebra, capture->items[i].whole, ""));
    fprintf(stream, "0};\nstatic const char *const forecost_arrays_%d[] = {", number);
    for (int i = 0; i < capture->count; i++)
        if (capture->items[i].kind == CAPTURED_ARRAY)
            fprintf(stream, "\"%s\", ", capture->items[i].array->name);
    fprintf(stream, "0};\n");
}

/* f: floating point, i: whole numbers, an array each. */
static const char *kinds_of(struct arena *arena, const struct capture *capture)
{
    const char *kinds = "";
    for (int i = 0; i < capture->count; i++) {
        if (capture->items[i].kind != CAPTURED_ARRAY)
            continue;
        const struct type *type = type_of(&capture->items[i]);
        while (is_pointing(type))
            type = type->of;
        kinds = arena_format(arena, "%s%c", kinds, type->kind == TYPE_FLOATING ? 'f' : 'i');
    }
    return kinds;
}

static void write_function(struct describer *describer, const struct loop_code *code, int number,
                           FILE *stream)
{
    if (code->capture->loops[0]->file != 0)
        fprintf(stream, "\n#ifdef FORECOST_FIRST_ALONE\n#define FORECOST_WITHOUT_%d\n#endif",
                number);
    fprintf(stream, "\n#ifndef FORECOST_WITHOUT_%d /* loop %s */\n", number, code->at);
    write_names(describer, code->capture, number, stream);
    write_macros(code->capture, true, stream);
    fprintf(stream,
            "static __attribute__((noinline)) void forecost_run_%d(const long *forecost_p, void "
            "*const *forecost_a, const long *forecost_e, long forecost_step)\n{\n%s}\n",
            number, code->text);
    fprintf(stream,
            "static void forecost_count_%d(const long *forecost_p, long forecost_step, double "
            "*forecost_c)\n{\n%s}\n",
            number, count_text(describer, code->capture));
    write_macros(code->capture, false, stream);
    fprintf(stream, "#endif\n");
}

static void write_row(struct describer *describer, const struct loop_code *code, int number,
                      FILE *stream)
{
    fprintf(stream,
            "#ifndef FORECOST_WITHOUT_%d\n    {\"%s\", \"%s\", %d, \"%s\", forecost_values_%d, "
            "forecost_arrays_%d, forecost_run_%d, forecost_count_%d},\n#endif\n",
            number, code->at, code->hash, code->capture->loop_count,
            kinds_of(describer->arena, code->capture), number, number, number, number);
}

/* The same as in trainer/loops/object.h. */
static const char interface[] =
    "struct forecost_loop {\n"
    "    const char *at, *hash;\n"
    "    long nest;\n"
    "    const char *kinds, *const *values, *const *arrays;\n"
    "    void (*run)(const long *, void *const *, const long *, long);\n"
    "    void (*count)(const long *, long, double *);\n"
    "};\n"
    "double forecost_scalar = 1.0, forecost_sink;\n";

static void write_rows(struct describer *describer, const struct loop_codes *codes, FILE *stream)
{
    fputs("\nstatic const struct forecost_loop forecost_items[] = {\n", stream);
    for (int i = 0; i < codes->count; i++)
        if (codes->items[i].text)
            write_row(describer, &codes->items[i], i + 1, stream);
    fputs("    {0}};\n"
          "__attribute__((visibility(\"default\"))) const struct {\n"
          "    long version;\n"
          "    const char *compiler, *flags, *source, *description;\n"
          "    const struct forecost_loop *items;\n"
          "} forecost_loops = {1, FORECOST_COMPILER __VERSION__, FORECOST_FLAGS, ",
          stream);
    write_quoted(describer->source->files[0], stream);
    fputs(", forecost_description, forecost_items};\n", stream);
}

void loop_codes_write(struct describer *describer, const struct loop_codes *codes,
                      const char *description, FILE *stream)
{
    for (int i = 0; i < codes->count; i++)
        if (!codes->items[i].text)
            fprintf(stream, "/* loop %s: %s */\n", codes->items[i].at, codes->items[i].why);
    fputs("#define main forecost_main\n", stream);
    for (int i = 0; i < describer->source->file_count; i++) {
        char *path = realpath(describer->source->files[i], NULL);
        fputs(i == 1 ? "#ifndef FORECOST_FIRST_ALONE\n#include " : "#include ", stream);
        write_quoted(path ? path : describer->source->files[i], stream);
        fputs(i > 0 && i + 1 == describer->source->file_count ? "\n#endif\n" : "\n", stream);
        free(path);
    }
    fprintf(stream, "#undef main\n%s", interface);
    fputs("#ifdef __clang__\n#define FORECOST_COMPILER \"\"\n#else\n"
          "#define FORECOST_COMPILER \"gcc \"\n#endif\n",
          stream);
    for (int i = 0; i < codes->count; i++)
        if (codes->items[i].text)
            write_function(describer, &codes->items[i], i + 1, stream);
    fputs("\nstatic const char forecost_description[] =\n", stream);
    write_quoted(description, stream);
    fputs(";\n", stream);
    write_rows(describer, codes, stream);
}
