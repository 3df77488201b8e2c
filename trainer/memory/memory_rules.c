#include "trainer/memory/memory_rules.h"

#include "model/base/allocation.h"
#include "trainer/memory/plateaus.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Of the way from one plateau to the next: a time below is still on the first, one above the rest
   already on the next. */
static const double begun = 0.05;

/* Times of two strides that differ by less are equal. */
static const double equal = 0.05;

/* The curves with their plateaus, which are those of loads at the largest stride. */
struct reading {
    const struct curves *curves;
    struct plateaus plateaus;
    size_t loads[PATTERNS], stores[PATTERNS]; /* patterns by stride, ascending */
    size_t load_count, store_count;
};

/* A larger array does not take less time: where one does, the smaller ones were disturbed. */
static void remove_spikes(struct plateaus *plateaus)
{
    struct walked *walks = plateaus->walks;
    for (size_t i = plateaus->walk_count; i-- > 1;)
        walks[i - 1].cycles = fmin(walks[i - 1].cycles, walks[i].cycles);
}

static struct reading reading_of(const struct curves *curves)
{
    struct reading reading = {.curves = curves};
    for (size_t k = 0; k < PATTERNS; k++)
        if (strided_patterns[k].stores)
            reading.stores[reading.store_count++] = k;
        else
            reading.loads[reading.load_count++] = k;
    const struct summary *cycles = curves->cycles[reading.loads[reading.load_count - 1]];
    for (size_t i = 0; i < curves->count && i < WALKS_MOST; i++)
        reading.plateaus.walks[reading.plateaus.walk_count++] =
            (struct walked){curves->bytes[i], cycles[i].minimum};
    remove_spikes(&reading.plateaus);
    plateaus_of(&reading.plateaus);
    return reading;
}

/* Where the plateau begins: the next level has taken over from the one before. */
static double begin_of(const struct reading *reading, size_t plateau)
{
    return plateau > 0 ? reading->plateaus.items[plateau - 1].overflow_bytes : 0.0;
}

/* The median over the sizes of a plateau; of a size the shortest sample, which nothing disturbed.
 */
static double cycles_on(const struct reading *reading, size_t plateau, size_t pattern)
{
    const struct curves *curves = reading->curves;
    const double from = begin_of(reading, plateau),
                 upto = reading->plateaus.items[plateau].fits_bytes;
    double cycles[STRIDED_SIZES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < curves->count; i++)
        if (curves->bytes[i] >= from && curves->bytes[i] <= upto)
            cycles[count++] = curves->cycles[pattern][i].minimum;
    if (count == 0)
        return NAN;
    gsl_sort(cycles, 1, count);
    return gsl_stats_median_from_sorted_data(cycles, 1, count);
}

static double load_on(const struct reading *reading, size_t plateau)
{
    return cycles_on(reading, plateau, reading->loads[reading->load_count - 1]);
}

static double store_on(const struct reading *reading, size_t plateau)
{
    return cycles_on(reading, plateau, reading->stores[reading->store_count - 1]);
}

/* ---- the rules ---- */

/* The last size before the transition, and the first one behind it. */
static void find_transition(const struct reading *reading, size_t plateau, double *begin,
                            double *end)
{
    const struct plateaus *plateaus = &reading->plateaus;
    const double here = load_on(reading, plateau), next = load_on(reading, plateau + 1);
    size_t i = 0;
    while (plateaus->walks[i].bytes < begin_of(reading, plateau))
        i++;
    while (i + 1 < plateaus->walk_count &&
           plateaus->walks[i + 1].cycles < here + begun * (next - here))
        i++;
    *begin = plateaus->walks[i].bytes;
    while (i + 1 < plateaus->walk_count && plateaus->walks[i].cycles < next - begun * (next - here))
        i++;
    *end = plateaus->walks[i].bytes;
}

/* NAN: no stride's time is that of the next one. */
static double line_of(const struct reading *reading, size_t plateau)
{
    for (size_t k = 0; k + 1 < reading->load_count; k++) {
        const size_t pattern = reading->loads[k];
        const double cycles = cycles_on(reading, plateau + 1, pattern);
        const double next = cycles_on(reading, plateau + 1, reading->loads[k + 1]);
        if (fabs(next - cycles) <= equal * next)
            return (double)(strided_patterns[pattern].stride_doubles * DOUBLE_BYTES);
    }
    return NAN;
}

static void add_cache(const struct reading *reading, size_t plateau, struct memory_level *level)
{
    double begin, end;
    find_transition(reading, plateau, &begin, &end);
    level->capacity_bytes = begin;
    level->ways = end > begin ? fmax(1.0, round(begin / (end - begin))) : (double)NAN;
    level->line_bytes = line_of(reading, plateau);
    if (isnan(level->ways))
        level->because = memory_copy_text("ways: what lies beyond takes no longer");
    else if (isnan(level->line_bytes))
        level->because = memory_copy_text("line: no stride takes as long as the next one");
}

/* Ports work side by side: an access keeps one of them busy for so many times the time that all
   take for one. */
static double ports_of(double cycles)
{
    return fmax(1.0, round(1.0 / cycles));
}

void rules_apply(const struct curves *curves, struct list *levels)
{
    const struct reading reading = reading_of(curves);
    const size_t count = reading.plateaus.count;
    for (size_t i = 0; count > 1 && i < count; i++) {
        struct memory_level *level = list_add(&memory_level_record, levels);
        const double load = load_on(&reading, i), store = store_on(&reading, i);
        level->level = i + 1 < count ? (double)i + 1.0 : (double)INFINITY;
        level->ports = i == 0 ? ports_of(load) : (double)NAN;
        level->load_cycles = i == 0 ? load * ports_of(load) : load;
        level->store_cycles = i == 0 ? store * ports_of(store) : store;
        if (i + 1 < count)
            add_cache(&reading, i, level);
    }
}
