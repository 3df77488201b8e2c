#include "trainer/caches/set_count.h"

#include <math.h>

/* Other numbers of sets than those are as many errors away, and the one itself is no more. */
static const double others_away = 3.5, itself_near = 2.5;

/* So far a power of two may be away in any case, in logarithm: nearly half way to 3/4 of it. And
   three times one, which is rare: half way to the next of eighths. */
static const double power_near = 0.14, triple_near = 0.075;

void set_count_add(struct set_count *count, const struct group_size *size, double groups,
                   double none)
{
    size_t i = 0;
    while (i < count->count && (count->sizes[i].size.blocks != size->blocks ||
                                count->sizes[i].size.block_lines != size->block_lines))
        i++;
    if (i == GROUP_SIZES_MOST)
        return;
    if (i == count->count)
        count->sizes[count->count++] = (struct groups){.size = *size};
    count->sizes[i].groups += groups;
    count->sizes[i].none += none;
}

void set_count_merge(struct set_count *count, const struct set_count *other)
{
    count->lines_sampled += other->lines_sampled;
    count->lines_left_out += other->lines_left_out;
    for (size_t i = 0; i < other->count; i++)
        set_count_add(count, &other->sizes[i].size, other->sizes[i].groups, other->sizes[i].none);
}

/* One line of a block is of a certain set with that probability. */
static double none_of(const struct group_size *size, double sets)
{
    return pow(1.0 - fmin(size->block_lines / sets, 1.0), size->blocks);
}

static double likelihood(const struct set_count *count, double sets)
{
    double sum = 0.0;
    for (size_t i = 0; i < count->count; i++) {
        const struct groups *groups = &count->sizes[i];
        const double none = fmin(fmax(none_of(&groups->size, sets), 1e-9), 1.0 - 1e-9);
        sum += groups->none * log(none) + (groups->groups - groups->none) * log(1.0 - none);
    }
    return sum;
}

/* Fisher's information of the logarithm of the number of sets. */
static double information(const struct set_count *count, double sets)
{
    static const double step = 0.01;
    double sum = 0.0;
    for (size_t i = 0; i < count->count; i++) {
        const struct groups *groups = &count->sizes[i];
        const double none = none_of(&groups->size, sets);
        const double slope = (none_of(&groups->size, sets * exp(step)) - none) / step;
        if (none > 0.0 && none < 1.0)
            sum += groups->groups * slope * slope / (none * (1.0 - none));
    }
    return sum;
}

struct set_estimate set_count_estimate(const struct set_count *count)
{
    static const double step = 0.005, least = 4.0, most = 22.0; /* powers of two */
    struct set_estimate estimate = {NAN, NAN};
    double best = -INFINITY;
    for (double power = least; power < most; power += step) {
        const double value = likelihood(count, exp2(power));
        if (value > best) {
            best = value;
            estimate.sets = exp2(power);
        }
    }
    const double known = information(count, estimate.sets);
    if (!(known > 0.0))
        return (struct set_estimate){NAN, NAN};
    /* Of so many sampled lines are of the set, as chance has it. */
    estimate.error = sqrt(1.0 / known + estimate.sets / count->lines_sampled);
    estimate.sets = 1.0 / (1.0 / estimate.sets + count->lines_left_out / count->lines_sampled);
    return estimate;
}

/* Whether the others nearby, powers of two and half as many again, are ruled out. */
static bool is_alone(const struct set_estimate *estimate, double sets, double below, double above)
{
    const double away = others_away * estimate->error, at = log(estimate->sets);
    return fabs(at - log(sets)) <= itself_near * estimate->error && at - log(below * sets) > away &&
           log(above * sets) - at > away;
}

size_t set_count_decide(const struct set_estimate *estimate)
{
    if (isnan(estimate->sets))
        return 0;
    const double power = exp2(round(log2(estimate->sets)));
    const double triple = 3.0 * exp2(round(log2(estimate->sets / 3.0)));
    const double at = log(estimate->sets);
    if (fabs(at - log(power)) < power_near && is_alone(estimate, power, 0.75, 1.5))
        return (size_t)power;
    if (fabs(at - log(triple)) < triple_near && is_alone(estimate, triple, 5.0 / 6.0, 7.0 / 6.0))
        return (size_t)triple;
    return 0;
}
