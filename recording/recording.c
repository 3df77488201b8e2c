#include "recording/recording.h"

#include "model/base/allocation.h"
#include "model/base/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "forecost-recording: ";
static const char *const message_words[RECORDED_COLLECTIVE] = {
    "send", "receive", "start-send", "start-receive", "done", "probe"};

const struct collective collectives[] = {
    {"barrier",            &pattern_synchronization,     false},
    {"broadcast",          &pattern_broadcast,           false},
    {"reduce",             &pattern_reduce,              false},
    {"allreduce",          &pattern_combine,             false},
    {"scan",               &pattern_combine,             false},
    {"alltoall",           &pattern_many_to_many,        false},
    {"alltoallv",          &pattern_many_to_many,        true },
    {"allgather",          &pattern_all_gather,          false},
    {"allgather-in-place", &pattern_all_gather_in_place, false},
    {"gather",             &pattern_gather,              false},
    {"scatter",            &pattern_scatter,             false},
    {"reduce-scatter",     &pattern_reduce_scatter,      false},
    {NULL,                 NULL,                         false},
};

/* constant: depth of loops that a recording may have: 200 loops
   a limit against files that were tampered with; programs have fewer than 10. */
enum { DEPTH_MOST = 200 };

/* ---- reading ---- */

struct reader {
    struct recording *recording;
    char *text, *at; /* the file; where the present line goes on */
    char *next;      /* the line behind it */
    unsigned line;
    size_t *site_numbers; /* of the present process: in the recording */
    size_t site_count;
    struct error *error;
};

static int wrong(struct reader *it, const char *what)
{
    return error_at(it->error, place_at(it->recording->path, it->line, 0),
                    "expected %s: the recording is damaged, or of another version of "
                    "forecost-record",
                    what);
}

/* The next word of the line; an empty one at its end. */
static char *word(struct reader *it)
{
    char *from = it->at + strspn(it->at, " ");
    char *end = from + strcspn(from, " ");
    it->at = *end ? end + 1 : end;
    *end = '\0';
    return from;
}

static bool number(struct reader *it, double *value)
{
    return number_parse(word(it), value);
}

/* A whole number from least on. */
static bool whole(struct reader *it, double least, int *value)
{
    double read;
    if (!number(it, &read) || read < least || read > 2147483647.0 || read != (int)read)
        return false;
    *value = (int)read;
    return true;
}

static bool next_line(struct reader *it)
{
    if (!*it->next)
        return false;
    it->at = it->next;
    it->next += strcspn(it->next, "\n");
    if (*it->next)
        *it->next++ = '\0';
    it->line++;
    return true;
}

static int read_file(struct reader *it, const char *path)
{
    FILE *file = fopen(path, "r");
    size_t bytes = 0, room = 1 << 16, got;
    if (!file)
        return error_set(it->error, "%s: %s", path, strerror(errno));
    it->text = memory_new(room, 1);
    while ((got = fread(it->text + bytes, 1, room - bytes - 1, file)) > 0)
        if ((bytes += got) == room - 1)
            it->text = memory_grow(it->text, room *= 2, 1);
    const bool failed = ferror(file);
    fclose(file);
    it->text[bytes] = '\0';
    it->next = it->text;
    if (failed || strlen(it->text) != bytes)
        return error_set(it->error, "%s: it is no recording, or cannot be read", path);
    return 0;
}

static int read_parameters(struct reader *it)
{
    struct recording *recording = it->recording;
    for (char *name = word(it); *name; name = word(it)) {
        char *equal = strchr(name, '=');
        double value;
        if (!equal || equal == name || !number_parse_bytes(equal + 1, &value))
            return wrong(it, "parameters as NAME=VALUE");
        *equal = '\0';
        recording->parameters = memory_grow(recording->parameters, recording->parameter_count + 1,
                                            sizeof *recording->parameters);
        recording->parameters[recording->parameter_count++] =
            (struct recorded_parameter){memory_copy_text(name), value};
    }
    return 0;
}

static int read_head(struct reader *it)
{
    struct recording *recording = it->recording;
    static const char *const keys[] = {head, "processes:", "mpi:", "parameters:", "program:"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!next_line(it) || strncmp(it->at, keys[i], strlen(keys[i])) != 0)
            return wrong(it, "the head of a recording");
        it->at += strlen(keys[i]);
        if (i == 0 && strcmp(it->at, "1") != 0)
            return wrong(it, "version 1");
        if (i == 1 && (!whole(it, 1, &recording->processes) || recording->processes > 100000))
            return wrong(it, "how many processes ran");
        if (i == 3 && read_parameters(it) != 0)
            return -1;
        if (i == 4)
            recording->program = memory_copy_text(it->at + strspn(it->at, " "));
    }
    recording->each = memory_new((size_t)recording->processes, sizeof *recording->each);
    return 0;
}

