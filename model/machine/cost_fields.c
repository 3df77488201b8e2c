/* The keys of a utility's cost in a machine table, for reading and writing. */
#include "model/machine/cost.h"

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

static int read_form(struct yaml_node value, void *member, struct error *error)
{
    struct form *form = member;
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++) {
        const struct yaml_node key = yaml_key(value, i), coefficient = yaml_value(value, i);
        const size_t basis = basis_named(yaml_text(key));
        if (basis == BASIS_COUNT)
            return error_at(error, yaml_place(key),
                            "'%.60s' is not a term: expected 1, p, p-1, p-2, p^2, p^3, sqrt(p), "
                            "log2(p), D, D^2, sqrt(D) or ceil(log2(p))",
                            yaml_text(key));
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

static void write_form(struct yaml_out *out, const void *member)
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

static bool not_constant(const void *form)
{
    return !is_constant(form);
}

static bool not_rate(const void *form)
{
    return !is_rate(form);
}

static bool no_other_setup(const void *member)
{
    const struct form *form = member;
    return form->count == 0 || is_constant(form);
}

static bool no_other_per_byte(const void *member)
{
    const struct form *form = member;
    return form->count == 0 || is_rate(form);
}

static bool no_form(const void *member)
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

static int read_t0(struct yaml_node value, void *member, struct error *error)
{
    double t0_us;
    if (read_once(value, member, "setup_us", error) != 0 || yaml_number(value, &t0_us, error) != 0)
        return -1;
    *(struct form *)member = form_constant(t0_us);
    return 0;
}

static int read_rinf(struct yaml_node value, void *member, struct error *error)
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

static int read_setup(struct yaml_node value, void *member, struct error *error)
{
    return read_once(value, member, "t0_us", error) != 0 ? -1 : read_form(value, member, error);
}

static int read_per_byte(struct yaml_node value, void *member, struct error *error)
{
    return read_once(value, member, "rinf_mb_per_s", error) != 0 ? -1
                                                                 : read_form(value, member, error);
}

static void write_t0(struct yaml_out *out, const void *member)
{
    yaml_out_number(out, ((const struct form *)member)->terms[0].coefficient.numerator);
}

static void write_rinf(struct yaml_out *out, const void *member)
{
    yaml_out_number(out, ((const struct form *)member)->terms[0].coefficient.denominator);
}

/* ---- conditions on p: processors: 3, or processors_upto: 4 ---- */

static void begin_processors(void *member)
{
    *(struct span *)member = (struct span){0.0, INFINITY};
}

static int read_processors(struct yaml_node value, void *member, struct error *error)
{
    struct span *span = member;
    if (yaml_number(value, &span->most, error) != 0)
        return -1;
    span->least = span->most;
    return 0;
}

static int read_processors_upto(struct yaml_node value, void *member, struct error *error)
{
    return yaml_number(value, &((struct span *)member)->most, error);
}

static bool no_single(const void *member)
{
    const struct span *span = member;
    return span->least != span->most;
}

static bool no_upto(const void *member)
{
    const struct span *span = member;
    return isinf(span->most) || span->least == span->most;
}

static void write_most(struct yaml_out *out, const void *member)
{
    yaml_out_number(out, ((const struct span *)member)->most);
}

/* ---- trained ranges: [0, 1048576] ---- */

static void begin_span(void *member)
{
    *(struct span *)member = (struct span){NAN, NAN};
}

static int read_span(struct yaml_node value, void *member, struct error *error)
{
    struct span *span = member;
    if (yaml_expect(value, YAML_LIST, error) != 0)
        return -1;
    if (yaml_count(value) != 2)
        return error_at(error, yaml_place(value), "expected [LEAST, MOST]");
    if (yaml_number(yaml_item(value, 0), &span->least, error) != 0 ||
        yaml_number(yaml_item(value, 1), &span->most, error) != 0)
        return -1;
    if (span->least > span->most)
        return error_at(error, yaml_place(value), "a range that ends before it starts");
    return 0;
}

static bool no_span(const void *member)
{
    return isnan(((const struct span *)member)->least);
}

static void write_span(struct yaml_out *out, const void *member)
{
    const struct span *span = member;
    yaml_out_list(out, true);
    yaml_out_number(out, span->least);
    yaml_out_number(out, span->most);
    yaml_out_list_end(out);
}

/* ---- the tables ---- */

#define MEMBER(type, member) .offset = offsetof(struct type, member)
#define AT_LEAST_0 .bounded = true, .least = 0.0, .most = INFINITY

static const struct field error_fields[] = {
    {.key = "fitted_median",   .kind = FIELD_NUMBER, MEMBER(region_error, fitted_median),   AT_LEAST_0},
    {.key = "fitted_p95",      .kind = FIELD_NUMBER, MEMBER(region_error, fitted_p95),      AT_LEAST_0},
    {.key = "held_out_median",
     .kind = FIELD_NUMBER,
     MEMBER(region_error,                                                 held_out_median),
     AT_LEAST_0                                                                                       },
    {.key = "held_out_p95",    .kind = FIELD_NUMBER, MEMBER(region_error, held_out_p95),    AT_LEAST_0},
    {.key = "points",          .kind = FIELD_WHOLE,  MEMBER(region_error, points),          AT_LEAST_0},
    {.key = "held_out_points",
     .kind = FIELD_WHOLE,
     MEMBER(region_error,                                                 held_out_points),
     AT_LEAST_0                                                                                       },
};

static const struct record error_record = {
    "the error of a region",    sizeof(struct region_error), error_fields,
    RECORD_COUNT(error_fields), .place_offset = NO_PLACE,    .flow = true};

#define FORM(spelling, part, reader, writer, absence)                                              \
    {                                                                                              \
        .key = spelling, .kind = FIELD_OWN, MEMBER(region, part), .read = reader, .write = writer, \
        .is_absent = absence                                                                       \
    }

static const struct field region_fields[] = {
    {.key = "bytes_upto",
     .kind = FIELD_WHOLE,
     MEMBER(region,                        bytes_upto),
     AT_LEAST_0,                                    .has_absent = true,
     .absent = INFINITY},
    {.key = "processors",
     .kind = FIELD_OWN,
     MEMBER(region,                    processors),
     .read = read_processors,
     .write = write_most,
     .is_absent = no_single,
     .begin = begin_processors},
    {.key = "processors_upto",
     .kind = FIELD_OWN,
     MEMBER(region,          processors),
     .read = read_processors_upto,
     .write = write_most,
     .is_absent = no_upto},
    {.key = "unscalable", .kind = FIELD_FLAG,       MEMBER(region,                 unscalable)                              },
    FORM("t0_us", setup_us, read_t0, write_t0, not_constant),
    FORM("setup_us", setup_us, read_setup, write_form, no_other_setup),
    FORM("rinf_mb_per_s", per_byte_us, read_rinf, write_rinf, not_rate),
    FORM("per_byte_us", per_byte_us, read_per_byte, write_form, no_other_per_byte),
    FORM("per_root_byte_us", per_root_byte_us, read_form, write_form, no_form),
    {.key = "packet_bytes",
     .kind = FIELD_WHOLE,
     MEMBER(region,packet_bytes),
     .bounded = true,
     .least = 1.0,
     .most = INFINITY},
    {.key = "per_packet_us",                 .kind = FIELD_NUMBER,          MEMBER(region,                   per_packet_us)           },
    {.key = "error",
     .kind = FIELD_RECORD,
     MEMBER(region,                 error),
     .of = &error_record,
     .flow = true                                                     },
};

const struct record region_record = {"a region",
                                     sizeof(struct region),
                                     region_fields,
                                     RECORD_COUNT(region_fields),
                                     .place_offset = offsetof(struct region, place),
                                     .flow = true};

static const struct field at_processors_fields[] = {
    {.key = "processors",
     .kind = FIELD_WHOLE,
     MEMBER(at_processors,                processors),
     .required = true,
     .bounded = true,
     .least = 1.0,
     .most = INFINITY},
    {.key = "regions",
     .kind = FIELD_LIST,
     MEMBER(at_processors, regions),
     .required = true,
     .of = &region_record},
};

static const struct record at_processors_record = {
    "the regions at one processor count", sizeof(struct at_processors), at_processors_fields,
    RECORD_COUNT(at_processors_fields), .place_offset = NO_PLACE};

static const char *const statistics[] = {"unknown", "minimum", "mean", "median", NULL};
static const char *const processors_means[] = {"participants", "destinations", "sources", NULL};
static const char *const measures_names[] = {"unknown", "completion", "sender", "receiver", NULL};

#define RANGE(name, member_name)                                                                   \
    {                                                                                              \
        .key = name, .kind = FIELD_OWN, MEMBER(cost, member_name), .read = read_span,              \
        .write = write_span, .is_absent = no_span, .begin = begin_span                             \
    }

static const struct field cost_fields[] = {
    {.key = "utility",         .kind = FIELD_TEXT,   MEMBER(cost, utility),         .required = true         },
    {.key = "statistic",       .kind = FIELD_CHOICE, MEMBER(cost, statistic),       .choices = statistics    },
    {.key = "processors_mean",
     .kind = FIELD_CHOICE,
     MEMBER(cost,                                                 processors_mean),
     .choices = processors_means                                                                             },
    {.key = "measures",        .kind = FIELD_CHOICE, MEMBER(cost, measures),        .choices = measures_names},
    {.key = "source",          .kind = FIELD_TEXT,   MEMBER(cost, source)         },
    {.key = "note",      .kind = FIELD_TEXT,          MEMBER(cost,       note)                },
    RANGE("bytes", bytes),
    RANGE("processors", processors),
    {.key = "points",             .kind = FIELD_WHOLE,                          MEMBER(cost,  points),                 AT_LEAST_0                         },
    {.key = "held_out_points",             .kind = FIELD_WHOLE,                 MEMBER(cost,  held_out_points),                 AT_LEAST_0           },
    {.key = "rejected",
     .kind = FIELD_NUMBER,
     MEMBER(cost,                                             rejected),
     .bounded = true,
     .least = 0.0,
     .most = 1.0},
    {.key = "disturbed",       .kind = FIELD_FLAG,   MEMBER(cost, disturbed)      },
    {.key = "regions",
     .kind = FIELD_LIST,
     MEMBER(cost,                                       regions),
     .required = true,
     .of = &region_record},
    {.key = "by_processors",
     .kind = FIELD_LIST,
     MEMBER(cost,                                                 by_processors),
     .of = &at_processors_record                                                                                             },
};

const struct record cost_record = {"a utility", sizeof(struct cost), cost_fields,
                                   RECORD_COUNT(cost_fields),
                                   .place_offset = offsetof(struct cost, place)};
