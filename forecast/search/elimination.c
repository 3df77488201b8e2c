#include "forecast/search/elimination.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Entries of a part that an elimination leaves: 16 MB. */
static const double entries_most = 2e6;

/* Steps of one elimination: some seconds. */
static const double steps_most = 3e8;

/* The parts that are last to depend on an array when it is eliminated. */
struct bucket {
    size_t leader;
    struct parts own;  /* borrowed entries: of the program */
    struct parts left; /* owned: by those that were eliminated before */
    struct parts made; /* borrowed entries: what this elimination left to later ones, */
    double made_us;    /* and what it left that depends on nothing any more */
};

struct elimination {
    const struct space *space;
    const struct choice_taker *taker;
    const struct deadline *deadline;
    size_t count;
    struct bucket buckets[LEADERS_MOST]; /* in the order of elimination */
    size_t place[LEADERS_MOST];          /* of a leader, in that order */
    double constant_us;                  /* of what depends on nothing any more */
    size_t choice[LEADERS_MOST];
    size_t steps;
    bool late;
};

static bool is_late(struct elimination *it)
{
    if (!it->late && ++it->steps % 4096 == 0)
        it->late = deadline_has_passed(it->deadline);
    return it->late;
}

static size_t options_of(const struct elimination *it, size_t leader)
{
    return it->space->leaders[leader].option_count;
}

/* ---- the order ---- */

/* Which arrays stand beside which in a part. */
struct graph {
    bool beside[LEADERS_MOST][LEADERS_MOST];
    bool gone[LEADERS_MOST];
};

static void note_part(struct graph *graph, const struct part *part)
{
    for (size_t i = 0; i < part->count; i++)
        for (size_t k = 0; k < part->count; k++)
            graph->beside[part->leaders[i]][part->leaders[k]] = true;
}

/* Entries of what its elimination leaves. */
static double left_size(const struct elimination *it, const struct graph *graph, size_t leader)
{
    double size = 1.0;
    for (size_t k = 0; k < it->count; k++)
        if (k != leader && !graph->gone[k] && graph->beside[leader][k])
            size *= (double)options_of(it, k);
    return size;
}

static void eliminate_from(struct graph *graph, size_t leader, size_t count)
{
    graph->gone[leader] = true;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            graph->beside[i][k] |= graph->beside[leader][i] && graph->beside[leader][k];
}

/* The one that leaves the least comes next. */
static void find_order(struct elimination *it, const struct parts *parts)
{
    struct graph graph = {0};
    for (size_t i = 0; i < parts->count; i++)
        note_part(&graph, &parts->items[i]);
    for (size_t b = 0; b < it->count; b++) {
        size_t least = it->count;
        for (size_t k = 0; k < it->count; k++)
            if (!graph.gone[k] &&
                (least == it->count || left_size(it, &graph, k) < left_size(it, &graph, least)))
                least = k;
        eliminate_from(&graph, least, it->count);
        it->buckets[b].leader = least;
        it->place[least] = b;
    }
}

/* The first of its arrays to be eliminated; count: it depends on none. */
static size_t bucket_of(const struct elimination *it, const struct part *part)
{
    size_t first = it->count;
    for (size_t i = 0; i < part->count; i++)
        first = it->place[part->leaders[i]] < first ? it->place[part->leaders[i]] : first;
    return first;
}

/* ---- one elimination ---- */

/* Some parts of a bucket, and what eliminating its array from their sum leaves. */
struct merger {
    const struct part **of;
    size_t count;
    struct part left;
};

static bool depends_on(const struct part *part, size_t leader)
{
    for (size_t i = 0; i < part->count; i++)
        if (part->leaders[i] == leader)
            return true;
    return false;
}

/* What it would leave with one part more. */
static struct part left_with(const struct elimination *it, const struct merger *merger,
                             const struct part *part, size_t leader)
{
    struct part left = merger->left;
    for (size_t i = 0; i < part->count; i++)
        if (part->leaders[i] != leader && !depends_on(&left, part->leaders[i]))
            part_depend(&left, it->space, part->leaders[i]);
    return left;
}

/* Entries as doubles: their product may be beyond what a size_t holds. */
static double entries_of(const struct elimination *it, const struct part *part)
{
    double entries = 1.0;
    for (size_t i = 0; i < part->count; i++)
        entries *= (double)options_of(it, part->leaders[i]);
    return entries;
}

static double sum_at(const struct merger *merger, const size_t *choice)
{
    double sum_us = 0.0;
    for (size_t i = 0; i < merger->count; i++)
        sum_us += merger->of[i]->us[part_at(merger->of[i], choice)];
    return sum_us;
}

static void choice_of(const struct elimination *it, const struct part *part, size_t entry,
                      size_t *choice)
{
    for (size_t i = 0; i < part->count; i++)
        choice[part->leaders[i]] = entry / part->stride[i] % options_of(it, part->leaders[i]);
}

/* What is not reached in time is bounded by nothing. */
static void fill_left(struct elimination *it, struct merger *merger, size_t leader)
{
    size_t choice[LEADERS_MOST] = {0};
    struct part *left = &merger->left;
    left->us = memory_new(left->size, sizeof *left->us);
    left->owned = true;
    for (size_t entry = 0; entry < left->size && !it->late; entry++) {
        double least_us = INFINITY;
        choice_of(it, left, entry, choice);
        for (choice[leader] = 0; choice[leader] < options_of(it, leader) && !is_late(it);
             choice[leader]++)
            least_us = fmin(least_us, sum_at(merger, choice));
        left->us[entry] = it->late ? 0.0 : least_us;
    }
}

