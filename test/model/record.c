/* Records in and out of YAML, and the YAML under them. */
#include "model/records/record.h"

#include "model/base/allocation.h"
#include "test/suite.h"

#include <math.h>
#include <string.h>

/* One struct with a member of every kind that a table can hold. */
struct item {
    char *name;
    double weight;
};

struct thing {
    char *title;
    double ratio, count;
    bool good;
    int colour;
    struct item part, *spare;
    struct list items;
    struct place place;
};

static const char *const colours[] = {"none", "red", "green", NULL};

static const struct field item_fields[] = {
    FIELD(item, name, .kind = FIELD_TEXT, .required = true),
    FIELD(item, weight, .kind = FIELD_NUMBER, .has_absent = true, .absent = 1.0),
};
static const struct record item_record =
    RECORD_FROM("an item", item, item_fields, NO_PLACE, .flow = true);

static const struct field thing_fields[] = {
    FIELD(thing, title, .kind = FIELD_TEXT),
    FIELD(thing, ratio, .kind = FIELD_NUMBER, WITHIN(-1, 1)),
    FIELD(thing, count, .kind = FIELD_WHOLE, AT_LEAST(0)),
    FIELD(thing, good, .kind = FIELD_FLAG),
    FIELD(thing, colour, .kind = FIELD_CHOICE, .choices = colours),
    FIELD(thing, part, .kind = FIELD_RECORD, .of = &item_record),
    FIELD(thing, spare, .kind = FIELD_OPTION, .of = &item_record),
    FIELD(thing, items, .kind = FIELD_LIST, .of = &item_record),
};
static const struct record thing_record =
    RECORD_FROM("a thing", thing, thing_fields, offsetof(struct thing, place));

static int read_thing(struct thing *thing, const char *text, struct error *error)
{
    struct yaml_file *file;
    if (yaml_open_text(&file, "t", text, strlen(text), error) != 0)
        return -1;
    const int status = record_read(&thing_record, yaml_root(file), thing, error);
    yaml_close(file);
    return status;
}

/* The thing as YAML; to be freed. */
static char *written(const struct thing *thing)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    struct yaml_out *out = yaml_out_begin(stream);
    yaml_out_map(out, false);
    record_write(&thing_record, out, thing);
    yaml_out_map_end(out);
    ck_assert(yaml_out_end(out));
    fclose(stream);
    return text;
}

static const char whole[] = "title: \"a: b, # c\"\n"
                            "ratio: -0.25\n"
                            "count: 3\n"
                            "good: true\n"
                            "colour: green\n"
                            "part:\n"
                            "  name: p\n"
                            "  weight: 0.5\n"
                            "spare:\n"
                            "  name: s\n"
                            "items:\n"
                            "  - {name: x}\n"
                            "  - {name: y, weight: 2}\n";

START_TEST(every_kind_is_read)
{
    struct thing thing;
    ck_assert_int_eq(read_thing(&thing, whole, NULL), 0);
    ck_assert_str_eq(thing.title, "a: b, # c");
    ck_assert_double_eq(thing.ratio, -0.25);
    ck_assert_double_eq(thing.count, 3);
    ck_assert(thing.good);
    ck_assert_int_eq(thing.colour, 2);
    ck_assert_double_eq(thing.part.weight, 0.5);
    ck_assert_double_eq(thing.spare->weight, 1.0);
    ck_assert_uint_eq(thing.items.count, 2);
    ck_assert_str_eq(((struct item *)thing.items.items)[1].name, "y");
    ck_assert_uint_eq(thing.place.line, 1);
    ck_assert_ptr_null(thing.place.file);
    record_free(&thing_record, &thing);
    ck_assert_ptr_null(thing.title);
    ck_assert_uint_eq(thing.items.count, 0);
}
END_TEST

START_TEST(what_is_written_is_what_was_read)
{
    struct thing thing;
    ck_assert_int_eq(read_thing(&thing, whole, NULL), 0);
    char *text = written(&thing);
    ck_assert_str_eq(text, whole);
    free(text);
    record_free(&thing_record, &thing);
}
END_TEST

START_TEST(texts_survive_whatever_is_in_them)
{
    static const char *const texts[] = {"plain",       "",
                                        " leading",    "trailing ",
                                        "- dash",      "a: b",
                                        "a #b",        "#",
                                        "\"quoted\"",  "back\\slash",
                                        "line\nbreak", "tab\there",
                                        "[x]",         "{x}",
                                        "a, b",        "'",
                                        "*a",          "&a",
                                        "!t",          "%x",
                                        "@x",          "null",
                                        "true",        "12",
                                        "colon:",      "?",
                                        "bell\a",      "\xc3\xa9t\xc3\xa9",
                                        "~",           "="};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct thing thing, back;
        struct error error;
        record_begin(&thing_record, &thing);
        thing.title = memory_copy_text(texts[i]);
        struct item *item = list_add(&item_record, &thing.items);
        item->name = memory_copy_text(texts[i]);
        char *text = written(&thing);
        ck_assert_msg(read_thing(&back, text, &error) == 0, "'%s' is not read back", text);
        ck_assert_str_eq(back.title, texts[i]);
        ck_assert_str_eq(((struct item *)back.items.items)->name, texts[i]);
        free(text);
        record_free(&thing_record, &thing);
        record_free(&thing_record, &back);
    }
}
END_TEST

