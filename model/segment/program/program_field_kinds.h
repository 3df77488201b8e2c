/* What the rows of the tables that read segment descriptions are made of. Of formula_fields.c,
   program_fields.c and program_body_fields.c alone. */
#ifndef MODEL_SEGMENT_PROGRAM_PROGRAM_FIELD_KINDS_H
#define MODEL_SEGMENT_PROGRAM_PROGRAM_FIELD_KINDS_H

#include "model/records/record.h"
#include "model/segment/program/program.h"

/* Where a value stands, without the file's name, which does not live as long as the program. */
struct place place_in_program(struct yaml_node node);

/* An error where the key, a name that the description gives, is p or the size of a grid: p0, ... */
int name_check(struct yaml_node key, struct error *error);

/* Texts with places, struct formula, and lists of them: expressions; those that may be empty;
   dimensions, or "*"; references; distributions; names and the like. */
extern const struct record formula_record;
typedef int formula_reader(struct yaml_node value, void *member, struct error *error);
formula_reader formula_read, optional_formula_read, map_read, reference_read, distribution_read,
    formula_text_read;
formula_reader formulas_read, maps_read, references_read, distributions_read, formula_texts_read;
void formula_release(void *member);
void formulas_release(void *member);

/* Lists of struct step: a body. */
int steps_read(struct yaml_node value, void *member, struct error *error);
void steps_release(void *member);

#define AT(type, member) .offset = offsetof(struct type, member)
#define TEXT(name, type, member)                                                                   \
    {                                                                                              \
        .key = name, .kind = FIELD_TEXT, AT(type, member)                                          \
    }
#define FORMULA_BY(name, type, member, reader)                                                     \
    {                                                                                              \
        .key = name, .kind = FIELD_OWN, AT(type, member), .read = reader,                          \
        .release = formula_release                                                                 \
    }
#define FORMULA(name, type, member) FORMULA_BY(name, type, member, formula_read)
#define REFERENCE(name, type, member) FORMULA_BY(name, type, member, reference_read)
#define FORMULAS_BY(name, type, member, reader, needed)                                            \
    {                                                                                              \
        .key = name, .kind = FIELD_OWN, AT(type, member), .required = needed, .read = reader,      \
        .release = formulas_release                                                                \
    }
#define FORMULAS(name, type, member, needed) FORMULAS_BY(name, type, member, formulas_read, needed)
#define OWN(name, type, member, reader, releaser, needed)                                          \
    {                                                                                              \
        .key = name, .kind = FIELD_OWN, AT(type, member), .required = needed, .read = reader,      \
        .release = releaser                                                                        \
    }
/* Where it stands in the program's source: no member has it (origins.h). */
#define ORIGIN(name, check)                                                                        \
    {                                                                                              \
        .key = name, .kind = FIELD_OWN, .read = check                                              \
    }
#define RECORD(type, description, where)                                                           \
    static const struct record type##_record = {.name = description,                               \
                                                .size = sizeof(struct type),                       \
                                                .fields = type##_fields,                           \
                                                .count = RECORD_COUNT(type##_fields),              \
                                                .place_offset = where}

#endif
