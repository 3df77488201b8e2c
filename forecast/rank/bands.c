#include "forecast/rank/bands.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct record band_record = {
    .name = "a band", .size = sizeof(struct band), .place_offset = NO_PLACE};

/* Of those that share the first rank the next after that one in the order of the description; NULL:
   none. */
static const struct candidate *next_winner(const struct ranking *ranking,
                                           const struct candidate *after)
{
    const struct candidate *next = NULL;
    for (size_t i = 0; i < ranking->count && ranking->items[i].rank == 1; i++) {
        const struct candidate *it = ranking->items[i].candidate;
        if ((!after || it > after) && (!next || it < next))
            next = it;
    }
    return next;
}

/* All that share the first rank. */
static char *winners(const struct ranking *ranking)
{
    const struct candidate *winner = next_winner(ranking, NULL);
    char *names = memory_copy_text(winner ? winner->name : "none");
    while (winner && (winner = next_winner(ranking, winner))) {
        char *more = memory_format("%s = %s", names, winner->name);
        free(names);
        names = more;
    }
    return names;
}

void bands_add(struct bands *bands, double value, const struct ranking *ranking)
{
    char *best = winners(ranking);
    const double sure =
        !ranking->no_odds && ranking->count > 0 ? ranking->items[0].odds.best : (double)NAN;
    struct band *last =
        bands->list.count ? (struct band *)bands->list.items + bands->list.count - 1 : NULL;
    if (last && strcmp(last->best, best) == 0) {
        last->to = value;
        last->least = fmin(last->least, sure);
        free(best);
        return;
    }
    *(struct band *)list_add(&band_record, &bands->list) = (struct band){value, value, best, sure};
}

void bands_free(struct bands *bands)
{
    struct band *items = bands->list.items;
    for (size_t i = 0; i < bands->list.count; i++)
        free(items[i].best);
    list_free(&band_record, &bands->list);
}
