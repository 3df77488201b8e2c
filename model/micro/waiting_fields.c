/* The keys of a machine table's waiting: section. */
#include "model/micro/waiting.h"

#define TIME .kind = FIELD_NUMBER, .required = true

static const struct field part_fields[] = {
    FIELD(waiting_part, share, .kind = FIELD_NUMBER, .required = true, WITHIN(1e-6, 1)),
    FIELD(waiting_part, us, TIME),
};

const struct record waiting_part_record =
    RECORD_FROM("a part of the computations", waiting_part, part_fields, NO_PLACE, .flow = true);

static const struct field among_fields[] = {
    FIELD(waiting_among, processors, .kind = FIELD_WHOLE, .required = true, AT_LEAST(2)),
    FIELD(waiting_among, waiting_us, TIME, AT_LEAST(0)),
    FIELD(waiting_among, low_us, TIME, AT_LEAST(0)),
    FIELD(waiting_among, high_us, TIME, AT_LEAST(0)),
};

const struct record waiting_among_record =
    RECORD_FROM("waiting among processors", waiting_among, among_fields, NO_PLACE, .flow = true);

static const char *const works[] = {"registers", "memory", NULL};

static const struct field waiting_fields[] = {
    FIELD(waiting, work, .kind = FIELD_CHOICE, .choices = works, .required = true),
    FIELD(waiting, work_us, TIME, AT_LEAST(1e-3)),
    FIELD(waiting, least_us, TIME),
    FIELD(waiting, parts, .kind = FIELD_LIST, .of = &waiting_part_record, .required = true,
          .flow = true),
    FIELD(waiting, among, .kind = FIELD_LIST, .of = &waiting_among_record, .required = true),
};

const struct record waiting_record =
    RECORD_FROM("waiting", waiting, waiting_fields, offsetof(struct waiting, place));