/* Hands what was left on to the bucket where its first array is eliminated. */
static void hand_on(struct elimination *it, size_t from, const struct part *left)
{
    const size_t to = bucket_of(it, left);
    if (to == it->count) {
        it->constant_us += left->us[0];
        it->buckets[from].made_us += left->us[0];
        free(left->us);
        return;
    }
    struct bucket *bucket = &it->buckets[to];
    parts_add(&bucket->left, left);
    struct part borrowed = *left;
    borrowed.owned = false;
    parts_add(&it->buckets[from].made, &borrowed);
}

/* Joins a part to the first merger that stays small enough, or begins one. */
static void merge(const struct elimination *it, struct merger *mergers, size_t *count,
                  const struct part *part, size_t room, size_t leader)
{
    for (size_t m = 0; m < *count; m++) {
        struct part left = left_with(it, &mergers[m], part, leader);
        const double entries = entries_of(it, &left);
        if (entries > entries_most || entries * (double)options_of(it, leader) > steps_most)
            continue;
        mergers[m].left = left;
        mergers[m].of[mergers[m].count++] = part;
        return;
    }
    struct merger *merger = &mergers[(*count)++];
    *merger = (struct merger){.of = memory_new(room, sizeof *merger->of), .left = {.size = 1}};
    merger->left = left_with(it, merger, part, leader);
    merger->of[merger->count++] = part;
}

static void eliminate(struct elimination *it, size_t number)
{
    struct bucket *bucket = &it->buckets[number];
    const size_t room = bucket->own.count + bucket->left.count;
    struct merger *mergers = memory_new(room, sizeof *mergers);
    size_t count = 0;
    for (size_t i = 0; i < bucket->own.count; i++)
        merge(it, mergers, &count, &bucket->own.items[i], room, bucket->leader);
    for (size_t i = 0; i < bucket->left.count; i++)
        merge(it, mergers, &count, &bucket->left.items[i], room, bucket->leader);
    for (size_t m = 0; m < count; m++) {
        fill_left(it, &mergers[m], bucket->leader);
        hand_on(it, number, &mergers[m].left);
        free(mergers[m].of);
    }
    free(mergers);
}

/* ---- all choices, depth first ---- */

static double sum_of(const struct parts *parts, const size_t *choice)
{
    double sum_us = 0.0;
    for (size_t i = 0; i < parts->count; i++)
        sum_us += parts->items[i].us[part_at(&parts->items[i], choice)];
    return sum_us;
}

struct branch_of {
    double us;
    size_t option;
};

static int by_cost(const void *a, const void *b)
{
    const struct branch_of *x = a, *y = b;
    if (x->us < y->us || x->us > y->us)
        return x->us < y->us ? -1 : 1;
    return (x->option > y->option) - (x->option < y->option);
}

static void descend(struct elimination *it, size_t number, double us);

/* The bucket's array has its options in the order of what is known of them. us: the bound of the
   choices made so far; what this bucket's elimination said is replaced by what it was made of. */
static void branch(struct elimination *it, const struct bucket *bucket, size_t number, double us)
{
    const size_t count = options_of(it, bucket->leader);
    struct branch_of *branches = memory_new(count, sizeof *branches);
    const double rest_us = us - bucket->made_us - sum_of(&bucket->made, it->choice);
    for (size_t k = 0; k < count; k++) {
        it->choice[bucket->leader] = k;
        branches[k] = (struct branch_of){
            rest_us + sum_of(&bucket->own, it->choice) + sum_of(&bucket->left, it->choice), k};
    }
    qsort(branches, count, sizeof *branches, by_cost);
    for (size_t k = 0; k < count && !is_late(it); k++) {
        if (!(branches[k].us < it->taker->limit_us(it->taker->taker)))
            break;
        it->choice[bucket->leader] = branches[k].option;
        descend(it, number, branches[k].us);
    }
    free(branches);
}

/* number: of buckets whose arrays are still to be chosen. */
static void descend(struct elimination *it, size_t number, double us)
{
    if (number == 0)
        it->taker->take(it->taker->taker, it->choice, us);
    else
        branch(it, &it->buckets[number - 1], number - 1, us);
}

static void buckets_free(struct elimination *it)
{
    for (size_t b = 0; b < it->count; b++) {
        free(it->buckets[b].own.items);
        free(it->buckets[b].made.items);
        parts_free(&it->buckets[b].left);
    }
}

bool elimination_go(const struct space *space, const struct parts *parts,
                    const struct choice_taker *taker, const struct deadline *deadline)
{
    struct elimination it = {
        .space = space, .taker = taker, .deadline = deadline, .count = space->leader_count};
    find_order(&it, parts);
    for (size_t i = 0; i < parts->count; i++) {
        const size_t bucket = bucket_of(&it, &parts->items[i]);
        if (bucket == it.count)
            it.constant_us += parts->items[i].us[0];
        else
            parts_add(&it.buckets[bucket].own, &parts->items[i]);
    }
    for (size_t b = 0; b < it.count; b++)
        eliminate(&it, b);
    it.late = false; /* what is known is gone through all the same, the most promising first */
    it.steps = 0;
    descend(&it, it.count, it.constant_us);
    buckets_free(&it);
    return !it.late;
}
