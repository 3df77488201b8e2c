#include "model/node/bound.h"

#include "model/base/allocation.h"
#include "model/node/cache.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cycles that differ by less are equal: both units limit. */
static const double equal_share = 1e-9;

struct essential essential_begin(void)
{
    return (struct essential){.wide_loads = 1.0, .wide_stores = 1.0};
}

void bound_free(struct bound *bound)
{
    free(bound->unit_cycles);
    *bound = (struct bound){0};
}

/* ---- units ---- */

static bool is_reference(int operation)
{
    return operation == OPERATION_LOAD || operation == OPERATION_STORE;
}

static unsigned kind_of(const struct unit *unit)
{
    bool computes = false, refers = false;
    for (int k = 0; k < OPERATION_COUNT; k++)
        if (unit->cycles.of[k] > 0.0)
            *(is_reference(k) ? &refers : &computes) = true;
    return computes && refers ? LIMIT_MIXED : refers ? LIMIT_REFERENCES : LIMIT_ARITHMETIC;
}

/* Where the elements follow one another, one instruction takes several (quadwords); numbers in
   registers can always be brought together. */
static struct operations instructions(const struct node *node, const struct essential *essential)
{
    struct operations count = essential->operations;
    for (int k = 0; k < OPERATION_COUNT; k++) {
        const double wide = k == OPERATION_LOAD    ? essential->wide_loads
                            : k == OPERATION_STORE ? essential->wide_stores
                                                   : 1.0;
        if (node->lanes.of[k] > 1.0)
            count.of[k] *= 1.0 - wide + wide / node->lanes.of[k];
    }
    return count;
}

static void fill_units(struct bound *bound, const struct node *node, const struct operations *count,
                       enum convention convention)
{
    const struct unit *units = node->units.items;
    bound->units = node->units.count;
    bound->unit_cycles = memory_new(bound->units, sizeof *bound->unit_cycles);
    for (size_t i = 0; i < bound->units; i++)
        bound->unit_cycles[i] =
            convention == CONVENTION_TABLE && kind_of(&units[i]) == LIMIT_REFERENCES
                ? (double)NAN
                : unit_busy_cycles(&units[i], count);
}

/* ---- memory ---- */

/* Misses over accesses; more than one an access cannot be told from one. */
static double miss_share(double lines, double accesses)
{
    return accesses > 0.0 ? fmin(1.0, lines / accesses) : 0.0;
}

/* The mean time of a load or store in a hierarchy of any depth (Abandah, IBM SP2, section 5.4). */
static double access_cycles(const struct memory *memory, const struct essential *essential,
                            bool store)
{
    const struct memory_level *caches[MEMORY_LEVELS_MOST + 1];
    const size_t count = memory_caches(memory, caches);
    double times[MEMORY_LEVELS_MOST + 1], misses[MEMORY_LEVELS_MOST + 1];
    double accesses = essential->operations.of[store ? OPERATION_STORE : OPERATION_LOAD];
    caches[count] = memory_level(memory, INFINITY);
    const size_t levels = count + (caches[count] ? 1 : 0);
    for (size_t i = 0; i < levels; i++) {
        const double lines = i == count ? 0.0
                             : store    ? essential->missed[i].store
                                        : essential->missed[i].load;
        times[i] = store ? caches[i]->store_cycles : caches[i]->load_cycles;
        misses[i] = i + 1 == levels ? 0.0 : miss_share(lines, accesses);
        accesses = lines;
    }
    return effective_access_cycles(times, misses, levels);
}

static double of_lines(const struct lines *missed, double load_cycles, double store_cycles)
{
    return (missed->load > 0.0 ? missed->load * load_cycles : 0.0) +
           (missed->store > 0.0 ? missed->store * store_cycles : 0.0);
}

/* Lines come through one port, one after the other (Abandah, IBM SP2, section 5.3): of each cache
   the time that its misses take, and of all caches the longest. */
static double miss_cycles(struct bound *bound, const struct node *node, const struct memory *memory,
                          const struct essential *essential)
{
    bound->walked_cycles = 0.0;
    const struct memory_level *caches[MEMORY_LEVELS_MOST + 1];
    const size_t count = memory_caches(memory, caches);
    const double clock_mhz = node->clock_mhz;
    double most = 0.0;
    for (size_t i = 0; i < count; i++) {
        const struct lines *missed = &essential->missed[i];
        const double cycles =
            of_lines(missed, memory_line_cycles_least(memory, caches[i], false, clock_mhz),
                     memory_line_cycles_least(memory, caches[i], true, clock_mhz));
        const double usual =
            of_lines(missed, memory_line_cycles(memory, caches[i], false, clock_mhz),
                     memory_line_cycles(memory, caches[i], true, clock_mhz));
        bound->has_unpriced_misses |= isnan(cycles);
        most = fmax(most, cycles); /* fmax leaves a NAN out */
        bound->walked_cycles = fmax(bound->walked_cycles, usual + missed->strided_cycles);
    }
    return most;
}

/* t_m = max(load miss time + store miss time, (l L_eff + s S_eff) / ports) (Abandah, IBM SP2,
   section 5.3). */
