#include "model/cost/pattern.h"

#include "model/cost/cost.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- messages that count in a rate, and that are under way ---- */

static double one_message(double p)
{
    (void)p;
    return 1.0;
}

static double both_ways(double p)
{
    (void)p;
    return 2.0;
}

static double to_all_others(double participants)
{
    return participants - 1.0;
}

static double of_all(double participants)
{
    return participants;
}

static double each_to_all_others(double p)
{
    return p * (p - 1.0);
}

/* Trees begin with one message. Libraries choose their algorithms; where a message takes much
   longer than its setup, what others make of it does not depend on which. */
static double of_a_tree(double participants)
{
    return (participants - 1.0) / ceil(log2(participants));
}

double pattern_not_known(double participants)
{
    (void)participants;
    return NAN;
}

/* ---- the rows ---- */

/* The last one, of no part, ends the list. */
#define COMPOSED_OF(...)                                                                           \
    .compositions = (const struct composition[])                                                   \
    {                                                                                              \
        __VA_ARGS__, NO_PARTS                                                                      \
    }
#define NO_PARTS TOO_LOW_WHEN(TOO_LOW_NEVER, {NULL, 0, BYTES_THE_SAME})
#define TOO_LOW_WHEN(when, ...)                                                                    \
    {                                                                                              \
        {__VA_ARGS__}, when                                                                        \
    }
#define PART(row, so_often, of_bytes)                                                              \
    {                                                                                              \
        &pattern_##row, so_often, of_bytes                                                         \
    }
#define USING(row, so_often) TOO_LOW_WHEN(TOO_LOW_NEVER, PART(row, so_often, BYTES_THE_SAME))
#define USING_BOTH(row, then, of_bytes)                                                            \
    TOO_LOW_WHEN(TOO_LOW_NEVER, PART(row, USES_ONCE, BYTES_THE_SAME),                              \
                 PART(then, USES_ONCE, of_bytes))
#define TOO_LOW(row, so_often, when) TOO_LOW_WHEN(when, PART(row, so_often, BYTES_THE_SAME))

#define PATTERN(variable, title, means, ...)                                                       \
    const struct pattern pattern_##variable = {                                                    \
        .name = title, .processors_mean = means, __VA_ARGS__};
#define MEASURED PATTERN
#include "model/cost/patterns.h"
#undef PATTERN

const struct pattern *const patterns[] = {
#define PATTERN(variable, ...) &pattern_##variable,
#include "model/cost/patterns.h"
#undef PATTERN
};

const size_t patterns_count = sizeof patterns / sizeof *patterns;

const struct pattern pattern_other = {
    .among = AMONG_ALL,
    .rate_messages = one_message,
    .under_way = pattern_not_known,
    .interval = &law_not_known,
    .delivery = DELIVERY_NOT_LOOKED_AT,
    .plausible = PLAUSIBLE_ANY,
};

/* ---- finding a row ---- */

static const struct pattern *find(const char *name, size_t length)
{
    for (size_t i = 0; i < patterns_count; i++)
        if (strncmp(patterns[i]->name, name, length) == 0 && patterns[i]->name[length] == '\0')
            return patterns[i];
    return &pattern_other;
}

const char *pattern_name(const char *word)
{
    const size_t prefix = strncasecmp(word, "MPI_", 4) == 0 ? 4 : 0;
    if (find(word, strlen(word)) != &pattern_other)
        return word;
    if (strcasecmp(word, "pingpong") == 0 || strcasecmp(word, "ping-pong") == 0)
        return pattern_point_to_point.name;
    for (size_t i = 0; i < patterns_count; i++)
        if (patterns[i]->mpi && strcasecmp(word + prefix, patterns[i]->mpi + 4) == 0)
            return patterns[i]->name;
    return word;
}

const struct pattern *pattern_named(const char *name)
{
    return find(name, strlen(name));
}

const struct pattern *pattern_of_form(const char *name)
{
    static const char *const forms[] = {"-packed", "-vector"};
    const size_t length = strlen(name);
    const struct pattern *pattern = find(name, length);
    for (size_t i = 0; i < sizeof forms / sizeof *forms && pattern == &pattern_other; i++) {
        const size_t form = strlen(forms[i]);
        if (length > form && strcmp(name + length - form, forms[i]) == 0)
            pattern = find(name, length - form);
    }
    return pattern;
}

const struct pattern *pattern_of_class(enum traffic_class class)
{
    for (size_t i = 0; i < patterns_count; i++)
        if (class != TRAFFIC_LOCAL && patterns[i]->class == class)
            return patterns[i];
    return &pattern_other;
}

/* ---- questions ---- */

double pattern_rate_messages(const char *name, double p)
{
    const struct pattern *pattern = pattern_named(name);
    return pattern->rate_messages ? pattern->rate_messages(p) : (double)NAN;
}

double pattern_under_way(const char *name, double participants)
{
    const struct pattern *pattern = pattern_named(name);
    const double messages =
        pattern->under_way ? pattern->under_way(fmax(2.0, participants)) : (double)NAN;
    if (isnan(messages))
        return NAN;
    return participants < 2.0 ? 1.0 : fmax(1.0, messages);
}

bool pattern_is_between_two(const char *name)
{
    return pattern_named(name)->among == AMONG_TWO;
}

bool pattern_is_of_pairs(const char *name)
{
    const enum among among = pattern_named(name)->among;
    return among == AMONG_TWO || among == AMONG_PAIRS;
}
