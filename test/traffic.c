/* Derived communication against enumeration: every iteration, every element that it reads, who owns
   it and who runs it, for thousands of random small segments over all distributions; some within a
   loop that carries a dependence, so that messages are sent for each of its values. */
#include "model/segment/analysis.h"
#include "test/expected.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SEGMENTS = 6000, RANK = 3, READS = 4, SIDE = 26, PROCESSORS = 24 };

/* One subscript: coefficient x loop (+ second loop) + turn x the loop outside + constants[read];
   loop -1: none. */
struct index {
    int loop, coefficient, second, constants[READS];
    int turn; /* coefficient of the loop outside */
};

struct operand {
    int rank, extent[RANK];
    int grid[RANK], block[RANK]; /* grid dimension, -1: not distributed */
    bool cyclic[RANK];
    struct index index[RANK];
};

struct case_of {
    int grid_count, grid[RANK], processors;
    int loop_count, first[RANK], last[RANK];
    int turns; /* values of the loop outside, from 0; 0: there is none */
    int less;  /* the last loop ends so much earlier with each of them */
    int below; /* > 0: the last loop ends so much below the first loop's index (triangular) */
    int read_count;
    bool coupled; /* subscripts or bounds couple loops */
    struct operand home, data;
};

static int pick(gsl_rng *random, int from, int to)
{
    return from + (int)gsl_rng_uniform_int(random, (unsigned long)(to - from + 1));
}

static bool chance(gsl_rng *random, int percent)
{
    return pick(random, 1, 100) <= percent;
}

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* ---- random segments ---- */

static void random_loops(gsl_rng *random, struct case_of *it)
{
    it->grid_count = pick(random, 1, RANK);
    it->turns = chance(random, 25) ? pick(random, 2, 4) : 0;
    it->less = it->turns ? pick(random, 0, 1) : 0;
    it->loop_count = pick(random, 1, RANK);
    it->processors = 1;
    for (int g = 0; g < it->grid_count; g++) {
        it->grid[g] = pick(random, 1, least_of(6, PROCESSORS / it->processors));
        it->processors *= it->grid[g];
    }
    for (int l = 0; l < it->loop_count; l++) {
        it->first[l] = pick(random, 0, 2);
        it->last[l] = it->first[l] + pick(random, it->less ? it->turns : 0, 6);
    }
}

/* The extreme values of a subscript without its constant. */
static void ends_of(const struct case_of *it, const struct index *index, int *least, int *most)
{
    *least = *most = 0;
    if (index->loop < 0)
        return;
    const int a = index->coefficient * it->first[index->loop];
    const int b = index->coefficient * it->last[index->loop];
    *least = a < b ? a : b;
    *most = a < b ? b : a;
    if (index->second >= 0) {
        *least += it->first[index->second];
        *most += it->last[index->second];
    }
}

static int turns_of(const struct case_of *it)
{
    return it->turns ? it->turns : 1;
}

/* Constants and an extent that keep all elements inside. */
static void fit(gsl_rng *random, const struct case_of *it, struct operand *operand, int d,
                int spread)
{
    int least, most;
    ends_of(it, &operand->index[d], &least, &most);
    for (int k = 0; k < READS; k++)
        operand->index[d].constants[k] = pick(random, 0, spread) - least;
    operand->extent[d] = most - least + spread + 1 + pick(random, 0, 2);
    operand->index[d].turn = it->turns ? pick(random, 0, 1) : 0;
    operand->extent[d] += turns_of(it) - 1;
}

/* Every loop in one subscript at most. */
static void random_subscripts(gsl_rng *random, const struct case_of *it, struct operand *operand)
{
    int loops[RANK] = {0, 1, 2}, next = 0;
    for (int k = RANK - 1; k > 0; k--) {
        const int other = pick(random, 0, k), swap = loops[k];
        loops[k] = loops[other];
        loops[other] = swap;
    }
    operand->rank = pick(random, 1, RANK);
    for (int d = 0; d < operand->rank; d++) {
        struct index *index = &operand->index[d];
        *index = (struct index){.loop = -1, .second = -1};
        while (next < RANK && loops[next] >= it->loop_count)
            next++;
        if (next < RANK && chance(random, 85)) {
            index->loop = loops[next++];
            index->coefficient = chance(random, 80) ? 1 : chance(random, 60) ? -1 : 2;
        }
        fit(random, it, operand, d, 2);
    }
}

