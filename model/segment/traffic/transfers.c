#include "model/segment/traffic/transfers.h"

#include <math.h>

static void mark_along(const struct array_layout *lies, bool *along)
{
    for (int d = 0; lies && d < lies->dimensions; d++)
        if (lies->along[d].grid_dimension >= 0)
            along[lies->along[d].grid_dimension] = true;
}

struct transfers transfers_new(const struct layout *layout, const struct array_layout *home,
                               const struct array_layout *data, double elements)
{
    struct transfers it = {.layout = layout, .elements = (uint64_t)elements};
    double stride = 1.0, highest = 0.0, highest_apart = 0.0;
    mark_along(home, it.by_home);
    mark_along(data, it.by_data);
    for (int g = layout->grid_dimensions - 1; g >= 0; g--) {
        const double last = stride * (layout->grid[g] - 1.0);
        it.strides[g] = (uint64_t)stride;
        it.spreads |= it.by_data[g] && !it.by_home[g] && layout->grid[g] > 1.0;
        highest += it.by_home[g] ? last : 0.0;
        highest_apart += it.by_home[g] && !it.by_data[g] ? last : 0.0;
        stride *= layout->grid[g];
    }
    it.needs = number_set_new((highest + 1.0) * elements);
    it.sent = number_set_new((highest_apart + 1.0) * elements);
    return it;
}

static uint64_t processors_of(const struct transfers *it)
{
    return (uint64_t)it->layout->processors;
}

bool transfers_add(struct transfers *it, uint64_t element, const struct known_number *home,
                   const struct known_number *data, double weight)
{
    const uint64_t apart = home->all - home->shared;
    if (!number_set_add(&it->needs, home->all * it->elements + element))
        return true;
    keyed_add(&it->pairs, home->all * processors_of(it) + data->all, weight);
    if ((it->spreads || home->shared != data->shared) &&
        number_set_add(&it->sent, apart * it->elements + element))
        keyed_add(&it->distinct, apart * processors_of(it) + data->all, weight);
    return it->pairs.count < KEYED_MOST && it->needs.keys.count < KEYED_MOST;
}

/* ---- runs ---- */

struct run_adding {
    struct transfers *transfers;
    const struct transfers_run *run;
    const struct known_number *home;
    double weight, steps;
    uint64_t apart, source, coordinate; /* whose elements are looked at, where they are sent */
};

/* How many elements of the span a coordinate has. */
static double count_of(const struct track *track, struct span span, double coordinate)
{
    const double first = track->range.first;
    if (!track->owners)
        return (double)(span.last - span.first + 1);
    return distribution_count(track->along, coordinate, first + (double)span.first,
                              first + (double)span.last);
}

/* Coordinates that have some of the span are the first's and so many less one that follow it, the
   last one followed by 0. */
static uint64_t owners_of(const struct track *track, struct span span)
{
    if (!track->owners)
        return 1;
    const double first = track->range.first, block = track->along->block;
    const double blocks = floor((first + (double)span.last) / block) -
                          floor((first + (double)span.first) / block) + 1.0;
    return (uint64_t)fmin(blocks, track->along->processors);
}

/* What a source has not sent to any yet. */
static void take_sent(void *taker, struct span fresh)
{
    struct run_adding *adding = taker;
    struct transfers *it = adding->transfers;
    keyed_add(&it->distinct, adding->apart * processors_of(it) + adding->source,
              adding->weight * count_of(adding->run->track, fresh, (double)adding->coordinate));
}

/* Of what a processor has not needed yet what one coordinate has. */
static void take_from(struct run_adding *adding, struct span fresh)
{
    struct transfers *it = adding->transfers;
    const struct transfers_run *run = adding->run;
    const struct known_number *home = adding->home;
    const uint64_t r = adding->coordinate;
    const uint64_t key[2] = {adding->apart * it->elements + run->line, r};
    adding->steps += 1.0;
    adding->source = run->data.all + r * run->track->number;
    keyed_add(&it->pairs, home->all * processors_of(it) + adding->source,
              adding->weight * count_of(run->track, fresh, (double)r));
    if (it->spreads || home->shared != run->data.shared + r * run->track->shared)
        spans_add(&it->run_sent, key, fresh, take_sent, adding);
}

