/* Texts with places, as descriptions have them. */
#include "model/base/allocation.h"
#include "model/segment/program/program_field_kinds.h"

#include <stdlib.h>
#include <string.h>

struct place place_in_program(struct yaml_node node)
{
    struct place place = yaml_place(node);
    place.file = NULL;
    return place;
}

/* The text; its place in *place, with its file. */
static int read_text(struct yaml_node value, struct formula *formula, struct place *place,
                     struct error *error)
{
    if (yaml_expect(value, YAML_SCALAR, error) != 0)
        return -1;
    formula->text = memory_copy_text(yaml_text(value));
    formula->place = place_in_program(value);
    *place = yaml_place(value);
    return 0;
}

int formula_text_read(struct yaml_node value, void *member, struct error *error)
{
    struct place place;
    return read_text(value, member, &place, error);
}

int formula_read(struct yaml_node value, void *member, struct error *error)
{
    struct formula *formula = member;
    struct place place;
    if (read_text(value, formula, &place, error) != 0)
        return -1;
    formula->value = expression_read(formula->text, place, error);
    return formula->value ? 0 : -1;
}

int optional_formula_read(struct yaml_node value, void *member, struct error *error)
{
    return yaml_kind(value) == YAML_SCALAR && yaml_text(value)[0] == '\0'
               ? formula_text_read(value, member, error)
               : formula_read(value, member, error);
}

int map_read(struct yaml_node value, void *member, struct error *error)
{
    return yaml_kind(value) == YAML_SCALAR && strcmp(yaml_text(value), "*") == 0
               ? formula_text_read(value, member, error)
               : formula_read(value, member, error);
}

int distribution_read(struct yaml_node value, void *member, struct error *error)
{
    struct formula *formula = member;
    struct place place;
    if (read_text(value, formula, &place, error) != 0)
        return -1;
    formula->distribution = spelling_read(formula->text, place, error);
    return formula->distribution ? 0 : -1;
}

/* "u[i-1][j]": whether there is such an array is not known here. */
int reference_read(struct yaml_node value, void *member, struct error *error)
{
    struct formula *formula = member;
    struct place place;
    if (read_text(value, formula, &place, error) != 0)
        return -1;
    formula->subscripts = memory_new(DIMENSIONS_MOST + 1, sizeof *formula->subscripts);
    const char *at = formula->text + strcspn(formula->text, "[");
    for (size_t dimension = 0; *at; dimension++) {
        const char *close = strchr(at, ']');
        if (*at != '[' || !close || dimension == DIMENSIONS_MOST || at == formula->text)
            return error_at(error, place, "'%.60s' is not a reference: expected ARRAY[i][j]",
                            formula->text);
        char *subscript = memory_format("%.*s", (int)(close - at - 1), at + 1);
        formula->subscripts[dimension] = expression_read(subscript, place, error);
        free(subscript);
        if (!formula->subscripts[dimension])
            return -1;
        at = close + 1;
    }
    return 0;
}

void formula_release(void *member)
{
    struct formula *formula = member;
    for (size_t d = 0; formula->subscripts && formula->subscripts[d]; d++)
        expression_free(formula->subscripts[d]);
    free(formula->subscripts);
    expression_free(formula->value);
    spelling_free(formula->distribution);
    free(formula->text);
}

static const struct field formula_fields[] = {
    {.key = "text", .kind = FIELD_OWN, .release = formula_release},
};
const struct record formula_record = {.name = "a text",
                                      .size = sizeof(struct formula),
                                      .fields = formula_fields,
                                      .count = RECORD_COUNT(formula_fields),
                                      .place_offset = NO_PLACE};

static int list_of(struct yaml_node value, struct list *list, formula_reader *read,
                   struct error *error)
{
    if (yaml_expect(value, YAML_LIST, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++)
        if (read(yaml_item(value, i), list_add(&formula_record, list), error) != 0)
            return -1;
    return 0;
}

int formulas_read(struct yaml_node value, void *member, struct error *error)
{
    return list_of(value, member, formula_read, error);
}

int maps_read(struct yaml_node value, void *member, struct error *error)
{
    return list_of(value, member, map_read, error);
}

int references_read(struct yaml_node value, void *member, struct error *error)
{
    return list_of(value, member, reference_read, error);
}

int distributions_read(struct yaml_node value, void *member, struct error *error)
{
    return list_of(value, member, distribution_read, error);
}

int formula_texts_read(struct yaml_node value, void *member, struct error *error)
{
    return list_of(value, member, formula_text_read, error);
}

void formulas_release(void *member)
{
    list_free(&formula_record, member);
}
