/* Essential misses and the mean time of an access (Abandah, IBM SP2, section 5.4). */
#ifndef MODEL_NODE_CACHE_H
#define MODEL_NODE_CACHE_H

#include "model/node/memory.h"

#include <stddef.h>

/* A cache, in lines. */
struct cache {
    double lines; /* C */
    double ways;  /* A; NAN: not known */
    double line_bytes;
    enum replacement replacement;
    const struct memory *memory;      /* of which it is a level; borrowed, NULL: of none */
    const struct memory_level *level; /* that one; borrowed */
    double page_bytes; /* the addresses within a page are all that is known of where lines lie */
};

/* The cache that a level of memory is: what is told as an interval is taken at its larger end,
   where it misses least. False where capacity or line is not known. */
bool cache_of(const struct memory *memory, const struct memory_level *level, struct cache *cache);

/* The most different places, of those that addresses within a page tell apart, at which lines begin
   that lie so many bytes apart, one behind the other: all of a row of steps where the step shares
   few factors with the page, few where it is a power of two. */
double cache_places(const struct cache *cache, double step_bytes, double steps);

/* The most lines that the cache holds at once of those that lie at so many such places, anywhere in
   memory: its ways times the sets. INFINITY where the ways are not known. */
double cache_held_lines(const struct cache *cache, double places);

/* Lines missed in one pass over a working set of so many lines that stand in so many arrays, when
   the cache has seen the same pass before. LRU: equation 5.1 (Abandah, IBM SP2, section 5.4), never
   more than such a cache misses as long as there are no more arrays than ways. Else the least that
   any replacement can reach: all but what fits. */
double cache_pass_misses(const struct cache *cache, double lines, double arrays);

/* The share of accesses that miss when a line is used again after so many other lines, from least
   to most of them evenly, in so many arrays (LRU): the mean of equation 5.1 over B. */
double cache_reuse_misses(const struct cache *cache, double least, double most, double arrays);

/* T_eff = sum of f_i t_i, f_i = m_1 ... m_(i-1) (1 - m_i) (Abandah, IBM SP2, section 5.4): the
   times of the levels, of each the share of what reaches it that misses there; the last level
   misses nothing. NAN where a time that counts is. */
double effective_access_cycles(const double *cycles, const double *misses, size_t levels);

#endif