static void fill_memory(struct bound *bound, const struct node *node, const struct memory *memory,
                        const struct essential *essential, double *misses)
{
    const double *of = essential->operations.of;
    const struct memory_level *first = memory_level(memory, 1.0);
    bound->load_access_cycles = access_cycles(memory, essential, false);
    bound->store_access_cycles = access_cycles(memory, essential, true);
    *misses = miss_cycles(bound, node, memory, essential);
    bound->memory_cycles = *misses;
    if (!first || isnan(first->ports))
        return;
    const double loads =
        of[OPERATION_LOAD] > 0.0 ? of[OPERATION_LOAD] * bound->load_access_cycles : 0.0;
    const double stores =
        of[OPERATION_STORE] > 0.0 ? of[OPERATION_STORE] * bound->store_access_cycles : 0.0;
    bound->memory_cycles = fmax(*misses, (loads + stores) / first->ports);
    bound->walked_cycles = fmax(bound->walked_cycles, bound->memory_cycles);
}

/* ---- dependences ---- */

/* What a chain of two kinds of operations takes more because each kind must use a result of the
   other at least once round it (where that is faster, as often as it can). Of more kinds, the sums
   round their chains are not known. */
static double handing_over_cycles(const struct node *node, const struct operations *chain)
{
    int kinds[OPERATION_COUNT], count = 0;
    for (int k = 0; k < OPERATION_COUNT; k++)
        if (chain->of[k] > 0.0)
            kinds[count++] = k;
    if (count != 2)
        return 0.0;
    const int a = kinds[0], b = kinds[1];
    const double *alone = node->latency_cycles.of;
    const double there = node->pair_latency_cycles.from[a].of[b],
                 back = node->pair_latency_cycles.from[b].of[a],
                 more = there + back - alone[a] - alone[b],
                 times = fmin(chain->of[a], chain->of[b]);
    return there > 0.0 && back > 0.0 ? more * (more > 0.0 ? fmin(times, 1.0) : times) : 0.0;
}

static double chain_cycles(const struct node *node, const struct chain *chain)
{
    if (chain->cycles > 0.0)
        return chain->share * chain->cycles / chain->distance;
    if (operations_absent(&chain->operations))
        return 0.0;
    if (operations_absent(&node->latency_cycles))
        return NAN;
    double cycles = handing_over_cycles(node, &chain->operations);
    for (int k = 0; k < OPERATION_COUNT; k++)
        cycles += chain->operations.of[k] * node->latency_cycles.of[k];
    return chain->share * cycles / chain->distance;
}

/* t_d: the longest chain (Abandah, IBM SP2, section 5.3). NAN: there is one and the table has no
   latencies. */
static double dependence_cycles(const struct node *node, const struct essential *essential)
{
    double longest = 0.0;
    for (size_t i = 0; i < essential->chain_count; i++) {
        const double cycles = chain_cycles(node, &essential->chains[i]);
        longest = isnan(cycles) || cycles > longest ? cycles : longest;
    }
    return longest;
}

/* ---- the busiest ---- */

static void add_limit(struct bound *bound, double cycles, const char *name, unsigned kind)
{
    if (isnan(cycles) || cycles <= 0.0 || cycles < bound->cycles * (1.0 - equal_share))
        return;
    const size_t used = strlen(bound->limit);
    snprintf(bound->limit + used, sizeof bound->limit - used, "%s%s", used ? " " : "", name);
    bound->limits |= kind;
}

static void find_limits(struct bound *bound, const struct node *node, enum convention convention,
                        double misses)
{
    const struct unit *units = node->units.items;
    const double dependence =
        convention == CONVENTION_TABLE ? (double)NAN : bound->dependence_cycles;
    for (size_t i = 0; i < bound->units; i++)
        bound->cycles = fmax(bound->cycles, bound->unit_cycles[i]);
    bound->cycles = fmax(bound->cycles, bound->memory_cycles);
    bound->cycles = fmax(bound->cycles, dependence);
    for (size_t i = 0; i < bound->units; i++)
        add_limit(bound, bound->unit_cycles[i], units[i].name, kind_of(&units[i]));
    const bool miss = misses >= bound->memory_cycles * (1.0 - equal_share);
    add_limit(bound, bound->memory_cycles, "memory", miss ? LIMIT_MISSES : LIMIT_REFERENCES);
    add_limit(bound, dependence, "dependence", LIMIT_DEPENDENCE);
}

/* ---- the whole ---- */

int bound_make(struct bound *bound, const struct node *node, const struct memory *memory,
               const struct essential *essential, enum convention convention, struct error *error)
{
    double misses = 0.0;
    if (!node || node->units.count == 0 || isnan(node->clock_mhz))
        return error_set(error, "the table's node has no units: a bound needs clock_mhz and units");
    *bound = (struct bound){.memory_cycles = NAN,
                            .walked_cycles = NAN,
                            .load_access_cycles = NAN,
                            .store_access_cycles = NAN,
                            .dependence_cycles = dependence_cycles(node, essential)};
    const struct operations count = instructions(node, essential);
    fill_units(bound, node, &count, convention);
    if (memory)
        fill_memory(bound, node, memory, essential, &misses);
    find_limits(bound, node, convention, misses);
    bound->flops = node_flops(node, &essential->operations);
    bound->cpf = bound->flops > 0.0 ? bound->cycles / bound->flops : (double)NAN;
    bound->mflops = bound->cpf > 0.0 ? node->clock_mhz / bound->cpf : (double)NAN;
    return 0;
}
