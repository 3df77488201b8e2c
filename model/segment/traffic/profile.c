#include "model/segment/traffic/traffic.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

const char *traffic_name(enum traffic_class class)
{
    return class == TRAFFIC_LOCAL ? "local" : pattern_of_class(class)->name;
}

struct profile profile_new(size_t processors)
{
    return (struct profile){.members = memory_new(processors, sizeof(uint32_t)), .same = true};
}

size_t profile_member(struct profile *profile, size_t processor)
{
    uint32_t *member = &profile->members[processor];
    if (*member)
        return *member - 1;
    const size_t count = profile->groups.count;
    if (count == profile->room) {
        profile->room = count ? 2 * count : 16;
        profile->degrees = memory_grow(profile->degrees, profile->room, sizeof *profile->degrees);
    }
    profile->degrees[count] = (struct degree){0};
    groups_add(&profile->groups);
    *member = (uint32_t)profile->groups.count;
    return count;
}

void profile_free(struct profile *profile)
{
    free(profile->members);
    free(profile->degrees);
    groups_free(&profile->groups);
}

/* The extremes over processors that classes are told by. */
struct extremes {
    double in, out; /* the most */
    double messages;
    bool both;     /* some processor sends and receives */
    bool mutual;   /* all that send and receive do so with one partner */
    bool complete; /* every source reaches all others of a group of the largest size */
};

static struct extremes extremes_of(const struct profile *profile, double group)
{
    struct extremes it = {.mutual = true, .complete = true};
    for (size_t c = 0; c < profile->groups.count; c++) {
        const struct degree *degree = &profile->degrees[c];
        it.in = fmax(it.in, degree->in);
        it.out = fmax(it.out, degree->out);
        it.messages += degree->in;
        it.complete &= degree->out == 0.0 || degree->out == group - 1.0;
        if (degree->in == 0.0 || degree->out == 0.0)
            continue;
        it.both = true;
        it.mutual &= degree->in == 1.0 && degree->out == 1.0 &&
                     profile->degrees[degree->source].in == 1.0 &&
                     profile->degrees[degree->source].source == c;
    }
    return it;
}

/* Rule "Class of a turn": the first that fits. Fewer partners than half the group are sparse. */
static enum traffic_class class_of(const struct extremes *it, double group, bool same)
{
    const bool one_each = it->in == 1.0 && it->out == 1.0;
    if (it->in == 0.0)
        return TRAFFIC_LOCAL;
    if (one_each && it->both && it->mutual)
        return TRAFFIC_EXCHANGE;
    if (one_each)
        return TRAFFIC_MESSAGES;
    if (it->in == 1.0 && !it->both)
        return same ? TRAFFIC_BROADCAST : TRAFFIC_ONE_TO_MANY;
    if (it->out == 1.0 && !it->both)
        return TRAFFIC_MANY_TO_ONE;
    if (same && it->complete)
        return TRAFFIC_ALL_GATHER;
    return fmax(it->in, it->out) < group / 2.0 ? TRAFFIC_MESSAGES : TRAFFIC_MANY_TO_MANY;
}

struct traffic profile_classify(struct profile *profile)
{
    size_t together;
    const double group = fmax(1.0, (double)groups_largest(&profile->groups, &together));
    const struct extremes it = extremes_of(profile, group);
    struct traffic traffic = {.class = class_of(&it, group, profile->same),
                              .partners = 1.0,
                              .elements = profile->largest,
                              .group = group};
    if (traffic.class == TRAFFIC_MESSAGES)
        traffic.partners = fmax(it.in, it.out);
    traffic.at_once = traffic.class == TRAFFIC_MESSAGES   ? it.messages / traffic.partners
                      : traffic.class == TRAFFIC_EXCHANGE ? it.messages / 2.0
                                                          : (double)together / group;
    double elements = 0.0;
    for (size_t c = 0; c < profile->groups.count; c++) {
        elements += profile->degrees[c].elements_in;
        traffic.single = fmax(traffic.single, fmax(profile->degrees[c].elements_in,
                                                   profile->degrees[c].elements_out));
    }
    traffic.single_at_once = traffic.single > 0.0 ? elements / traffic.single : 0.0;
    return traffic;
}
