#include "trainer/allowance.h"

/* First attempts at the communication utilities take about a quarter of the default budget at two
   processors; second ones at those that need them, about half as many, fit in this. */
static const double budget_share = 0.1;

struct allowance allowance_of(double budget_s, int parts)
{
    const double all_s = budget_share * budget_s;
    return (struct allowance){all_s, all_s, parts};
}

bool allowance_grant(struct allowance *allowance, double attempt_s, double need, int parts_left)
{
    const double kept_s = (1.0 - need) * allowance->all_s * parts_left / allowance->parts;
    if (allowance->left_s - attempt_s < kept_s)
        return false;
    allowance->left_s -= attempt_s;
    return true;
}
