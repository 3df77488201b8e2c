#include "forecast/rank/ranking.h"

#include "model/base/allocation.h"
#include "model/base/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* An order that is this sure is told apart. */
static const double sure = 0.95;

static bool is_within(const struct ranked *a, const struct ranked *b, double share)
{
    const double x = a->prediction.whole.total_us, y = b->prediction.whole.total_us;
    return fabs(x - y) <= share * fmin(x, y);
}

bool ranked_tie(const struct ranked *a, const struct ranked *b)
{
    return is_within(a, b, resample_equal);
}

/* Totals that are equal but for rounding are in the order of the description. */
static int by_total(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (!is_within(x, y, 1e-12))
        return x->prediction.whole.total_us < y->prediction.whole.total_us ? -1 : 1;
    return (x->candidate > y->candidate) - (x->candidate < y->candidate);
}

/* ---- predictions ---- */

static void say(FILE *stream, const struct study *study, const struct candidate *candidate,
                const struct error *why)
{
    char line[800];
    char *name = printable(candidate->name);
    if (stream)
        fprintf(stream, "p = %g: %s left out: %s\n", study->processors, name,
                error_line(why, line, sizeof line));
    free(name);
}

/* Everything that can be predicted. Where some cannot though they fit, *error is the first reason,
   and is returned at once where the description is wrong. */
static int predict_all(struct ranking *ranking, struct study *study, const struct list *candidates,
                       FILE *left_out, struct error *error)
{
    bool has_failed = false;
    const struct candidate *all = candidates->items;
    for (size_t i = 0; i < candidates->count; i++) {
        struct ranked *item = &ranking->items[ranking->count];
        struct error why;
        const int status = study_predict(study, &all[i], &item->prediction, &why);
        if (status == 0) {
            item->candidate = &all[i];
            ranking->count++;
            continue;
        }
        if (status < 0 && (!has_failed || !why.is_particular))
            *error = why;
        if (status < 0 && !why.is_particular)
            return -1;
        has_failed |= status < 0;
        say(left_out, study, &all[i], &why);
    }
    return has_failed && ranking->count == 0 ? -1 : 0;
}

/* ---- the order ---- */

/* All that tie with the first of a rank have it. */
static void set_ranks(struct ranking *ranking)
{
    struct ranked *items = ranking->items;
    for (size_t i = 0, first = 0; i < ranking->count; i++) {
        first = ranked_tie(&items[first], &items[i]) ? first : i;
        items[i].rank = first + 1;
    }
}

/* What a total can have that no interval covers, the first that applies. */
static const struct {
    unsigned flags;
    const char *why;
} unknown[] = {
    {COST_EXTRAPOLATED_PROCESSORS,          "so many processes were not measured"     },
    {COST_EXTRAPOLATED_BYTES,               "such message sizes were not measured"    },
    {COST_OTHER_GRID,                       "so narrow a grid was not measured"       },
    {COST_OTHER_DISTANCE,                   "such distances were not measured"        },
    {COST_CLAMPED,                          "a formula fell below 0"                  },
    {COST_UNPRICED_MISSES,                  "misses that the table does not price"    },
    {COST_SENDER_TIME | COST_RECEIVER_TIME, "the table has the time of one side alone"},
};

/* Messages of pairs are flagged nowhere, and yet nobody has seen so many processors. */
static bool is_beyond(const struct study *study)
{
    const struct machine *machine = study->machine;
    return machine->machine.measured && study->processors > machine->machine.processors;
}

static const char *why_no_odds(const struct ranking *ranking, const struct study *study)
{
    unsigned flags = 0;
    bool no_error = false;
    if (is_beyond(study))
        return unknown[0].why;
    for (size_t i = 0; i < ranking->count; i++) {
        flags |= ranking->items[i].prediction.whole.flags;
        no_error |= ranking->items[i].prediction.whole.no_error;
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (flags & unknown[i].flags)
            return unknown[i].why;
    return no_error ? "the table has no error estimate for all of it" : NULL;
}

static double certain_us(const struct segment_prediction *whole)
{
    const struct uncertain *items = whole->uncertain.list.items;
    double certain = whole->total_us;
    for (size_t i = 0; i < whole->uncertain.list.count; i++)
        certain -= items[i].time_us;
    return certain;
}

static void set_odds(struct ranking *ranking)
{
    struct contender *contenders = memory_new(ranking->count, sizeof *contenders);
    for (size_t i = 0; i < ranking->count; i++) {
        const struct segment_prediction *whole = &ranking->items[i].prediction.whole;
        contenders[i] = (struct contender){.certain_us = certain_us(whole),
                                           .uncertain = &whole->uncertain.list};
    }
    resample(contenders, ranking->count);
    for (size_t i = 0; i < ranking->count; i++)
        ranking->items[i].odds = contenders[i];
    free(contenders);
}

static void set_groups(struct ranking *ranking)
{
    struct ranked *items = ranking->items;
    for (size_t i = 0; i < ranking->count; i++) {
        const bool apart =
            i > 0 && items[i].rank != items[i - 1].rank && items[i - 1].odds.before_next >= sure;
        items[i].tie_group = i == 0 ? 1 : items[i - 1].tie_group + (apart ? 1 : 0);
    }
}

int ranking_make(struct ranking *ranking, struct study *study, const struct list *candidates,
                 FILE *left_out, struct error *error)
{
    *ranking = (struct ranking){.items = memory_new(candidates->count, sizeof *ranking->items)};
    if (predict_all(ranking, study, candidates, left_out, error) != 0) {
        ranking_free(ranking);
        return -1;
    }
    qsort(ranking->items, ranking->count, sizeof *ranking->items, by_total);
    set_ranks(ranking);
    ranking->no_odds = why_no_odds(ranking, study);
    if (!ranking->no_odds) {
        set_odds(ranking);
        set_groups(ranking);
    }
    return 0;
}

void ranking_free(struct ranking *ranking)
{
    for (size_t i = 0; i < ranking->count; i++)
        prediction_free(&ranking->items[i].prediction);
    free(ranking->items);
    *ranking = (struct ranking){0};
}
