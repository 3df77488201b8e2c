/* The cheapest choices of a sum of parts: one array after the other is eliminated, which leaves
   what the best of its options costs as a part that depends on the arrays beside it (Bertele and
   Brioschi, Nonserial Dynamic Programming, 1972, chapter 2; Dechter, Bucket elimination, Artificial
   Intelligence 113, 1999). Where that would depend on too many it is split, and is a bound from
   below (Dechter and Rish, Mini-buckets, Journal of the ACM 50, 2003). Then choices are gone
   through depth first, the last that was eliminated first, without those that cannot be good
   enough. */
#ifndef FORECAST_SEARCH_ELIMINATION_H
#define FORECAST_SEARCH_ELIMINATION_H

#include "forecast/search/deadline.h"
#include "forecast/search/part.h"

/* Is shown every choice whose sum is less than the limit, which it may lower. */
struct choice_taker {
    void (*take)(void *taker, const size_t *choice, double us);
    double (*limit_us)(void *taker);
    void *taker;
};

/* false: the deadline passed before all choices had been looked at. */
bool elimination_go(const struct space *space, const struct parts *parts,
                    const struct choice_taker *taker, const struct deadline *deadline);

#endif
