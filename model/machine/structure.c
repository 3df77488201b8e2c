#include "model/machine/structure.h"

#include "model/cost/basis.h"
#include "model/cost/grid.h"

#include <math.h>
#include <string.h>

/* ---- counts among p participants ---- */

static double none(double p)
{
    (void)p;
    return 0.0;
}

static double one(double p)
{
    (void)p;
    return 1.0;
}

static double others(double p)
{
    return p - 1.0;
}

/* What has to pass one processor, at twice the rate of one message: a message's own time has its
   bytes on both sides. */
static double half_of_others(double p)
{
    return (p - 1.0) / 2.0;
}

static double stages(double p)
{
    return ceil(log2(p));
}

/* Of a binary tree: how many messages down to the deepest processor. */
static double depth(double p)
{
    return floor(log2(p));
}

static double half_of_stages(double p)
{
    return fmax(1.0, stages(p) / 2.0);
}

/* In and out again; two processors exchange. */
static double in_and_out(double p)
{
    return p > 2.0 ? 2.0 * stages(p) : 1.0;
}

/* A combination of all moves 2 (p - 1) / p of the data through every processor, and takes two
   stages from three processors on. */
static double combined(double p)
{
    return 2.0 * (p - 1.0) / p;
}

/* The root of a binomial tree starts all its sends at once: its last message is behind the others,
   as are its children's. */
static double behind_one_another(double p)
{
    return stages(p) * (stages(p) - 1.0) / 2.0;
}

/* Of a binary tree, where the second child of each waits for the first one's message. */
static double heap_stages(double p)
{
    return basis_value(basis_named("heap(p)"), p);
}

static double two_neighbours(double p)
{
    return p > 2.0 ? 2.0 : 1.0;
}

/* Along one direction. */
static double neighbours_along(double side)
{
    return fmin(side - 1.0, 2.0);
}

/* More processors are taken to have a grid of at least three by three. */
static const double grid_most = 1e9;

/* On the grid nearest to a square. */
static double grid_neighbours_of(double p)
{
    if (!(p <= grid_most))
        return 4.0;
    const double side = grid_shorter_side((int)p);
    return neighbours_along(side) + neighbours_along(p / side);
}

/* Of p messages under way, two of a pair. */
static double other_pairs(double p)
{
    return p / 2.0 - 1.0;
}

/* ---- laws ---- */

/* Shorter messages are not sent in pieces, each of which costs a setup. */
static const double pieces_bytes_least = 8192.0;

/* A pattern among p takes at least `least` messages one after the other, and at least as long as
   the bytes of `least_volume` messages; at most `most` messages and the bytes of `more_volume`
   besides, or, where a library may send pieces around a ring, `rings` times that. */
struct law {
    double (*least)(double p), (*least_volume)(double p);
    double (*most)(double p), (*more_volume)(double p);
    double rings;
};

static const struct law each_other = {one, half_of_others, others, none, 0.0};
static const struct law in_turn = {others, none, others, none, 0.0};
static const struct law library_tree = {one, none, stages, behind_one_another, 1.0};
static const struct law binomial_tree = {stages, none, stages, behind_one_another, 0.0};
static const struct law binary_tree = {depth, none, heap_stages, none, 0.0};
static const struct law binary_tree_in_parts = {one, none, heap_stages, none, 0.0};
static const struct law combination = {combined, none, in_and_out, none, 2.0};
static const struct law barrier = {half_of_stages, none, in_and_out, none, 0.0};
static const struct law shift = {one, none, one, none, 0.0};
static const struct law neighbours = {one, none, two_neighbours, none, 0.0};
static const struct law grid_neighbours = {one, none, grid_neighbours_of, none, 0.0};
static const struct law pairs = {one, none, one, other_pairs, 0.0};

static const struct {
    const char *utility;
    const struct law *law;
    const struct law *in_parts; /* of long messages, where they are sent in parts; NULL: as all */
} rows[] = {
    {"one-to-many",     &each_other,      NULL                 },
    {"many-to-one",     &in_turn,         NULL                 },
    {"many-to-many",    &each_other,      NULL                 },
    {"all-gather",      &each_other,      NULL                 },
    {"broadcast",       &library_tree,    NULL                 },
    {"BCAST",           &library_tree,    NULL                 },
    {"broadcast-bc",    &library_tree,    NULL                 },
    {"broadcast-1m",    &each_other,      NULL                 },
    {"broadcast-rd",    &binomial_tree,   NULL                 },
    {"broadcast-prd",   &binomial_tree,   &library_tree        },
    {"broadcast-bt",    &binary_tree,     NULL                 },
    {"broadcast-pbt",   &binary_tree,     &binary_tree_in_parts},
    {"combine",         &combination,     NULL                 },
    {"COMBN",           &combination,     NULL                 },
    {"synchronization", &barrier,         NULL                 },
    {"iSR",             &shift,           NULL                 },
    {"vSR",             &shift,           NULL                 },
    {"vSRSR",           &shift,           NULL                 },
    {"EXCH1",           &neighbours,      NULL                 },
    {"EXCH2",           &grid_neighbours, NULL                 },
    {"halo-1",          &neighbours,      NULL                 },
    {"halo-2",          &grid_neighbours, NULL                 },
    {"exchange-pairs",  &pairs,           NULL                 },
};

/* The pattern of "vSR-packed" is vSR's. */
static size_t length_of_pattern(const char *utility)
{
    static const char *const forms[] = {"-packed", "-vector"};
    const size_t length = strlen(utility);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t form = strlen(forms[i]);
        if (length > form && strcmp(utility + length - form, forms[i]) == 0)
            return length - form;
    }
    return length;
}

