/* Forms (linear combinations of functions of p) in and out of YAML: {1: -5.5, p: 15.5}, {p:
   1/21.1}; and the two short spellings of constant ones, t0_us and rinf_mb_per_s. */
#ifndef MODEL_COST_FORM_FIELDS_H
#define MODEL_COST_FORM_FIELDS_H

#include "model/cost/cost.h"

/* What a row of a table of fields says about a member that is a struct form. */
#define FORM(reader, writer, absence)                                                              \
    .kind = FIELD_OWN, .read = (reader), .write = (writer), .is_absent = (absence)
#define FORM_ANY FORM(form_read, form_write, form_absent)

/* A member with two spellings has two rows: what the form contains decides which one is written. */
#define FORM_T0 FORM(form_read_t0, form_write_t0, form_not_constant)
#define FORM_SETUP FORM(form_read_setup, form_write, form_no_other_setup)
#define FORM_RINF FORM(form_read_rinf, form_write_rinf, form_not_rate)
#define FORM_PER_BYTE FORM(form_read_per_byte, form_write, form_no_other_per_byte)

int form_read(struct yaml_node value, void *form, struct error *error);
int form_read_t0(struct yaml_node value, void *form, struct error *error);
int form_read_setup(struct yaml_node value, void *form, struct error *error);
int form_read_rinf(struct yaml_node value, void *form, struct error *error);
int form_read_per_byte(struct yaml_node value, void *form, struct error *error);

void form_write(struct yaml_out *out, const void *form);
void form_write_t0(struct yaml_out *out, const void *form);
void form_write_rinf(struct yaml_out *out, const void *form);

bool form_absent(const void *form);
bool form_not_constant(const void *form);
bool form_not_rate(const void *form);
bool form_no_other_setup(const void *form);
bool form_no_other_per_byte(const void *form);

#endif
