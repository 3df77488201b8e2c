#include "trainer/moments.h"

#include <math.h>
#include <stdlib.h>

/* Times that differ by less are the same, and their mean knows it better than either; one that no
   other comes as near to as the second share is the only witness of what it says. */
static const double agreement_most = 0.1, change_most = 0.22;

/* Where it is more, the curve is a mixture of two machines. */
static const double unsettled_most = 0.2;

static double quickest(const struct moments *moments, enum statistic statistic)
{
    double quickest_us = INFINITY;
    for (size_t i = 0; i < moments->count; i++)
        quickest_us = fmin(quickest_us, point_time_us(&moments->looks[i], statistic));
    return quickest_us;
}

struct point moments_settled(const struct moments *moments, enum statistic statistic)
{
    const double quickest_us = quickest(moments, statistic);
    struct point settled = {0};
    bool has_one = false;
    for (size_t i = 0; i < moments->count; i++) {
        const struct point *look = &moments->looks[i];
        if (point_time_us(look, statistic) > (1.0 + agreement_most) * quickest_us)
            continue;
        settled = has_one ? points_mean(&settled, look) : *look;
        has_one = true;
    }
    return settled;
}

bool moments_unsettled(const struct moments *moments, enum statistic statistic)
{
    const double quickest_us = quickest(moments, statistic);
    size_t as_quick = 0;
    for (size_t i = 0; i < moments->count; i++)
        as_quick +=
            point_time_us(&moments->looks[i], statistic) <= (1.0 + change_most) * quickest_us;
    return moments->count > 1 && as_quick == 1;
}

static bool is_interrupted(const struct moments *points, size_t count, size_t moment)
{
    struct list looks = {0};
    for (size_t i = 0; i < count; i++)
        if (moment < points[i].count)
            *(struct point *)list_add(&point_record, &looks) = points[i].looks[moment];
    const bool is = points_interrupted(&looks);
    free(looks.items);
    return is;
}

const char *moments_disturbance(const struct moments *points, size_t count,
                                const bool others_ran[MOMENTS_MOST], enum statistic statistic)
{
    size_t moments = 0, others = 0, spoilt = 0, unsettled = 0;
    for (size_t i = 0; i < count; i++) {
        moments = moments > points[i].count ? moments : points[i].count;
        unsettled += moments_unsettled(&points[i], statistic);
    }
    for (size_t at = 0; at < moments; at++) {
        others += others_ran[at];
        spoilt += others_ran[at] || is_interrupted(points, count, at);
    }
    const size_t good_least = moments < 2 ? moments : 2;
    if (moments - spoilt < good_least)
        return others > 0 ? "others used the processors" : "ranks were interrupted";
    return (double)unsettled > unsettled_most * (double)count
               ? "times changed while they were measured"
               : NULL;
}
