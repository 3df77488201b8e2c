/* The keys of a machine table's states: section, and of what they make of a cost. */
#include "model/micro/states.h"

#include <math.h>

#define NEEDED .kind = FIELD_NUMBER, .required = true

static const struct field machine_state_fields[] = {
    FIELD(machine_state, share, NEEDED, WITHIN(0, 1)),
    FIELD(machine_state, gauge_us, NEEDED, AT_LEAST(0)),
    FIELD(machine_state, low_us, NEEDED, AT_LEAST(0)),
    FIELD(machine_state, high_us, NEEDED, AT_LEAST(0)),
};

const struct record machine_state_record =
    RECORD_FROM("a state", machine_state, machine_state_fields, NO_PLACE, .flow = true);

static const struct field state_factor_fields[] = {
    FIELD(state_factor, state, .kind = FIELD_WHOLE, .required = true, WITHIN(2, STATES_MOST)),
    FIELD(state_factor, bytes_upto, .kind = FIELD_WHOLE, AT_LEAST(0), .has_absent = true,
          .absent = INFINITY),
    FIELD(state_factor, ratio, NEEDED, AT_LEAST(0)),
    FIELD(state_factor, add_us, NEEDED),
    FIELD(state_factor, factor, NEEDED, AT_LEAST(0)),
    FIELD(state_factor, points, .kind = FIELD_WHOLE, .required = true, AT_LEAST(1)),
};

const struct record state_factor_record =
    RECORD_FROM("a factor of a state", state_factor, state_factor_fields, NO_PLACE, .flow = true);
