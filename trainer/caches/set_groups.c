#include "trainer/caches/set_groups.h"

#include <math.h>

enum {
    GROUPS_MOST = 128,
    GROUPS_A_SIZE = 8,
    WAITS = 2,
    RESTORE_TRIES = 8,
    LOST_MOST = 4,
    GROUPS_ROUGH = 24, /* so many tell the number of sets well enough to go on by */
    BLOCK_LINES_MOST = 64,
    GROUP_LINES_MOST = 1 << 16,
    SETS_A_LINE = 16 /* of a block: with fewer sets, more than one of a set would be in it */
};

/* Of the groups so large a share should have no line of the set: what tells most of it. */
static const double none_wanted = 0.35;

static const double step_most = 4.0;

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
    size_t lost; /* sizes of groups whose answers were not to be used */
};

static bool is_out(const struct question *question, const struct drive *drive)
{
    return eviction_is_above(question->eviction, drive, question->ring, question->limit_cycles);
}

/* Whether the ring misses, after which all of it is back. */
static bool does_miss(const struct question *question, const struct drive *drive)
{
    static const struct drive nothing;
    if (!is_out(question, drive))
        return false;
    for (int i = 0; i < RESTORE_TRIES; i++) {
        eviction_settle(question->eviction, question->ring, SETTLE_AGAIN);
        if (!is_out(question, &nothing))
            break;
    }
    return true;
}

/* Whether no line of such a group is of the ring's set. */
static bool is_none(const struct question *question, const struct group_size *size)
{
    struct lines group = {0};
    for (size_t i = 0; i < (size_t)size->blocks; i++)
        add_block(question->eviction, (size_t)size->block_lines, &group);
    const bool misses = does_miss(question, &(struct drive){.lines = &group, .passes = 1});
    lines_free(&group);
    return !misses;
}

/* Whether the ring stays for as long as such a group takes while nothing of one's own drives it
   out: another program, or another system on the same core, may. */
static bool does_stay(const struct question *question, const struct group_size *size)
{
    const double cycles =
        size->blocks * size->block_lines * question->eviction->levels.beyond_cycles;
    for (int i = 0; i < WAITS; i++)
        if (does_miss(question, &(struct drive){.wait_cycles = cycles}))
            return false;
    return true;
}

/* So many blocks of which the wanted share of groups has none; by steps of half an octave, so that
   there are few sizes, and not many times as many as before, by what little is known. */
static double blocks_for(const struct set_count *count, const struct group_size *size)
{
    const struct set_estimate estimate = set_count_estimate(count);
    const double none = 1.0 - fmin(size->block_lines / estimate.sets, 0.5);
    const double blocks = isnan(estimate.sets) ? 1.0 : log(none_wanted) / log(none);
    const double most = fmin(step_most * size->blocks, GROUP_LINES_MOST / size->block_lines);
    return fmin(round(exp2(round(2.0 * log2(blocks)) / 2.0)), most);
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

/* Some groups of one size, unless the ring did not stay meanwhile. */
static void ask_some(struct question *question, const struct group_size *size,
                     struct set_count *count)
{
    double none = 0.0;
    for (int i = 0; i < GROUPS_A_SIZE; i++)
        none += is_none(question, size) ? 1.0 : 0.0;
    if (does_stay(question, size))
        set_count_add(count, size, GROUPS_A_SIZE, none);
    else
        question->lost++;
}

static struct set_count ask(struct question *question, double block_lines, size_t groups)
{
    const struct eviction *eviction = question->eviction;
    struct set_count count = {.lines_sampled = (double)eviction->arena_bytes /
                                               eviction->levels.first->line_bytes,
                              .lines_left_out = (double)eviction->members.count};
    struct group_size size = {block_lines, blocks_first(question, block_lines)};
    for (size_t i = 0; size.blocks > 0.0 && i < groups && question->lost <= LOST_MOST &&
                       !cache_probe_expired(eviction->probe);
         i += GROUPS_A_SIZE) {
        ask_some(question, &size, &count);
        size.blocks = blocks_for(&count, &size);
    }
    return count;
}

const char *set_groups_ask(struct eviction *eviction, const struct lines *ring, double limit_cycles,
                           struct set_count *count)
{
    struct question question = {eviction, ring, limit_cycles, 0};
    double block_lines = BLOCK_LINES_MOST;
    *count = ask(&question, block_lines, GROUPS_ROUGH);
    struct set_estimate estimate = set_count_estimate(count);
    for (; block_lines > 1.0 && SETS_A_LINE * block_lines > 1.5 * estimate.sets;
         estimate = set_count_estimate(count)) {
        block_lines /= 2.0;
        *count = ask(&question, block_lines, GROUPS_ROUGH);
    }
    const struct set_count more = ask(&question, block_lines, GROUPS_MOST - GROUPS_ROUGH);
    set_count_merge(count, &more);
    count->lines_sampled = more.lines_sampled;
    count->lines_left_out = more.lines_left_out;
    return question.lost > LOST_MOST ? "something else drives its lines out" : NULL;
}
