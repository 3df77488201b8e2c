/* The keys of a machine table's overlap: section. */
#include "model/micro/overlap.h"

#define TIME .kind = FIELD_NUMBER, .required = true, AT_LEAST(0)

static const char *const sides[] = {"send", "receive", NULL};

static const struct field overlap_fields[] = {
    FIELD(overlap, side, .kind = FIELD_CHOICE, .choices = sides, .required = true),
    FIELD(overlap, bytes, .kind = FIELD_WHOLE, .required = true, AT_LEAST(0)),
    FIELD(overlap, iterations, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(overlap, loop_us, TIME),
    FIELD(overlap, work_us, TIME),
    FIELD(overlap, overhead_us, TIME),
    FIELD(overlap, transfer_us, TIME),
    FIELD(overlap, availability, .kind = FIELD_NUMBER, .required = true, WITHIN(0, 1)),
    FIELD(overlap, low, .kind = FIELD_NUMBER, WITHIN(0, 1)),
    FIELD(overlap, high, .kind = FIELD_NUMBER, WITHIN(0, 1)),
    FIELD(overlap, base_threshold, .kind = FIELD_NUMBER, AT_LEAST(1)),
};

const struct record overlap_record = RECORD_FROM("an overlap", overlap, overlap_fields,
                                                 offsetof(struct overlap, place), .flow = true);
