#include "estimator/export/smpi_factors.h"
#include "model/cost/pattern.h"

#include <math.h>
#include <stdlib.h>

const double smpi_envelope_bytes = 16.0;

/* Where latency and rate of a piece may not be negative, a region becomes several pieces that are
   as far from it at most. */
static const double error_allowed = 0.005;

/* SMPI's rates are finite. */
static const double least_per_byte_us = 1e-9;

/* ---- overheads: LogP's, a line between each two sizes that were measured ---- */

enum { KNOTS_MOST = 64 };

struct knot {
    double bytes, send_us, receive_us;
};

struct knots {
    struct knot of[KNOTS_MOST];
    size_t count;
};

static int compare_knots(const void *a, const void *b)
{
    const struct knot *left = a, *right = b;
    return (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

/* Ascending, each size once. What is longer waits for its receive, which SMPI takes for a part of
   the message's time. */
static struct knots find_knots(const struct logp *logp, double eager_upto_bytes)
{
    struct knots knots = {.count = 0};
    if (!logp)
        return knots;
    const struct logp_bulk *bulk = logp->bulk.items;
    const double small = isnan(logp->message_bytes) ? 0.0 : logp->message_bytes;
    knots.of[knots.count++] =
        (struct knot){small, logp->send_overhead_us, logp->receive_overhead_us};
    for (size_t i = 0; i < logp->bulk.count && knots.count < KNOTS_MOST; i++)
        if (bulk[i].bytes != small && bulk[i].bytes <= eager_upto_bytes &&
            !isnan(bulk[i].send_overhead_us + bulk[i].receive_overhead_us))
            knots.of[knots.count++] =
                (struct knot){bulk[i].bytes, bulk[i].send_overhead_us, bulk[i].receive_overhead_us};
    qsort(knots.of, knots.count, sizeof *knots.of, compare_knots);
    return knots;
}

static struct smpi_overhead line(double bytes0, double us0, double bytes1, double us1)
{
    const double per_byte_us = (us1 - us0) / (bytes1 - bytes0);
    return (struct smpi_overhead){us0 - per_byte_us * bytes0, per_byte_us};
}

/* The overheads of messages of more than above_bytes: between two knots, and beyond the last one as
   between the last two; up to the first one as of that. */
static void set_overheads(const struct knots *knots, double above_bytes, struct smpi_piece *piece)
{
    const struct knot *of = knots->of;
    piece->send = piece->receive = (struct smpi_overhead){0.0, 0.0};
    if (knots->count == 0)
        return;
    piece->send.constant_us = of[0].send_us;
    piece->receive.constant_us = of[0].receive_us;
    for (size_t i = 0; i + 1 < knots->count; i++)
        if (above_bytes >= of[i].bytes) {
            piece->send = line(of[i].bytes, of[i].send_us, of[i + 1].bytes, of[i + 1].send_us);
            piece->receive =
                line(of[i].bytes, of[i].receive_us, of[i + 1].bytes, of[i + 1].receive_us);
        }
}

static double overheads_us(const struct smpi_piece *piece, double bytes)
{
    return piece->send.constant_us + piece->receive.constant_us +
           (piece->send.per_byte_us + piece->receive.per_byte_us) * bytes;
}

/* ---- a range of sizes with one region and one line of overheads ---- */

struct taking {
    const struct cost *cost;
    struct knots knots;
    struct smpi_factors *factors;
    struct smpi_piece like; /* overheads of the present range */
};

static double message_us(const struct taking *taking, double bytes)
{
    const struct region *region = cost_region(taking->cost, bytes, 2.0);
    return region ? fmax(region_time_us(region, bytes, 2.0), 0.0) : (double)NAN;
}

/* What latency and rate are to answer for. */
static double rest_us(const struct taking *taking, double bytes)
{
    return message_us(taking, bytes) - overheads_us(&taking->like, bytes);
}

static double piece_rest_us(const struct smpi_piece *piece, double bytes)
{
    return piece->latency_us + piece->per_byte_us * (bytes + smpi_envelope_bytes);
}

static double piece_error(const struct taking *taking, const struct smpi_piece *piece, double bytes)
{
    const double time_us = message_us(taking, bytes);
    const double off_us = fabs(piece_rest_us(piece, bytes) - rest_us(taking, bytes));
    return time_us > 0.0 ? off_us / time_us : 0.0;
}

/* The line through both ends; where latency or rate would be negative, without that. */
static struct smpi_piece fit(const struct taking *taking, double first, double last)
{
    struct smpi_piece piece = taking->like;
    const double middle = round(sqrt(fmax(first, 1.0) * last));
    piece.per_byte_us =
        last > first ? (rest_us(taking, last) - rest_us(taking, first)) / (last - first) : 0.0;
    piece.per_byte_us = fmax(piece.per_byte_us, least_per_byte_us);
    piece.latency_us = rest_us(taking, first) - piece.per_byte_us * (first + smpi_envelope_bytes);
    if (piece.latency_us < 0.0) {
        piece.latency_us = 0.0;
        piece.per_byte_us =
            fmax(rest_us(taking, middle) / (middle + smpi_envelope_bytes), least_per_byte_us);
    }
    return piece;
}

static double fit_error(const struct taking *taking, const struct smpi_piece *piece, double first,
                        double last)
{
    const double middle = round(sqrt(fmax(first, 1.0) * last));
    return fmax(piece_error(taking, piece, middle),
                fmax(piece_error(taking, piece, first), piece_error(taking, piece, last)));
}

/* Pieces from first to last, both included. */
static void take(struct taking *taking, double first, double last)
{
    struct smpi_factors *factors = taking->factors;
    struct smpi_piece piece = fit(taking, first, last);
    const double error = fit_error(taking, &piece, first, last);
    const double middle = round(sqrt(fmax(first, 1.0) * last));
    if (error > error_allowed && middle > first && middle < last &&
        factors->count < SMPI_PIECES_MOST / 2) {
        take(taking, first, middle);
        take(taking, middle + 1.0, last);
        return;
    }
    piece.above_bytes = fmax(first - 1.0, 0.0);
    factors->error_most = fmax(factors->error_most, error);
    if (factors->count < SMPI_PIECES_MOST)
        factors->pieces[factors->count++] = piece;
}

/* Overheads that are longer than the whole message are none that SMPI can charge. */
static void take_with_overheads(struct taking *taking, double first, double last)
{
    const bool charged = first <= taking->factors->eager_upto_bytes;
    set_overheads(&taking->knots, fmax(first - 1.0, 0.0), &taking->like);
    const bool fits = rest_us(taking, first) >= 0.0 && rest_us(taking, last) >= 0.0;
    if (charged && taking->knots.count > 0 && !fits)
        taking->factors->overheads_dropped = last;
    if (!charged || !fits)
        taking->like.send = taking->like.receive = (struct smpi_overhead){0.0, 0.0};
    take(taking, first, last);
}

/* ---- all sizes ---- */

/* The last size from first on that has the same region and the same line of overheads. */
static double range_end(const struct taking *taking, double first, double most)
{
    const struct region *region = cost_region(taking->cost, first, 2.0);
    const double eager = taking->factors->eager_upto_bytes;
    double last = fmin(region ? region->bytes_upto : first, most);
    if (first <= eager)
        last = fmin(last, eager);
    for (size_t i = 0; i < taking->knots.count; i++)
        if (taking->knots.of[i].bytes >= first && first <= eager)
            last = fmin(last, taking->knots.of[i].bytes);
    return last;
}

/* Above, numbers are no longer counted byte by byte; nobody sends as much. */
static const double bytes_most = 0x1p50;

static double last_bound(const struct cost *cost)
{
    const struct list *list = cost_regions_at(cost, 2.0);
    const struct region *regions = list->items;
    double bound = 1048576.0;
    for (size_t i = 0; i < list->count; i++)
        if (isfinite(regions[i].bytes_upto))
            bound = fmax(bound, 2.0 * regions[i].bytes_upto);
    return isnan(cost->bytes.most) ? bound : fmax(cost->bytes.most, bound);
}

void smpi_factors_find(const struct machine *machine, struct smpi_factors *factors)
{
    const struct cost *cost = machine_cost(machine, pattern_point_to_point.name);
    const double most = fmin(last_bound(cost), bytes_most);
    *factors = (struct smpi_factors){.eager_upto_bytes = cost->eager_upto_bytes};
    if (isnan(cost->eager_upto_bytes) && machine->logp)
        factors->eager_upto_bytes = INFINITY;
    struct taking taking = {.cost = cost,
                            .knots = find_knots(machine->logp, factors->eager_upto_bytes),
                            .factors = factors};
    for (double first = 0.0; first <= most;) {
        const double last = range_end(&taking, first, most);
        if (isnan(message_us(&taking, first)) || isnan(message_us(&taking, last)))
            break;
        take_with_overheads(&taking, first, last);
        first = fmax(last, first) + 1.0;
    }
}
