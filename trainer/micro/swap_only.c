#include "trainer/micro/swap_only.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a row of COMMTEST is chosen by; and the names of all but protocols, which are numbers. */
enum kind { SET, WAY, VOLUME, PAIR, PROTOCOL, KINDS };
enum { NAMES_MOST = 3, NAME_ROOM = 24 };
static const char *const known[PROTOCOL][NAMES_MOST] = {
    [SET] = {[SWAP_BASIC] = "basic", [SWAP_REORGANIZED] = "reorganized"},
    [WAY] = { [SWAP_COLD] = "cold",  [SWAP_WARM] = "warm",       [SWAP_ITERATED] = "iterated"},
    [VOLUME] = { "2097152",              "131072",                             "8192"},
    [PAIR] = { "0-1",                 "0-2",                          "0-2+1-3"}
};

/* Of what a name is; KINDS: of nothing. */
static enum kind kind_of(const char *name)
{
    int order, protocol, end = 0;
    for (enum kind kind = 0; kind < PROTOCOL; kind++)
        for (int i = 0; i < NAMES_MOST; i++)
            if (known[kind][i] && strcmp(known[kind][i], name) == 0)
                return kind;
    const bool is_protocol = sscanf(name, "%1d.%2d%n", &order, &protocol, &end) == 2 &&
                             name[end] == '\0' && swap_protocol_name(order, protocol);
    return is_protocol ? PROTOCOL : KINDS;
}

static bool is_of(const char *name, enum kind kind, const struct swap *row)
{
    char protocol[NAME_ROOM];
    switch (kind) {
    case SET:
        return strcmp(name, known[SET][row->set]) == 0;
    case WAY:
        return strcmp(name, known[WAY][row->way]) == 0;
    case VOLUME:
        return strtod(name, NULL) == row->volume_bytes;
    case PAIR: /* "0-2 and 1-3" of a row is "0-2+1-3" here */
        return strncmp(name, row->pair, 3) == 0 && !name[3] == !row->pair[3];
    default:
        snprintf(protocol, sizeof protocol, "%.0f.%.0f", row->order, row->protocol);
        return strcmp(name, protocol) == 0;
    }
}

/* The next name of a list, cut to the room; false: there is none. */
static bool next_name(const char **list, char name[NAME_ROOM])
{
    if (!*list || !**list)
        return false;
    const size_t length = strcspn(*list, ",");
    snprintf(name, NAME_ROOM, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

bool swap_only_has(const char *list, const struct swap *row)
{
    bool is_named[KINDS] = {false}, is_asked[KINDS] = {false};
    char name[NAME_ROOM];
    while (next_name(&list, name)) {
        const enum kind kind = kind_of(name);
        if (kind == KINDS)
            continue;
        is_named[kind] = true;
        is_asked[kind] |= is_of(name, kind, row);
    }
    for (enum kind kind = 0; kind < KINDS; kind++)
        if (is_named[kind] && !is_asked[kind])
            return false;
    return true;
}

int swap_only_check(const char *list, struct error *error)
{
    char name[NAME_ROOM];
    while (next_name(&list, name))
        if (kind_of(name) == KINDS)
            return error_set(error,
                             "--swap-only: '%s' is unknown: expected a protocol (0.0 to 0.10, 1.0 "
                             "to 1.10), basic, reorganized, cold, warm, iterated, 2097152, 131072, "
                             "8192 bytes, or a pair: 0-1, 0-2, 0-2+1-3",
                             name);
    return 0;
}
