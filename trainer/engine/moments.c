#include "trainer/engine/moments.h"

#include <math.h>
#include <stdlib.h>

/* Times that differ by less are the same, and their mean knows it better than either; one that no
   other comes as near to as the second share is the only witness of what it says. */
static const double agreement_most = 0.1, change_most = 0.22;

/* Where it is more, the curve is a mixture of two machines. */
static const double unsettled_most = 0.2;

/* A time of 0 is none: the clock's noise was longer. Where there is no other, INFINITY. */
static double quickest(const struct moments *moments, enum statistic statistic)
{
    double quickest_us = INFINITY;
    for (size_t i = 0; i < moments->count; i++) {
        const double time_us = point_time_us(&moments->looks[i], statistic);
        quickest_us = time_us > 0.0 ? fmin(quickest_us, time_us) : quickest_us;
    }
    return quickest_us;
}

/* Whether the time is longer than the quickest by that share at most. */
static bool is_as_quick(const struct point *look, double quickest_us, double share,
                        enum statistic statistic)
{
    const double time_us = point_time_us(look, statistic);
    return time_us > 0.0 && time_us <= (1.0 + share) * quickest_us;
}

struct point moments_settled(const struct moments *moments, enum statistic statistic)
{
    const double quickest_us = quickest(moments, statistic);
    struct point settled = moments->looks[0];
    double sum_us = 0.0;
    int count = 0;
    for (size_t i = 0; i < moments->count; i++) {
        const struct point *look = &moments->looks[i];
        if (!is_as_quick(look, quickest_us, agreement_most, statistic))
            continue;
        settled = count > 0 ? points_mean(&settled, look) : *look;
        sum_us += look->median_us;
        count++;
    }
    if (count > 0)
        settled.median_us = sum_us / count;
    return settled;
}

static bool is_alone(const struct moments *moments, double share, enum statistic statistic)
{
    const double quickest_us = quickest(moments, statistic);
    size_t as_quick = 0;
    for (size_t i = 0; i < moments->count; i++)
        as_quick += is_as_quick(&moments->looks[i], quickest_us, share, statistic);
    return moments->count > 1 && as_quick == 1;
}

bool moments_unsettled(const struct moments *moments, enum statistic statistic)
{
    return is_alone(moments, change_most, statistic);
}

bool moments_quickened(const struct moments *moments, enum statistic statistic)
{
    if (moments->count < 2)
        return false;
    struct moments before = *moments;
    const struct point *last = &moments->looks[--before.count];
    const double time_us = point_time_us(last, statistic);
    return time_us > 0.0 && time_us * (1.0 + change_most) < quickest(&before, statistic);
}

bool moments_doubtful(const struct moments *below, const struct moments *moments,
                      const struct moments *above, enum statistic statistic)
{
    if (moments->count < MOMENTS_ALONE && is_alone(moments, agreement_most, statistic))
        return true;
    if (!below || !above)
        return false;
    const struct point left = moments_settled(below, statistic);
    const struct point middle = moments_settled(moments, statistic);
    const struct point right = moments_settled(above, statistic);
    const double left_us = point_time_us(&left, statistic);
    const double right_us = point_time_us(&right, statistic);
    const double width = right.bytes - left.bytes;
    const double share = width > 0.0 ? (middle.bytes - left.bytes) / width : 0.5;
    const double line_us = left_us + share * (right_us - left_us);
    return point_time_us(&middle, statistic) > (1.0 + agreement_most) * line_us;
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
                                const bool spoilt[MOMENTS_LEAST], enum statistic statistic)
{
    size_t moments = 0, by_others = 0, spared = 0, unsettled = 0;
    for (size_t i = 0; i < count; i++) {
        moments = moments > points[i].count ? moments : points[i].count;
        moments = moments > MOMENTS_LEAST ? MOMENTS_LEAST : moments;
        unsettled += moments_unsettled(&points[i], statistic);
    }
    for (size_t at = 0; at < moments; at++) {
        by_others += spoilt[at];
        spared += !spoilt[at] && !is_interrupted(points, count, at);
    }
    if (spared < (moments < 2 ? moments : 2))
        return by_others > 0 ? "others used the processors" : "ranks were interrupted";
    return (double)unsettled > unsettled_most * (double)count
               ? "times changed while they were measured"
               : NULL;
}
