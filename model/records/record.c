#include "model/records/record.h"

#include "model/base/allocation.h"
#include "model/records/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- members ---- */

static void *member_of(const struct field *field, void *target)
{
    return (char *)target + field->offset;
}

static const void *const_member_of(const struct field *field, const void *target)
{
    return (const char *)target + field->offset;
}

static double absent_number(const struct field *field)
{
    return field->has_absent ? field->absent : (double)NAN;
}

static bool is_absent(const struct field *field, const void *member)
{
    switch (field->kind) {
    case FIELD_TEXT:
        return *(char *const *)member == NULL;
    case FIELD_NUMBER:
    case FIELD_WHOLE: {
        const double value = *(const double *)member;
        return field->has_absent ? value == field->absent : isnan(value);
    }
    case FIELD_FLAG:
        return !*(const bool *)member;
    case FIELD_CHOICE:
        return *(const int *)member == 0;
    case FIELD_RECORD: {
        for (size_t i = 0; i < field->of->count; i++) {
            const struct field *inner = &field->of->fields[i];
            if (!is_absent(inner, const_member_of(inner, member)))
                return false;
        }
        return true;
    }
    case FIELD_OPTION:
        return *(void *const *)member == NULL;
    case FIELD_LIST:
        return ((const struct list *)member)->count == 0;
    case FIELD_OWN:
        return field->is_absent(member);
    }
    return true;
}

static void begin_member(const struct field *field, void *member)
{
    switch (field->kind) {
    case FIELD_NUMBER:
    case FIELD_WHOLE:
        *(double *)member = absent_number(field);
        break;
    case FIELD_RECORD:
        record_begin(field->of, member);
        break;
    case FIELD_OWN:
        if (field->begin)
            field->begin(member);
        break;
    default:
        break; /* all zero is absent */
    }
}

bool field_is_absent(const struct field *field, const void *target)
{
    return is_absent(field, const_member_of(field, target));
}

void record_begin(const struct record *record, void *target)
{
    memset(target, 0, record->size);
    for (size_t i = 0; i < record->count; i++)
        begin_member(&record->fields[i], member_of(&record->fields[i], target));
}

/* ---- reading ---- */

