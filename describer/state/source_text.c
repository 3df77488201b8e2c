#include "describer/state/source_text.h"

#include <stdio.h>
#include <string.h>

const char *source_text(struct describer *describer, int file, size_t begin, size_t end)
{
    FILE *stream = end > begin ? fopen(describer->source->files[file], "rb") : NULL;
    if (!stream)
        return "";
    char *text = arena_take(describer->arena, end - begin + 1, 1);
    const bool is_there = fseek(stream, (long)begin, SEEK_SET) == 0;
    text[is_there ? fread(text, 1, end - begin, stream) : 0] = '\0';
    fclose(stream);
    return text;
}

/* Where a call of a macro comes last, what is known is where the call begins. */
enum { CALL_MOST = 400 };

const char *source_statement(struct describer *describer, const struct syntax *loop)
{
    const char *text = source_text(describer, loop->file, loop->begin, loop->end);
    const size_t length = strlen(text);
    if (length == 0 || text[length - 1] == '}')
        return text;
    const char *more = source_text(describer, loop->file, loop->end, loop->end + CALL_MOST);
    return arena_format(describer->arena, "%s%.*s", text, (int)strcspn(more, ";"), more);
}
