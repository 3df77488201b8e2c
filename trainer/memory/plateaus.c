#include "trainer/memory/plateaus.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES_LEAST = 8192,
    OCTAVE = 4,
    SAMPLES = 3,
    LONG_LAP = 1 << 18,
    PARTS = 64,
    PART_LOADS = LONG_LAP / PARTS
};

/* Times on a plateau differ by less, from the fastest on. */
static const double flat = 1.22;

static const double taken_over = 0.75;

/* A level is slower than the one before by this factor at least. */
static const double apart = 1.6;

/* Walks through so many times what the second cache holds tell of what is behind it. */
static const double beyond = 1.4;

/* A level behind it takes less than this share of the next one. */
static const double hidden_share = 0.4;

/* How many times the last cache has to fit into the longest walk: a larger one cannot be told from
   memory. */
static const double far_beyond = 2.0;

/* ---- walking ---- */

/* Cycles of a load on a lap; the least of some. */
static double walk_laps(struct cache_probe *probe, size_t lines)
{
    const struct backend *backend = probe->backend;
    const size_t laps = backend->sample_accesses / lines + 1;
    double least = INFINITY;
    backend->walk(backend->state, 1);
    for (int i = 0; i < SAMPLES && !cache_probe_expired(probe); i++)
        least = fmin(least, backend->walk(backend->state, laps));
    return least / (double)lines;
}

/* Cycles of a load on parts of a long lap: the lower quartile, as what disturbs is longer than a
   part. What linked the lines was a lap through them. */
static double walk_parts(struct cache_probe *probe, const struct lines *lines)
{
    const struct backend *backend = probe->backend;
    double cycles[PARTS];
    size_t count = 0;
    for (; count < PARTS && !cache_probe_expired(probe); count++) {
        const double cycle_ns = backend->cycle_ns(backend->state);
        const size_t from = lines->at[count * (lines->count / PARTS)];
        cycles[count] = backend->walk_from(backend->state, from, PART_LOADS) / cycle_ns;
    }
    gsl_sort(cycles, 1, count);
    return count > 0 ? cycles[count / 4] : (double)INFINITY;
}

/* Cycles of a load; not finite: there is no memory for it, or no time. */
static double walk(struct cache_probe *probe, double bytes, double line_bytes)
{
    const struct backend *backend = probe->backend;
    if (!backend->enlarge(backend->state, (size_t)bytes))
        return NAN;
    struct lines lines = lines_by_pages(probe, bytes, line_bytes, 1);
    backend->link(backend->state, lines.at, lines.count);
    const double cycles =
        lines.count < LONG_LAP ? walk_laps(probe, lines.count) : walk_parts(probe, &lines);
    lines_free(&lines);
    return cycles;
}

void plateaus_extend(struct cache_probe *probe, double bytes_most, double line_bytes,
                     struct plateaus *plateaus)
{
    const double page = (double)probe->backend->page_bytes;
    double last = plateaus->walk_count ? plateaus->walks[plateaus->walk_count - 1].bytes : 0.0;
    for (int i = 0; plateaus->walk_count < WALKS_MOST && !cache_probe_expired(probe); i++) {
        const double bytes = round(BYTES_LEAST * exp2((double)i / OCTAVE) / page) * page;
        if (bytes > bytes_most)
            break;
        if (bytes <= last)
            continue;
        last = bytes;
        const double cycles = walk(probe, bytes, line_bytes);
        if (!isfinite(cycles))
            break;
        plateaus->walks[plateaus->walk_count++] = (struct walked){bytes, cycles};
    }
    plateaus_of(plateaus);
}

void plateaus_again(struct cache_probe *probe, double bytes_most, double line_bytes,
                    struct plateaus *plateaus)
{
    struct walked *walks = plateaus->walks;
    for (size_t i = 0; i < plateaus->walk_count && walks[i].bytes <= bytes_most; i++)
        walks[i].cycles = fmin(walks[i].cycles, walk(probe, walks[i].bytes, line_bytes));
    plateaus_of(plateaus);
}

