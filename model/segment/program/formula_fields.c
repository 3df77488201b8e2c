/* Texts with places, as descriptions have them. */
#include "model/base/allocation.h"
#include "model/segment/program/program_field_kinds.h"

#include <stdlib.h>

struct place place_in_program(struct yaml_node node)
{
    struct place place = yaml_place(node);
    place.file = NULL;
    return place;
}

int formula_read(struct yaml_node value, void *member, struct error *error)
{
    struct formula *formula = member;
    if (yaml_expect(value, YAML_SCALAR, error) != 0)
        return -1;
    formula->text = memory_copy_text(yaml_text(value));
    formula->place = place_in_program(value);
    return 0;
}

void formula_release(void *member)
{
    free(((struct formula *)member)->text);
}

static const struct field formula_fields[] = {
    {.key = "text", .kind = FIELD_OWN, .release = formula_release},
};
const struct record formula_record = {.name = "a text",
                                      .size = sizeof(struct formula),
                                      .fields = formula_fields,
                                      .count = RECORD_COUNT(formula_fields),
                                      .place_offset = NO_PLACE};

int formulas_read(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_LIST, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++)
        if (formula_read(yaml_item(value, i), list_add(&formula_record, member), error) != 0)
            return -1;
    return 0;
}

void formulas_release(void *member)
{
    list_free(&formula_record, member);
}
