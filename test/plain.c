/* The reader of plain YAML against libyaml: whatever it takes, libyaml reads the same way. */
#include "model/base/yaml_plain.h"

#include "model/base/memory.h"
#include "model/machine/machine.h"
#include "test/suite.h"

#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 1;

static size_t below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state >> 11) % limit;
}

/* ---- comparison ---- */

static void require_same(struct yaml_node a, struct yaml_node b, const char *text)
{
    const struct place at = yaml_place(a), there = yaml_place(b);
    ck_assert_msg(yaml_kind(a) == yaml_kind(b) && at.line == there.line &&
                      at.column == there.column,
                  "a %s at %u:%u is a %s at %u:%u in:\n%s", yaml_kind_name(yaml_kind(a)), at.line,
                  at.column, yaml_kind_name(yaml_kind(b)), there.line, there.column, text);
    if (yaml_kind(a) == YAML_SCALAR) {
        ck_assert_msg(strcmp(yaml_text(a), yaml_text(b)) == 0, "%u:%u: '%s' is '%s' in:\n%s",
                      at.line, at.column, yaml_text(a), yaml_text(b), text);
        return;
    }
    ck_assert_msg(yaml_count(a) == yaml_count(b), "%u:%u holds %zu, not %zu in:\n%s", at.line,
                  at.column, yaml_count(a), yaml_count(b), text);
    for (size_t i = 0; i < yaml_count(a); i++) {
        if (yaml_kind(a) == YAML_MAP) {
            require_same(yaml_key(a, i), yaml_key(b, i), text);
            require_same(yaml_value(a, i), yaml_value(b, i), text);
        } else {
            require_same(yaml_item(a, i), yaml_item(b, i), text);
        }
    }
}

static bool is_plain(const char *text)
{
    struct yaml_tree tree = {0};
    const bool taken = yaml_plain_read(&tree, text, strlen(text));
    yaml_tree_free(&tree);
    return taken;
}

/* A tab makes it libyaml's, and changes nothing in a comment. */
static void require_as_libyaml(const char *text)
{
    struct yaml_file *file, *other;
    struct error error, other_error;
    char *with_tab = memory_format("%s#\t\n", text);
    ck_assert(!is_plain(with_tab));
    const int status = yaml_open_text(&file, "t", text, strlen(text), &error);
    const int as = yaml_open_text(&other, "t", with_tab, strlen(with_tab), &other_error);
    ck_assert_msg(status == as, "%s %s in:\n%s", status ? error.text : "taken",
                  as ? other_error.text : "taken", text);
    if (status == 0) {
        require_same(yaml_root(file), yaml_root(other), text);
        yaml_close(file);
        yaml_close(other);
    } else {
        ck_assert_str_eq(error.text, other_error.text);
        ck_assert_uint_eq(error.line, other_error.line);
        ck_assert_uint_eq(error.column, other_error.column);
    }
    free(with_tab);
}

/* ---- texts ---- */

/* Copies of some text with something changed, whose mistakes are those of people. */
static char *changed(const char *text)
{
    static const char *const pieces[] = {" ",  "  ", "\n", "\n  ", ":",   ": ", ",",  "-",  "- ",
                                         "#",  " #", "[",  "]",    "{",   "}",  "\"", "'",  "?",
                                         "&a", "*a", "!",  "|",    "> ",  "%",  "@",  "\t", "1",
                                         "a",  "=",  "\\", "~",    "---", "..."};
    const size_t length = strlen(text), at = below(length + 1);
    const size_t cut = below(4) == 0 ? below(40) : below(3);
    const size_t from = at + cut < length ? at + cut : length;
    const char *piece = below(3) ? pieces[below(sizeof pieces / sizeof *pieces)] : "";
    return memory_format("%.*s%s%s", (int)at, text, piece, text + from);
}

static size_t taken, tried;

static void try(const char *text)
{
    tried++;
    if (is_plain(text)) {
        taken++;
        require_as_libyaml(text);
    }
}