struct plateaus plateaus_find(struct cache_probe *probe, double bytes_most, double line_bytes)
{
    struct plateaus plateaus = {0};
    plateaus_extend(probe, bytes_most, line_bytes, &plateaus);
    return plateaus;
}

/* ---- plateaus ---- */

/* How far from walk `first` on the times stay within a plateau. */
static size_t run_from(const struct plateaus *plateaus, size_t first)
{
    const struct walked *walks = plateaus->walks;
    double least = walks[first].cycles, most = least;
    size_t end = first;
    while (end < plateaus->walk_count) {
        least = fmin(least, walks[end].cycles);
        most = fmax(most, walks[end].cycles);
        if (most > flat * least)
            break;
        end++;
    }
    return end;
}

/* Some walks of a plateau are disturbed. */
static double median_of(const struct plateaus *plateaus, size_t first, size_t end)
{
    double cycles[WALKS_MOST];
    for (size_t i = first; i < end; i++)
        cycles[i - first] = plateaus->walks[i].cycles;
    gsl_sort(cycles, 1, end - first);
    return gsl_stats_median_from_sorted_data(cycles, 1, end - first);
}

static void add_plateau(struct plateaus *plateaus, size_t first, size_t end)
{
    const struct walked *walks = plateaus->walks;
    const double cycles = median_of(plateaus, first, end);
    struct plateau *last = plateaus->count ? &plateaus->items[plateaus->count - 1] : NULL;
    if (last && cycles < apart * last->cycles)
        last->fits_bytes = walks[end - 1].bytes;
    else
        plateaus->items[plateaus->count++] = (struct plateau){.cycles = cycles,
                                                              .from_bytes = walks[first].bytes,
                                                              .fits_bytes = walks[end - 1].bytes,
                                                              .overflow_bytes = INFINITY};
}

/* From the left: a plateau begins where the run from there is an octave long. Two that are not far
   apart are one, disturbed. */
static void find_runs(struct plateaus *plateaus)
{
    const struct walked *walks = plateaus->walks;
    for (size_t first = 0; first < plateaus->walk_count && plateaus->count < PLATEAUS_MOST;) {
        const size_t end = run_from(plateaus, first);
        const bool is_long = walks[end - 1].bytes >= 2.0 * walks[first].bytes;
        if (is_long)
            add_plateau(plateaus, first, end);
        first = is_long ? end : first + 1;
    }
}

/* The next level has taken over where three loads in four go to it. */
static double overflow_of(const struct plateaus *plateaus, size_t index)
{
    const double here = plateaus->items[index].cycles, next = plateaus->items[index + 1].cycles;
    for (size_t i = 0; i < plateaus->walk_count; i++)
        if (plateaus->walks[i].bytes > plateaus->items[index].fits_bytes &&
            plateaus->walks[i].cycles >= here + taken_over * (next - here))
            return plateaus->walks[i].bytes;
    return plateaus->items[index + 1].fits_bytes;
}

/* ---- a level that others use so much that it is no plateau ---- */

/* However a cache of so many bytes chooses what it keeps, of walks round and round through more
   than it holds it answers no greater share than it holds of them. So the other loads take so much
   in the mean, or less. */
static double beyond_second(const struct plateaus *plateaus, const struct walked *walk)
{
    const double most = plateaus->second_bytes / walk->bytes;
    return (walk->cycles - most * plateaus->items[1].cycles) / (1.0 - most);
}

/* How many bytes were held at least where memory takes so many cycles and no level less than the
   second: of walks that hardly reach memory, as of the others a little more or less of it would say
   much. */
static double held_bytes(const struct plateaus *plateaus, double memory)
{
    const double second = plateaus->items[1].cycles;
    double most = plateaus->second_bytes;
    for (size_t i = 0; i < plateaus->walk_count; i++) {
        const struct walked *walk = &plateaus->walks[i];
        if (walk->cycles < hidden_share * memory)
            most = fmax(most, floor(walk->bytes * (memory - walk->cycles) / (memory - second)));
    }
    return most;
}

