#include "test/expected.h"
#include "test/check.h"

#include <math.h>
#include <stdlib.h>

static int count_of(const struct pairs *pairs, int to, int from)
{
    return to == from ? 0 : pairs->count[to * pairs->stride + from];
}

/* ---- classes ---- */

/* Processors that are connected by messages, from one on. */
static int reach(const struct pairs *pairs, int from, bool *seen)
{
    int size = 1;
    seen[from] = true;
    for (int other = 0; other < pairs->processors; other++)
        if (!seen[other] && (count_of(pairs, from, other) || count_of(pairs, other, from)))
            size += reach(pairs, other, seen);
    return size;
}

/* The largest group and how many processors are in any. */
static int find_groups(const struct pairs *pairs, int *members)
{
    bool *seen = calloc((size_t)pairs->processors, sizeof *seen);
    int largest = 0;
    *members = 0;
    for (int c = 0; c < pairs->processors; c++) {
        const int size = seen[c] ? 0 : reach(pairs, c, seen);
        *members += size > 1 ? size : 0;
        largest = size > largest ? size : largest;
    }
    free(seen);
    return largest;
}

/* How many partners one processor has. */
struct partners {
    int in, out, either, both;
};

static struct partners partners_of(const struct pairs *pairs, int one)
{
    struct partners it = {0};
    for (int other = 0; other < pairs->processors; other++) {
        const bool in = count_of(pairs, one, other) > 0, out = count_of(pairs, other, one) > 0;
        it.in += in;
        it.out += out;
        it.either += in || out;
        it.both += in && out;
    }
    return it;
}

static int largest_of(const struct pairs *pairs)
{
    int largest = 0;
    for (int to = 0; to < pairs->processors; to++)
        for (int from = 0; from < pairs->processors; from++)
            if (count_of(pairs, to, from) > largest)
                largest = count_of(pairs, to, from);
    return largest;
}

struct expected pairs_classify(const struct pairs *pairs, bool same)
{
    int members, in_most = 0, out_most = 0, messages = 0;
    const int group = find_groups(pairs, &members);
    struct expected expected = {TRAFFIC_LOCAL, 1.0, largest_of(pairs), group, 0.0};
    bool both = false, mutual = true, complete = true;
    for (int c = 0; c < pairs->processors; c++) {
        const struct partners it = partners_of(pairs, c);
        messages += it.in;
        in_most = it.in > in_most ? it.in : in_most;
        out_most = it.out > out_most ? it.out : out_most;
        both |= it.in && it.out;
        mutual &= !(it.in && it.out) || (it.in == 1 && it.out == 1 && it.both == 1);
        complete &= it.out == 0 || it.out == group - 1;
    }
    const bool in_pairs = in_most == 1 && out_most == 1;
    const int partners = in_most > out_most ? in_most : out_most;
    if (in_most == 0)
        return expected;
    expected.class = in_pairs && both && mutual ? TRAFFIC_EXCHANGE
                     : in_pairs                 ? TRAFFIC_MESSAGES
                     : in_most == 1 && !both    ? (same ? TRAFFIC_BROADCAST : TRAFFIC_ONE_TO_MANY)
                     : out_most == 1 && !both   ? TRAFFIC_MANY_TO_ONE
                     : same && complete         ? TRAFFIC_ALL_GATHER
                     : 2 * partners < group     ? TRAFFIC_MESSAGES
                                                : TRAFFIC_MANY_TO_MANY;
    if (expected.class == TRAFFIC_MESSAGES)
        expected.times = partners;
    expected.at_once = expected.class == TRAFFIC_MESSAGES   ? (double)messages / partners
                       : expected.class == TRAFFIC_EXCHANGE ? messages / 2.0
                                                            : (double)members / group;
    return expected;
}

struct expected pairs_shift(const struct pairs *pairs)
{
    struct expected expected = {TRAFFIC_LOCAL, 0.0, largest_of(pairs), 2.0, 0.0};
    bool both = false;
    int either = 0;
    for (int c = 0; c < pairs->processors; c++) {
        const struct partners it = partners_of(pairs, c);
        both |= it.in && it.out;
        either += it.either;
        expected.times = fmax(expected.times, it.either);
    }
    if (expected.times > 0.0) {
        expected.class = both ? TRAFFIC_EXCHANGE : TRAFFIC_MESSAGES;
        expected.at_once = either / 2.0 / expected.times;
    }
    return expected;
}

struct expected pairs_single(const struct pairs *pairs)
{
    struct expected expected = {TRAFFIC_LOCAL, 0.0, 1.0, 2.0, 0.0};
    int all = 0;
    for (int c = 0; c < pairs->processors; c++) {
        int in = 0, out = 0;
        for (int other = 0; other < pairs->processors; other++) {
            in += count_of(pairs, c, other);
            out += count_of(pairs, other, c);
        }
        all += in;
        expected.times = fmax(expected.times, fmax(in, out));
    }
    if (all > 0) {
        expected.class = TRAFFIC_MESSAGES;
        expected.at_once = all / expected.times;
    }
    return expected;
}

/* ---- how often ---- */

static void add(struct tally *tally, const struct entry *it)
{
    size_t i = 0;
    while (i < tally->count &&
           (tally->entries[i].class != it->class || tally->entries[i].elements != it->elements ||
            tally->entries[i].group != it->group ||
            fabs(tally->entries[i].at_once - it->at_once) > 1e-9))
        i++;
    ck_assert_uint_lt(i, 256);
    if (i == tally->count)
        tally->entries[tally->count++] =
            (struct entry){it->class, it->elements, it->group, it->at_once, 0.0};
    tally->entries[i].times += it->times;
}

void tally_add_expected(struct tally *tally, const struct expected *it)
{
    if (it->class != TRAFFIC_LOCAL)
        add(tally, &(struct entry){it->class, it->elements, it->group, it->at_once, it->times});
}

void tally_add_demand(struct tally *tally, const struct demand *demand, double element_bytes)
{
    const struct use *uses = demand->uses.items;
    for (size_t i = 0; i < demand->uses.count; i++)
        for (double number = 0.0; number <= uses[i].further; number++) {
            const struct use use = use_in_run(&uses[i], number);
            add(tally, &(struct entry){use.class, use.bytes / element_bytes, use.processors,
                                       use.at_once, use.times});
        }
}

void tally_compare(const struct tally *expected, const struct tally *derived, const char *of)
{
    struct tally left = *derived;
    for (size_t i = 0; i < expected->count; i++) {
        struct entry it = expected->entries[i];
        it.times = -it.times;
        add(&left, &it);
    }
    for (size_t i = 0; i < left.count; i++)
        ck_assert_msg(left.entries[i].times == 0.0,
                      "%s: %s of %g elements among %g, %g at once: %g times more than expected", of,
                      traffic_name(left.entries[i].class), left.entries[i].elements,
                      left.entries[i].group, left.entries[i].at_once, left.entries[i].times);
}
