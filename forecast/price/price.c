#include "forecast/price/price.h"

#include "forecast/price/composition.h"
#include "forecast/price/packing.h"
#include "forecast/price/rings.h"
#include "model/cost/pattern.h"
#include "model/machine/structure.h"

#include <math.h>

static int price_packing(struct charge *charge, const struct machine *machine,
                         const struct use *use, struct error *error)
{
    const double participants = use->class == TRAFFIC_MANY_TO_MANY ? use->processors : 2.0;
    struct packing packing;
    const struct in_pieces how = {use->pieces, use->strided, use->element_bytes};
    if (packing_price(&packing, machine, use->class, &how, use->bytes, participants, error) != 0)
        return -1;
    charge->packing = packing.utility;
    charge->packing_unknown = packing.unknown;
    charge->time_us += packing.more_us;
    charge->alone_us += packing.more_us;
    charge->low_us += packing.low_us;
    charge->high_us += packing.high_us;
    return 0;
}

/* Pairs that exchange at once are measured as such; NULL: no such pairs, or not measured. */
static const struct cost *pairs_for(const struct machine *machine, const char *wanted,
                                    const struct use *use)
{
    const bool are_pairs = use->at_once > 1.0 && pattern_named(wanted) == &pattern_exchange;
    return are_pairs ? contention_pairs(machine) : NULL;
}

/* Patterns of exchanges with all neighbours, by directions: at once, and pair by pair. */
static const struct pattern *const at_once[] = {&pattern_halo_1, &pattern_halo_2, &pattern_halo_3};
static const struct pattern *const in_turn[] = {&pattern_EXCH1, &pattern_EXCH2, &pattern_EXCH3};

enum { DIRECTIONS_KNOWN = sizeof at_once / sizeof *at_once };

static const struct cost *halo_along(const struct machine *machine, const struct use *use,
                                     int directions)
{
    const struct cost *cost =
        use->in_turn ? NULL : machine_cost(machine, at_once[directions - 1]->name);
    return cost ? cost : machine_cost(machine, in_turn[directions - 1]->name);
}

/* What the table has measured of such a halo; pair by pair is next best to at once. NULL: nothing,
   or it is one pair's. */
static const struct cost *halo_for(const struct machine *machine, const struct use *use)
{
    const int directions = use->halo.directions;
    if (use->class != TRAFFIC_EXCHANGE || directions < 1 || directions > DIRECTIONS_KNOWN ||
        use->halo.neighbours < 2.0)
        return NULL;
    return halo_along(machine, use, directions);
}

/* The share of an exchange with two neighbours that the second one of them adds to the first; 0:
   not known, or nothing. Every further neighbour adds as much. Among the fewest processors that
   were measured: there two neighbours are as near as one. */
static double second_share(const struct machine *machine, const struct use *use)
{
    const struct cost *two = halo_along(machine, use, 1);
    const struct cost *one = machine_cost(machine, pattern_exchange.name);
    struct cost_answer of_two, of_one;
    if (!two || !one ||
        structure_answer(machine, two, use->bytes, two->processors.least, &of_two, NULL) != 0 ||
        structure_answer(machine, one, use->bytes, 2.0, &of_one, NULL) != 0 ||
        !(of_two.time_us > of_one.time_us))
        return 0.0;
    return 1.0 - of_one.time_us / of_two.time_us;
}

/* Beside a line among so many, where each has two neighbours, or one. Of one alone nothing is known
   of what two at once take less. */
static double lines_of_neighbours(const struct machine *machine, const struct use *use,
                                  double participants)
{
    if (participants < 3.0)
        return use->halo.neighbours;
    return 1.0 + (use->halo.neighbours - 2.0) * second_share(machine, use);
}

/* Grids are measured from some number of processors on, and lines from three on where there are as
   many. With fewer it is an exchange with as many neighbours as on a line. */
static bool price_small_grid(struct charge *charge, const struct machine *machine,
                             const struct use *use)
{
    const struct cost *line = halo_along(machine, use, 1);
    const double participants = fmax(use->halo.processors, line->processors.least);
    struct distance distance = distance_of_lines(machine, use->bytes, &use->halo);
    struct error error;
    distance.flags |= use->halo.directions > 1 ? COST_OTHER_GRID : 0;
    return charge_add(charge, machine, line,
                      &(struct charged){.uses = lines_of_neighbours(machine, use, participants) /
                                                use->halo.neighbours,
                                        .bytes = use->bytes,
                                        .participants = participants,
                                        .at_once = 1.0,
                                        .distance = &distance},
                      &error) == 0;
}

