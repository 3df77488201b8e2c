#include "trainer/engine/passes.h"

#include <math.h>
#include <stdlib.h>

const struct record passes_record = {.name = "a point in several passes",
                                     .size = sizeof(struct passes),
                                     .fields = NULL,
                                     .count = 0,
                                     .place_offset = NO_PLACE};

/* The state of the machine whose passes count: the commonest where one was measured in it, else
   what is not known to be another one, else any. */
static bool is_of(const struct passes *passes, size_t i)
{
    bool has[2] = {false, false};
    for (size_t k = 0; k < passes->count; k++)
        for (int state = 0; state <= 1; state++)
            has[state] = has[state] || passes->of[k].state == state;
    return has[1] ? passes->of[i].state == 1 : has[0] ? passes->of[i].state == 0 : true;
}

double passes_time_us(const struct passes *passes, size_t i, enum statistic statistic)
{
    return is_of(passes, i) ? point_time_us(&passes->of[i], statistic) : 0.0;
}

bool passes_lack_commonest(const struct passes *passes)
{
    bool other = false;
    for (size_t i = 0; i < passes->count; i++) {
        if (passes->of[i].state == 1)
            return false;
        other = other || passes->of[i].state > 1;
    }
    return other;
}

/* Of the first count of them. A time of 0 is none: the clock's noise was longer. Where there is no
   other, INFINITY. */
static double quickest(const struct passes *passes, size_t count, enum statistic statistic)
{
    double quickest_us = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double time_us = passes_time_us(passes, i, statistic);
        quickest_us = time_us > 0.0 ? fmin(quickest_us, time_us) : quickest_us;
    }
    return quickest_us;
}

/* Whether the time is longer than the quickest by that share at most. */
static bool is_as_quick(double time_us, double quickest_us, double share)
{
    return time_us > 0.0 && time_us <= (1.0 + share) * quickest_us;
}

size_t passes_count(const struct passes *passes)
{
    return passes->count > passes->at_once ? 1 + passes->count - passes->at_once
                                           : passes->count > 0;
}

struct point passes_settled(const struct passes *passes, enum statistic statistic)
{
    const double quickest_us = quickest(passes, passes->count, statistic);
    struct point settled = passes->of[0];
    double sum_us = 0.0;
    int count = 0;
    for (size_t i = 0; i < passes->count; i++) {
        const struct point *one = &passes->of[i];
        if (!is_as_quick(passes_time_us(passes, i, statistic), quickest_us, PASSES_AGREE))
            continue;
        settled = count > 0 ? points_mean(&settled, one) : *one;
        sum_us += one->median_us;
        count++;
    }
    if (count > 0)
        settled.median_us = sum_us / count;
    return settled;
}

/* What is asked at once, a few ms apart, is as quick or as slow together: of several passes it is
   one. */
static bool is_alone(const struct passes *passes, double share, enum statistic statistic)
{
    const double quickest_us = quickest(passes, passes->count, statistic);
    const bool only_first = passes->count <= passes->at_once;
    size_t first = 0, later = 0;
    for (size_t i = 0; i < passes->count; i++)
        *(i < passes->at_once ? &first : &later) +=
            is_as_quick(passes_time_us(passes, i, statistic), quickest_us, share);
    return passes->count > 1 && later + (only_first || first < 1 ? first : 1) == 1;
}

bool passes_unsettled(const struct passes *passes, enum statistic statistic)
{
    return is_alone(passes, PASSES_DIFFER, statistic);
}

bool passes_disagree(const struct passes *passes, enum statistic statistic)
{
    return is_alone(passes, PASSES_AGREE, statistic);
}

bool passes_changed(const struct passes *passes, enum statistic statistic)
{
    if (passes->at_once < 2)
        return false;
    const double before_us = passes_time_us(passes, 0, statistic);
    const double again_us = passes_time_us(passes, 1, statistic);
    return before_us > 0.0 && again_us > 0.0 &&
           fabs(again_us - before_us) > PASSES_DIFFER * before_us;
}

bool passes_quickened(const struct passes *passes, enum statistic statistic)
{
    if (passes_count(passes) < 2)
        return false;
    const double time_us = passes_time_us(passes, passes->count - 1, statistic);
    return time_us > 0.0 &&
           time_us * (1.0 + PASSES_DIFFER) < quickest(passes, passes->count - 1, statistic);
}

/* By the settled times of a point and of its neighbours in size. */
static bool is_above_line(const struct point *left, const struct point *middle,
                          const struct point *right, enum statistic statistic)
{
    const double left_us = point_time_us(left, statistic);
    const double right_us = point_time_us(right, statistic);
    const double width = right->bytes - left->bytes;
    const double share = width > 0.0 ? (middle->bytes - left->bytes) / width : 0.5;
    const double line_us = left_us + share * (right_us - left_us);
    return point_time_us(middle, statistic) > (1.0 + PASSES_AGREE) * line_us;
}

bool passes_doubtful(const struct passes *below, const struct passes *passes,
                     const struct passes *above, enum statistic statistic)
{
    if (passes_count(passes) < PASSES_LEAST + PASSES_FEWEST &&
        is_alone(passes, PASSES_AGREE, statistic))
        return true;
    if (!below || !above)
        return false;
    const struct point left = passes_settled(below, statistic);
    const struct point middle = passes_settled(passes, statistic);
    const struct point right = passes_settled(above, statistic);
    return is_above_line(&left, &middle, &right, statistic);
}

/* ---- of a curve ---- */

/* Appends what the point took in that pass over all points. */
static void add_of_pass(const struct passes *passes, size_t pass, struct list *some)
{
    const size_t from = pass == 0 ? 0 : passes->at_once + pass - 1;
    const size_t to = pass == 0 ? passes->at_once : from + 1;
    for (size_t i = from; i < to && i < passes->count; i++)
        *(struct point *)list_add(&point_record, some) = passes->of[i];
}

static bool is_interrupted(const struct passes *points, size_t count, size_t pass)
{
    struct list some = {0};
    for (size_t i = 0; i < count; i++)
        add_of_pass(&points[i], pass, &some);
    const bool is = points_interrupted(&some);
    free(some.items);
    return is;
}

/* One pass that is spoilt does no harm where enough are not. */
const char *passes_disturbance(const struct passes *points, size_t count,
                               const bool spoilt[PASSES_LEAST], enum statistic statistic)
{
    size_t passes = 0, by_others = 0, spared = 0, unsettled = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t of_point = passes_count(&points[i]);
        passes = passes > of_point ? passes : of_point;
        unsettled += passes_unsettled(&points[i], statistic);
    }
    passes = passes > PASSES_LEAST ? PASSES_LEAST : passes;
    for (size_t at = 0; at < passes; at++) {
        by_others += spoilt[at];
        spared += !spoilt[at] && !is_interrupted(points, count, at);
    }
    if (spared < (passes < PASSES_FEWEST ? passes : PASSES_FEWEST))
        return by_others > 0 ? "others used the processors" : "ranks were interrupted";
    return (double)unsettled > PASSES_TELL * (double)count
               ? "times changed while they were measured"
               : NULL;
}
