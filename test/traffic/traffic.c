/* Derived communication against enumeration: every iteration, every element that it reads, who owns
   it and who runs it, for thousands of random small segments over all distributions; some within a
   loop that carries a dependence, so that messages are sent for each of its values. */
#include "test/derived.h"
#include "test/expected.h"
#include "test/scratch.h"
#include "test/suite.h"
#include "test/traffic/random_segment.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEGMENTS = OFTEN(1500, 6000) };

/* ---- the truth, element by element ---- */

struct truth {
    int turn; /* the value of the loop outside */
    int work[PROCESSORS];
    bool needed[PROCESSORS][SIDE * SIDE * SIDE]; /* element by element */
    bool along[PROCESSORS][RANK][SIDE];          /* the same, one dimension each */
    int count[PROCESSORS][PROCESSORS];           /* [to][from] */
};

static struct truth truth;

static int value_of(const struct index *index, int read, const int *at)
{
    int value = index->constants[read] + index->turn * truth.turn;
    if (index->loop >= 0)
        value += index->coefficient * at[index->loop];
    if (index->second >= 0)
        value += at[index->second];
    return value;
}

static int owner_of(const struct case_of *it, const struct operand *operand, int d, int element)
{
    const int block = element / operand->block[d];
    return operand->cyclic[d] ? block % it->grid[operand->grid[d]] : block;
}

static void coordinates_of(const struct case_of *it, int processor, int *at)
{
    for (int g = it->grid_count - 1; g >= 0; g--) {
        at[g] = processor % it->grid[g];
        processor /= it->grid[g];
    }
}

static bool executes(const struct case_of *it, int processor, const int *at)
{
    int mine[RANK];
    coordinates_of(it, processor, mine);
    for (int d = 0; d < it->home.rank; d++)
        if (it->home.grid[d] >= 0 &&
            owner_of(it, &it->home, d, value_of(&it->home.index[d], 0, at)) !=
                mine[it->home.grid[d]])
            return false;
    return true;
}

static void note_iteration(const struct case_of *it, const int *at, const bool *reads)
{
    for (int q = 0; q < it->processors; q++) {
        if (!executes(it, q, at))
            continue;
        truth.work[q]++;
        for (int k = 0; k < it->read_count; k++) {
            int element = 0;
            for (int d = 0; d < it->data.rank && reads[k]; d++) {
                const int value = value_of(&it->data.index[d], k, at);
                ck_assert_int_lt(value, SIDE);
                truth.along[q][d][value] = true;
                element = element * SIDE + value;
            }
            truth.needed[q][element] |= reads[k];
        }
    }
}

/* Whether processor r has the copy that q would take of an element, by dimensions: the element may
   be given in part (from dimension d on alone). */
static bool owns(const struct case_of *it, int r, int q, const int *element)
{
    int at[RANK], to[RANK];
    bool lies[RANK] = {false};
    coordinates_of(it, r, at);
    coordinates_of(it, q, to);
    for (int d = 0; d < it->data.rank; d++)
        if (it->data.grid[d] >= 0) {
            lies[it->data.grid[d]] = true;
            if (owner_of(it, &it->data, d, element[d]) != at[it->data.grid[d]])
                return false;
        }
    for (int g = 0; g < it->grid_count; g++)
        if (!lies[g] && at[g] != to[g])
            return false;
    return true;
}

/* The elements that q needs of r: a box of unions dimension by dimension (rule "Union of reads"),
   or as they are where subscripts are coupled. */
static bool needs(const struct case_of *it, int q, int r, const int *element)
{
    int flat = 0;
    bool box = true;
    for (int d = 0; d < it->data.rank; d++) {
        flat = flat * SIDE + element[d];
        box &= truth.along[q][d][element[d]];
    }
    return (it->coupled ? truth.needed[q][flat] : box) && owns(it, r, q, element);
}

static bool next_element(const struct operand *operand, int *element)
{
    for (int d = operand->rank - 1; d >= 0; d--) {
        if (++element[d] < operand->extent[d])
            return true;
        element[d] = 0;
    }
    return false;
}

static bool runs(const struct case_of *it, const int *at)
{
    const int last = it->loop_count - 1;
    return at[last] <= it->last[last] - it->less * truth.turn &&
           (!it->below || it->less || at[last] <= at[0] - it->below);
}