static void random_distribution(gsl_rng *random, const struct case_of *it, struct operand *operand)
{
    bool used[RANK] = {false};
    for (int d = 0; d < operand->rank; d++) {
        const int g = pick(random, 0, it->grid_count - 1), n = operand->extent[d];
        const int share = (n + it->grid[g] - 1) / it->grid[g];
        operand->grid[d] = -1;
        operand->block[d] = n;
        operand->cyclic[d] = chance(random, 50);
        if (used[g] || chance(random, 20))
            continue;
        used[g] = true;
        operand->grid[d] = g;
        operand->block[d] = operand->cyclic[d] ? pick(random, 1, 3) : share + chance(random, 30);
    }
}

/* The data lie as the home does; the reads are a star (one offset each) or fill a box. */
static void make_stencil(gsl_rng *random, struct case_of *it)
{
    int offsets[READS][RANK] = {{0}};
    it->data = it->home;
    const bool box = it->home.rank >= 2 && chance(random, 40);
    it->read_count = box ? 4 : pick(random, 1, READS);
    const int a = pick(random, -3, 3), b = pick(random, -3, 3);
    const int c = pick(random, -3, 3), d = pick(random, -3, 3);
    for (int k = 0; k < it->read_count; k++) {
        offsets[k][box ? 0 : pick(random, 0, it->home.rank - 1)] =
            box ? (k & 1 ? a : b) : pick(random, -3, 3);
        if (box)
            offsets[k][1] = k & 2 ? c : d;
    }
    for (int dim = 0; dim < it->home.rank; dim++) {
        it->home.index[dim].constants[0] += 3;
        it->home.extent[dim] += 6;
        it->data.extent[dim] = it->home.extent[dim];
        for (int k = 0; k < READS; k++)
            it->data.index[dim].constants[k] = it->home.index[dim].constants[0] + offsets[k][dim];
    }
    random_distribution(random, it, &it->home);
    for (int dim = 0; dim < it->home.rank; dim++) {
        it->data.grid[dim] = it->home.grid[dim];
        it->data.block[dim] = it->home.block[dim];
        it->data.cyclic[dim] = it->home.cyclic[dim];
    }
}

static void couple(gsl_rng *random, struct case_of *it)
{
    struct index *index = &it->data.index[pick(random, 0, it->data.rank - 1)];
    const int second = pick(random, 0, it->loop_count - 1);
    if (index->loop < 0 || index->loop == second)
        return;
    it->coupled = true;
    index->second = second;
    fit(random, it, &it->data, (int)(index - it->data.index), 2);
    random_distribution(random, it, &it->data);
}

static struct case_of random_case(gsl_rng *random)
{
    struct case_of it = {0};
    random_loops(random, &it);
    random_subscripts(random, &it, &it.home);
    if (chance(random, 35)) {
        make_stencil(random, &it);
        return it;
    }
    random_subscripts(random, &it, &it.data);
    it.read_count = chance(random, 60) ? 1 : pick(random, 2, READS);
    random_distribution(random, &it, &it.home);
    random_distribution(random, &it, &it.data);
    if (chance(random, 15))
        couple(random, &it);
    else if (it.loop_count > 1 && !it.less && chance(random, 10)) {
        it.below = pick(random, 1, 3);
        it.coupled = true;
    }
    return it;
}

/* ---- as a description ---- */

static void write_reference(FILE *stream, const char *array, const struct operand *it, int read)
{
    static const char *const names[] = {"i", "j", "k"};
    fprintf(stream, "'%s", array);
    for (int d = 0; d < it->rank; d++) {
        const struct index *index = &it->index[d];
        fprintf(stream, "[");
        if (index->loop >= 0)
            fprintf(stream, "%d * %s + ", index->coefficient, names[index->loop]);
        if (index->second >= 0)
            fprintf(stream, "%s + ", names[index->second]);
        if (index->turn)
            fprintf(stream, "t + ");
        fprintf(stream, "%d]", index->constants[read]);
    }
    fprintf(stream, "'");
}

static void write_distribution(FILE *stream, const char *array, const struct operand *it)
{
    fprintf(stream, "%s: [", array);
    for (int d = 0; d < it->rank; d++) {
        fprintf(stream, "%s", d ? ", " : "");
        if (it->grid[d] < 0)
            fprintf(stream, "'*'");
        else
            fprintf(stream, "%s(%d)@%d", it->cyclic[d] ? "CYCLIC" : "BLOCK", it->block[d],
                    it->grid[d]);
    }
    fprintf(stream, "]");
}

static void write_extent(FILE *stream, const char *array, const struct operand *it)
{
    fprintf(stream, "%s: {extent: [", array);
    for (int d = 0; d < it->rank; d++)
        fprintf(stream, "%s%d", d ? ", " : "", it->extent[d]);
    fprintf(stream, "]}");
}

