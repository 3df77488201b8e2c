#include "model/fit/sawtooth.h"

#include <math.h>

double sawtooth_at(const struct packets *packets, double bytes)
{
    const double line = 1.5 + (bytes - packets->first_bytes) / packets->bytes;
    return packets_of(packets, bytes) - line;
}

/* Weighted means of one region, and products about them. */
struct products {
    double weight, bytes, saw, time; /* means but for the first */
    double nn, ns, nt, ss, st, tt;
};

static double weight_of(const struct observation *point)
{
    return 1.0 / (point->time_us * point->time_us);
}

static void add_means(struct products *sum, const struct packets *packets,
                      const struct observation *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double weight = weight_of(&points[i]);
        sum->weight += weight;
        sum->bytes += weight * points[i].bytes;
        sum->saw += weight * sawtooth_at(packets, points[i].bytes);
        sum->time += weight * points[i].time_us;
    }
    sum->bytes /= sum->weight;
    sum->saw /= sum->weight;
    sum->time /= sum->weight;
}

static struct products products_of(const struct packets *packets, const struct observation *points,
                                   size_t count)
{
    struct products sum = {0};
    add_means(&sum, packets, points, count);
    for (size_t i = 0; i < count; i++) {
        const double weight = weight_of(&points[i]), n = points[i].bytes - sum.bytes;
        const double s = sawtooth_at(packets, points[i].bytes) - sum.saw;
        const double t = points[i].time_us - sum.time;
        sum.nn += weight * n * n;
        sum.ns += weight * n * s;
        sum.nt += weight * n * t;
        sum.ss += weight * s * s;
        sum.st += weight * s * t;
        sum.tt += weight * t * t;
    }
    return sum;
}

void sawtooth_add(struct sawtooth *sawtooth, const struct packets *packets,
                  const struct observation *points, size_t count)
{
    if (count < 3)
        return; /* a line through two points leaves nothing */
    const struct products sum = products_of(packets, points, count);
    if (!(sum.nn > 0.0))
        return;
    sawtooth->saw_saw += fmax(0.0, sum.ss - sum.ns * sum.ns / sum.nn);
    sawtooth->saw_time += sum.st - sum.ns * sum.nt / sum.nn;
    sawtooth->time_time += fmax(0.0, sum.tt - sum.nt * sum.nt / sum.nn);
}

double sawtooth_each_us(const struct sawtooth *sawtooth)
{
    return sawtooth->saw_saw > 0.0 ? fmax(0.0, sawtooth->saw_time / sawtooth->saw_saw) : 0.0;
}

double sawtooth_slope_us(const struct packets *packets, const struct observation *points,
                         size_t count)
{
    const struct products sum = products_of(packets, points, count);
    const double packets_per_byte = 1.0 / packets->bytes + sum.ns / sum.nn;
    return fmax(0.0, sum.nt / sum.nn - packets->each_us * packets_per_byte);
}
