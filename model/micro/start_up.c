#include "model/micro/start_up.h"

#include <math.h>

/* Between two counts as far as there are messages. */
static double more_us(const struct start_up *row, double messages)
{
    const double counts[] = {0.0, 1.0, 8.0, 64.0, START_UP_MESSAGES};
    const double us[] = {0.0, row->first_us, row->first_8_us, row->first_64_us, row->first_256_us};
    const size_t last = sizeof counts / sizeof *counts - 1;
    size_t k = 1;
    while (k < last && messages > counts[k])
        k++;
    const double share = fmin(1.0, (messages - counts[k - 1]) / (counts[k] - counts[k - 1]));
    return us[k - 1] + share * (us[k] - us[k - 1]);
}

/* The bytes of the longest row that is shorter; 0: it is the shortest. */
static double bytes_below(const struct list *rows, double bytes)
{
    const struct start_up *items = rows->items;
    double below = 0.0;
    for (size_t i = 0; i < rows->count; i++)
        if (items[i].bytes < bytes)
            below = fmax(below, items[i].bytes);
    return below;
}

/* What of the row's memory a message touches: of the shortest row all. */
static double share_of(const struct start_up *row, double below, double bytes)
{
    if (below == 0.0)
        return 1.0;
    return fmin(1.0, fmax(0.0, (bytes - below) / (row->bytes - below)));
}

static double row_us(const struct start_up *row, double below, const struct first_messages *kinds,
                     size_t count)
{
    double messages = 0.0, most = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double share = share_of(row, below, kinds[i].bytes);
        messages += share > 0.0 ? kinds[i].count : 0.0;
        most = fmax(most, kinds[i].count > 0.0 ? share : 0.0);
    }
    return most * more_us(row, messages);
}

double start_up_us(const struct list *rows, const struct first_messages *kinds, size_t count)
{
    const struct start_up *items = rows->items;
    double sum_us = 0.0;
    for (size_t i = 0; i < rows->count; i++)
        sum_us += row_us(&items[i], bytes_below(rows, items[i].bytes), kinds, count);
    return sum_us;
}