/* What a processor has not needed yet. */
static void take_needed(void *taker, struct span fresh)
{
    struct run_adding *adding = taker;
    const struct track *track = adding->run->track;
    const uint64_t processors = (uint64_t)track->along->processors;
    const uint64_t owner = track->owners ? track->owners[fresh.first] : 0;
    const uint64_t owners = owners_of(track, fresh);
    for (uint64_t i = 0; i < owners; i++) {
        adding->coordinate = owners == 1 ? owner : (owner + i) % processors;
        take_from(adding, fresh);
    }
}

bool transfers_add_run(struct transfers *it, const struct transfers_run *run,
                       const struct known_number *home, double weight, struct effort *effort)
{
    struct run_adding adding = {.transfers = it,
                                .run = run,
                                .home = home,
                                .weight = weight,
                                .steps = 1.0,
                                .apart = home->all - home->shared};
    const uint64_t key[2] = {home->all * it->elements + run->line, 0};
    spans_add(&it->run_needs, key, (struct span){run->first, run->last}, take_needed, &adding);
    return effort_take(effort, adding.steps) && it->pairs.count < KEYED_MOST &&
           it->run_needs.count < KEYED_MOST && it->run_sent.count < KEYED_MOST;
}

/* ---- from pairs to a profile ---- */

struct filling {
    const struct transfers *transfers;
    struct profile profile;
    struct effort *effort;
};

static uint64_t digit(const struct transfers *it, uint64_t number, int g)
{
    return number / it->strides[g] % (uint64_t)it->layout->grid[g];
}

static void note_pair(struct profile *profile, uint64_t to, uint64_t from, double elements)
{
    if (from == to)
        return;
    const size_t sender = profile_member(profile, from), receiver = profile_member(profile, to);
    struct degree *source = &profile->degrees[sender], *destination = &profile->degrees[receiver];
    source->out += 1.0F;
    destination->in += 1.0F;
    destination->source = (uint32_t)sender;
    source->elements_out += elements;
    destination->elements_in += elements;
    profile->largest = fmax(profile->largest, elements);
    groups_join(&profile->groups, sender, receiver);
}

/* All processors that run, grid dimension by grid dimension, and where each gets the elements from:
   its own copy along those that the data does not lie along. */
static bool fill_pair(struct filling *it, const struct keyed_sum *pair, int g, uint64_t to,
                      uint64_t from)
{
    const struct transfers *transfers = it->transfers;
    const uint64_t processors = processors_of(transfers);
    if (g == transfers->layout->grid_dimensions) {
        note_pair(&it->profile, to, from, pair->sum);
        return effort_take(it->effort, 1.0);
    }
    const uint64_t home = digit(transfers, pair->key / processors, g);
    const uint64_t data = digit(transfers, pair->key % processors, g);
    const uint64_t first = transfers->by_home[g] ? home : 0;
    const uint64_t last = transfers->by_home[g] ? home : (uint64_t)transfers->layout->grid[g] - 1;
    for (uint64_t q = first; q <= last; q++)
        if (!fill_pair(it, pair, g + 1, to + q * transfers->strides[g],
                       from + (transfers->by_data[g] ? data : q) * transfers->strides[g]))
            return false;
    return true;
}

/* Every destination of a source gets all that the source sends to any. Sources that differ where
   neither home nor data lies are alike. */
static bool is_same(const struct transfers *it, const struct profile *profile)
{
    const uint64_t processors = processors_of(it);
    for (size_t i = 0; i < it->distinct.count; i++) {
        const struct keyed_sum *sent = &it->distinct.sums[i];
        const uint64_t source = sent->key / processors + sent->key % processors;
        if (!profile->members[source])
            continue;
        const struct degree *degree = &profile->degrees[profile->members[source] - 1];
        if (degree->elements_out != (double)degree->out * sent->sum)
            return false;
    }
    return true;
}

bool transfers_classify(const struct transfers *it, struct effort *effort, struct traffic *traffic)
{
    struct filling filling = {it, profile_new((size_t)it->layout->processors), effort};
    bool filled = true;
    for (size_t i = 0; i < it->pairs.count && filled; i++)
        filled = fill_pair(&filling, &it->pairs.sums[i], 0, 0, 0);
    filling.profile.same = is_same(it, &filling.profile);
    *traffic = profile_classify(&filling.profile);
    profile_free(&filling.profile);
    return filled;
}

void transfers_free(struct transfers *it)
{
    number_set_free(&it->needs);
    number_set_free(&it->sent);
    keyed_free(&it->pairs);
    keyed_free(&it->distinct);
    spans_free(&it->run_needs);
    spans_free(&it->run_sent);
}
