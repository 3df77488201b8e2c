/* How many sets a cache has: one over the share of lines, at any place, that are of one set. Lines
   are tested in groups: whether one of a group at least is of the set. */
#ifndef TRAINER_CACHES_SET_COUNT_H
#define TRAINER_CACHES_SET_COUNT_H

#include <stdbool.h>
#include <stddef.h>

enum { GROUP_SIZES_MOST = 64 };

/* A group is some blocks of neighbouring lines, which are of different sets. */
struct group_size {
    double block_lines, blocks;
};

/* What the groups said: of each size, how many groups there were, and of how many no line was of
   the set. Zeroed: nothing yet. */
struct set_count {
    double lines_sampled;  /* that groups were drawn from, by all victims together */
    double lines_left_out; /* of the set, from none of which they were drawn */
    struct groups {
        struct group_size size;
        double groups, none;
    } sizes[GROUP_SIZES_MOST];
    size_t count;
};

/* What there is no room for is left out. */
void set_count_add(struct set_count *count, const struct group_size *size, double groups,
                   double none);

/* What both say. */
void set_count_merge(struct set_count *count, const struct set_count *other);

/* The most likely number of sets, and its standard error as a share: of the groups, and of how
   evenly the lines that they are drawn from are spread. NAN: not known. */
struct set_estimate {
    double sets, error;
};
struct set_estimate set_count_estimate(const struct set_count *count);

/* The number of sets that alone is plausible: a power of two, or three times one. 0: the estimate
   is not that close yet, or close to neither. */
size_t set_count_decide(const struct set_estimate *estimate);

#endif