static bool is_small_grid(const struct machine *machine, const struct cost *cost,
                          const struct use *use)
{
    const struct cost *line = halo_along(machine, use, 1);
    bool of_two = false;
    for (int d = 0; d < use->halo.directions; d++)
        of_two |= use->halo.lines[d].side == 2.0;
    return machine->machine.measured && of_two && line &&
           (use->halo.directions == 1 || use->halo.processors < cost->processors.least);
}

/* How much longer an exchange with neighbours as far apart as along any of the lines takes than
   with the fewest of a line, which are as near as can be: across a corner it may be as much. */
static struct distance corner_distance(const struct machine *machine, const struct cost *line,
                                       const struct use *use)
{
    struct distance across = {1.0, 1.0, 1.0, 0};
    for (int d = 0; d < use->halo.directions; d++) {
        struct halo_exchange along = use->halo;
        along.own = use->halo.lines[d];
        along = halo_exchange_alone(&along, 2.0);
        const struct distance there = distance_of_halo(machine, line, line->processors.least,
                                                       use->bytes, &along, use->in_turn);
        across.high = fmax(across.high, there.high);
        across.flags |= there.flags;
    }
    return across;
}

/* A neighbour across a corner is one more. */
static bool price_corner(struct charge *charge, const struct machine *machine,
                         const struct use *use)
{
    const double share = second_share(machine, use);
    struct error error;
    if (!(share > 0.0))
        return false;
    const struct cost *line = halo_along(machine, use, 1);
    const struct distance across = corner_distance(machine, line, use);
    return charge_add(charge, machine, line,
                      &(struct charged){.uses = share,
                                        .bytes = use->bytes,
                                        .participants = line->processors.least,
                                        .at_once = 1.0,
                                        .distance = &across},
                      &error) == 0;
}

/* Among how many processors a halo's time is asked for. A grid that was measured among so many
   alone tells of another through its lines, where these were measured among more and fewer: halo-1
   says among how many. */
static double halo_processors(const struct machine *machine, const struct cost *cost,
                              const struct use *use)
{
    const struct cost *line = halo_along(machine, use, 1);
    const double processors = use->halo.processors, measured_at = cost->processors.least;
    const bool is_between =
        line && line->processors.least <= processors && processors <= line->processors.most;
    return machine->machine.measured && measured_at >= cost->processors.most && is_between
               ? measured_at
               : processors;
}

/* Each of the messages to neighbours is charged its share of the exchange with all. False where the
   table has no such pattern, or no answer of it for so many processors. */
static bool price_halo(struct charge *charge, const struct machine *machine, const struct use *use)
{
    const struct cost *cost = halo_for(machine, use);
    struct error error;
    struct distance distance;
    struct charged all = {.uses = 1.0 / use->halo.neighbours, .bytes = use->bytes, .at_once = 1.0};
    *charge = (struct charge){0};
    if (!cost)
        return false;
    if (use->halo.own.side == 0.0 && use->halo.lines[0].side > 0.0)
        return price_corner(charge, machine, use);
    if (is_small_grid(machine, cost, use))
        return price_small_grid(charge, machine, use);
    all.participants = halo_processors(machine, cost, use);
    if (machine->machine.measured) {
        const bool one_by_one = pattern_named(cost->utility) == in_turn[use->halo.directions - 1];
        distance =
            distance_of_halo(machine, cost, all.participants, use->bytes, &use->halo, one_by_one);
        all.distance = &distance;
    }
    return charge_add(charge, machine, cost, &all, &error) == 0;
}

/* How much longer one utility takes than another; 0: not known. */
static double ratio_of(const struct machine *machine, const struct pattern *one,
                       const struct pattern *other, double bytes, double processors)
{
    const struct cost *of = machine_cost(machine, one->name);
    const struct cost *to = machine_cost(machine, other->name);
    struct cost_answer its, others;
    if (!of || !to || structure_answer(machine, of, bytes, processors, &its, NULL) != 0 ||
        structure_answer(machine, to, bytes, processors, &others, NULL) != 0 ||
        !(others.time_us > 0.0))
        return 0.0;
    return its.time_us / others.time_us;
}