static void try_changed(const char *text, int times)
{
    char *before = memory_copy_text(text);
    for (int i = 0; i < times; i++) {
        char *after = changed(i % 4 ? before : text);
        free(before);
        before = after;
        try(before);
    }
    free(before);
}

START_TEST(test_short_texts)
{
    static const char *const texts[] = {
        "a: 1\nb: [1, -2, x y]\nc: {d: \"e: f\", g: 'h'}\n",
        "# c\n\na:\n  b:\n    - c: 1\n      d: 2 # e\n    - f\n    -\n      g: h\ni: j\n",
        "a:\n- b\n- c: d\n  e:\n  - f\n- - 1\n  - 2\nlast: x#y z\n",
        "- {a+b: 1, log2(p): 1/23.5, c: 30 %; (004:171)}\n- []\n- {}\n- [[1, 2], {a: [3]}]\n- "
        "-1.5e-3\n",
        "a: at 04:47:47Z, x\nb: 'don t'\nc: http://x\nd: (a) [b]\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_msg(is_plain(texts[i]), "%s", texts[i]);
        require_as_libyaml(texts[i]);
        try_changed(texts[i], 20000);
    }
    ck_assert_uint_gt(taken, tried / 20); /* else nothing was compared */
}
END_TEST

START_TEST(test_what_libyaml_alone_decides)
{
    static const char *const texts[] = {
        "",
        "a: 1",
        "a:\n",
        "a: b: c\n",
        "a: b\n  c\n",
        "a: 'b''c'\n",
        "a: \"b\\n\"\n",
        "a: [1,\n  2]\n",
        "a: [1, ]\n",
        "a: &b 1\n",
        "a: *b\n",
        "a: !t 1\n",
        "a: |\n  b\n",
        "? a\n: b\n",
        "---\na: 1\n",
        "a: 1\n...\n",
        "a: 1\n---\nb: 1\n",
        "%YAML 1.1\n",
        "a: \xc3\xa4\n",
        "a: 1\r\n",
        "a:\t1\n",
        " a: 1\n",
        "a: 1\n b: 2\n",
        "a:\n    b: 1\n  c: 2\n",
        "- a\nb: 1\n",
        "{a: 1}\n",
        "a: {b: 1\n",
        "a: \"b\" c\n",
        "a: [b]c\n",
        "a: {b: c: d}\n",
        "word\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(!is_plain(texts[i]), "%s", texts[i]);
}
END_TEST

/* ---- files ---- */

static void for_files(const char *pattern, void (*act)(const char *path))
{
    glob_t found;
    char *path = memory_format("%s/%s", getenv("FORECOST_SOURCE"), pattern);
    ck_assert_int_eq(glob(path, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        act(found.gl_pathv[i]);
    globfree(&found);
    free(path);
}

static void try_file(const char *path)
{
    char *bytes;
    size_t count;
    struct error error;
    ck_assert_int_eq(yaml_read_text(path, &bytes, &count, &error), 0);
    char *text = memory_format("%.*s", (int)count, bytes);
    try(text);
    try_changed(text, 200);
    free(text);
    free(bytes);
}

START_TEST(test_files)
{
    for_files("machines/*.yaml", try_file);
    for_files("samples/*/*.yaml", try_file);
    for_files("test/bad/*.yaml", try_file);
    for_files("test/fuzz/found/*.yaml", try_file);
}
END_TEST

static void require_plain_when_written(const char *path)
{
    struct machine machine;
    struct error error;
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    ck_assert_int_eq(machine_read(&machine, path, &error), 0);
    ck_assert(machine_write(&machine, stream));
    fclose(stream);
    ck_assert_msg(is_plain(text), "%s, as it is written", path);
    require_as_libyaml(text);
    machine_free(&machine);
    free(text);
}

START_TEST(test_what_is_written_is_plain)
{
    for_files("machines/*.yaml", require_plain_when_written);
}
END_TEST

SUITE("plain", test_short_texts, test_what_libyaml_alone_decides, test_files,
      test_what_is_written_is_plain)