/* Of the reads marked, with one value of the loop outside. */
static void enumerate(const struct case_of *it, const bool *reads, int turn)
{
    int at[RANK], element[RANK] = {0};
    memset(&truth, 0, sizeof truth);
    truth.turn = turn;
    for (int l = 0; l < RANK; l++)
        at[l] = l < it->loop_count ? it->first[l] : 0;
    for (int l = 0; l >= 0;) {
        if (runs(it, at))
            note_iteration(it, at, reads);
        for (l = it->loop_count - 1; l >= 0 && ++at[l] > it->last[l]; l--)
            at[l] = it->first[l];
    }
    do
        for (int q = 0; q < it->processors; q++)
            for (int r = 0; r < it->processors && (it->coupled || truth.along[q][0][element[0]]);
                 r++)
                truth.count[q][r] += needs(it, q, r, element);
    while (next_element(&it->data, element));
}

/* ---- what the truth amounts to ---- */

static bool same_for(const struct case_of *it, int a, int b, int r)
{
    int element[RANK] = {0};
    do
        if (needs(it, a, r, element) != needs(it, b, r, element))
            return false;
    while (next_element(&it->data, element));
    return true;
}

/* Whether each source sends the same to all that need anything of it. */
static bool all_the_same(const struct case_of *it)
{
    for (int r = 0; r < it->processors; r++) {
        int first = -1;
        for (int q = 0; q < it->processors; q++) {
            if (truth.count[q][r] == 0)
                continue;
            if (first >= 0 && !same_for(it, first, q, r))
                return false;
            first = q;
        }
    }
    return true;
}

static struct expected classify(const struct case_of *it)
{
    const struct pairs pairs = {it->processors, PROCESSORS, &truth.count[0][0]};
    return pairs_classify(&pairs, all_the_same(it));
}

/* ---- shifts: grid dimension by grid dimension ---- */

static bool is_shift(const struct case_of *it)
{
    for (int d = 0; d < it->data.rank && !it->coupled; d++) {
        const int g = it->data.grid[d];
        int h = 0;
        while (g >= 0 && h < it->home.rank && it->home.grid[h] != g)
            h++;
        if (g < 0)
            continue;
        if (h == it->home.rank)
            return false;
        const struct index *a = &it->home.index[h], *b = &it->data.index[d];
        if (a->loop >= 0 && (a->loop != b->loop || a->coefficient != b->coefficient ||
                             it->home.block[h] != it->data.block[d]))
            return false;
        for (int k = 0; k < it->read_count && a->loop < 0; k++)
            if (b->loop >= 0 || owner_of(it, &it->home, h, value_of(a, 0, NULL)) !=
                                    owner_of(it, &it->data, d, value_of(b, k, NULL)))
                return false;
    }
    return !it->coupled;
}

/* Which reads have an offset along a grid dimension; none where it is not one of the data's. */
static bool shifted(const struct case_of *it, int along, bool *reads)
{
    bool any = false;
    for (int k = 0; k < READS; k++) {
        reads[k] = false;
        for (int d = 0; d < it->data.rank && k < it->read_count; d++)
            for (int h = 0; h < it->home.rank; h++)
                reads[k] |=
                    it->data.grid[d] == along && it->home.grid[h] == along &&
                    it->data.index[d].loop >= 0 &&
                    it->data.index[d].constants[k] + it->data.index[d].turn * truth.turn !=
                        it->home.index[h].constants[0] + it->home.index[h].turn * truth.turn;
        any |= reads[k];
    }
    return any;
}

/* Whether each iteration has its element of the read where it runs: along each grid dimension of
   the data the home has blocks as long, and the same element of them. */
static bool is_at_home(const struct case_of *it, int read)
{
    bool at_home = true;
    for (int d = 0; d < it->data.rank; d++) {
        const struct index *index = &it->data.index[d];
        bool alike = it->data.grid[d] < 0;
        for (int h = 0; h < it->home.rank && !alike; h++) {
            const struct index *home = &it->home.index[h];
            alike = it->home.grid[h] == it->data.grid[d] &&
                    it->home.block[h] == it->data.block[d] && home->loop == index->loop &&
                    (home->loop < 0 || home->coefficient == index->coefficient) &&
                    home->turn == index->turn && home->constants[0] == index->constants[read];
        }
        at_home &= alike;
    }
    return at_home;
}

/* The reads that are not at home make the union. */
static struct expected expect_union(const struct case_of *it)
{
    bool reads[READS];
    for (int k = 0; k < READS; k++)
        reads[k] = it->coupled || !is_at_home(it, k);
    enumerate(it, reads, truth.turn);
    return classify(it);
}