static int read_communicator(struct reader *it, struct recorded_process *process)
{
    int own, size;
    process->communicators = memory_grow(process->communicators, process->communicator_count + 1,
                                         sizeof *process->communicators);
    struct recorded_communicator *made = &process->communicators[process->communicator_count];
    *made = (struct recorded_communicator){0};
    process->communicator_count++;
    if (!whole(it, 0, &own) || (size_t)own + 1 != process->communicator_count ||
        strcmp(word(it), "copy") != 0 || !whole(it, 0, &made->copy) ||
        strcmp(word(it), "grid") != 0 || !whole(it, 0, &made->dimensions) ||
        made->dimensions > RECORDING_GRID)
        return wrong(it, "communicator NUMBER copy NUMBER grid SIDES");
    for (int d = 0; d < made->dimensions; d++) {
        char *side = word(it), *end = side + strlen(side);
        double value;
        made->rings[d] = end > side && end[-1] == 'o';
        if (made->rings[d])
            end[-1] = '\0';
        if (!number_parse(side, &value) || value < 1 || value > it->recording->processes)
            return wrong(it, "a side of the grid");
        made->sides[d] = (int)value;
    }
    if (strcmp(word(it), "members") != 0 || !whole(it, 0, &size) || size > it->recording->processes)
        return wrong(it, "the members of a communicator");
    made->members = memory_new((size_t)size, sizeof *made->members);
    for (made->size = 0; made->size < size; made->size++)
        if (!whole(it, -1, &made->members[made->size]) ||
            made->members[made->size] >= it->recording->processes)
            return wrong(it, "the members of a communicator");
    return 0;
}

/* The same of a program that was moved. */
static char *without_folders(const char *places)
{
    char *text;
    size_t bytes;
    FILE *out = memory_stream(&text, &bytes);
    while (*places) {
        const size_t length = strcspn(places, " ");
        size_t from = length;
        while (from > 0 && places[from - 1] != '/')
            from--;
        fprintf(out, "%.*s ", (int)(length - from), places + from);
        places += length;
        places += strspn(places, " ");
    }
    memory_stream_end(out);
    return text;
}

/* Places that stand on the stack elsewhere have the number of the first of them: some numbers are
   left out. */
static int read_site(struct reader *it)
{
    int own;
    size_t i = 0;
    struct recording *recording = it->recording;
    if (!whole(it, 0, &own) || (size_t)own < it->site_count)
        return wrong(it, "the number of a place");
    const size_t count = (size_t)own + 1;
    it->site_numbers = memory_grow(it->site_numbers, count, sizeof *it->site_numbers);
    char *text = without_folders(it->at);
    while (i < recording->site_count && strcmp(recording->sites[i], text) != 0)
        i++;
    if (i == recording->site_count) {
        recording->sites = memory_grow(recording->sites, i + 1, sizeof *recording->sites);
        recording->places = memory_grow(recording->places, i + 1, sizeof *recording->places);
        recording->places[i] = memory_copy_text(it->at);
        recording->sites[recording->site_count++] = text;
    } else {
        free(text);
    }
    for (; it->site_count < count; it->site_count++)
        it->site_numbers[it->site_count] = i;
    return 0;
}

static int read_kind(struct reader *it, struct recorded_process *process)
{
    int own, site;
    process->kinds = memory_grow(process->kinds, process->kind_count + 1, sizeof *process->kinds);
    struct recorded_kind *kind = &process->kinds[process->kind_count];
    if (!whole(it, 0, &own) || (size_t)own != process->kind_count)
        return wrong(it, "the number of a kind");
    const char *name = word(it);
    kind->operation = 0;
    while (kind->operation < RECORDED_COLLECTIVE &&
           strcmp(message_words[kind->operation], name) != 0)
        kind->operation++;
    const struct collective *collective = collectives;
    if (kind->operation == RECORDED_COLLECTIVE) {
        while (collective->word && strcmp(collective->word, name) != 0)
            collective++;
        kind->operation += (int)(collective - collectives);
    }
    if (!collective->word)
        return wrong(it, "a call");
    if (!whole(it, 0, &kind->communicator) ||
        (size_t)kind->communicator >= process->communicator_count ||
        !whole(it, RECORDING_ANYBODY, &kind->partner) ||
        kind->partner >= it->recording->processes || !whole(it, RECORDING_ANY_TAG, &kind->tag) ||
        !whole(it, 0, &site) || !number(it, &kind->bytes) || !number(it, &kind->most) ||
        kind->bytes < 0 || kind->most < 0)
        return wrong(it, "a kind of calls");
    if (kind->operation != RECORDED_DONE && (size_t)site >= it->site_count)
        return wrong(it, "the place of a kind of calls");
    kind->site = kind->operation == RECORDED_DONE ? 0 : it->site_numbers[site];
    process->kind_count++;
    return 0;
}

