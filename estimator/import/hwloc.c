/* hwloc's XML (lstopo --of xml), of versions 1 and 2: what the system tells of cores, caches and
   memory. An own reading of its tags: it has no text between them. */
#include "estimator/import/import.h"

#include "model/base/allocation.h"
#include "model/base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_MOST = 256, VALUE_TEXT = 256 };

/* ---- tags ---- */

/* What stands between < and >, without these. */
struct tag {
    const char *begin; /* in the text, behind < */
    size_t length;
};

static bool tag_is(const struct tag *tag, const char *name)
{
    const size_t length = strlen(name);
    return tag->length >= length && strncmp(tag->begin, name, length) == 0 &&
           (tag->length == length || !isalnum((unsigned char)tag->begin[length]));
}

/* The few that such files have. */
static size_t unescape(const char *from, char *to)
{
    static const struct {
        const char *name;
        char is;
    } entities[] = {
        {"&amp;",  '&'},
        {"&lt;",   '<'},
        {"&gt;",   '>'},
        {"&quot;", '"'}
    };
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (strncmp(from, entities[i].name, strlen(entities[i].name)) == 0) {
            *to = entities[i].is;
            return strlen(entities[i].name);
        }
    *to = *from;
    return 1;
}

/* The value of an attribute, "" where there is none, into a text of VALUE_TEXT bytes. */
static const char *attribute(const struct tag *tag, const char *name, char value[VALUE_TEXT])
{
    const size_t length = strlen(name);
    const char *end = tag->begin + tag->length;
    value[0] = '\0';
    for (const char *at = tag->begin; at + length + 2 < end; at++) {
        if (!isspace((unsigned char)at[0]) || strncmp(at + 1, name, length) != 0 ||
            at[length + 1] != '=' || at[length + 2] != '"')
            continue;
        size_t count = 0;
        for (at += length + 3; at < end && *at != '"' && count < VALUE_TEXT - 1; count++)
            at += unescape(at, &value[count]);
        while (count > 0 && value[count - 1] == ' ')
            count--;
        value[count] = '\0';
        return value;
    }
    return value;
}

/* A number of an attribute; NAN: none, or not above 0. */
static double number_of(const struct tag *tag, const char *name)
{
    char value[VALUE_TEXT];
    double number;
    return number_parse(attribute(tag, name, value), &number) && number > 0.0 ? number
                                                                              : (double)NAN;
}

/* ---- the file ---- */

struct reading {
    const struct importer *importer;
    const char *at; /* in the text */
    size_t line, line_begin;
    struct tag open[OPEN_MOST];
    size_t depth;
    struct topology found; /* counted from 0 */
    double memory_of_machine;
    bool is_complete; /* </topology> was read */
};

/* Lines end with zeros in the text (text.h). */
static const char *next_tag(struct reading *reading)
{
    const struct text *text = reading->importer->text;
    const char *end = text->bytes + text->size;
    for (; reading->at < end && *reading->at != '<'; reading->at++)
        if (*reading->at == '\0') {
            reading->line++;
            reading->line_begin = (size_t)(reading->at - text->bytes) + 1;
        }
    return reading->at < end ? reading->at : NULL;
}

static struct place here(const struct reading *reading)
{
    const size_t offset = (size_t)(reading->at - reading->importer->text->bytes);
    return text_place(reading->importer->text, reading->line,
                      (unsigned)(offset - reading->line_begin) + 1);
}

/* ---- what tags say ---- */

static double level_of(const struct tag *tag, const char *type)
{
    if (strcmp(type, "Cache") == 0)
        return number_of(tag, "depth");
    const bool is_level = type[0] == 'L' && isdigit((unsigned char)type[1]) && type[2] == 'C';
    return is_level ? (double)(type[1] - '0') : (double)NAN;
}

/* Of instructions only: no place for data. */
static bool is_for_instructions(const struct tag *tag)
{
    char value[VALUE_TEXT];
    return strcmp(attribute(tag, "cache_type", value), "2") == 0;
}

static struct memory *memory_of(struct machine *machine)
{
    if (!machine->memory) {
        machine->memory = memory_new(1, sizeof *machine->memory);
        record_begin(&memory_record, machine->memory);
    }
    return machine->memory;
}

/* The first of each level stands for all: of which cores it is, the file says, the table cannot. */
static void take_cache(struct reading *reading, const struct tag *tag, double level)
{
    struct memory *memory = memory_of(&reading->importer->to->machine);
    if (isnan(level) || level > MEMORY_LEVELS_MOST || is_for_instructions(tag) ||
        memory_level(memory, level))
        return;
    struct memory_level *found = list_add(&memory_level_record, &memory->levels);
    found->level = level;
    found->told_capacity_bytes = number_of(tag, "cache_size");
    found->told_line_bytes = number_of(tag, "cache_linesize");
    found->told_ways = number_of(tag, "cache_associativity");
}

static void take_memory(struct reading *reading, const struct tag *tag)
{
    const double bytes = number_of(tag, "local_memory");
    if (!isnan(bytes))
        reading->found.memory_bytes += bytes;
}

