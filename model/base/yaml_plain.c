#include "model/base/yaml_plain.h"

#include <string.h>

/* Every line ends with a newline, at which whatever looks for something in the line stops. */
struct scan {
    struct yaml_tree *tree;
    const char *at, *line, *end;
    unsigned number; /* of the line */
};

enum { KEY_MOST = 100 };

/* ---- characters ---- */

static bool is_plain(const char *text, size_t bytes)
{
    bool odd = bytes == 0 || text[bytes - 1] != '\n';
    for (size_t i = 0; i < bytes; i++)
        odd |= (text[i] < ' ' || text[i] > '~') && text[i] != '\n';
    return !odd;
}

static bool is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Of a word, or a value without quotes. */
static bool may_begin(const char *at)
{
    return is_alphanumeric(*at) || strchr("_./(+<=", *at) ||
           (*at == '-' && (is_alphanumeric(at[1]) || at[1] == '.'));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n';
}

static unsigned column_here(const struct scan *scan)
{
    return (unsigned)(scan->at - scan->line) + 1;
}

static void skip_spaces(struct scan *scan)
{
    while (*scan->at == ' ')
        scan->at++;
}

/* At a space or a newline: whether nothing but a comment is left of the line. */
static bool is_rest_empty(struct scan *scan)
{
    if (!is_blank(*scan->at))
        return false;
    skip_spaces(scan);
    return *scan->at == '\n' || *scan->at == '#';
}

/* Goes on to the next line that says something; at the end of the text `at` is the end. */
static void next_line(struct scan *scan)
{
    do {
        scan->at = (const char *)memchr(scan->at, '\n', (size_t)(scan->end - scan->at)) + 1;
        scan->line = scan->at;
        scan->number++;
        if (scan->at == scan->end)
            return;
        skip_spaces(scan);
    } while (*scan->at == '\n' || *scan->at == '#');
}

/* ---- within a line ---- */

static bool take_text(struct scan *scan, unsigned column, const char *text, size_t length)
{
    yaml_tree_scalar(scan->tree, scan->number, column, (size_t)(text - scan->tree->texts), length);
    return length <= YAML_TEXT_MOST && scan->tree->count < YAML_NODES_MOST / 4;
}

static bool open_value(struct scan *scan, enum yaml_kind kind)
{
    if (scan->tree->depth == YAML_DEPTH_MOST || scan->tree->count >= YAML_NODES_MOST / 4)
        return false;
    yaml_tree_open(scan->tree, kind, scan->number, column_here(scan));
    return true;
}

/* The length of a word that a colon and a blank follow; 0: it is something else. */
static size_t key_length(const char *at)
{
    if (!may_begin(at))
        return 0;
    const size_t length = strcspn(at, " \n:,[]{}#?");
    return length <= KEY_MOST && at[length] == ':' && is_blank(at[length + 1]) ? length : 0;
}

static bool take_key(struct scan *scan)
{
    const size_t length = key_length(scan->at);
    if (length == 0 || !take_text(scan, column_here(scan), scan->at, length))
        return false;
    scan->at += length + 1;
    return true;
}

static bool take_quoted(struct scan *scan)
{
    const char quote = *scan->at, *first = scan->at + 1, *c = first;
    while (*c != quote && *c != '\n' && (*c != '\\' || quote == '\''))
        c++;
    if (*c != quote || (quote == '\'' && c[1] == '\''))
        return false;
    const bool taken = take_text(scan, column_here(scan), first, (size_t)(c - first));
    scan->at = c + 1;
    return taken;
}

/* Where a value without quotes ends: with the line, before a comment or, in flow, at what ends an
   item. NULL: it is something else. */
static const char *unquoted_end(const char *at, bool flow)
{
    for (;; at++) {
        at += strcspn(at, flow ? "\n,]}:#?[{" : "\n:#");
        if (strchr(flow ? ",]}\n" : "\n", *at))
            return at;
        if (flow ? *at != ':' || !is_alphanumeric(at[1]) : *at == ':' && is_blank(at[1]))
            return NULL;
        if (*at == '#' && at[-1] == ' ')
            return at;
    }
}

static bool take_unquoted(struct scan *scan, bool flow)
{
    const char *first = scan->at, *end = may_begin(first) ? unquoted_end(first, flow) : NULL;
    if (!end)
        return false;
    while (end[-1] == ' ')
        end--;
    const bool taken = take_text(scan, column_here(scan), first, (size_t)(end - first));
    scan->at = end;
    return taken;
}

