/* The keys of in_situ rows of a machine table. */
#include "model/micro/in_situ.h"

#define RATIO .kind = FIELD_NUMBER, .required = true, AT_LEAST(1e-6)

static const struct field in_situ_fields[] = {
    FIELD(in_situ, bytes, .kind = FIELD_WHOLE, .required = true, AT_LEAST(0)),
    FIELD(in_situ, written, RATIO),
    FIELD(in_situ, after_256k, RATIO),
    FIELD(in_situ, after_1m, RATIO),
    FIELD(in_situ, after_4m, RATIO),
    FIELD(in_situ, after_32m, .kind = FIELD_NUMBER, AT_LEAST(1e-6)),
};

const struct record in_situ_record =
    RECORD_FROM("a row in situ", in_situ, in_situ_fields, NO_PLACE, .flow = true);
