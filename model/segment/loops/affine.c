#include "model/segment/loops/affine.h"

double affine_value(const struct affine *affine, const double *at)
{
    double value = affine->constant;
    for (int l = 0; l < LOOPS_MOST; l++)
        if (affine->by[l] != 0.0)
            value += affine->by[l] * at[l];
    return value;
}

int affine_loop(const struct affine *affine, int from)
{
    for (int l = from; l < LOOPS_MOST; l++)
        if (affine->by[l] != 0.0)
            return l;
    return -1;
}

bool affine_parallel(const struct affine *a, const struct affine *b)
{
    for (int l = 0; l < LOOPS_MOST; l++)
        if (a->by[l] != b->by[l])
            return false;
    return true;
}