/* What is sent along one dimension one way, or to the next one and then back, beside an exchange
   with the neighbours on both sides at once: of so many messages each is a shift, and between two
   processors a message. 1: it is no shift, or the table does not say. */
static double shift_factor(const struct machine *machine, const struct use *use)
{
    const struct grid_line *own = &use->halo.own;
    const bool one_way = own->is_one_way && own->side > 2.0 && !use->in_turn;
    if (use->class != TRAFFIC_EXCHANGE || use->halo.directions != 1 || own->side < 2.0 ||
        (!use->by_shift && !one_way))
        return 1.0;
    const double shift =
        own->side > 2.0
            ? ratio_of(machine, &pattern_shift, &pattern_halo_1, use->bytes, use->halo.processors)
            : ratio_of(machine, &pattern_point_to_point, &pattern_exchange, use->bytes, 2.0);
    return shift > 0.0 ? (use->by_shift ? 2.0 : 1.0) * shift : 1.0;
}

/* A shift around groups whose processors are some distance apart, beside one around all. */
static struct distance shift_distance(const struct machine *machine, const struct use *use)
{
    return distance_of_lines(machine, use->bytes, &use->halo);
}

/* Pairs among so many, though all other neighbours exchange as well. */
static struct distance pairs_distance(const struct machine *machine, const struct cost *pairs,
                                      const struct charged *charged, const struct use *use)
{
    struct halo_exchange own = halo_exchange_alone(&use->halo, 1.0);
    own.lines[0].side = 2.0;
    return distance_of_halo(machine, pairs, charged->participants, charged->bytes, &own, false);
}

/* Of pairs that are called for it may not be told how far apart they are: they may be next to one
   another, and where that makes much of a difference a flag says so. */
static struct distance untold_distance(const struct machine *machine, const struct cost *pairs,
                                       const struct charged *charged, const struct use *use)
{
    struct use next = *use;
    next.halo = (struct halo_exchange){
        .processors = charged->participants, .directions = 1, .own = {.side = 2.0, .stride = 1.0}
    };
    next.halo.lines[0] = next.halo.own;
    if (!use->is_call)
        return (struct distance){1.0, 1.0, 1.0, 0};
    const struct distance near = pairs_distance(machine, pairs, charged, &next);
    const bool differs = near.factor < 0.8 || near.factor > 1.25;
    return (struct distance){1.0, 1.0, 1.0, differs ? COST_OTHER_DISTANCE : 0};
}

/* A message or an exchange that is called for may go to a processor nearby or to the farthest one.
   Where the table says that some are in other nodes, it is taken to be in the middle. The interval
   holds both. */
static struct distance message_distance(const struct machine *machine, const struct cost *cost,
                                        const struct use *use)
{
    const bool is_exchange = pattern_named(cost->utility) == &pattern_exchange;
    const struct cost *far = machine_cost(machine, is_exchange ? pattern_exchange_far.name
                                                               : pattern_point_to_point_far.name);
    struct cost_answer to_near, to_far;
    if (!far || structure_answer(machine, cost, use->bytes, 2.0, &to_near, NULL) != 0 ||
        structure_answer(machine, far, use->bytes, 2.0, &to_far, NULL) != 0 ||
        !(to_far.time_us > to_near.time_us))
        return (struct distance){1.0, 1.0, 1.0, 0};
    const double most = to_far.time_us / to_near.time_us;
    const bool leaves =
        distance_leaves(machine, use->processors, use->bytes, to_far.time_us - to_near.time_us);
    return (struct distance){leaves ? 0.5 * (1.0 + most) : 1.0, 1.0, most, 0};
}

/* Of the stages of a tree over a group's line, how many leave nodes of so many: processors in them
   are 1, 2, 4 ... times as far apart as neighbours, and one stage leaves where the ends do. */
static double stages_leaving(double near, const struct grid_line *line, double stride)
{
    double stages = 0.0;
    for (double steps = 1.0; steps < line->side; steps *= 2.0)
        stages += steps * stride >= near ? 1.0 : 0.0;
    return fmax(stages, (line->side - 1.0) * stride >= near ? 1.0 : 0.0);
}

