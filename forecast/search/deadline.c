#include "forecast/search/deadline.h"

#include <time.h>

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct deadline deadline_after(double seconds)
{
    return (struct deadline){now_s() + seconds};
}

struct deadline deadline_share(const struct deadline *deadline, double share)
{
    const double now = now_s(), left = deadline->end_s - now;
    return deadline->end_s > 0.0 ? (struct deadline){now + share * (left > 0.0 ? left : 0.0)}
                                 : *deadline;
}

bool deadline_has_passed(const struct deadline *deadline)
{
    return deadline->end_s > 0.0 && now_s() > deadline->end_s;
}