static int unknown_key(const struct record *record, const char *key, struct place place,
                       struct error *error)
{
    const char **names = memory_new(record->count + 1, sizeof *names);
    for (size_t i = 0; i < record->count; i++)
        names[i] = record->fields[i].key;
    const char *near = nearest_name(key, names);
    free(names);
    if (strchr(key, ':'))
        return error_at(error, place,
                        "unknown key '%.60s' in %s: expected a blank behind the colon", key,
                        record->name);
    return error_at(error, place, "unknown key '%.60s' in %s%s%s%s", key, record->name,
                    near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Number of the row of a key; record->count: none. Files mostly have the order of the rows:
   next is the one to begin with. */
static size_t field_numbered(const struct record *record, const char *key, size_t next)
{
    for (size_t i = 0; i < record->count; i++) {
        const size_t number = (next + i) % record->count;
        if (strcmp(record->fields[number].key, key) == 0)
            return number;
    }
    return record->count;
}

/* Of a field that is in_text. */
static int read_pairs(const struct record *record, struct yaml_node text, void *target,
                      struct error *error)
{
    const struct place place = yaml_place(text);
    struct pair pair;
    size_t next = 0;
    for (const char *rest = yaml_text(text), *from; (from = rest); next++) {
        if (!pairs_next(&rest, &pair))
            return error_at(error, place, "'%.60s': expected \"KEY: NUMBER, KEY: NUMBER\"", from);
        next = field_numbered(record, pair.name, next);
        if (next == record->count)
            return unknown_key(record, pair.name, place, error);
        if (!field_is_absent(&record->fields[next], target))
            return error_at(error, place, "key '%s' a second time", pair.name);
        if (field_read_text(&record->fields[next], pair.value, place, target, error) != 0)
            return -1;
    }
    return 0;
}

static int read_option(const struct field *field, struct yaml_node value, void **member,
                       struct error *error)
{
    void *inner = memory_new(1, field->of->size);
    if (record_read(field->of, value, inner, error) != 0) {
        free(inner);
        return -1;
    }
    *member = inner;
    return 0;
}

static int read_member(const struct field *field, struct yaml_node value, void *target,
                       struct error *error)
{
    void *member = member_of(field, target);
    switch (field->kind) {
    case FIELD_RECORD:
        return field->in_text && yaml_kind(value) == YAML_SCALAR
                   ? read_pairs(field->of, value, member, error)
                   : record_read(field->of, value, member, error);
    case FIELD_OPTION:
        return read_option(field, value, member, error);
    case FIELD_LIST:
        return list_read(field->of, value, member, error);
    case FIELD_OWN:
        return field->read(value, member, error);
    default:
        break;
    }
    if (yaml_expect(value, YAML_SCALAR, error) != 0)
        return -1;
    return field_read_text(field, yaml_text(value), yaml_place(value), target, error);
}

static bool has_key(struct yaml_node map, const char *key)
{
    for (size_t i = 0; i < yaml_count(map); i++)
        if (strcmp(yaml_text(yaml_key(map, i)), key) == 0)
            return true;
    return false;
}

static int read_members(const struct record *record, struct yaml_node map, void *target,
                        struct error *error)
{
    size_t next = 0;
    for (size_t i = 0; i < yaml_count(map); i++) {
        const size_t number = field_numbered(record, yaml_text(yaml_key(map, i)), next);
        if (number == record->count)
            return unknown_key(record, yaml_text(yaml_key(map, i)), yaml_place(yaml_key(map, i)),
                               error);
        const struct field *field = &record->fields[number];
        if (read_member(field, yaml_value(map, i), target, error) != 0)
            return -1;
        next = number + 1;
    }
    for (size_t i = 0; i < record->count; i++)
        if (record->fields[i].required && !has_key(map, record->fields[i].key))
            return error_at(error, yaml_place(map), "key '%s' is missing in %s",
                            record->fields[i].key, record->name);
    return 0;
}

int record_read(const struct record *record, struct yaml_node map, void *target,
                struct error *error)
{
    record_begin(record, target);
    if (yaml_kind(map) != YAML_MAP)
        return error_at(error, yaml_place(map), "%s: expected %s as a map of keys",
                        yaml_kind_name(yaml_kind(map)), record->name);
    if (record->place_offset != NO_PLACE) {
        struct place place = yaml_place(map);
        place.file = NULL;
        memcpy((char *)target + record->place_offset, &place, sizeof place);
    }
    if (read_members(record, map, target, error) != 0) {
        record_free(record, target);
        return -1;
    }
    return 0;
}

/* list_add makes room for a power of two of items. */
static size_t room_for(size_t count)
{
    size_t room = 1;
    while (room < count)
        room *= 2;
    return room;
}

int list_read(const struct record *record, struct yaml_node node, struct list *list,
              struct error *error)
{
    if (yaml_expect(node, YAML_LIST, error) != 0)
        return -1;
    const size_t count = yaml_count(node);
    if (count > 0)
        list->items = memory_grow(list->items, room_for(list->count + count), record->size);
    for (size_t i = 0; i < count; i++)
        if (record_read(record, yaml_item(node, i),
                        (char *)list->items + list->count++ * record->size, error) != 0)
            return -1;
    return 0;
}

/* ---- writing ---- */

/* Of a field that is in_text. */
static void write_pairs(const struct record *record, struct yaml_out *out, const void *target)
{
    char *text = pairs_room(record->count), *end = text;
    for (size_t i = 0; i < record->count; i++) {
        const struct field *field = &record->fields[i];
        if (!field_is_absent(field, target))
            end = pairs_add(text, end, field->key, *(const double *)const_member_of(field, target));
    }
    yaml_out_text(out, text);
    free(text);
}

static void write_list(const struct field *field, struct yaml_out *out, const struct list *list)
{
    yaml_out_list(out, field->flow);
    for (size_t i = 0; i < list->count; i++) {
        yaml_out_map(out, field->of->flow);
        record_write(field->of, out, (const char *)list->items + i * field->of->size);
        yaml_out_map_end(out);
    }
    yaml_out_list_end(out);
}

static void write_member(const struct field *field, struct yaml_out *out, const void *member)
{
    switch (field->kind) {
    case FIELD_TEXT:
        yaml_out_text(out, *(char *const *)member);
        break;
    case FIELD_NUMBER:
    case FIELD_WHOLE:
        yaml_out_number(out, *(const double *)member);
        break;
    case FIELD_FLAG:
        yaml_out_text(out, "true");
        break;
    case FIELD_CHOICE:
        yaml_out_text(out, field->choices[*(const int *)member]);
        break;
    case FIELD_RECORD:
        if (field->in_text) {
            write_pairs(field->of, out, member);
            break;
        }
        yaml_out_map(out, field->flow);
        record_write(field->of, out, member);
        yaml_out_map_end(out);
        break;
    case FIELD_OPTION:
        yaml_out_map(out, field->flow);
        record_write(field->of, out, *(void *const *)member);
        yaml_out_map_end(out);
        break;
    case FIELD_LIST:
        write_list(field, out, member);
        break;
    case FIELD_OWN:
        field->write(out, member);
        break;
    }
}

void record_write(const struct record *record, struct yaml_out *out, const void *target)
{
    for (size_t i = 0; i < record->count; i++) {
        const struct field *field = &record->fields[i];
        const void *member = const_member_of(field, target);
        if (is_absent(field, member) && !(field->required && field->kind == FIELD_CHOICE))
            continue;
        yaml_out_key(out, field->key);
        write_member(field, out, member);
    }
}

/* ---- releasing ---- */

static void free_member(const struct field *field, void *member);

/* What is left is no record any more. */
static void free_members(const struct record *record, void *target)
{
    for (size_t i = 0; i < record->count; i++)
        free_member(&record->fields[i], member_of(&record->fields[i], target));
}

static void free_member(const struct field *field, void *member)
{
    switch (field->kind) {
    case FIELD_TEXT:
        free(*(char **)member);
        break;
    case FIELD_RECORD:
        free_members(field->of, member);
        break;
    case FIELD_OPTION:
        if (*(void **)member)
            free_members(field->of, *(void **)member);
        free(*(void **)member);
        break;
    case FIELD_LIST:
        list_free(field->of, member);
        break;
    case FIELD_OWN:
        if (field->release)
            field->release(member);
        break;
    default:
        break;
    }
}

void list_free(const struct record *record, struct list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_members(record, (char *)list->items + i * record->size);
    free(list->items);
    *list = (struct list){0};
}

void record_free(const struct record *record, void *target)
{
    free_members(record, target);
    record_begin(record, target);
}

void *list_add(const struct record *record, struct list *list)
{
    if ((list->count & (list->count - 1)) == 0)
        list->items = memory_grow(list->items, list->count ? 2 * list->count : 1, record->size);
    void *item = (char *)list->items + list->count++ * record->size;
    record_begin(record, item);
    return item;
}
