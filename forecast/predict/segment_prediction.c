#include "forecast/predict/segment_prediction.h"

static const struct record item_record = {
    .name = "an item", .size = sizeof(struct item), .place_offset = NO_PLACE};

struct item *segment_add_item(struct segment_prediction *segment)
{
    return list_add(&item_record, &segment->items);
}

void segment_prediction_free(struct segment_prediction *segment)
{
    list_free(&item_record, &segment->items);
    uncertainty_free(&segment->uncertain);
}
