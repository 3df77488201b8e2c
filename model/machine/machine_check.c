#include "model/machine/machine_check.h"

#include <math.h>
#include <string.h>

/* A rule about one utility; returns 0, or -1 with the error set. */
typedef int cost_rule(const struct machine *machine, const struct cost *cost, struct error *error);

static struct place in_file(const struct machine *machine, struct place place)
{
    place.file = machine->path;
    return place;
}

static const struct region *regions_of(const struct cost *cost)
{
    return cost->regions.items;
}

static int there_are_regions(const struct machine *machine, const struct cost *cost,
                             struct error *error)
{
    if (cost->regions.count > 0)
        return 0;
    return error_at(error, in_file(machine, cost->place), "%s has no region", cost->utility);
}

static int named_once(const struct machine *machine, const struct cost *cost, struct error *error)
{
    if (machine_cost(machine, cost->utility) == cost)
        return 0;
    return error_at(error, in_file(machine, cost->place), "utility '%.60s' a second time",
                    cost->utility);
}

static bool has_cost(const struct region *region)
{
    return region->setup_us.count || region->per_byte_us.count || region->per_root_byte_us.count ||
           !isnan(region->per_packet_us);
}

static int regions_have_a_cost(const struct machine *machine, const struct cost *cost,
                               struct error *error)
{
    for (size_t i = 0; i < cost->regions.count; i++) {
        const struct region *region = &regions_of(cost)[i];
        if (has_cost(region) == region->unscalable)
            return error_at(error, in_file(machine, region->place),
                            region->unscalable
                                ? "an unscalable region with a cost: expected one of the two"
                                : "a region without a cost: expected t0_us, rinf_mb_per_s, "
                                  "setup_us, per_byte_us or unscalable");
        if (isnan(region->packet_bytes) != isnan(region->per_packet_us))
            return error_at(error, in_file(machine, region->place),
                            "packet_bytes and per_packet_us: expected both or none");
    }
    return 0;
}

static bool covers(const struct region *earlier, const struct region *later)
{
    return earlier->bytes_upto >= later->bytes_upto &&
           earlier->processors.least <= later->processors.least &&
           earlier->processors.most >= later->processors.most;
}

/* First match wins, so a region within an earlier one never answers. */
static int regions_can_be_reached(const struct machine *machine, const struct cost *cost,
                                  struct error *error)
{
    const struct region *regions = regions_of(cost);
    for (size_t i = 1; i < cost->regions.count; i++)
        for (size_t j = 0; j < i; j++)
            if (covers(&regions[j], &regions[i]))
                return error_at(error, in_file(machine, regions[i].place),
                                "region %zu of %s is never reached: region %zu covers it; "
                                "expected bytes_upto to ascend",
                                i + 1, cost->utility, j + 1);
    return 0;
}

static int last_region_has_no_bound(const struct machine *machine, const struct cost *cost,
                                    struct error *error)
{
    const struct region *last = &regions_of(cost)[cost->regions.count - 1];
    if (isinf(last->bytes_upto) && isinf(last->processors.most) && last->processors.least == 0.0)
        return 0;
    return error_at(error, in_file(machine, last->place),
                    "the last region of %s has a bound: expected one that holds for all that is "
                    "left (unscalable: true, if there is no model)",
                    cost->utility);
}

static int processors_are_positive(const struct machine *machine, const struct cost *cost,
                                   struct error *error)
{
    for (size_t i = 0; i < cost->regions.count; i++)
        if (!(regions_of(cost)[i].processors.most >= 1.0))
            return error_at(error, in_file(machine, regions_of(cost)[i].place),
                            "a region for less than 1 processor");
    return 0;
}

static const struct {
    const char *name;
    cost_rule *holds;
} rules[] = {
    {"there are regions",        there_are_regions       },
    {"named once",               named_once              },
    {"regions have a cost",      regions_have_a_cost     },
    {"processors are positive",  processors_are_positive },
    {"regions can be reached",   regions_can_be_reached  },
    {"last region has no bound", last_region_has_no_bound},
};

int machine_check(const struct machine *machine, struct error *error)
{
    const struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++)
        for (size_t rule = 0; rule < sizeof rules / sizeof *rules; rule++)
            if (rules[rule].holds(machine, &costs[i], error) != 0)
                return -1;
    return 0;
}
