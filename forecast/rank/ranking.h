/* The candidates of a program at one setting, cheapest first, with what the table's errors leave of
   the order. */
#ifndef FORECAST_RANK_RANKING_H
#define FORECAST_RANK_RANKING_H

#include "forecast/predict/study.h"
#include "forecast/rank/resample.h"

struct ranked {
    const struct candidate *candidate; /* borrowed */
    struct prediction prediction;
    size_t rank;           /* from 1; equal for ties */
    struct contender odds; /* where the ranking has odds */
    size_t tie_group;      /* neighbours whose order is not 95 % sure have the same; from 1 */
};

struct ranking {
    struct ranked *items; /* owned */
    size_t count;
    /* Why nothing says how sure the order is; NULL: the odds and tie groups are filled in. */
    const char *no_odds;
};

/* Ranks a list of struct candidate. Those that do not fit the processors are left out, with a line
   each on the stream `left_out` (NULL: silently); so are those that fit and cannot be predicted, as
   where the table has nothing that serves them. An error, the first of these, where they are all
   that fit: a particular one (error.h); any other is of a description that is wrong. Release with
   ranking_free. */
int ranking_make(struct ranking *ranking, struct study *study, const struct list *candidates,
                 FILE *left_out, struct error *error);

void ranking_free(struct ranking *ranking);

/* Nearer to one another than any table is good for. */
bool ranked_tie(const struct ranked *a, const struct ranked *b);

#endif