static void take_object(struct reading *reading, const struct tag *tag)
{
    char type[VALUE_TEXT];
    attribute(tag, "type", type);
    if (strcmp(type, "Package") == 0 || strcmp(type, "Socket") == 0)
        reading->found.packages++;
    else if (strcmp(type, "NUMANode") == 0)
        reading->found.numa_nodes++;
    else if (strcmp(type, "Core") == 0)
        reading->found.cores++;
    else if (strcmp(type, "PU") == 0)
        reading->found.threads++;
    else
        take_cache(reading, tag, level_of(tag, type));
    take_memory(reading, tag);
}

static void take_info(struct reading *reading, const struct tag *tag)
{
    struct provenance *measured = reading->importer->to->machine.machine.measured;
    char name[VALUE_TEXT], value[VALUE_TEXT];
    attribute(tag, "name", name);
    attribute(tag, "value", value);
    if (strcmp(name, "HostName") == 0)
        import_know(&measured->host, value);
    else if (strcmp(name, "CPUModel") == 0)
        import_know(&measured->cpu, value);
    else if (strcmp(name, "OSName") == 0)
        import_know(&measured->os, value);
}

/* ---- structure ---- */

static int close_tag(struct reading *reading, struct tag tag, struct error *error)
{
    tag.begin++;
    tag.length--;
    if (reading->depth == 0)
        return error_at(error, here(reading), "</%.*s> closes nothing", (int)tag.length, tag.begin);
    const struct tag *open = &reading->open[--reading->depth];
    char name[VALUE_TEXT];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(tag.begin, "> \t"), tag.begin);
    if (!tag_is(open, name))
        return error_at(error, here(reading), "</%.60s> closes <%.*s>", name,
                        (int)strcspn(open->begin, "> /\t"), open->begin);
    reading->is_complete |= strcmp(name, "topology") == 0;
    return 0;
}

static int take_tag(struct reading *reading, struct tag tag, struct error *error)
{
    if (tag.length > 0 && (tag.begin[0] == '?' || tag.begin[0] == '!'))
        return 0;
    if (tag.length > 0 && tag.begin[0] == '/')
        return close_tag(reading, tag, error);
    if (reading->depth == 0 && !tag_is(&tag, "topology"))
        return error_at(error, here(reading), "<%.*s>: expected <topology>",
                        (int)(tag.length < 40 ? tag.length : 40), tag.begin);
    if (tag_is(&tag, "object"))
        take_object(reading, &tag);
    else if (tag_is(&tag, "info"))
        take_info(reading, &tag);
    if (tag.length > 0 && tag.begin[tag.length - 1] == '/')
        return 0;
    if (reading->depth == OPEN_MOST)
        return error_at(error, here(reading), "more than %d tags within one another", OPEN_MOST);
    reading->open[reading->depth++] = tag;
    return 0;
}

static int read_tags(struct reading *reading, struct error *error)
{
    const struct text *text = reading->importer->text;
    const char *end = text->bytes + text->size, *begin;
    while ((begin = next_tag(reading))) {
        const char *close = memchr(begin, '>', (size_t)(end - begin));
        if (!close || memchr(begin, '\0', (size_t)(close - begin)))
            return error_at(error, here(reading), "a tag without its end: expected '>'");
        const struct tag tag = {begin + 1, (size_t)(close - begin) - 1};
        if (take_tag(reading, tag, error) != 0)
            return -1;
        reading->at = close + 1;
    }
    return reading->is_complete
               ? 0
               : error_at(error, here(reading), "the file ends before </topology>");
}

/* ---- the machine ---- */

static double above_0(double count)
{
    return count > 0.0 ? count : (double)NAN;
}

static int by_level(const void *a, const void *b)
{
    const double x = ((const struct memory_level *)a)->level;
    const double y = ((const struct memory_level *)b)->level;
    return (x > y) - (x < y);
}

static void set_topology(const struct reading *reading)
{
    struct machine *machine = &reading->importer->to->machine;
    const struct topology *found = &reading->found;
    machine->topology = memory_new(1, sizeof *machine->topology);
    *machine->topology = (struct topology){.packages = above_0(found->packages),
                                           .numa_nodes = above_0(found->numa_nodes),
                                           .cores = above_0(found->cores),
                                           .threads = above_0(found->threads),
                                           .memory_bytes = above_0(found->memory_bytes),
                                           .told_by = memory_copy_text("hwloc")};
    machine->machine.measured->cores = above_0(found->cores);
    if (!machine->memory)
        return;
    qsort(machine->memory->levels.items, machine->memory->levels.count, sizeof(struct memory_level),
          by_level);
    machine->memory->note = memory_copy_text("told by hwloc, not measured");
}

bool import_is_hwloc(const struct text *text)
{
    return text_find(text, "<topology") < text->count;
}

int import_hwloc(const struct importer *importer, struct error *error)
{
    struct reading *reading = memory_new(1, sizeof *reading);
    reading->importer = importer;
    reading->at = importer->text->bytes;
    int status = 0;
    if (importer->to->machine.topology)
        status = error_at(error, text_place(importer->text, 0, 1), "a second topology");
    if (status == 0)
        status = read_tags(reading, error);
    if (status == 0)
        set_topology(reading);
    free(reading);
    return status;
}