/* A collective of a group whose processors are told to be some distance apart, beside one of
   neighbours: each stage of a tree that leaves a node takes what neighbours as far apart take
   longer than those within; up to all other processors of the group may be such stages. */
static struct distance group_distance(const struct machine *machine, const struct cost *cost,
                                      const struct use *use)
{
    const struct cost *halo = machine_cost(machine, pattern_halo_1.name);
    const struct grid_line *line = &use->halo.own;
    const double farther_us = distance_farther_us(machine, use->bytes, &use->halo, 0);
    struct cost_answer group;
    if (!halo || !(farther_us > 0.0) ||
        structure_answer(machine, cost, use->bytes, charge_counted(cost, use->processors), &group,
                         NULL) != 0)
        return (struct distance){1.0, 1.0, 1.0, isnan(farther_us) ? COST_OTHER_DISTANCE : 0};
    const double more = stages_leaving(halo->processors_near, line, line->stride) -
                        stages_leaving(halo->processors_near, line, 1.0);
    const double most_us = (more > 0.0 ? line->side - 1.0 : 0.0) * farther_us;
    return (struct distance){1.0 + more * farther_us / group.time_us, 1.0,
                             1.0 + most_us / group.time_us, 0};
}

/* A group of more than two whose processors are told to be some distance apart. */
static bool is_line_apart(const struct machine *machine, const struct use *use)
{
    return machine->machine.measured && use->is_call && use->halo.own.stride > 1.0 &&
           use->halo.own.side > 2.0;
}

static int price_wanted(struct charge *charge, const char *wanted, const struct machine *machine,
                        const struct use *use, struct error *error)
{
    const struct cost *pairs = pairs_for(machine, wanted, use);
    const struct cost *cost = pairs ? pairs : machine_cost(machine, wanted);
    struct charged all = {.uses = 1.0,
                          .bytes = use->bytes,
                          .participants = use->processors,
                          .at_once = use->at_once,
                          .apart = use->halo.own.stride};
    struct distance distance;
    *charge = (struct charge){0};
    if (!cost)
        return composition_charge(charge, machine, wanted, &all, error);
    if (pairs) {
        all.participants = 2.0 * use->at_once;
        all.at_once = 1.0;
    }
    if (pairs && machine->machine.measured) {
        distance = use->halo.own.side >= 2.0 ? pairs_distance(machine, pairs, &all, use)
                                             : untold_distance(machine, pairs, &all, use);
        all.distance = &distance;
    }
    if (use->is_call && machine->machine.measured && use->processors > 2.0 &&
        (cost == machine_cost(machine, pattern_point_to_point.name) ||
         cost == machine_cost(machine, pattern_exchange.name))) {
        distance = message_distance(machine, cost, use);
        all.distance = &distance;
    }
    if (use->is_call && use->halo.own.stride <= 1.0 && pattern_named(wanted) == &pattern_shift) {
        distance = rings_distance(machine, cost, use->processors, use->bytes, use->in_a_row);
        all.distance = &distance;
    }
    if (is_line_apart(machine, use)) {
        distance = pattern_named(wanted) == &pattern_shift ? shift_distance(machine, use)
                                                           : group_distance(machine, cost, use);
        all.distance = &distance;
    }
    return charge_add(charge, machine, cost, &all, error);
}

/* Those that have nothing to contribute can take part in a combination, with nothing: where that is
   cheaper, because of their number, a program does so. */
static void try_more(struct charge *charge, const char *wanted, const struct machine *machine,
                     const struct use *use)
{
    struct charge with_all;
    struct error error;
    struct use all = *use;
    all.processors = use->processors_most;
    if (use->processors_most <= use->processors ||
        price_wanted(&with_all, wanted, machine, &all, &error) != 0 ||
        with_all.time_us >= charge->time_us)
        return;
    *charge = with_all;
    charge->contribute = use->processors;
}

int price_use(const struct machine *machine, const struct demand *demand, const struct use *use,
              struct charge *charge, struct error *error)
{
    const char *wanted = demand->utility ? demand->utility : traffic_name(use->class);
    if ((demand->utility || !price_halo(charge, machine, use)) &&
        price_wanted(charge, wanted, machine, use, error) != 0)
        return -1;
    charge_scale(charge, shift_factor(machine, use));
    try_more(charge, wanted, machine, use);
    return price_packing(charge, machine, use, error);
}
