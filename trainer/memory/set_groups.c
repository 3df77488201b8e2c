#include "trainer/memory/set_groups.h"

#include <math.h>

enum {
    GROUPS_MOST = 128,
    GROUPS_A_SIZE = 8,
    GROUPS_ROUGH = 24, /* so many tell the number of sets well enough to go on by */
    BLOCK_LINES_MOST = 64,
    GROUP_LINES_MOST = 1 << 16,
    SETS_A_LINE = 16 /* of a block: with fewer sets, more than one of a set would be in it */
};

/* Of the groups so large a share should have no line of the set: what tells most of it. */
static const double none_wanted = 0.35;

static bool is_used(const struct eviction *eviction, size_t page)
{
    const size_t bytes = eviction->probe->backend->page_bytes;
    for (size_t i = 0; i < eviction->members.count; i++)
        if (eviction->members.at[i] / bytes == page)
            return true;
    for (size_t i = 0; i < eviction->flush.count; i++)
        if (eviction->flush.at[i] / bytes == page)
            return true;
    return false;
}

static void add_block(const struct eviction *eviction, size_t lines, struct lines *group)
{
    struct cache_probe *probe = eviction->probe;
    const size_t line_bytes = (size_t)eviction->levels.first->line_bytes,
                 bytes = lines * line_bytes, page = probe->backend->page_bytes;
    struct lines block = {0};
    size_t at;
    do
        at = gsl_rng_uniform_int(probe->random, eviction->arena_bytes / bytes) * bytes;
    while (is_used(eviction, at / page) || is_used(eviction, (at + bytes - 1) / page));
    for (size_t i = 0; i < lines; i++)
        lines_add(&block, at + i * line_bytes);
    lines_shuffle(probe, &block);
    lines_add_all(group, &block);
    lines_free(&block);
}

/* What is asked: as many lines of a set as it has ways, and when one of them has missed. */
struct question {
    struct eviction *eviction;
    const struct lines *ring;
    double limit_cycles;
};

/* Whether no line of such a group is of the ring's set. */
static bool is_none(const struct question *question, const struct group_size *size)
{
    struct lines group = {0};
    for (size_t i = 0; i < (size_t)size->blocks; i++)
        add_block(question->eviction, (size_t)size->block_lines, &group);
    const bool above =
        eviction_is_above(question->eviction, &group, question->ring, question->limit_cycles);
    if (above)
        eviction_settle(question->eviction, question->ring);
    lines_free(&group);
    return !above;
}

/* So many blocks of which the wanted share of groups has none; by steps of half an octave, so that
   there are few sizes. */
static double blocks_for(const struct set_count *count, double block_lines)
{
    const struct set_estimate estimate = set_count_estimate(count);
    const double none = 1.0 - fmin(block_lines / estimate.sets, 0.5);
    const double blocks = isnan(estimate.sets) ? 1.0 : log(none_wanted) / log(none);
    return fmin(round(exp2(round(2.0 * log2(blocks)) / 2.0)), GROUP_LINES_MOST / block_lines);
}

/* From a single block on, until the first group has one of the set. 0: none has. */
static double blocks_first(const struct question *question, double block_lines)
{
    struct group_size size = {block_lines, 1.0};
    for (; size.blocks * block_lines <= GROUP_LINES_MOST; size.blocks *= 2.0)
        if (!is_none(question, &size))
            return size.blocks;
    return 0.0;
}

static struct set_count ask(const struct question *question, double block_lines, size_t groups)
{
    const struct eviction *eviction = question->eviction;
    struct set_count count = {
        .lines_sampled = (double)eviction->arena_bytes / eviction->levels.first->line_bytes,
        .lines_left_out = (double)eviction->members.count};
    struct group_size size = {block_lines, blocks_first(question, block_lines)};
    for (size_t i = 0; size.blocks > 0.0 && i < groups && !cache_probe_expired(eviction->probe);
         i++) {
        set_count_add(&count, &size, 1.0, is_none(question, &size) ? 1.0 : 0.0);
        if (i % GROUPS_A_SIZE == GROUPS_A_SIZE - 1)
            size.blocks = blocks_for(&count, block_lines);
    }
    return count;
}

struct set_count set_groups_ask(struct eviction *eviction, const struct lines *ring,
                                double limit_cycles)
{
    const struct question question = {eviction, ring, limit_cycles};
    double block_lines = BLOCK_LINES_MOST;
    struct set_count count = ask(&question, block_lines, GROUPS_ROUGH);
    struct set_estimate estimate = set_count_estimate(&count);
    for (; block_lines > 1.0 && SETS_A_LINE * block_lines > 1.5 * estimate.sets;
         estimate = set_count_estimate(&count)) {
        block_lines /= 2.0;
        count = ask(&question, block_lines, GROUPS_ROUGH);
    }
    const struct set_count more = ask(&question, block_lines, GROUPS_MOST - GROUPS_ROUGH);
    set_count_merge(&count, &more);
    count.lines_sampled = more.lines_sampled;
    count.lines_left_out = more.lines_left_out;
    return count;
}
