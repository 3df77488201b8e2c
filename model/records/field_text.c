/* What stands in a file as one value: a text, a number, a flag or a choice. */
#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/records/record.h"

#include <math.h>
#include <string.h>

/* Units stand in the keys. */
static bool is_in_bytes(const char *key)
{
    return strstr(key, "bytes") != NULL;
}

/* A value as text, and where it stands. */
struct scalar {
    const char *text;
    struct place place;
};

static int parse_number(const struct field *field, const struct scalar *value, double *number,
                        struct error *error)
{
    if (is_in_bytes(field->key))
        return number_parse_bytes(value->text, number)
                   ? 0
                   : error_at(error, value->place, "'%.60s' is %s", value->text,
                              number_wrong(value->text));
    return number_parse(value->text, number)
               ? 0
               : error_at(error, value->place, "'%.60s' is not a number", value->text);
}

static int read_number(const struct field *field, const struct scalar *value, double *member,
                       struct error *error)
{
    double number;
    if (parse_number(field, value, &number, error) != 0)
        return -1;
    if (field->kind == FIELD_WHOLE && number != floor(number))
        return error_at(error, value->place, "%s is '%.60s': expected a whole number", field->key,
                        value->text);
    if (field->bounded && !(number >= field->least && number <= field->most)) {
        char least[NUMBER_TEXT], most[NUMBER_TEXT];
        const bool open = field->most > 1e300;
        return error_at(error, value->place, "%s is '%.60s': expected %s%s%s%s", field->key,
                        value->text, open ? "at least " : "a number from ",
                        number_print(field->least, least), open ? "" : " to ",
                        open ? "" : number_print(field->most, most));
    }
    *member = number;
    return 0;
}

static int read_flag(const struct field *field, const struct scalar *value, bool *member,
                     struct error *error)
{
    *member = strcmp(value->text, "true") == 0;
    if (!*member && strcmp(value->text, "false") != 0)
        return error_at(error, value->place, "%s is '%.60s': expected true or false", field->key,
                        value->text);
    return 0;
}

static int read_choice(const struct field *field, const struct scalar *value, int *member,
                       struct error *error)
{
    char all[NAMES_TEXT];
    for (int i = 0; field->choices[i]; i++)
        if (strcmp(value->text, field->choices[i]) == 0) {
            *member = i;
            return 0;
        }
    return error_at(error, value->place, "%s is '%.60s': expected one of %s", field->key,
                    value->text, names_listed(all, field->choices));
}

int field_read_text(const struct field *field, const char *text, struct place place, void *target,
                    struct error *error)
{
    const struct scalar value = {text, place};
    void *member = (char *)target + field->offset;
    switch (field->kind) {
    case FIELD_TEXT:
        *(char **)member = memory_copy_text(text);
        return 0;
    case FIELD_FLAG:
        return read_flag(field, &value, member, error);
    case FIELD_CHOICE:
        return read_choice(field, &value, member, error);
    default:
        return read_number(field, &value, member, error);
    }
}
