#include "estimator/export/mpich_own.h"

#include "model/base/number.h"

#include <math.h>
#include <string.h>

enum verdict { NO, YES, UNKNOWN };

/* The rest of the text behind the beginning, or NULL. */
static const char *behind(const char *text, const char *beginning)
{
    const size_t length = strlen(beginning);
    return strncmp(text, beginning, length) == 0 ? text + length : NULL;
}

/* "<=12", "<12", "=any" */
static enum verdict compare(const char *condition, double value)
{
    double limit;
    const char *most = behind(condition, "<="), *below = behind(condition, "<");
    if (strcmp(condition, "=any") == 0)
        return YES;
    if (most && number_parse(most, &limit))
        return value <= limit ? YES : NO;
    if (below && number_parse(below, &limit))
        return value < limit ? YES : NO;
    return UNKNOWN;
}

static bool is_power_of_two(double value)
{
    return exp2(floor(log2(value))) == value;
}

static enum verdict holds(const char *key, double bytes, double processors)
{
    const char *size = behind(key, "comm_size"), *message = behind(key, "avg_msg_size");
    if (size && strcmp(size, "=pow2") == 0)
        return is_power_of_two(processors) ? YES : NO;
    if (size)
        return compare(size, processors);
    if (message)
        return compare(message, bytes);
    const char *total = behind(key, "total_msg_size");
    return total ? compare(total, bytes * processors) : UNKNOWN;
}

/* Rules are tried in turn; the first that holds decides, and its children are tried likewise. */
bool mpich_own_is(struct yaml_node rules, double bytes, double processors, const char *algorithm)
{
    for (size_t i = 0; i < yaml_count(rules); i++) {
        const char *key = yaml_text(yaml_key(rules, i));
        const char *leaf = behind(key, "algorithm=");
        if (leaf)
            return strcmp(leaf, algorithm) == 0;
        const enum verdict verdict = holds(key, bytes, processors);
        if (verdict == NO)
            continue;
        const bool is = yaml_kind(yaml_value(rules, i)) == YAML_MAP &&
                        mpich_own_is(yaml_value(rules, i), bytes, processors, algorithm);
        if (verdict == YES || !is)
            return is;
    }
    /* All that is not known said the same; or nothing holds. */
    return yaml_count(rules) > 0 &&
           holds(yaml_text(yaml_key(rules, yaml_count(rules) - 1)), bytes, processors) == UNKNOWN;
}
