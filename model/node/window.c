#include "model/node/window.h"

#include <math.h>

/* A row begins when the operations that have not started are as few as the scheduler holds. Rows
   that begin a share s apart are m under way, m s <= 1 < (m + 1) s, of which 1 - s, 1 - 2 s, ...,
   1 - m s have not started: together `rows`. */
double window_scheduler_share(double rows)
{
    const double m = floor(2.0 * rows) + 1.0;
    return isinf(rows) ? 0.0 : 2.0 * (m - rows) / (m * (m + 1.0));
}

/* Up to one row, the next begins so far before the end of this one, or both end at the same time
   and every other row finds all of it. Further rows are done, or have what there is room for,
   before the oldest is. */
double window_reorder_share(double rows)
{
    const double m = fmax(1.0, ceil(rows));
    return isinf(rows) ? 0.0 : fmax(1.0 - rows / m, 1.0 / (m + 1.0));
}

/* Behind the oldest, which leaves before another one enters. */
static double reorder_iterations(const struct node *node, const struct window_row *row)
{
    return fmax(0.0, node->window_instructions / row->instructions - 1.0);
}

double window_share(const struct node *node, const struct window_row *row)
{
    double share = 0.0;
    if (isnan(node->scheduler_operations) && isnan(node->window_instructions))
        return 1.0;
    if (!isnan(node->scheduler_operations) && row->waiting > 0.0)
        share = window_scheduler_share(node->scheduler_operations / row->waiting / row->iterations);
    if (!isnan(node->window_instructions) && row->instructions > 0.0)
        share = fmax(share, window_reorder_share(reorder_iterations(node, row) / row->iterations));
    return share;
}