START_TEST(errors_stand_at_their_place)
{
    static const struct {
        const char *text;
        unsigned line, column;
        const char *says;
    } truth[] = {
        {"colour: green\ntitel: x\n",       2, 1,
         "unknown key 'titel' in a thing: did you mean 'title'?"                                      },
        {"ratio: 2\n",                      1, 8, "ratio is '2': expected a number from -1 to 1"      },
        {"count: 0.5\n",                    1, 8, "count is '0.5': expected a whole number"           },
        {"count: -1\n",                     1, 8, "count is '-1': expected at least 0"                },
        {"good: maybe\n",                   1, 7, "good is 'maybe': expected true or false"           },
        {"colour: blue\n",                  1, 9, "colour is 'blue': expected one of none, red, green"},
        {"items:\n  - {name: x}\n  - {}\n", 3, 5, "key 'name' is missing in an item"                  },
        {"items: {name: x}\n",              1, 8, "a map: expected a list"                            },
        {"part: [x]\n",                     1, 7, "a list: expected an item as a map of keys"         },
        {"title: [x]\n",                    1, 8, "a list: expected a single value"                   },
        {"[x]\n",                           1, 1, "a list: expected a thing as a map of keys"         },
        {"good: true\ngood: true\n",        2, 1, "key 'good' a second time: first in line 1"         },
    };
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        struct thing thing;
        struct error error;
        ck_assert_int_eq(read_thing(&thing, truth[i].text, &error), -1);
        ck_assert_str_eq(error.text, truth[i].says);
        ck_assert_str_eq(error.file, "t");
        ck_assert_uint_eq(error.line, truth[i].line);
        ck_assert_uint_eq(error.column, truth[i].column);
    }
}
END_TEST

START_TEST(near_names_are_found_and_far_ones_are_not)
{
    static const char *const known[] = {"regions", "utility", "bytes_upto", NULL};
    ck_assert_str_eq(nearest_name("regoins", known), "regions");
    ck_assert_str_eq(nearest_name("bytes_up_to", known), "bytes_upto");
    ck_assert_ptr_null(nearest_name("xyzzy", known));
    ck_assert_ptr_null(nearest_name("", known));
}
END_TEST

START_TEST(a_list_of_names_is_whole_or_says_how_many_are_left)
{
    enum { MANY = 100 };
    char text[NAMES_TEXT], name[MANY][8];
    const char *names[MANY + 1] = {0};
    ck_assert_str_eq(names_listed(text, names), "");
    ck_assert_str_eq(names_listed(text, (const char *[]){"", "red", "green", NULL}), "red, green");
    for (int count = 1; count <= MANY; count++) {
        snprintf(name[count - 1], sizeof name[0], "name%03d", count);
        names[count - 1] = name[count - 1];
        names_listed(text, names);
        size_t told = 0, left = 0;
        for (const char *at = text; (at = strstr(at, "name")); at++)
            told++;
        const char *more = strstr(text, " ... and ");
        if (more)
            ck_assert_int_eq(sscanf(more, " ... and %zu more", &left), 1);
        ck_assert_uint_eq(told + left, (size_t)count);
        ck_assert_uint_lt(strlen(text), sizeof text);
    }
    ck_assert_ptr_nonnull(strstr(text, " ... and "));
}
END_TEST

START_TEST(an_error_without_room_says_that_it_is_cut)
{
    char text[600];
    struct error error;
    memset(text, 'x', sizeof text);
    text[sizeof error.text - 1] = '\0';
    ck_assert_int_eq(error_set(&error, "%s", text), -1);
    ck_assert_str_eq(error.text, text);
    text[sizeof error.text - 1] = 'x';
    text[sizeof error.text] = '\0';
    ck_assert_int_eq(error_set(&error, "%s", text), -1);
    ck_assert_uint_eq(strlen(error.text), sizeof error.text - 1);
    ck_assert_str_eq(error.text + sizeof error.text - 5, "x...");
    /* What is made printable is longer: cut, although it was not before. */
    memset(text, '\x01', 300);
    text[300] = '\0';
    ck_assert_int_eq(error_set(&error, "%s", text), -1);
    ck_assert_str_eq(error.text + strlen(error.text) - 4, "1...");
    /* No character is left half. */
    for (size_t i = 0; i < 299; i += 2)
        memcpy(text + i, "\u00e9", 2);
    ck_assert_int_eq(error_set(&error, "%s%s", text, text), -1);
    ck_assert_str_eq(error.text + strlen(error.text) - 5, "\u00e9...");
}
END_TEST

START_TEST(a_list_that_was_read_may_grow)
{
    struct thing thing;
    struct error error;
    ck_assert_int_eq(read_thing(&thing, "items: [{name: a}, {name: b}, {name: c}]\n", &error), 0);
    for (const char *name = "d\0e\0f"; thing.items.count < 6; name += 2)
        ((struct item *)list_add(&item_record, &thing.items))->name = memory_copy_text(name);
    const struct item *items = thing.items.items;
    for (size_t i = 0; i < thing.items.count; i++) {
        ck_assert_int_eq(items[i].name[0], "abcdef"[i]);
        ck_assert_double_eq(items[i].weight, 1.0);
    }
    record_free(&thing_record, &thing);
    ck_assert_uint_eq(thing.items.count, 0);
}
END_TEST

START_TEST(a_full_disk_is_noticed)
{
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        return; /* no such device here */
    struct yaml_out *out = yaml_out_begin(full);
    yaml_out_map(out, false);
    yaml_out_key(out, "a");
    yaml_out_number(out, 1);
    yaml_out_map_end(out);
    ck_assert(!yaml_out_end(out));
    fclose(full);
}
END_TEST

SUITE("record", every_kind_is_read, what_is_written_is_what_was_read,
      texts_survive_whatever_is_in_them, errors_stand_at_their_place,
      near_names_are_found_and_far_ones_are_not, a_list_of_names_is_whole_or_says_how_many_are_left,
      an_error_without_room_says_that_it_is_cut, a_list_that_was_read_may_grow,
      a_full_disk_is_noticed)