static bool take_value(struct scan *scan, bool flow);

/* After an item; whether there is another one in *more. */
static bool next_item(struct scan *scan, char end, bool *more)
{
    skip_spaces(scan);
    *more = *scan->at == ',';
    if (!*more && *scan->at != end)
        return false;
    scan->at++;
    if (*more)
        skip_spaces(scan);
    return true;
}

static bool take_flow(struct scan *scan)
{
    const bool map = *scan->at == '{';
    const char end = map ? '}' : ']';
    if (!open_value(scan, map ? YAML_MAP : YAML_LIST))
        return false;
    scan->at++;
    skip_spaces(scan);
    bool more = *scan->at != end;
    if (!more)
        scan->at++;
    while (more) {
        if (map && !take_key(scan))
            return false;
        skip_spaces(scan);
        if (!take_value(scan, true) || !next_item(scan, end, &more))
            return false;
    }
    yaml_tree_close(scan->tree);
    return true;
}

static bool take_value(struct scan *scan, bool flow)
{
    switch (*scan->at) {
    case '{':
    case '[':
        return take_flow(scan);
    case '"':
    case '\'':
        return take_quoted(scan);
    default:
        return take_unquoted(scan, flow);
    }
}

/* ---- maps and lists of lines ---- */

static bool take_block(struct scan *scan);

static bool is_item(const struct scan *scan)
{
    return scan->at[0] == '-' && is_blank(scan->at[1]);
}

static bool is_at(const struct scan *scan, unsigned indent)
{
    return scan->at != scan->end && column_here(scan) == indent;
}

/* Lines that go on deeper than the block that a value ends would be more of the value. */
static bool take_line_value(struct scan *scan, unsigned indent)
{
    if (!take_value(scan, false) || !is_rest_empty(scan))
        return false;
    next_line(scan);
    return scan->at == scan->end || column_here(scan) <= indent;
}

/* What stands behind a key in a map of this indent. */
static bool take_member(struct scan *scan, unsigned indent)
{
    if (!is_rest_empty(scan))
        return take_line_value(scan, indent);
    next_line(scan);
    const bool is_deeper = scan->at != scan->end && column_here(scan) > indent;
    return (is_deeper || (is_at(scan, indent) && is_item(scan))) && take_block(scan);
}

static bool take_map(struct scan *scan)
{
    const unsigned indent = column_here(scan);
    if (!open_value(scan, YAML_MAP))
        return false;
    do
        if (!take_key(scan) || !take_member(scan, indent))
            return false;
    while (is_at(scan, indent));
    yaml_tree_close(scan->tree);
    return scan->at == scan->end || column_here(scan) < indent;
}

/* What stands behind the dash of an item in a list of this indent. */
static bool take_item(struct scan *scan, unsigned indent)
{
    if (is_rest_empty(scan)) {
        next_line(scan);
        return scan->at != scan->end && column_here(scan) > indent && take_block(scan);
    }
    return is_item(scan) || key_length(scan->at) > 0 ? take_block(scan)
                                                     : take_line_value(scan, indent);
}

static bool take_list(struct scan *scan)
{
    const unsigned indent = column_here(scan);
    if (!open_value(scan, YAML_LIST))
        return false;
    do {
        scan->at++;
        if (!take_item(scan, indent))
            return false;
    } while (is_at(scan, indent) && is_item(scan));
    yaml_tree_close(scan->tree);
    return scan->at == scan->end || column_here(scan) <= indent;
}

static bool take_block(struct scan *scan)
{
    return is_item(scan) ? take_list(scan) : take_map(scan);
}

static bool take_all(struct scan *scan)
{
    skip_spaces(scan);
    if (*scan->at == '\n' || *scan->at == '#')
        next_line(scan);
    return is_at(scan, 1) && take_block(scan) && scan->at == scan->end;
}

/* The scalars stay where they are in a copy of the text, where a zero ends each of them once
   nothing is read there any more. */
bool yaml_plain_read(struct yaml_tree *tree, const char *text, size_t bytes)
{
    if (!is_plain(text, bytes))
        return false;
    yaml_tree_text(tree, text, bytes);
    struct scan scan = {tree, tree->texts, tree->texts, tree->texts + bytes, 1};
    if (!take_all(&scan)) {
        yaml_tree_free(tree);
        return false;
    }
    for (size_t i = 0; i < tree->count; i++)
        if (tree->values[i].kind == YAML_SCALAR)
            tree->texts[tree->values[i].at + tree->values[i].count] = '\0';
    return true;
}
