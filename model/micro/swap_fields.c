/* The keys of a machine table's swap: section. */
#include "model/micro/swap.h"

#define ABOVE_0 .kind = FIELD_NUMBER, AT_LEAST(1e-12)
#define AT_LEAST_0 .kind = FIELD_NUMBER, AT_LEAST(0)
#define MESSAGES .kind = FIELD_WHOLE, AT_LEAST(1)

static const char *const sets[] = {"basic", "reorganized", NULL};
static const char *const ways[] = {"cold", "warm", "iterated", NULL};

static const struct field swap_fields[] = {
    FIELD(swap, order, .kind = FIELD_WHOLE, .required = true, WITHIN(0, 1)),
    FIELD(swap, protocol, .kind = FIELD_WHOLE, .required = true, WITHIN(0, 10)),
    FIELD(swap, set, .kind = FIELD_CHOICE, .choices = sets, .required = true),
    FIELD(swap, way, .kind = FIELD_CHOICE, .choices = ways, .required = true),
    FIELD(swap, volume_bytes, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(swap, pair, .kind = FIELD_TEXT),
    FIELD(swap, a_us, AT_LEAST_0),
    FIELD(swap, a_not_visible, .kind = FIELD_FLAG),
    FIELD(swap, b_us_per_byte, ABOVE_0),
    FIELD(swap, latency_us, AT_LEAST_0),
    FIELD(swap, swap_mb_per_s, ABOVE_0),
    FIELD(swap, busy_mb_per_s, ABOVE_0),
    FIELD(swap, idle_mb_per_s, ABOVE_0),
    FIELD(swap, model_error_max, AT_LEAST_0),
    FIELD(swap, model_error_mean, AT_LEAST_0),
    FIELD(swap, best_messages, MESSAGES),
    FIELD(swap, single_us, ABOVE_0),
    FIELD(swap, first_messages, MESSAGES),
    FIELD(swap, last_messages, MESSAGES),
    FIELD(swap, dominant_from, MESSAGES),
    FIELD(swap, dominant_upto, MESSAGES),
    FIELD(swap, common_clock_us, .kind = FIELD_NUMBER),
    FIELD(swap, not_available, .kind = FIELD_TEXT),
};

const struct record swap_record =
    RECORD_FROM("a swap", swap, swap_fields, offsetof(struct swap, place), .flow = true);
