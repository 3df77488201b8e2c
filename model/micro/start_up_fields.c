/* The keys of a machine table's start_up: and first_touch: sections. */
#include "model/micro/start_up.h"

#define NEEDED .kind = FIELD_NUMBER, .required = true

static const struct field start_up_fields[] = {
    FIELD(start_up, bytes, .kind = FIELD_WHOLE, .required = true, AT_LEAST(1)),
    FIELD(start_up, first_us, NEEDED, AT_LEAST(0)),
    FIELD(start_up, first_8_us, NEEDED, AT_LEAST(0)),
    FIELD(start_up, first_64_us, NEEDED, AT_LEAST(0)),
    FIELD(start_up, first_256_us, NEEDED, AT_LEAST(0)),
};

const struct record start_up_record =
    RECORD_FROM("first messages", start_up, start_up_fields, NO_PLACE, .flow = true);

static const struct field first_touch_fields[] = {
    FIELD(first_touch, bytes, .kind = FIELD_WHOLE, .required = true, AT_LEAST(1)),
    FIELD(first_touch, mib_us, NEEDED, AT_LEAST(0)),
    FIELD(first_touch, mib_us_low, NEEDED, AT_LEAST(0)),
    FIELD(first_touch, mib_us_high, NEEDED, AT_LEAST(0)),
};

const struct record first_touch_record = RECORD_FROM(
    "memory written for the first time", first_touch, first_touch_fields, NO_PLACE, .flow = true);
