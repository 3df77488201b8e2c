#include "trainer/curve/packet_size.h"

#include "model/fit/packets_guess.h"

#include <math.h>

/* The first steps are asked for from a quarter of a packet off, where a guess cannot miss them; the
   later ones on both sides of the edge. */
enum { STEPS_FIRST = 3, CONFIRMED_LEAST = 2 };
static const double aside = 0.25;

/* Steps are equal within this share, and seen where they are that many times the noise, and above
   what a clock tells. */
static const double step_tolerance = 0.3, noise_most = 0.25, seen_least = 1e-5;

/* From one step that is asked for to the next. */
static const double stride = 1.5;

struct search {
    struct running *run;
    struct packets packets;
    double slope_us; /* of a byte, beside the packets */
    double noise_us; /* of the last time asked for */
    bool hidden;     /* in it: no step can be seen there */
};

/* The last message of the packets before the k-th step, k from 0. */
static double edge_of(const struct search *search, double k)
{
    const double granule = search->run->plan->granule;
    const double edge = search->packets.first_bytes + k * search->packets.bytes;
    return granule * floor(edge / granule);
}

static bool is_short_enough(const struct search *search, double bytes)
{
    return bytes <= search->run->plan->bytes_most;
}

/* The time of one size; NAN where there is no budget left. */
static int ask(struct search *search, double bytes, double *time_us, struct error *error)
{
    struct running *run = search->run;
    *time_us = NAN;
    if (running_measure(run, running_size(run, bytes), false, error) != 0)
        return -1;
    if (run->spent)
        return 0;
    const struct point *point = &run->last;
    *time_us = running_time_us(run, point);
    search->noise_us = point->half_width_us;
    search->hidden = search->packets.each_us * noise_most < point->half_width_us ||
                     search->packets.each_us < seen_least * *time_us;
    return 0;
}

/* What two sizes differ by besides their bytes, as a share of what a packet costs. */
static int ask_between(struct search *search, double below, double above, double *share,
                       struct error *error)
{
    double below_us, above_us;
    if (ask(search, below, &below_us, error) != 0 || ask(search, above, &above_us, error) != 0)
        return -1;
    *share = (above_us - below_us - search->slope_us * (above - below)) / search->packets.each_us;
    return 0;
}

static bool is_step(double share)
{
    return fabs(share - 1.0) < step_tolerance;
}

/* Whether the first steps are there, wherever exactly. */
static int look_roughly(struct search *search, bool *there, struct error *error)
{
    *there = true;
    for (int k = 0; k < STEPS_FIRST && *there; k++) {
        const double edge = edge_of(search, k), off = ceil(aside * search->packets.bytes);
        double share = NAN;
        if (is_short_enough(search, edge + off) &&
            ask_between(search, edge - off, edge + off, &share, error) != 0)
            return -1;
        *there = is_step(share);
    }
    return 0;
}

/* On which side of a step a size is, by its time and that of one below: above it by half of what a
   packet costs. Asked again where noise could have decided. */
static int is_above(struct search *search, double below, double below_us, double bytes, bool *above,
                    struct error *error)
{
    double sum_us = 0.0;
    for (int times = 1; times <= RUNNING_ASKS_MOST; times++) {
        double time_us;
        if (ask(search, bytes, &time_us, error) != 0)
            return -1;
        sum_us += time_us;
        const double more_us = sum_us / times - below_us - search->slope_us * (bytes - below);
        const double beyond_us = more_us - 0.5 * search->packets.each_us;
        *above = beyond_us > 0.0;
        if (!(fabs(beyond_us) < search->noise_us))
            break;
    }
    return 0;
}

/* The last size before the k-th step. */
static int narrow(struct search *search, int k, double *edge, struct error *error)
{
    const double granule = search->run->plan->granule, off = ceil(aside * search->packets.bytes);
    const double from = granule * floor((edge_of(search, k) - off) / granule);
    double below = from, above = from + 2.0 * granule * ceil(off / granule), from_us;
    if (ask(search, from, &from_us, error) != 0)
        return -1;
    while (above - below > granule && !search->run->spent) {
        const double middle = granule * floor(0.5 * (below + above) / granule);
        bool beyond;
        if (is_above(search, from, from_us, middle, &beyond, error) != 0)
            return -1;
        *(beyond ? &above : &below) = middle;
    }
    *edge = below;
    return 0;
}