/* The walk beyond the second cache whose other loads take the least; NULL: none. */
static const struct walked *surest_beyond(const struct plateaus *plateaus)
{
    const struct walked *surest = NULL;
    for (const struct walked *walk = plateaus->walks; walk < plateaus->walks + plateaus->walk_count;
         walk++)
        if (walk->bytes >= beyond * plateaus->second_bytes &&
            (!surest || beyond_second(plateaus, walk) < beyond_second(plateaus, surest)))
            surest = walk;
    return surest;
}

/* Disturbances only lengthen, so that times below memory's are a level's. */
static void add_hidden(struct plateaus *plateaus)
{
    const struct walked *surest = plateaus->second_bytes > 0.0 ? surest_beyond(plateaus) : NULL;
    if (!surest || plateaus->count < 3 || plateaus->count == PLATEAUS_MOST ||
        surest->cycles < apart * plateaus->items[1].cycles ||
        beyond_second(plateaus, surest) > hidden_share * plateaus->items[2].cycles)
        return;
    struct plateau *behind = &plateaus->items[2];
    const struct plateau hidden = {.cycles = surest->cycles,
                                   .from_bytes = surest->bytes,
                                   .fits_bytes = held_bytes(plateaus, behind->cycles),
                                   .overflow_bytes = INFINITY};
    memmove(behind + 1, behind, (plateaus->count++ - 2) * sizeof *behind);
    *behind = hidden;
}

static int ascending(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The walks of the last octave, sorted; returns how many. */
static size_t last_octave(const struct plateaus *plateaus, double *cycles)
{
    const struct walked *walks = plateaus->walks;
    const double largest = walks[plateaus->walk_count - 1].bytes;
    size_t count = 0;
    for (size_t i = 0; i < plateaus->walk_count; i++)
        if (walks[i].bytes >= 0.5 * largest)
            cycles[count++] = walks[i].cycles;
    qsort(cycles, count, sizeof *cycles, ascending);
    return count;
}

/* Where others use the last cache too, walks beyond it are uneven: the last octave is a plateau
   where it lies well above the one before, and nothing in it is as far apart as two levels are. */
static void add_uneven_end(struct plateaus *plateaus)
{
    double cycles[WALKS_MOST] = {0.0};
    const size_t count = plateaus->walk_count ? last_octave(plateaus, cycles) : 0;
    const struct walked *end = plateaus->walks + plateaus->walk_count;
    if (plateaus->count == 0 || plateaus->count == PLATEAUS_MOST || count < OCTAVE ||
        cycles[count - 1] > apart * cycles[0] ||
        cycles[count / 2] < apart * plateaus->items[plateaus->count - 1].cycles)
        return;
    plateaus->items[plateaus->count++] =
        (struct plateau){.cycles = cycles[count / 2],
                         .from_bytes = end[-(ptrdiff_t)count].bytes,
                         .fits_bytes = end[-1].bytes,
                         .overflow_bytes = INFINITY};
}

void plateaus_of(struct plateaus *plateaus)
{
    plateaus->count = 0;
    find_runs(plateaus);
    add_uneven_end(plateaus);
    add_hidden(plateaus);
    for (size_t i = 0; i + 1 < plateaus->count; i++)
        plateaus->items[i].overflow_bytes = overflow_of(plateaus, i);
}

void plateaus_know_second(struct plateaus *plateaus, double bytes)
{
    plateaus->second_bytes = bytes;
    plateaus_of(plateaus);
}

bool plateaus_reach_memory(const struct plateaus *plateaus)
{
    if (plateaus->count < 2)
        return false;
    double cycles[WALKS_MOST] = {0.0};
    const struct plateau *last = &plateaus->items[plateaus->count - 1];
    const double largest = plateaus->walks[plateaus->walk_count - 1].bytes;
    const size_t count = last_octave(plateaus, cycles);
    const double median = cycles[count / 2];
    return largest >= far_beyond * last[-1].overflow_bytes && median < apart * last->cycles;
}
