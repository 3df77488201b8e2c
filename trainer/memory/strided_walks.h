/* The sources' memory experiments (Abandah, IBM SP2, section 5.4): arrays of growing size are
   loaded from, or stored to, at strides of 1 to 16 double words, over and over again. */
#ifndef TRAINER_MEMORY_STRIDED_WALKS_H
#define TRAINER_MEMORY_STRIDED_WALKS_H

#include "model/fit/summary.h"
#include "trainer/caches/cache_probe.h"

/* A kernel at one stride. */
struct strided_walk {
    const char *kernel; /* "load" or "store" */
    bool stores;
    size_t stride_doubles;
};

enum { PATTERNS = 10, STRIDED_SIZES_MOST = 192, DOUBLE_BYTES = 8 };

/* By kernel, and of each ascending by stride. One more pattern is one more row. */
extern const struct strided_walk strided_patterns[PATTERNS];

/* Cycles of an access, by the size of the array. */
struct curves {
    size_t count;                     /* of sizes; ascending */
    double bytes[STRIDED_SIZES_MOST]; /* of an array */
    struct summary cycles[PATTERNS][STRIDED_SIZES_MOST];
};

/* Measures all patterns at sizes from 1 KB to bytes_most, the smallest first, as long as the probe
   has time: every pattern at the same sizes. Released with free. */
struct curves *strided_measure(struct cache_probe *probe, double bytes_most);

/* The sizes that strided_measure takes; returns how many. */
size_t strided_sizes(double bytes_most, double bytes[STRIDED_SIZES_MOST]);

#endif