/* An element goes from its owner to who needs it by correcting one coordinate after the other. */
static struct expected phase(const struct case_of *it, int along)
{
    static bool moves[PROCESSORS][PROCESSORS][SIDE * SIDE * SIDE];
    int element[RANK] = {0}, flat = 0, counts[PROCESSORS][PROCESSORS] = {{0}};
    bool reads[READS];
    if (!shifted(it, along, reads))
        return (struct expected){.class = TRAFFIC_LOCAL};
    enumerate(it, reads, truth.turn);
    memset(moves, 0, sizeof moves);
    do {
        flat = 0;
        for (int d = 0; d < it->data.rank; d++)
            flat = flat * SIDE + element[d];
        for (int q = 0; q < it->processors; q++)
            for (int r = 0; r < it->processors; r++) {
                int to[RANK], from[RANK], hop_from = 0, hop_to = 0;
                if (!needs(it, q, r, element))
                    continue;
                coordinates_of(it, q, to);
                coordinates_of(it, r, from);
                for (int g = 0; g < it->grid_count; g++) {
                    hop_from = hop_from * it->grid[g] + (g < along ? to[g] : from[g]);
                    hop_to = hop_to * it->grid[g] + (g <= along ? to[g] : from[g]);
                }
                if (hop_from != hop_to && !moves[hop_to][hop_from][flat]) {
                    moves[hop_to][hop_from][flat] = true;
                    counts[hop_to][hop_from]++;
                }
            }
    } while (next_element(&it->data, element));
    const struct pairs pairs = {it->processors, PROCESSORS, &counts[0][0]};
    return pairs_shift(&pairs);
}

/* ---- the comparison ---- */

static size_t classes_seen[TRAFFIC_CLASSES];

static struct tally derived(const struct analysis *analysis)
{
    struct tally tally = {0};
    const struct demand *demands = analysis->demands.items;
    for (size_t i = 0; i < analysis->demands.count; i++) {
        const struct use *uses = demands[i].uses.items;
        tally_add_demand(&tally, &demands[i], 8.0);
        for (size_t k = 0; k < demands[i].uses.count; k++)
            classes_seen[uses[k].class]++;
    }
    return tally;
}

/* One value of the loop outside; returns the largest work. */
static int expect_turn(const struct case_of *it, int turn, struct tally *tally, int *work)
{
    const bool all[READS] = {true, true, true, true};
    int most = 0;
    enumerate(it, all, turn);
    for (int q = 0; q < it->processors; q++) {
        most = truth.work[q] > most ? truth.work[q] : most;
        work[q] += truth.work[q];
    }
    const bool shift = is_shift(it);
    for (int g = 0; g < (shift ? it->grid_count : 1); g++) {
        const struct expected expected = shift ? phase(it, g) : expect_union(it);
        tally_add_expected(tally, &expected);
    }
    return most;
}

/* Where messages are sent in each iteration of the loop outside, the busiest processor of each
   counts. */
static void compare_all(const struct case_of *it, const struct analysis *analysis)
{
    struct tally expected = {0};
    const struct tally tally = derived(analysis);
    const struct work *works = analysis->work.items;
    int work[PROCESSORS] = {0}, sum = 0, most = 0, steps = 0;
    for (int turn = 0; turn < turns_of(it); turn++)
        steps += expect_turn(it, turn, &expected, work);
    for (int q = 0; q < it->processors; q++) {
        most = work[q] > most ? work[q] : most;
        sum += work[q];
    }
    tally_compare(&expected, &tally, "a random segment");
    ck_assert_double_eq(works->iterations_most, expected.count > 0 ? steps : most);
    ck_assert_double_eq_tol(works->iterations_mean, (double)sum / it->processors, 1e-9);
}

static void check_one(const struct case_of *it, const char *path)
{
    struct derived derived;
    write_description(it, path);
    derived_make(&derived, path, it->processors);
    compare_all(it, &derived.analysis);
    derived_free(&derived);
}

START_TEST(random_segments_agree_with_enumeration)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    char *path = scratch_path("traffic.yaml");
    for (int i = 0; i < SEGMENTS; i++) {
        const struct case_of it = random_case(random);
        check_one(&it, path);
    }
    for (int class = TRAFFIC_MESSAGES; class < TRAFFIC_COMBINE; class ++)
        ck_assert_uint_gt(classes_seen[class], 20);
    remove_scratch(path);
    gsl_rng_free(random);
}
END_TEST

SUITE("traffic", random_segments_agree_with_enumeration)
