/* The keys of a machine table: one row a section. */
#include "model/machine/machine.h"

#include <math.h>

#define TEXT(of, member_name)                                                                      \
    {                                                                                              \
        .key = #member_name, .kind = FIELD_TEXT, .offset = offsetof(struct of, member_name)        \
    }

static const struct field provenance_fields[] = {
    TEXT(provenance, date),
    TEXT(provenance, host),
    TEXT(provenance, cpu),
    {.key = "cores",      .kind = FIELD_WHOLE,  .offset = offsetof(struct provenance, cores)     },
    TEXT(provenance, os),
    TEXT(provenance, compiler),
    TEXT(provenance, mpi),
    TEXT(provenance, environment),
    TEXT(provenance, binding),
    TEXT(provenance, options),
    {.key = "seed",       .kind = FIELD_WHOLE,  .offset = offsetof(struct provenance, seed)      },
    {.key = "duration_s", .kind = FIELD_NUMBER, .offset = offsetof(struct provenance, duration_s)},
};

static const struct record provenance_record = {.name = "measured",
                                                .size = sizeof(struct provenance),
                                                .fields = provenance_fields,
                                                .count = RECORD_COUNT(provenance_fields),
                                                .place_offset = NO_PLACE};

static const struct field identity_fields[] = {
    {.key = "name",
     .kind = FIELD_TEXT,
     .offset = offsetof(struct identity,   name),
     .required = true                  },
    TEXT(identity, title),
    {.key = "processors",
     .kind = FIELD_WHOLE,
     .offset = offsetof(struct identity,   processors),
     .bounded = true,
     .least = 1.0,
     .most = INFINITY},
    TEXT(identity, source),
    {.key = "measured",
     .kind = FIELD_OPTION,
     .offset = offsetof(struct identity, measured),
     .of = &provenance_record},
};

static const struct record identity_record = {.name = "machine",
                                              .size = sizeof(struct identity),
                                              .fields = identity_fields,
                                              .count = RECORD_COUNT(identity_fields),
                                              .place_offset = offsetof(struct identity, place)};

static const struct field not_measured_fields[] = {
    {.key = "what",
     .kind = FIELD_TEXT,
     .offset = offsetof(struct not_measured, what),
     .required = true},
    {.key = "because",
     .kind = FIELD_TEXT,
     .offset = offsetof(struct not_measured, because),
     .required = true},
};

const struct record not_measured_record = {.name = "what was not measured",
                                           .size = sizeof(struct not_measured),
                                           .fields = not_measured_fields,
                                           .count = RECORD_COUNT(not_measured_fields),
                                           .place_offset = NO_PLACE,
                                           .flow = true};

static const struct field machine_fields[] = {
    {.key = "forecost",
     .kind = FIELD_WHOLE,
     .offset = offsetof(struct machine, format),
     .required = true,
     .bounded = true,
     .least = MACHINE_FORMAT,
     .most = MACHINE_FORMAT},
    {.key = "machine",
     .kind = FIELD_RECORD,
     .offset = offsetof(struct machine,          machine),
     .required = true,
     .of = &identity_record},
    {.key = "communication",
     .kind = FIELD_LIST,
     .offset = offsetof(struct machine,            communication),
     .of = &cost_record},
    {.key = "node",
     .kind = FIELD_OPTION,
     .offset = offsetof(struct machine,                node),
     .of = &node_record             },
    {.key = "not_measured",
     .kind = FIELD_LIST,
     .offset = offsetof(struct machine,                not_measured),
     .of = &not_measured_record},
};

const struct record machine_record = {.name = "a machine table",
                                      .size = sizeof(struct machine),
                                      .fields = machine_fields,
                                      .count = RECORD_COUNT(machine_fields),
                                      .place_offset = NO_PLACE};
