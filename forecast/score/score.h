/* How good a ranking is: predicted times of candidates against what they took. */
#ifndef FORECAST_SCORE_SCORE_H
#define FORECAST_SCORE_SCORE_H

#include <stdbool.h>
#include <stddef.h>

struct scored {
    double predicted_us, low_us, high_us, measured_us; /* above 0 */
};

struct score {
    size_t candidates;
    size_t pairs, right;              /* pairs that took different times, so predicted in order */
    size_t apart, apart_right;        /* the same, of pairs that differ by more than a tenth */
    double regret;                    /* what the first took over the least, less 1 */
    double tau;                       /* Kendall's, with ties (b); NAN: all alike */
    size_t within;                    /* intervals that hold what it took */
    double median_error, worst_error; /* of |predicted - measured| / measured */
};

/* Of count >= 1 candidates. Where several are predicted to be the first, the regret is of the
   slowest of them. */
struct score score_of(const struct scored *items, size_t count);

bool scored_within(const struct scored *item);

#endif