/* Of the cost's pattern; NULL: none is known. */
static const struct law *law_of(const struct cost *cost, double bytes)
{
    const size_t length = length_of_pattern(cost->utility);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].utility) == length &&
            strncmp(rows[i].utility, cost->utility, length) == 0)
            return rows[i].in_parts && bytes >= pieces_bytes_least ? rows[i].in_parts : rows[i].law;
    return NULL;
}

/* ---- bounds ---- */

/* What a stage costs besides a message of the same size between two, such as passing it on, and
   what is quicker where many take part: with less, some times of test/bench/certainty.sh are
   outside on clusters where all processors are equally near. */
static const double slower = 1.25, quicker = 1.1;

/* Bounds further apart say nothing. */
static const double apart_most = 100.0;

struct bounds {
    double low_us, high_us;
};

/* What is known: the pattern's own time where it was measured, and a message's. */
struct known {
    const struct machine *machine;
    const struct law *law;
    double bytes, participants; /* that were measured */
    double own_us, message_us;
    double volume_us; /* of that, what grows with the bytes */
};

static double message_us(const struct machine *machine, double bytes)
{
    const struct cost *message = machine_cost(machine, "point-to-point");
    struct cost_answer answer;
    return message && cost_answer(message, bytes, 2.0, &answer, NULL) == 0 ? answer.time_us : 0.0;
}

static double ring_us(const struct known *known, double p)
{
    if (known->bytes < pieces_bytes_least || known->law->rings == 0.0)
        return 0.0;
    return known->law->rings * (p - 1.0) * message_us(known->machine, ceil(known->bytes / p));
}

static struct bounds bounds_among_more(const struct known *known, double p)
{
    const struct law *law = known->law;
    const double before = known->participants;
    const double least_us = known->own_us * fmax(1.0, law->least(p) / law->least(before));
    const double passing_us = known->volume_us * law->least_volume(p);
    const double stages_us =
        fmax(known->own_us * law->most(p) / law->most(before), known->message_us * law->most(p)) +
        known->volume_us * law->more_volume(p);
    return (struct bounds){fmax(least_us, passing_us) / quicker,
                           fmax(stages_us, ring_us(known, p)) * slower};
}

static struct bounds bounds_among_fewer(const struct known *known, double p)
{
    const struct law *law = known->law;
    const double before = known->participants;
    return (struct bounds){known->own_us * law->most(p) / law->most(before) / slower,
                           known->own_us * quicker};
}

/* ---- the answer ---- */

static int fail_unbounded(const struct cost *cost, double processors, struct error *error)
{
    return error_set(error, "%s was measured at p = %g alone: what it takes at p = %g is not known",
                     cost->utility, cost_processors(cost, cost->processors.most),
                     cost_processors(cost, processors));
}

/* Such as that of another grid. */
static unsigned flags_at(const struct cost *cost, double bytes, double processors)
{
    struct cost_answer answer;
    return cost_answer(cost, bytes, processors, &answer, NULL) == 0 ? answer.flags : 0;
}

/* Those of two processors, whatever others there are. */
static bool is_of_a_pair(const struct cost *cost)
{
    static const char *const utilities[] = {"point-to-point", "exchange", "exchange-far",
                                            "exchange-best"};
    for (size_t i = 0; i < sizeof utilities / sizeof *utilities; i++)
        if (strcmp(cost->utility, utilities[i]) == 0)
            return true;
    return false;
}

static int answer_by_structure(const struct machine *machine, const struct cost *cost, double bytes,
                               double processors, struct cost_answer *answer, struct error *error)
{
    const double not_counted = cost->processors_mean == MEAN_PARTICIPANTS ? 0.0 : 1.0;
    const double p = processors + not_counted, before = cost->processors.most + not_counted;
    struct cost_answer own;
    const double sent_bytes = cost->bytes.most == 0.0 ? 0.0 : bytes; /* a barrier sends none */
    struct known known = {
        .machine = machine,
        .law = law_of(cost, bytes),
        .bytes = sent_bytes,
        .participants = before,
        .message_us = message_us(machine, sent_bytes),
    };
    if (!known.law || !(p >= 2.0))
        return fail_unbounded(cost, processors, error);
    if (cost_answer(cost, bytes, cost->processors.most, &own, error) != 0)
        return -1;
    *answer = own;
    answer->flags |= COST_EXTRAPOLATED_PROCESSORS;
    answer->measured_at = cost->processors.most;
    if (own.time_us == 0.0) /* nothing is sent */
        return 0;
    known.own_us = own.time_us;
    known.volume_us =
        fmax(0.0, form_value(&own.region->per_byte_us, cost->processors.most)) * bytes;
    const struct bounds bounds =
        p > before ? bounds_among_more(&known, p) : bounds_among_fewer(&known, p);
    if (!(bounds.low_us > 0.0) || bounds.high_us > apart_most * bounds.low_us)
        return fail_unbounded(cost, processors, error);
    const double wider = own.high_us / own.time_us;
    answer->flags |= flags_at(cost, bytes, processors);
    answer->time_us = sqrt(bounds.low_us * bounds.high_us);
    answer->low_us = bounds.low_us / wider;
    answer->high_us = bounds.high_us * wider;
    return 0;
}

int structure_answer(const struct machine *machine, const struct cost *cost, double bytes,
                     double processors, struct cost_answer *answer, struct error *error)
{
    const bool one_count = machine->machine.measured && !is_of_a_pair(cost) &&
                           cost->processors.least > 0.0 &&
                           cost->processors.least >= cost->processors.most;
    if (one_count && (processors < cost->processors.least || processors > cost->processors.most))
        return answer_by_structure(machine, cost, bytes, processors, answer, error);
    return cost_answer(cost, bytes, processors, answer, error);
}
