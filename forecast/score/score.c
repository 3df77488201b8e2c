#include "forecast/score/score.h"

#include "model/base/allocation.h"
#include "model/fit/summary.h"

#include <math.h>
#include <stdlib.h>

/* Times that differ by less are one time. */
static const double same = 1e-9;
static const double apart_by = 0.1;

/* -1, 0 or 1. */
static int order(double a, double b)
{
    return fabs(a - b) <= same * fmax(fabs(a), fabs(b)) ? 0 : a < b ? -1 : 1;
}

bool scored_within(const struct scored *item)
{
    return order(item->low_us, item->measured_us) <= 0 &&
           order(item->measured_us, item->high_us) <= 0;
}

/* ---- pairs ---- */

struct tally {
    double concordant, discordant, predicted_alike, measured_alike, pairs;
};

static void judge(struct score *score, struct tally *tally, const struct scored *a,
                  const struct scored *b)
{
    const int predicted = order(a->predicted_us, b->predicted_us);
    const int measured = order(a->measured_us, b->measured_us);
    const bool apart = fmax(a->measured_us, b->measured_us) >
                       (1.0 + apart_by) * fmin(a->measured_us, b->measured_us);
    tally->pairs += 1.0;
    tally->concordant += predicted * measured > 0;
    tally->discordant += predicted * measured < 0;
    tally->predicted_alike += predicted == 0;
    tally->measured_alike += measured == 0;
    score->pairs += measured != 0;
    score->right += measured != 0 && predicted == measured;
    score->apart += apart;
    score->apart_right += apart && predicted == measured;
}

/* Kendall's tau-b (Kendall 1945): ties count for neither order. */
static double tau_of(const struct tally *tally)
{
    const double norm =
        (tally->pairs - tally->predicted_alike) * (tally->pairs - tally->measured_alike);
    return norm > 0.0 ? (tally->concordant - tally->discordant) / sqrt(norm) : (double)NAN;
}

/* ---- the choice ---- */

static double regret_of(const struct scored *items, size_t count)
{
    double first_us = items[0].predicted_us, least_us = items[0].measured_us, taken_us = 0.0;
    for (size_t i = 1; i < count; i++) {
        first_us = fmin(first_us, items[i].predicted_us);
        least_us = fmin(least_us, items[i].measured_us);
    }
    for (size_t i = 0; i < count; i++)
        if (order(items[i].predicted_us, first_us) == 0)
            taken_us = fmax(taken_us, items[i].measured_us);
    return taken_us / least_us - 1.0;
}

static void set_errors(struct score *score, const struct scored *items)
{
    double *errors = memory_new(score->candidates, sizeof *errors);
    for (size_t i = 0; i < score->candidates; i++)
        errors[i] = fabs(items[i].predicted_us - items[i].measured_us) / items[i].measured_us;
    const struct summary summary = summary_of(errors, score->candidates, 0.95);
    score->median_error = summary.median;
    score->worst_error = summary.maximum;
    free(errors);
}

struct score score_of(const struct scored *items, size_t count)
{
    struct score score = {.candidates = count, .regret = regret_of(items, count)};
    struct tally tally = {0};
    for (size_t i = 0; i < count; i++) {
        score.within += scored_within(&items[i]);
        for (size_t k = 0; k < i; k++)
            judge(&score, &tally, &items[i], &items[k]);
    }
    score.tau = tau_of(&tally);
    set_errors(&score, items);
    return score;
}
