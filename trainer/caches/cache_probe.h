/* Rings of addresses, timed so that disturbances do not count. */
#ifndef TRAINER_CACHES_CACHE_PROBE_H
#define TRAINER_CACHES_CACHE_PROBE_H

#include "trainer/caches/backend.h"

#include <gsl/gsl_rng.h>

/* Addresses in the arena. */
struct lines {
    size_t *at; /* owned */
    size_t count, room;
};

struct cache_probe {
    const struct backend *backend;
    gsl_rng *random; /* owned; orders and choices */
    double end_s;    /* on the backend's clock: no search goes on after it */
    size_t samples;  /* of the backend that cache_probe_lap takes for one: 1 or more */
};

/* Begins a probe that has budget_s seconds; release with cache_probe_end. */
struct cache_probe cache_probe_begin(const struct backend *backend, unsigned long seed,
                                     double budget_s);
void cache_probe_end(struct cache_probe *probe);

/* Whether the time is over. */
bool cache_probe_expired(const struct cache_probe *probe);

/* Walks through the lines in one order after the other until a lap takes at most `enough`, for
   `patience` laps, or until many laps gain nothing: stale lines leave a set only little by little
   where it replaces at random, and with trees some orders drive out one of the ring's own lines for
   ever. Returns the laps walked. */
size_t cache_probe_settle(struct cache_probe *probe, const struct lines *lines, double enough,
                          size_t patience);

/* Cycles per lap through the lines in a new random order: the least of a few samples. */
double cache_probe_lap(struct cache_probe *probe, const struct lines *lines);

/* Cycles of a load of the lines, round after round, each order timed between two measurements of
   the clock that agree; the lower quartile: a disturbed order takes longer, and one by which the
   level above keeps some of the lines is shorter. NAN: too few agreed. */
double cache_probe_load(struct cache_probe *probe, const struct lines *lines);

/* Lines as values; zeroed is empty. */
void lines_free(struct lines *lines);
void lines_add(struct lines *lines, size_t at);
void lines_add_all(struct lines *lines, const struct lines *more);
struct lines lines_copy(const struct lines *lines);
bool lines_have(const struct lines *lines, size_t at);

/* count of the lines, at random; all of them but `left_out` from `first` on. */
struct lines lines_choose(const struct cache_probe *probe, const struct lines *lines, size_t count);
struct lines lines_without(const struct lines *lines, size_t first, size_t left_out);

/* Lines of so many bytes of the arena: one of share lines of every page, 1: all, in a random order
   which stays within a block of random pages for a while, so that few translations are missed. The
   fewer lines of a page, the fewer were fetched ahead. share: at most the lines of a page. */
struct lines lines_by_pages(const struct cache_probe *probe, double bytes, double line_bytes,
                            size_t share);

/* Into a random order. */
void lines_shuffle(const struct cache_probe *probe, struct lines *lines);

#endif
