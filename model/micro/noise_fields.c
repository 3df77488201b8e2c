/* The keys of a machine table's noise: section. */
#include "model/micro/noise.h"

#define NEEDED .kind = FIELD_NUMBER, .required = true

static const struct field noise_fields[] = {
    FIELD(noise, moments, .kind = FIELD_WHOLE, .required = true, AT_LEAST(1)),
    FIELD(noise, quantum_us, NEEDED, AT_LEAST(0)),
    FIELD(noise, low_us, NEEDED, AT_LEAST(0)),
    FIELD(noise, high_us, NEEDED, AT_LEAST(0)),
    FIELD(noise, interrupted_share, NEEDED, WITHIN(0, 1)),
    FIELD(noise, interruptions_per_s, NEEDED, AT_LEAST(0)),
    FIELD(noise, interruption_us, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(noise, interruption_longest_us, .kind = FIELD_NUMBER, AT_LEAST(0)),
};

const struct record noise_record =
    RECORD_FROM("the noise", noise, noise_fields, NO_PLACE, .flow = true);
