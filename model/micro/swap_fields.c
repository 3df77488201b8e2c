/* The keys of a machine table's swap: section, and the columns of the file beside it. */
#include "model/micro/swap_summary.h"

#define ABOVE_0 .kind = FIELD_NUMBER, AT_LEAST(1e-12)
#define AT_LEAST_0 .kind = FIELD_NUMBER, AT_LEAST(0)
#define MESSAGES .kind = FIELD_WHOLE, AT_LEAST(1)

static const char *const sets[] = {"basic", "reorganized", NULL};
static const char *const ways[] = {"cold", "warm", "iterated", NULL};

/* Which experiment it is: in the section, those of a summary have these alike. */
#define IDENTITY                                                                                   \
    FIELD(swap, order, .kind = FIELD_WHOLE, .required = true, WITHIN(0, 1)),                       \
        FIELD(swap, protocol, .kind = FIELD_WHOLE, .required = true, WITHIN(0, 10)),               \
        FIELD(swap, set, .kind = FIELD_CHOICE, .choices = sets, .required = true)

/* What it came to. */
#define STATISTICS                                                                                 \
    FIELD(swap, a_us, AT_LEAST_0), FIELD(swap, a_not_visible, .kind = FIELD_FLAG),                 \
        FIELD(swap, b_us_per_byte, ABOVE_0), FIELD(swap, latency_us, AT_LEAST_0),                  \
        FIELD(swap, swap_mb_per_s, ABOVE_0), FIELD(swap, busy_mb_per_s, ABOVE_0),                  \
        FIELD(swap, idle_mb_per_s, ABOVE_0), FIELD(swap, model_error_max, AT_LEAST_0),             \
        FIELD(swap, model_error_mean, AT_LEAST_0), FIELD(swap, best_messages, MESSAGES),           \
        FIELD(swap, single_us, ABOVE_0), FIELD(swap, first_messages, MESSAGES),                    \
        FIELD(swap, last_messages, MESSAGES), FIELD(swap, dominant_from, MESSAGES),                \
        FIELD(swap, dominant_upto, MESSAGES), FIELD(swap, common_clock_us, .kind = FIELD_NUMBER)

static const struct field swap_fields[] = {
    IDENTITY,
    FIELD(swap, way, .kind = FIELD_CHOICE, .choices = ways, .required = true),
    FIELD(swap, volume_bytes, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(swap, pair, .kind = FIELD_TEXT),
    STATISTICS,
    FIELD(swap, not_available, .kind = FIELD_TEXT),
};

const struct record swap_record =
    RECORD_FROM("a swap", swap, swap_fields, offsetof(struct swap, place), .flow = true);

/* ---- summaries ---- */

static const struct field best_fields[] = {IDENTITY, STATISTICS};

const struct record swap_best_record =
    RECORD_FROM("a best swap", swap, best_fields, offsetof(struct swap, place), .flow = true);

static const struct field fit_fields[] = {
    FIELD(swap_fit, order, .kind = FIELD_WHOLE, .required = true, WITHIN(0, 1)),
    FIELD(swap_fit, protocol, .kind = FIELD_WHOLE, .required = true, WITHIN(0, 10)),
    FIELD(swap_fit, a_us, .required = true, AT_LEAST_0),
    FIELD(swap_fit, b_us_per_byte, .required = true, ABOVE_0),
};

const struct record swap_fit_record =
    RECORD_FROM("the fit of a swap", swap_fit, fit_fields, NO_PLACE, .flow = true);

static const struct field summary_fields[] = {
    FIELD(swap_summary, way, .kind = FIELD_CHOICE, .choices = ways, .required = true),
    FIELD(swap_summary, volume_bytes, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(swap_summary, pair, .kind = FIELD_TEXT),
    FIELD(swap_summary, experiments, .kind = FIELD_WHOLE, .required = true, AT_LEAST(1)),
    FIELD(swap_summary, least_mb_per_s, ABOVE_0),
    FIELD(swap_summary, median_mb_per_s, ABOVE_0),
    FIELD(swap_summary, most_mb_per_s, ABOVE_0),
    FIELD(swap_summary, best, .kind = FIELD_LIST, .of = &swap_best_record),
    FIELD(swap_summary, basic, .kind = FIELD_LIST, .of = &swap_fit_record),
};

const struct record swap_summary_record = RECORD_FROM(
    "a summary of swaps", swap_summary, summary_fields, offsetof(struct swap_summary, place));
