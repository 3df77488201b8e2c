#include "model/cost/rate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double both_ways(double processors)
{
    (void)processors;
    return 2.0;
}

static double each_to_all_others(double processors)
{
    return processors * (processors - 1.0);
}

static const struct {
    const char *utility;
    double (*messages)(double processors);
} rows[] = {
    {"exchange",            both_ways         },
    {"exchange-far",        both_ways         },
    {"exchange-pairs",      both_ways         },
    {"exchange-best",       both_ways         },
    {"many-to-many",        each_to_all_others},
    {"many-to-many-packed", each_to_all_others},
    {"all-gather",          each_to_all_others},
};

double rate_mb_per_s(const char *utility, double bytes, double processors, double time_us)
{
    double messages = 1.0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].utility, utility) == 0)
            messages = rows[i].messages(processors);
    return bytes > 0.0 && time_us > 0.0 ? messages * bytes / time_us : (double)NAN;
}
