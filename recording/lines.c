/* Lines of the source in place of offsets in a module, as addr2line tells them of programs that
   were compiled with -g: the same for programs that were compiled again, for another size. */
#include "recording/recording.h"

#include "model/base/allocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Addresses that are asked for at once: a command line has room for more. */
enum { ASKED = 500 };

/* A place: where it stands in the text of a site's places, and what it is called. */
struct place_line {
    const char *text; /* MODULE+OFFSET, up to a blank */
    size_t module;    /* the length of MODULE */
    char *line;       /* FILE:LINE; owned; NULL: not known */
};

struct lines {
    struct place_line *items;
    size_t count;
};

static struct place_line *place_of(const struct lines *lines, const char *text, size_t length)
{
    for (size_t i = 0; i < lines->count; i++)
        if (strncmp(lines->items[i].text, text, length) == 0 &&
            (lines->items[i].text[length] == ' ' || lines->items[i].text[length] == '\0'))
            return &lines->items[i];
    return NULL;
}

static void add_places(struct lines *lines, const char *places)
{
    while (*places) {
        const size_t length = strcspn(places, " ");
        size_t module = length;
        while (module > 0 && places[module] != '+')
            module--;
        if (!place_of(lines, places, length)) {
            lines->items = memory_grow(lines->items, lines->count + 1, sizeof *lines->items);
            lines->items[lines->count++] = (struct place_line){places, module, NULL};
        }
        places += length;
        places += strspn(places, " ");
    }
}

static bool same_module(const struct place_line *a, const struct place_line *b)
{
    return a->module == b->module && strncmp(a->text, b->text, a->module) == 0;
}

/* Asks for those of a module from one place on, up to so many; where no addr2line is, or the module
   is elsewhere, nothing becomes known. */
static void ask(struct lines *lines, size_t from)
{
    struct place_line *first = &lines->items[from], *asked[ASKED];
    char *command, line[400];
    size_t bytes, count = 0;
    if (memchr(first->text, '\'', first->module))
        return;
    FILE *text = memory_stream(&command, &bytes);
    fprintf(text, "addr2line -s -e '%.*s'", (int)first->module, first->text);
    for (size_t i = from; i < lines->count && count < ASKED; i++) {
        const char *offset = lines->items[i].text + lines->items[i].module + 1;
        const size_t digits = strspn(offset, "0123456789abcdef");
        if (lines->items[i].line || !same_module(&lines->items[i], first) || digits == 0)
            continue;
        fprintf(text, " 0x%.*s", (int)digits, offset);
        asked[count++] = &lines->items[i];
    }
    fputs(" 2>/dev/null", text);
    memory_stream_end(text);
    FILE *told = popen(command, "r");
    for (size_t i = 0; told && i < count && fgets(line, sizeof line, told); i++) {
        line[strcspn(line, " \n")] = '\0';
        const char *colon = strrchr(line, ':');
        if (line[0] != '?' && colon && colon[1] >= '1' && colon[1] <= '9')
            asked[i]->line = memory_copy_text(line);
    }
    if (told)
        pclose(told);
    free(command);
}

void recording_find_lines(struct recording *recording)
{
    struct lines lines = {NULL, 0};
    for (size_t i = 0; i < recording->site_count; i++)
        add_places(&lines, recording->places[i]);
    for (size_t i = 0; i < lines.count; i++) {
        bool is_first = true;
        for (size_t k = i; k-- > 0 && is_first && i % ASKED != 0;)
            is_first = !same_module(&lines.items[k], &lines.items[i]);
        if (is_first && !lines.items[i].line)
            ask(&lines, i);
    }
    for (size_t i = 0; i < recording->site_count; i++) {
        char *name;
        size_t bytes;
        bool has_line = false;
        for (const char *at = recording->places[i]; *at; at += strspn(at, " ")) {
            const size_t length = strcspn(at, " ");
            has_line |= place_of(&lines, at, length)->line != NULL;
            at += length;
        }
        FILE *out = memory_stream(&name, &bytes);
        for (const char *places = recording->places[i]; *places;) {
            const size_t length = strcspn(places, " ");
            const struct place_line *place = place_of(&lines, places, length);
            size_t from = length;
            while (from > 0 && places[from - 1] != '/')
                from--;
            if (place->line)
                fprintf(out, "%s ", place->line);
            else if (!has_line) /* else it is of a library, or what calls main */
                fprintf(out, "%.*s ", (int)(length - from), places + from);
            places += length;
            places += strspn(places, " ");
        }
        memory_stream_end(out);
        free(recording->sites[i]);
        recording->sites[i] = name;
    }
    for (size_t i = 0; i < lines.count; i++)
        free(lines.items[i].line);
    free(lines.items);
}