/* Nodes up to the end of the loop, or of the line. */
static int read_nodes(struct reader *it, const struct recorded_process *process, int depth,
                      struct recorded_node **nodes, size_t *count)
{
    size_t room = 0;
    *nodes = NULL;
    *count = 0;
    for (char *text = word(it); *text && strcmp(text, ")") != 0; text = word(it)) {
        if (*count == room) {
            room = room ? 2 * room : 8;
            *nodes = memory_grow(*nodes, room, sizeof **nodes);
        }
        struct recorded_node *node = &(*nodes)[(*count)++];
        *node = (struct recorded_node){.count = 1.0};
        if (*text == '(') {
            size_t length = 0;
            if (depth == DEPTH_MOST || !number_parse(text + 1, &node->count) ||
                !(node->count >= 1.0))
                return wrong(it, "how often a loop goes round");
            if (read_nodes(it, process, depth + 1, &node->body, &length) != 0)
                return -1;
            node->length = (uint32_t)length;
            if (length == 0)
                return wrong(it, "calls in a loop");
            continue;
        }
        char *colon = strchr(text, ':');
        double kind;
        if (colon)
            *colon = '\0';
        if (!colon || !number_parse(text, &kind) || !number_parse(colon + 1, &node->us) ||
            !(kind >= 0.0) || !(kind < (double)process->kind_count))
            return wrong(it, "KIND:US");
        node->kind = (uint32_t)kind;
    }
    return 0;
}

static int read_count(struct reader *it)
{
    struct recording *recording = it->recording;
    double count;
    size_t i = 0;
    if (!number(it, &count))
        return wrong(it, "a number of calls");
    while (i < recording->counted_count && strcmp(recording->counted[i].name, it->at) != 0)
        i++;
    if (i == recording->counted_count) {
        recording->counted = memory_grow(recording->counted, i + 1, sizeof *recording->counted);
        recording->counted[recording->counted_count++] =
            (struct recorded_count){memory_copy_text(it->at), 0.0};
    }
    recording->counted[i].count += count;
    return 0;
}

static int read_process(struct reader *it, int rank)
{
    struct recorded_process *process = &it->recording->each[rank];
    int own;
    if (!next_line(it) || strcmp(word(it), "process") != 0 || !whole(it, 0, &own) || own != rank ||
        strcmp(word(it), "wall_us") != 0 || !number(it, &process->wall_us) ||
        strcmp(word(it), "computing_us") != 0 || !number(it, &process->computing_us) ||
        strcmp(word(it), "last_us") != 0 || !number(it, &process->last_us))
        return wrong(it, "the head of a process, which the file ends before");
    it->site_count = 0;
    while (next_line(it)) {
        const char *key = word(it);
        int status = 0;
        if (strcmp(key, "end") == 0)
            return 0;
        if (strcmp(key, "counted") == 0) {
            status = read_count(it);
        } else if (strcmp(key, "communicator") == 0) {
            status = read_communicator(it, process);
        } else if (strcmp(key, "site") == 0) {
            status = read_site(it);
        } else if (strcmp(key, "kind") == 0) {
            status = read_kind(it, process);
        } else if (strcmp(key, "stream") == 0) {
            status = read_nodes(it, process, 0, &process->nodes, &process->node_count);
        } else {
            return wrong(it, "a line of a process");
        }
        if (status != 0)
            return -1;
    }
    return wrong(it, "the end of a process");
}

/* Numbers communicators by members and copy. */
static void find_groups(struct recording *recording)
{
    for (int r = 0; r < recording->processes; r++)
        for (size_t i = 0; i < recording->each[r].communicator_count; i++) {
            struct recorded_communicator *it = &recording->each[r].communicators[i];
            it->group = recording->group_count;
            for (int o = 0; o <= r && it->size > 0 && it->group == recording->group_count; o++)
                for (size_t k = 0; k < (o < r ? recording->each[o].communicator_count : i); k++) {
                    const struct recorded_communicator *old = &recording->each[o].communicators[k];
                    if (old->size == it->size && old->copy == it->copy &&
                        memcmp(old->members, it->members, (size_t)it->size * sizeof *it->members) ==
                            0)
                        it->group = old->group;
                }
            recording->group_count += it->group == recording->group_count;
        }
}

