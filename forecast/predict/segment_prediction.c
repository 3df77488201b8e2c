#include "forecast/predict/segment_prediction.h"

static const struct record item_record = {
    .name = "an item", .size = sizeof(struct item), .place_offset = NO_PLACE};

struct item *segment_add_item(struct segment_prediction *segment)
{
    return list_add(&item_record, &segment->items);
}

unsigned segment_flags(const struct segment_prediction *segment)
{
    const unsigned unknown =
        cost_interval_flag(segment->total_us, segment->low_us, segment->high_us);
    const bool is_partly = segment->at_bound && !unknown;
    return segment->flags | unknown | (is_partly ? (unsigned)COST_PARTLY_BOUND : 0);
}

void segment_prediction_free(struct segment_prediction *segment)
{
    list_free(&item_record, &segment->items);
    uncertainty_free(&segment->uncertain);
}
