#include "trainer/memory/strided_walks.h"

#include "model/base/allocation.h"

#include <math.h>

const struct strided_walk strided_patterns[PATTERNS] = {
    {"load",  false, 1 },
    {"load",  false, 2 },
    {"load",  false, 4 },
    {"load",  false, 8 },
    {"load",  false, 16},
    {"store", true,  1 },
    {"store", true,  2 },
    {"store", true,  4 },
    {"store", true,  8 },
    {"store", true,  16},
};

/* How close sizes are up to a size. The sources' range is looked at as closely as they did; beyond
   it capacities are blurred by pages at random places. */
static const struct {
    double bytes_upto;
    int an_octave;
} closeness[] = {
    {131072.0, 16},
    {INFINITY, 4 },
};

static const double size_least = 1024.0, size_step = 1024.0;

enum { SAMPLES = 9, ACCESSES_FIRST = 8192, ACCESSES_MOST = 1 << 18 };

/* A sample is long against the reading of the clock, and short against what disturbs. */
static const double sample_cycles = 60000.0, confidence = 0.95;

/* In steps of the octave that the size lies in. */
static double next_size(double bytes)
{
    size_t row = 0;
    while (bytes >= closeness[row].bytes_upto)
        row++;
    const double step = exp2(floor(log2(bytes))) / closeness[row].an_octave;
    return bytes + fmax(step, size_step);
}

size_t strided_sizes(double bytes_most, double bytes[STRIDED_SIZES_MOST])
{
    size_t count = 0;
    for (double at = size_least; at <= bytes_most && count < STRIDED_SIZES_MOST; at = next_size(at))
        bytes[count++] = at;
    return count;
}

static size_t accesses_for(const struct backend *backend, struct sweep *sweep)
{
    const double cycles = backend->sweep(backend->state, sweep, ACCESSES_FIRST);
    return (size_t)fmin(fmax(sample_cycles / cycles, 1.0), ACCESSES_MOST);
}

/* The first lap loads what the cache keeps of the array. */
static struct summary measure(const struct backend *backend, const struct strided_walk *pattern,
                              double bytes)
{
    const size_t stride = pattern->stride_doubles * DOUBLE_BYTES;
    struct sweep sweep = {
        .stores = pattern->stores, .bytes = (size_t)bytes, .stride_bytes = stride};
    const size_t lap = sweep.bytes / stride;
    double samples[SAMPLES];
    backend->sweep(backend->state, &sweep, lap);
    const size_t accesses = backend->sample_accesses ? accesses_for(backend, &sweep) : lap;
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = backend->sweep(backend->state, &sweep, accesses);
    return summary_of(samples, SAMPLES, confidence);
}

struct curves *strided_measure(struct cache_probe *probe, double bytes_most)
{
    const struct backend *backend = probe->backend;
    struct curves *curves = memory_new(1, sizeof *curves);
    double sizes[STRIDED_SIZES_MOST];
    const size_t count = strided_sizes(bytes_most, sizes);
    for (size_t i = 0; i < count && !cache_probe_expired(probe); i++) {
        if (!backend->enlarge(backend->state, (size_t)sizes[i]))
            break;
        for (size_t k = 0; k < PATTERNS; k++)
            curves->cycles[k][i] = measure(backend, &strided_patterns[k], sizes[i]);
        curves->bytes[i] = sizes[i];
        curves->count = i + 1;
    }
    return curves;
}
