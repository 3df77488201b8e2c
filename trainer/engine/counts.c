#include "trainer/engine/counts.h"

#include <math.h>

/* Steps of the square root of two, rounded: 2, 3, 4, 6, 8, 11, 16, 23, ... and all. Powers of two
   and others, and the others not all the same way between them: with 3, 6, 12 alone a function of p
   can pass for another. Those that are together on a node among them: there laws end. */
static size_t default_counts(int processors, int together, int counts[COUNTS_MOST])
{
    size_t count = 0;
    int last = 1;
    for (double next = 2.0; round(next) < processors && count + 2 < COUNTS_MOST; next *= M_SQRT2) {
        if (last < together && together < round(next))
            counts[count++] = together;
        counts[count++] = last = (int)round(next);
    }
    if (last < together && together < processors)
        counts[count++] = together;
    counts[count++] = processors;
    return count;
}

/* Those of --processors, or the spread. */
static size_t counts_asked(const struct options *options, int processors, int together,
                           int counts[COUNTS_MOST])
{
    const struct number_list *asked = &options->processors;
    size_t count = 0;
    if (asked->count == 0)
        return default_counts(processors, together, counts);
    for (size_t i = 0; i < asked->count && count < COUNTS_MOST; i++)
        counts[count++] = (int)asked->values[i];
    return count;
}

/* Each of the spread that suits less gives way to the next larger that suits as well as any: where
   some messages go far, what near and far ones take is told apart by many counts. */
static size_t next_that_suit(const struct utility *utility, enum suits best, int processors,
                             int counts[COUNTS_MOST], size_t asked)
{
    size_t count = 0;
    for (size_t i = 0; i < asked; i++) {
        int next = counts[i];
        while (next <= processors && utility->suits(next) != best)
            next++;
        if (next <= processors && (count == 0 || next > counts[count - 1]))
            counts[count++] = next;
    }
    return count;
}

size_t counts_of(const struct utility *utility, const struct options *options, int processors,
                 int together, int counts[COUNTS_MOST])
{
    if (utility->pattern->among == AMONG_TWO) {
        counts[0] = 2;
        return 1;
    }
    const size_t asked = counts_asked(options, processors, together, counts);
    if (!utility->suits)
        return asked;
    enum suits best = SUITS;
    for (size_t i = 0; i < asked; i++)
        if (utility->suits(counts[i]) > best)
            best = utility->suits(counts[i]);
    if (together > 0 && options->processors.count == 0)
        return next_that_suit(utility, best, processors, counts, asked);
    size_t count = 0;
    for (size_t i = 0; i < asked; i++)
        if (utility->suits(counts[i]) == best)
            counts[count++] = counts[i];
    return count;
}

int counts_check(const struct options *options, int processors, struct error *error)
{
    const struct number_list *asked = &options->processors;
    if (asked->count > COUNTS_MOST)
        return error_set(error, "--processors: more than %d", COUNTS_MOST);
    for (size_t i = 0; i < asked->count; i++) {
        const double p = asked->values[i];
        if (p != floor(p) || p < 2.0 || p > processors || (i > 0 && p <= asked->values[i - 1]))
            return error_set(error,
                             "--processors: %g: expected whole numbers from 2 to %d, ascending", p,
                             processors);
    }
    return 0;
}