int recording_read(struct recording *recording, const char *path, struct error *error)
{
    struct reader it = {.recording = recording, .error = error};
    *recording = (struct recording){.path = path};
    int status = read_file(&it, path);
    if (status == 0)
        status = read_head(&it);
    for (int rank = 0; status == 0 && rank < recording->processes; rank++)
        status = read_process(&it, rank);
    if (status == 0 && next_line(&it))
        status = wrong(&it, "the end of the file");
    if (status == 0)
        find_groups(recording);
    else
        recording_free(recording);
    free(it.text);
    free(it.site_numbers);
    return status;
}

bool recording_is(const char *path)
{
    char first[sizeof head] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const size_t got = fread(first, 1, sizeof head - 1, file);
    fclose(file);
    return got == sizeof head - 1 && strcmp(first, head) == 0;
}

static void free_nodes(struct recorded_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free_nodes(nodes[i].body, nodes[i].length);
    free(nodes);
}

void recording_free(struct recording *recording)
{
    for (int r = 0; r < recording->processes && recording->each; r++) {
        struct recorded_process *process = &recording->each[r];
        for (size_t i = 0; i < process->communicator_count; i++)
            free(process->communicators[i].members);
        free(process->communicators);
        free(process->kinds);
        free_nodes(process->nodes, process->node_count);
    }
    for (size_t i = 0; i < recording->parameter_count; i++)
        free(recording->parameters[i].name);
    for (size_t i = 0; i < recording->counted_count; i++)
        free(recording->counted[i].name);
    for (size_t i = 0; i < recording->site_count; i++)
        free(recording->sites[i]), free(recording->places[i]);
    free(recording->places);
    free(recording->program);
    free(recording->each);
    free(recording->parameters);
    free(recording->counted);
    free(recording->sites);
    *recording = (struct recording){0};
}

/* ---- going through ---- */

static int walk(const struct recorded_process *process, const struct recorded_node *nodes,
                size_t count, recorded_taker *take, void *with)
{
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++)
        if (nodes[i].length == 0)
            status = take(with, &process->kinds[nodes[i].kind]);
        else
            for (double k = 0; k < nodes[i].count && status == 0; k++)
                status = walk(process, nodes[i].body, nodes[i].length, take, with);
    return status;
}

int recording_walk(const struct recorded_process *process, recorded_taker *take, void *with)
{
    return walk(process, process->nodes, process->node_count, take, with);
}

static void count_nodes(const struct recorded_node *nodes, size_t count, double times,
                        double *calls, double *us)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i].length > 0) {
            count_nodes(nodes[i].body, nodes[i].length, times * nodes[i].count, calls, us);
        } else {
            calls[nodes[i].kind] += times;
            us[nodes[i].kind] += nodes[i].us;
        }
}

void recording_count(const struct recorded_process *process, double *calls, double *us)
{
    count_nodes(process->nodes, process->node_count, 1.0, calls, us);
}

static void write_messages(const struct recording *recording, int rank, FILE *out)
{
    const struct recorded_process *process = &recording->each[rank];
    double messages = 0.0, bytes = 0.0, uses = 0.0, given = 0.0;
    double *calls = memory_new(process->kind_count, sizeof *calls);
    double *us = memory_new(process->kind_count, sizeof *us);
    bool *is_partner = memory_new((size_t)recording->processes, sizeof *is_partner);
    recording_count(process, calls, us);
    for (size_t i = 0; i < process->kind_count; i++) {
        const struct recorded_kind *kind = &process->kinds[i];
        if (kind->operation >= RECORDED_COLLECTIVE) {
            uses += calls[i];
            given += calls[i] * kind->bytes;
        } else if ((kind->operation == RECORDED_SEND || kind->operation == RECORDED_START_SEND) &&
                   kind->partner >= 0) {
            messages += calls[i];
            bytes += calls[i] * kind->bytes;
            is_partner[kind->partner] = true;
        }
    }
    fprintf(out, "%d,%.0f,%.0f,", rank, messages, bytes);
    const char *blank = "";
    for (int i = 0; i < recording->processes; i++)
        if (is_partner[i]) {
            fprintf(out, "%s%d", blank, i);
            blank = " ";
        }
    fprintf(out, ",%.0f,%.0f\n", uses, given);
    free(calls);
    free(us);
    free(is_partner);
}

void recording_messages(const struct recording *recording, FILE *out)
{
    fputs("rank,messages,bytes,partners,collectives,given\n", out);
    for (int rank = 0; rank < recording->processes; rank++)
        write_messages(recording, rank, out);
}
