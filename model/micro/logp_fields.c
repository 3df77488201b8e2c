/* The keys of a machine table's logp: section. */
#include "model/micro/logp.h"

#define TIME .kind = FIELD_NUMBER, AT_LEAST(0)

static const struct field signature_fields[] = {
    FIELD(signature_point, issues, .kind = FIELD_WHOLE, .required = true, AT_LEAST(1)),
    FIELD(signature_point, delay_us, .required = true, TIME),
    FIELD(signature_point, cost_us, .required = true, TIME),
};

const struct record signature_point_record = RECORD_FROM(
    "a point of the signature", signature_point, signature_fields, NO_PLACE, .flow = true);

static const struct field bulk_fields[] = {
    FIELD(logp_bulk, bytes, .kind = FIELD_WHOLE, .required = true, AT_LEAST(0)),
    FIELD(logp_bulk, send_overhead_us, TIME),
    FIELD(logp_bulk, receive_overhead_us, TIME),
    FIELD(logp_bulk, gap_us, TIME),
    FIELD(logp_bulk, gap_not_visible, .kind = FIELD_FLAG),
    FIELD(logp_bulk, transfer_us, TIME),
};

const struct record logp_bulk_record = RECORD_FROM("a size of bulk", logp_bulk, bulk_fields,
                                                   offsetof(struct logp_bulk, place), .flow = true);

static const struct field crowd_fields[] = {
    FIELD(logp_crowd, processors, .kind = FIELD_WHOLE, .required = true, AT_LEAST(1)),
    FIELD(logp_crowd, gap_us, TIME),
    FIELD(logp_crowd, ratio, .kind = FIELD_NUMBER, .required = true, AT_LEAST(0)),
    FIELD(logp_crowd, send_overhead_us, TIME),
    FIELD(logp_crowd, receive_overhead_us, TIME),
    FIELD(logp_crowd, latency_us, TIME),
};

const struct record logp_crowd_record =
    RECORD_FROM("a number of processors", logp_crowd, crowd_fields, NO_PLACE, .flow = true);

static const char *const round_trips[] = {"", "minimum", "maximum", NULL};

static const struct field logp_fields[] = {
    FIELD(logp, send_overhead_us, .required = true, TIME),
    FIELD(logp, receive_overhead_us, .required = true, TIME),
    FIELD(logp, gap_us, TIME),
    FIELD(logp, gap_not_visible, .kind = FIELD_FLAG),
    FIELD(logp, latency_us, TIME),
    FIELD(logp, round_trip_min_us, TIME),
    FIELD(logp, round_trip_max_us, TIME),
    FIELD(logp, latency_from, .kind = FIELD_CHOICE, .choices = round_trips),
    FIELD(logp, message_bytes, .kind = FIELD_WHOLE, AT_LEAST(0)),
    FIELD(logp, capacity, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(logp, store_t0_us, .kind = FIELD_NUMBER),
    FIELD(logp, store_rinf_mb_per_s, .kind = FIELD_NUMBER, AT_LEAST(1e-9)),
    FIELD(logp, source, .kind = FIELD_TEXT),
    FIELD(logp, note, .kind = FIELD_TEXT),
    FIELD(logp, bulk, .kind = FIELD_LIST, .of = &logp_bulk_record),
    FIELD(logp, k_to_1, .kind = FIELD_LIST, .of = &logp_crowd_record),
    FIELD(logp, one_to_k, .kind = FIELD_LIST, .of = &logp_crowd_record),
    FIELD(logp, pairs, .kind = FIELD_LIST, .of = &logp_crowd_record),
    FIELD(logp, signature, .kind = FIELD_LIST, .of = &signature_point_record),
};

const struct record logp_record =
    RECORD_FROM("logp", logp, logp_fields, offsetof(struct logp, place));
