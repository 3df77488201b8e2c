#include "estimator/sections/edge_cause.h"

#include "model/cost/pattern.h"

#include <math.h>
#include <stdio.h>

/* How far an edge may be from a size that the library or the network has: fits find it to that
   share where the noise allows. Caches are shared with other data, and their edges are wide. */
static const double same_size_most = 0.02, same_cache_most = 0.1;

static bool is_near(double bytes, double size, double share)
{
    return size > 0.0 && fabs(bytes - size) <= share * size;
}

/* The number of bytes from which on messages wait for their receive is one of the library: of the
   utility itself, or of its messages from one to another. */
static double eager_bytes(const struct machine *machine, const struct cost *cost)
{
    const struct cost *message = machine_cost(machine, pattern_point_to_point.name);
    return !isnan(cost->eager_upto_bytes) || !message ? cost->eager_upto_bytes
                                                      : message->eager_upto_bytes;
}

/* Whether a region of it has packets of that size. */
static bool has_packets(const struct cost *cost, double bytes)
{
    const struct region *regions = cost->regions.items;
    for (size_t i = 0; i < cost->regions.count; i++)
        if (is_near(bytes, regions[i].packet_bytes, same_size_most) ||
            is_near(bytes, regions[i].first_packet_bytes, same_size_most))
            return true;
    return false;
}

/* A cache whose bytes, times that part, are as many; what is known as an interval is near where it
   is inside. */
static const struct memory_level *cache_at(const struct machine *machine, double bytes, double part)
{
    const struct memory_level *levels = machine->memory ? machine->memory->levels.items : NULL;
    for (size_t i = 0; levels && i < machine->memory->levels.count; i++) {
        const struct memory_level *level = &levels[i];
        const bool is_inside =
            level->capacity_bytes_low <= bytes / part && bytes / part <= level->capacity_bytes_high;
        const double known =
            isnan(level->capacity_bytes) ? level->told_capacity_bytes : level->capacity_bytes;
        if (isfinite(level->level) && (is_inside || is_near(bytes, part * known, same_cache_most)))
            return level;
    }
    return NULL;
}

static const char *told(int cause)
{
    switch (cause) {
    case EDGE_PACKET:
        return "ends at the limit of a packet";
    case EDGE_ADAPTER:
        return "ends at the size of the adapter's buffer";
    case EDGE_RENDEZVOUS:
        return "ends where messages begin to wait for their receive";
    default:
        return "ends where the library sends in another way";
    }
}

void edge_print(const struct machine *machine, const struct cost *cost, const struct region *region,
                char text[EDGE_TEXT])
{
    const double bytes = region->bytes_upto;
    const struct memory_level *whole = cache_at(machine, bytes, 1.0);
    const struct memory_level *half = cache_at(machine, bytes, 0.5);
    text[0] = '\0';
    if (isinf(bytes))
        return;
    if (region->ends_because != EDGE_UNKNOWN)
        snprintf(text, EDGE_TEXT, "%s", told(region->ends_because));
    else if (is_near(bytes, eager_bytes(machine, cost), same_size_most))
        snprintf(text, EDGE_TEXT, "%s", told(EDGE_RENDEZVOUS));
    else if (has_packets(cost, bytes))
        snprintf(text, EDGE_TEXT, "%s", told(EDGE_PACKET));
    else if (is_near(bytes, cost->part_bytes, same_size_most))
        snprintf(text, EDGE_TEXT, "ends where messages are cut into parts");
    else if (whole || half)
        snprintf(text, EDGE_TEXT, "ends near %sthe level %.0f cache", whole ? "" : "half of ",
                 whole ? whole->level : half->level);
}
