#include "model/cost/form_fields.h"

#include "model/base/number.h"

#include <math.h>
#include <string.h>

/* ---- forms: {1: -5.5, p: 15.5}, {p: 1/21.1} ---- */

static bool parse_quotient(const char *text, struct quotient *quotient)
{
    char numerator[64];
    const char *slash = strchr(text, '/');
    quotient->denominator = 1.0;
    if (!slash)
        return number_parse(text, &quotient->numerator);
    const size_t length = (size_t)(slash - text);
    if (length >= sizeof numerator)
        return false;
    memcpy(numerator, text, length);
    numerator[length] = '\0';
    return number_parse(numerator, &quotient->numerator) &&
           number_parse(slash + 1, &quotient->denominator) && quotient->denominator != 0.0 &&
           isfinite(quotient->numerator / quotient->denominator);
}

int form_read(struct yaml_node value, void *member, struct error *error)
{
    struct form *form = member;
    char all[NAMES_TEXT];
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    if (yaml_count(value) > FORM_TERMS_MOST)
        return error_at(error, yaml_place(value), "%zu terms: expected at most %d",
                        yaml_count(value), FORM_TERMS_MOST);
    for (size_t i = 0; i < yaml_count(value); i++) {
        const struct yaml_node key = yaml_key(value, i), coefficient = yaml_value(value, i);
        const size_t basis = basis_named(yaml_text(key));
        if (basis == BASIS_COUNT)
            return error_at(error, yaml_place(key), "'%.60s' is not a term: expected one of %s",
                            yaml_text(key), basis_names(all));
        if (yaml_expect(coefficient, YAML_SCALAR, error) != 0)
            return -1;
        struct term *term = &form->terms[form->count++];
        term->basis = basis;
        if (!parse_quotient(yaml_text(coefficient), &term->coefficient))
            return error_at(error, yaml_place(coefficient),
                            "'%.60s' is not a coefficient: expected a number or a quotient of two",
                            yaml_text(coefficient));
    }
    return 0;
}

static void write_quotient(struct yaml_out *out, const struct quotient *quotient)
{
    char numerator[NUMBER_TEXT], denominator[NUMBER_TEXT], both[2 * NUMBER_TEXT];
    if (quotient->denominator == 1.0) {
        yaml_out_number(out, quotient->numerator);
        return;
    }
    strcpy(both, number_print(quotient->numerator, numerator));
    strcat(both, "/");
    strcat(both, number_print(quotient->denominator, denominator));
    yaml_out_text(out, both);
}

void form_write(struct yaml_out *out, const void *member)
{
    const struct form *form = member;
    yaml_out_map(out, true);
    for (size_t i = 0; i < form->count; i++) {
        yaml_out_key(out, basis_name(form->terms[i].basis));
        write_quotient(out, &form->terms[i].coefficient);
    }
    yaml_out_map_end(out);
}

/* A form has two spellings: t0_us for a constant setup, rinf_mb_per_s for a constant 1/x per byte,
   and otherwise a map of terms. What it contains decides how it is written. */
static bool is_constant(const struct form *form)
{
    return form->count == 1 && form->terms[0].basis == 0 &&
           form->terms[0].coefficient.denominator == 1.0;
}

static bool is_rate(const struct form *form)
{
    return form->count == 1 && form->terms[0].basis == 0 &&
           form->terms[0].coefficient.numerator == 1.0 &&
           form->terms[0].coefficient.denominator != 1.0;
}

bool form_not_constant(const void *form)
{
    return !is_constant(form);
}

bool form_not_rate(const void *form)
{
    return !is_rate(form);
}

bool form_no_other_setup(const void *member)
{
    const struct form *form = member;
    return form->count == 0 || is_constant(form);
}

bool form_no_other_per_byte(const void *member)
{
    const struct form *form = member;
    return form->count == 0 || is_rate(form);
}

bool form_absent(const void *member)
{
    return ((const struct form *)member)->count == 0;
}

static int read_once(struct yaml_node value, const struct form *form, const char *twin,
                     struct error *error)
{
    if (form->count == 0)
        return 0;
    return error_at(error, yaml_place(value), "the same cost as %s: expected one of the two", twin);
}

int form_read_t0(struct yaml_node value, void *member, struct error *error)
{
    double t0_us;
    if (read_once(value, member, "setup_us", error) != 0 || yaml_number(value, &t0_us, error) != 0)
        return -1;
    *(struct form *)member = form_constant(t0_us);
    return 0;
}

int form_read_rinf(struct yaml_node value, void *member, struct error *error)
{
    double rinf_mb_per_s;
    if (read_once(value, member, "per_byte_us", error) != 0 ||
        yaml_number(value, &rinf_mb_per_s, error) != 0)
        return -1;
    if (!(rinf_mb_per_s > 0.0))
        return error_at(error, yaml_place(value), "rinf_mb_per_s is '%.60s': expected above 0",
                        yaml_text(value));
    *(struct form *)member = (struct form){.count = 1, .terms = {{0, {1.0, rinf_mb_per_s}}}};
    return 0;
}

int form_read_setup(struct yaml_node value, void *member, struct error *error)
{
    return read_once(value, member, "t0_us", error) != 0 ? -1 : form_read(value, member, error);
}

int form_read_per_byte(struct yaml_node value, void *member, struct error *error)
{
    return read_once(value, member, "rinf_mb_per_s", error) != 0 ? -1
                                                                 : form_read(value, member, error);
}

void form_write_t0(struct yaml_out *out, const void *member)
{
    yaml_out_number(out, ((const struct form *)member)->terms[0].coefficient.numerator);
}

void form_write_rinf(struct yaml_out *out, const void *member)
{
    yaml_out_number(out, ((const struct form *)member)->terms[0].coefficient.denominator);
}