/* The size of a packet and of the first one, from the first and the third step. */
static int measure_packets(struct search *search, struct error *error)
{
    double first, last;
    if (narrow(search, 0, &first, error) != 0 || narrow(search, STEPS_FIRST - 1, &last, error) != 0)
        return -1;
    search->packets.bytes = round((last - first) / (STEPS_FIRST - 1));
    search->packets.first_bytes =
        first - search->packets.bytes * fmax(0.0, ceil(first / search->packets.bytes) - 1.0);
    return 0;
}

/* ---- how far ---- */

static int ask_step(struct search *search, double k, double *share, struct error *error)
{
    const double edge = edge_of(search, k);
    return ask_between(search, edge, edge + search->run->plan->granule, share, error);
}

/* The last step that longer and longer messages show, or, where one is missing, the last before it;
 *end: the first that is missing, NAN where they only cannot be seen, or INFINITY. */
static int follow(struct search *search, double *last, double *end, int *confirmed,
                  struct error *error)
{
    const struct sweep_plan *plan = search->run->plan;
    const double most = floor((plan->bytes_most - plan->granule - search->packets.first_bytes) /
                              search->packets.bytes);
    *end = INFINITY;
    *last = STEPS_FIRST - 1;
    for (double k = STEPS_FIRST; *last < most; k = fmin(most, ceil(stride * k))) {
        double share;
        if (ask_step(search, k, &share, error) != 0)
            return -1;
        if (search->hidden || search->run->spent) {
            *end = NAN;
            return 0;
        }
        if (!is_step(share)) {
            *end = k;
            return 0;
        }
        *last = k;
        ++*confirmed;
    }
    return 0;
}

/* The last step before the one that is missing. */
static int find_last(struct search *search, double *last, double missing, struct error *error)
{
    while (missing - *last > 1.0 && !search->run->spent) {
        const double middle = floor(0.5 * (*last + missing));
        double share;
        if (ask_step(search, middle, &share, error) != 0)
            return -1;
        *(is_step(share) ? last : &missing) = middle;
    }
    return 0;
}

/* The last size that the packets explain, after their last step. */
static int find_end(struct search *search, double last, struct error *error)
{
    const double granule = search->run->plan->granule;
    const double from = edge_of(search, last) + granule;
    double below = from, above = edge_of(search, last + 1.0) + granule, from_us;
    if (ask(search, from, &from_us, error) != 0)
        return -1;
    while (above - below > granule && !search->run->spent) {
        const double middle = granule * floor(0.5 * (below + above) / granule);
        double time_us;
        if (ask(search, middle, &time_us, error) != 0)
            return -1;
        const double off_us = time_us - from_us - search->slope_us * (middle - from);
        *(fabs(off_us) < step_tolerance * search->packets.each_us ? &below : &above) = middle;
    }
    search->packets.upto_bytes = below;
    return 0;
}

static int measure_extent(struct search *search, bool *there, struct error *error)
{
    double last, end;
    int confirmed = 0;
    if (follow(search, &last, &end, &confirmed, error) != 0)
        return -1;
    *there = confirmed >= CONFIRMED_LEAST;
    search->packets.upto_bytes = isnan(end) ? edge_of(search, last + 1.0) : INFINITY;
    if (!*there || !isfinite(end))
        return 0;
    return find_last(search, &last, end, error) != 0 ? -1 : find_end(search, last, error);
}

/* run->packets where they are there; *there: their first steps are, roughly. */
static int try_guess(struct running *run, const struct packets_guess *guess, bool *there,
                     struct error *error)
{
    struct search search = {.run = run, .packets = guess->packets, .slope_us = guess->slope_us};
    bool found = false;
    if (look_roughly(&search, there, error) != 0)
        return -1;
    if (!*there)
        return 0;
    if (measure_packets(&search, error) != 0)
        return -1;
    if (search.packets.bytes > 0.0 && measure_extent(&search, &found, error) != 0)
        return -1;
    if (found && !run->spent)
        run->curve->packets = search.packets;
    return 0;
}

int packets_find(struct running *run, struct error *error)
{
    struct packets_guess guesses[PACKETS_GUESSES];
    const size_t count = packets_guess(run->sorted, run->count, run->plan->granule, guesses);
    bool there = false;
    for (size_t i = 0; i < count && !there && !run->spent; i++)
        if (try_guess(run, &guesses[i], &there, error) != 0)
            return -1;
    return 0;
}

int packets_find_among(struct running *run, const struct list *regions, struct error *error)
{
    struct packets_guess guess;
    bool there;
    if (run->curve->packets.bytes > 0.0 || run->plan->trusting ||
        !packets_guess_among(regions, &guess))
        return 0;
    return try_guess(run, &guess, &there, error);
}
