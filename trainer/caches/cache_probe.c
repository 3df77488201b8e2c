#include "trainer/caches/cache_probe.h"

#include "model/base/allocation.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 2, WARM_LAPS = 1, LAPS_LEAST = 2, SETTLE_LAPS = 3, STALLED_LAPS = 48 };

enum { BLOCK_PAGES = 32 };

enum { LOAD_ORDERS = 15, LOAD_TRIES = 60, LOAD_WARM_LAPS = 24 };

/* A lap that is shorter by less has not gained. */
static const double gain = 0.005;

struct cache_probe cache_probe_begin(const struct backend *backend, unsigned long seed,
                                     double budget_s)
{
    const double end_s = backend->now_s(backend->state) + budget_s;
    struct cache_probe probe = {
        .backend = backend,
        .random = gsl_rng_alloc(gsl_rng_mt19937),
        .end_s = backend->end_s > 0.0 ? fmin(end_s, backend->end_s) : end_s,
        .samples = 1,
    };
    gsl_rng_set(probe.random, seed);
    return probe;
}

void cache_probe_end(struct cache_probe *probe)
{
    gsl_rng_free(probe->random);
    probe->random = NULL;
}

bool cache_probe_expired(const struct cache_probe *probe)
{
    return probe->backend->now_s(probe->backend->state) > probe->end_s;
}

static void link_shuffled(struct cache_probe *probe, const struct lines *lines)
{
    struct lines order = lines_copy(lines);
    lines_shuffle(probe, &order);
    probe->backend->link(probe->backend->state, order.at, order.count);
    lines_free(&order);
}

size_t cache_probe_settle(struct cache_probe *probe, const struct lines *lines, double enough,
                          size_t patience)
{
    const struct backend *backend = probe->backend;
    size_t laps = 0, last_gain = 0;
    double least = INFINITY;
    while (least > enough && laps < patience && laps <= last_gain + STALLED_LAPS) {
        link_shuffled(probe, lines);
        backend->walk(backend->state, SETTLE_LAPS - 1);
        const double lap = backend->walk(backend->state, 1);
        laps += SETTLE_LAPS;
        if (lap < (1.0 - gain) * least)
            last_gain = laps;
        least = fmin(least, lap);
    }
    return laps;
}

double cache_probe_lap(struct cache_probe *probe, const struct lines *lines)
{
    const struct backend *backend = probe->backend;
    const size_t accesses = probe->samples * backend->sample_accesses;
    const size_t fill = (accesses + lines->count - 1) / lines->count;
    const size_t laps = fill > LAPS_LEAST ? fill : LAPS_LEAST;
    double least = INFINITY;
    link_shuffled(probe, lines);
    backend->walk(backend->state, WARM_LAPS);
    for (int i = 0; i < SAMPLES; i++)
        least = fmin(least, backend->walk(backend->state, laps));
    return least;
}

double cache_probe_load(struct cache_probe *probe, const struct lines *lines)
{
    const struct backend *backend = probe->backend;
    double laps[LOAD_ORDERS];
    size_t orders = 0;
    for (int tries = 0; orders < LOAD_ORDERS && tries < LOAD_TRIES; tries++) {
        link_shuffled(probe, lines);
        backend->walk(backend->state, LOAD_WARM_LAPS);
        const double lap = backend->walk_steady(backend->state, LAPS_LEAST);
        if (!isnan(lap))
            laps[orders++] = lap;
    }
    if (orders < LOAD_ORDERS)
        return NAN;
    gsl_sort(laps, 1, orders);
    return laps[orders / 4] / (double)lines->count;
}

/* ---- lines ---- */

void lines_free(struct lines *lines)
{
    free(lines->at);
    *lines = (struct lines){0};
}

void lines_add(struct lines *lines, size_t at)
{
    if (lines->count == lines->room) {
        lines->room = 2 * lines->room + 16;
        lines->at = memory_grow(lines->at, lines->room, sizeof *lines->at);
    }
    lines->at[lines->count++] = at;
}

void lines_add_all(struct lines *lines, const struct lines *more)
{
    for (size_t i = 0; i < more->count; i++)
        lines_add(lines, more->at[i]);
}

struct lines lines_copy(const struct lines *lines)
{
    struct lines copy = {0};
    lines_add_all(&copy, lines);
    return copy;
}

bool lines_have(const struct lines *lines, size_t at)
{
    for (size_t i = 0; i < lines->count; i++)
        if (lines->at[i] == at)
            return true;
    return false;
}

struct lines lines_choose(const struct cache_probe *probe, const struct lines *lines, size_t count)
{
    struct lines chosen = lines_copy(lines);
    lines_shuffle(probe, &chosen);
    chosen.count = count < chosen.count ? count : chosen.count;
    return chosen;
}

struct lines lines_without(const struct lines *lines, size_t first, size_t left_out)
{
    struct lines rest = {0};
    for (size_t i = 0; i < lines->count; i++)
        if (i < first || i >= first + left_out)
            lines_add(&rest, lines->at[i]);
    return rest;
}

struct lines lines_by_pages(const struct cache_probe *probe, double bytes, double line_bytes,
                            size_t share)
{
    const size_t page = probe->backend->page_bytes, pages = (size_t)bytes / page;
    const size_t step = share * (size_t)line_bytes;
    struct lines all = {0}, order = {0};
    for (size_t i = 0; i < pages; i++)
        lines_add(&order, i * page);
    lines_shuffle(probe, &order);
    for (size_t first = 0; first < pages; first += BLOCK_PAGES) {
        const size_t before = all.count;
        for (size_t i = first; i < pages && i < first + BLOCK_PAGES; i++)
            for (size_t at = 0; at < page; at += step)
                lines_add(&all, order.at[i] + at +
                                    gsl_rng_uniform_int(probe->random, share) * (size_t)line_bytes);
        gsl_ran_shuffle(probe->random, all.at + before, all.count - before, sizeof *all.at);
    }
    lines_free(&order);
    return all;
}

void lines_shuffle(const struct cache_probe *probe, struct lines *lines)
{
    if (lines->count > 0)
        gsl_ran_shuffle(probe->random, lines->at, lines->count, sizeof *lines->at);
}