/* Every element that is read is written again after the reads, so that the loop outside carries. */
static void write_all_of_data(FILE *stream, const struct case_of *it)
{
    static const char *const names[] = {"x", "y", "z"};
    for (int d = 0; d < it->data.rank; d++)
        fprintf(stream, "%*s- loop: {%s: [0, %d]}\n%*sbody:\n", 4 + 2 * d, "", names[d],
                it->data.extent[d] - 1, 6 + 2 * d, "");
    fprintf(stream, "%*s- {statement: again, writes: 'b", 4 + 2 * it->data.rank, "");
    for (int d = 0; d < it->data.rank; d++)
        fprintf(stream, "[%s]", names[d]);
    fprintf(stream, "'}\n");
}

static void write_description(const struct case_of *it, const char *path)
{
    static const char *const names[] = {"i", "j", "k"};
    FILE *stream = fopen(path, "w");
    fprintf(stream, "forecost-segment: 1\narrays: {");
    write_extent(stream, "a", &it->home);
    fprintf(stream, ", ");
    write_extent(stream, "b", &it->data);
    fprintf(stream, "}\ncandidates: {c: {grid: [");
    for (int g = 0; g < it->grid_count; g++)
        fprintf(stream, "%s%d", g ? ", " : "", it->grid[g]);
    fprintf(stream, "], distribute: {");
    write_distribution(stream, "a", &it->home);
    fprintf(stream, ", ");
    write_distribution(stream, "b", &it->data);
    fprintf(stream, "}}}\nprogram:\n- segment: s\n  body:\n");
    const int outside = it->turns ? 2 : 0;
    if (it->turns)
        fprintf(stream, "  - loop: {t: [0, %d]}\n    body:\n", it->turns - 1);
    for (int l = 0; l < it->loop_count; l++) {
        const int margin = 2 + outside + 2 * l;
        fprintf(stream, "%*s- loop: {%s: [%d, ", margin, "", names[l], it->first[l]);
        if (it->less && l == it->loop_count - 1)
            fprintf(stream, "%d - t]}\n", it->last[l]);
        else if (it->below && l == it->loop_count - 1)
            fprintf(stream, "'min(%d, i - %d)']}\n", it->last[l], it->below);
        else
            fprintf(stream, "%d]}\n", it->last[l]);
        fprintf(stream, "%*sbody:\n", margin + 2, "");
    }
    fprintf(stream, "%*s- {statement: s, writes: ", 2 + outside + 2 * it->loop_count, "");
    write_reference(stream, "a", &it->home, 0);
    fprintf(stream, ", reads: [");
    for (int k = 0; k < it->read_count; k++) {
        fprintf(stream, "%s", k ? ", " : "");
        write_reference(stream, "b", &it->data, k);
    }
    fprintf(stream, "]}\n");
    if (it->turns)
        write_all_of_data(stream, it);
    fclose(stream);
}

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

/* The elements that q needs of r: a box of unions dimension by dimension (D4), or as they are where
   subscripts are coupled. */
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
                             a->coefficient == 2 || it->home.block[h] != it->data.block[d]))
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
        const struct expected expected = shift ? phase(it, g) : classify(it);
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
    struct program program;
    struct layout layout;
    struct subject subject;
    struct analysis analysis;
    struct error error;
    char line[800];
    write_description(it, path);
    if (program_read(&program, path, &error) != 0)
        ck_abort_msg("%s", error_line(&error, line, sizeof line));
    struct scope *scope = program_scope(&program, NULL, 0, it->processors, &error);
    if (layout_make(&layout, &program, program.candidates.items, scope, &error) != 0 ||
        subject_make(&subject, &program, scope, &error) != 0 ||
        analysis_make(&analysis, &subject, 0, &layout, &error) != 0)
        ck_abort_msg("%s", error_line(&error, line, sizeof line));
    compare_all(it, &analysis);
    analysis_free(&analysis);
    subject_free(&subject);
    layout_free(&layout);
    scope_free(scope);
    program_free(&program);
}

START_TEST(random_segments_agree_with_enumeration)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const char *path = "traffic-test.yaml";
    for (int i = 0; i < SEGMENTS; i++) {
        const struct case_of it = random_case(random);
        check_one(&it, path);
    }
    for (int class = TRAFFIC_MESSAGES; class < TRAFFIC_COMBINE; class ++)
        ck_assert_uint_gt(classes_seen[class], 20);
    unlink(path);
    gsl_rng_free(random);
}
END_TEST

SUITE("traffic", random_segments_agree_with_enumeration)
