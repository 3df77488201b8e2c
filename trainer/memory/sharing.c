#include "trainer/memory/sharing.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stddef.h>

enum { BLOCKS = 9 };

double sharing_ratio(sharing_block *block, void *state)
{
    double ratios[BLOCKS], before = block(state, false);
    for (size_t i = 0; i < BLOCKS; i++) {
        const double together = block(state, true), after = block(state, false);
        ratios[i] = together / (0.5 * (before + after));
        if (isnan(ratios[i]))
            return NAN;
        before = after;
    }
    gsl_sort(ratios, 1, BLOCKS);
    return ratios[BLOCKS / 2];
}
