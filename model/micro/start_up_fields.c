/* The keys of a machine table's start_up: section. */
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
